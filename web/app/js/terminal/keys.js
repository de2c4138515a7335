// Keys as the bytes that a terminal sends for them. Pure.

const NAMED = {
  Enter: "\r",
  Tab: "\t",
  Escape: "\x1b",
  Backspace: "\x7f",
  Delete: "\x1b[3~",
  Insert: "\x1b[2~",
  ArrowUp: "\x1b[A",
  ArrowDown: "\x1b[B",
  ArrowRight: "\x1b[C",
  ArrowLeft: "\x1b[D",
  Home: "\x1b[H",
  End: "\x1b[F",
  PageUp: "\x1b[5~",
  PageDown: "\x1b[6~",
  F1: "\x1bOP",
  F2: "\x1bOQ",
  F3: "\x1bOR",
  F4: "\x1bOS",
  F5: "\x1b[15~",
  F6: "\x1b[17~",
  F7: "\x1b[18~",
  F8: "\x1b[19~",
  F9: "\x1b[20~",
  F10: "\x1b[21~",
  F11: "\x1b[23~",
  F12: "\x1b[24~",
};

/** What a key sends; null where it means something to the browser, or nothing. */
export function bytesOf({ key, ctrlKey, altKey, metaKey, shiftKey }) {
  if (metaKey) return null;
  if (key === "Tab" && shiftKey) return "\x1b[Z";
  if (ctrlKey) return controlled(key);
  const bytes = NAMED[key] ?? ([...key].length === 1 ? key : null);
  return bytes !== null && altKey ? `\x1b${bytes}` : bytes;
}

/** Ctrl and a letter, or one of the few signs that go with it. */
function controlled(key) {
  const sign = key === " " ? "@" : key.toUpperCase();
  if (!/^[@A-Z[\\\]^_]$/.test(sign)) return null;
  return String.fromCharCode(sign.charCodeAt(0) & 0x1f);
}
