// Reads what a program said and tells a screen what it means. Pure but for that screen. What is not whole
// at the end of a piece waits for the next one. Unknown sequences are passed over whole; questions (where
// is the cursor, what are you) are not answered, because many may be looking.

import { drawing } from "./letters.js";
import { styled } from "./style.js";

const NUMBERS_MOST = 32;
const NUMBER_MOST = 9999;
const REPEATS_MOST = 1000;

/** `newline` is how a line's end reads: "feed" as on a terminal, or "line" where no terminal was there. */
export function makeReader(screen, { newline = "feed" } = {}) {
  let state = text;
  let sequence = "";
  let isDrawing = false;
  let last = " ";

  function read(piece) {
    for (const letter of piece) state = state(letter) ?? state;
  }

  function text(letter) {
    if (letter >= " " && letter !== "\x7f") {
      last = isDrawing ? drawing(letter) : letter;
      screen.write(last);
      return undefined;
    }
    return control(letter);
  }

  function control(letter) {
    if (letter === "\n" || letter === "\v" || letter === "\f") {
      if (newline === "line") screen.carriageReturn();
      screen.lineFeed();
    } else if (letter === "\r") screen.carriageReturn();
    else if (letter === "\b") screen.backspace();
    else if (letter === "\t") screen.tab();
    else if (letter === "\x0e") isDrawing = true;
    else if (letter === "\x0f") isDrawing = false;
    else if (letter === "\x1b") return escape;
    return undefined;
  }

  function escape(letter) {
    sequence = "";
    if (letter === "[") return csi;
    if (letter === "]" || letter === "P" || letter === "X" || letter === "^" || letter === "_")
      return told;
    if (letter === "(") return charset;
    if (")*+-./#% ".includes(letter)) return skipped;
    if (letter === "\x1b") return escape;
    simple(letter);
    return text;
  }

  function simple(letter) {
    if (letter === "7") screen.save();
    else if (letter === "8") screen.restore();
    else if (letter === "D") screen.lineFeed();
    else if (letter === "M") screen.reverseFeed();
    else if (letter === "c") screen.reset();
    else if (letter === "E") {
      screen.carriageReturn();
      screen.lineFeed();
    }
  }

  function charset(letter) {
    isDrawing = letter === "0";
    return text;
  }

  function skipped() {
    return text;
  }

  /** Titles, links and the like: passed over to their end. */
  function told(letter) {
    if (letter === "\x07" || letter === "\x18" || letter === "\x1a") return text;
    return letter === "\x1b" ? toldEnd : undefined;
  }

  function toldEnd(letter) {
    if (letter === "\\") return text;
    return letter === "\x1b" ? undefined : escape(letter);
  }

  function csi(letter) {
    if (letter === "\x1b") return escape;
    if (letter < " ") return control(letter);
    if (letter < "@") {
      // What no program means is not kept.
      if (sequence.length < 256) sequence += letter;
      return undefined;
    }
    if (letter <= "~") meant(letter, sequence);
    return text;
  }

  function meant(letter, written) {
    const [, mark, numbers, between] = /^([?>=<]?)([\d:;]*)(.*)$/s.exec(written);
    if (between) return;
    const list = parsed(numbers);
    if (mark === "?") switched(letter, list);
    else if (!mark) act(letter, list);
  }

  function act(letter, list) {
    const at = (index, otherwise) => plainOf(list[index]) || otherwise;
    const count = at(0, 1);
    const acts = {
      A: () => screen.moveBy(0, -count),
      B: () => screen.moveBy(0, count),
      C: () => screen.moveBy(count, 0),
      D: () => screen.moveBy(-count, 0),
      E: () => beginning(count),
      F: () => beginning(-count),
      G: () => screen.column(count - 1),
      H: () => screen.moveTo(at(1, 1) - 1, count - 1),
      I: () => times(count, screen.tab),
      J: () => screen.eraseScreen(at(0, 0)),
      K: () => screen.eraseLine(at(0, 0)),
      L: () => screen.insertLines(count),
      M: () => screen.deleteLines(count),
      P: () => screen.deleteCells(count),
      S: () => screen.scroll(count),
      T: () => screen.scroll(-count),
      X: () => screen.eraseCells(count),
      "@": () => screen.insertCells(count),
      "`": () => screen.column(count - 1),
      a: () => screen.moveBy(count, 0),
      b: () => times(Math.min(count, REPEATS_MOST), () => screen.write(last)),
      d: () => screen.row(count - 1),
      e: () => screen.moveBy(0, count),
      f: () => screen.moveTo(at(1, 1) - 1, count - 1),
      m: () => {
        screen.style = styled(screen.style, list);
      },
      r: () => screen.region(count - 1, at(1, screen.size().rows) - 1),
      s: screen.save,
      u: screen.restore,
    };
    acts[letter]?.();
  }

  function beginning(rows) {
    screen.moveBy(0, rows);
    screen.carriageReturn();
  }

  function switched(letter, list) {
    if (letter !== "h" && letter !== "l") return;
    const isOn = letter === "h";
    for (const number of list) {
      if (number === 25) screen.isCursorShown = isOn;
      else if (number === 47 || number === 1047) screen.other(isOn);
      else if (number === 1049) {
        if (isOn) screen.save();
        screen.other(isOn);
        if (!isOn) screen.restore();
      }
    }
  }

  return { read };
}

function times(count, act) {
  for (let done = 0; done < count; done += 1) act();
}

function plainOf(number) {
  return Array.isArray(number) ? number[0] : number;
}

/** "1;38:2:1:2:3" → [1, [38, 2, 1, 2, 3]]; nothing written is 0. */
function parsed(numbers) {
  if (!numbers) return [];
  return numbers
    .split(";")
    .slice(0, NUMBERS_MOST)
    .map((part) => {
      const all = part.split(":").map((digits) => Math.min(NUMBER_MOST, Number(digits || 0)));
      return all.length > 1 ? all : all[0];
    });
}
