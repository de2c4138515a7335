// How much room a letter takes: none, one cell or two. Pure. Good enough for what programs print; where a
// font disagrees, a line is off by a cell and no more.

const NONE = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x2753, 0x2757],
  [0x2b50, 0x2b50],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];

export function widthOf(letter) {
  const code = letter.codePointAt(0);
  if (code < 0x300) return 1;
  if (NONE.test(letter)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

// The line drawing letters that `ESC ( 0` puts in place of small ones.
const FROM = "`afgjklmnopqrstuvwxyz{|}~";
const TO = "◆▒°±┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";

export function drawing(letter) {
  const at = FROM.indexOf(letter);
  return at < 0 ? letter : TO[at];
}
