// How letters look: what `ESC [ … m` asks for, as a small frozen value. Pure. The same look is the same
// object, so lines compare looks by identity. Colours are numbers 0 to 15 (named by the theme) or CSS
// colours; what they look like by day and by night is the business of `terminal.css`.

export const PLAIN = look({});
const looks = new Map([[keyOf(PLAIN), PLAIN]]);
const LOOKS_MOST = 4096;

function look({ ink = null, ground = null, marks = "" }) {
  return Object.freeze({ ink, ground, marks });
}

function keyOf({ ink, ground, marks }) {
  return `${ink}|${ground}|${marks}`;
}

/** The one object for a look. */
function interned(wanted) {
  const key = keyOf(wanted);
  const known = looks.get(key);
  if (known) return known;
  // A program that paints every letter in a colour of its own must not fill the memory.
  if (looks.size >= LOOKS_MOST) looks.clear();
  const made = look(wanted);
  looks.set(key, made);
  return made;
}

// b bold, f faint, i italic, u underlined, r reversed, h hidden, s struck through.
const ON = { 1: "b", 2: "f", 3: "i", 4: "u", 7: "r", 8: "h", 9: "s", 21: "u" };
const OFF = { 22: "bf", 23: "i", 24: "u", 27: "r", 28: "h", 29: "s" };

/** The look after `ESC [ numbers m`. A number is a list where it had sub-numbers (`38:2:…`). */
export function styled(before, numbers) {
  let { ink, ground, marks } = before;
  const rest = numbers.length ? [...numbers] : [0];
  while (rest.length) {
    const first = rest.shift();
    const [code, ...subs] = Array.isArray(first) ? first : [first];
    if (code === 0) [ink, ground, marks] = [null, null, ""];
    else if (code === 4 && subs[0] === 0) marks = without(marks, "u");
    else if (ON[code]) marks = withMark(marks, ON[code]);
    else if (OFF[code]) marks = without(marks, OFF[code]);
    else if (code >= 30 && code <= 37) ink = code - 30;
    else if (code >= 90 && code <= 97) ink = code - 82;
    else if (code >= 40 && code <= 47) ground = code - 40;
    else if (code >= 100 && code <= 107) ground = code - 92;
    else if (code === 39) ink = null;
    else if (code === 49) ground = null;
    else if (code === 38) ink = chosen(subs, rest) ?? ink;
    else if (code === 48) ground = chosen(subs, rest) ?? ground;
    else if (code === 58) chosen(subs, rest);
  }
  return interned({ ink, ground, marks });
}

function withMark(marks, mark) {
  return marks.includes(mark) ? marks : [...marks, mark].sort().join("");
}

function without(marks, gone) {
  return [...marks].filter((mark) => !gone.includes(mark)).join("");
}

/** `5;n` or `2;r;g;b`, as sub-numbers or as the numbers that follow, which are taken from `rest`. */
function chosen(subs, rest) {
  const from = subs.length ? subs : rest;
  const kind = from.shift();
  if (kind === 5) return ofPalette(from.shift());
  if (kind !== 2) return null;
  // With sub-numbers there may be a colour space before the three parts.
  if (subs.length > 3) subs.shift();
  return rgb([from.shift(), from.shift(), from.shift()]);
}

function rgb(parts) {
  if (!parts.every((part) => part >= 0 && part <= 255)) return null;
  return `rgb(${parts.join(" ")})`;
}

/** The 256 colours: 16 of the theme, a cube of 6 by 6 by 6, and 24 greys. */
function ofPalette(number) {
  if (!(number >= 0 && number <= 255)) return null;
  if (number < 16) return number;
  if (number >= 232) return rgb(Array(3).fill(8 + (number - 232) * 10));
  const step = (value) => (value ? 55 + value * 40 : 0);
  const cube = number - 16;
  return rgb([step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)]);
}
