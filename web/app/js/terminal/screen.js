// A terminal's screen as a value: lines of cells, a cursor, a region that scrolls, and a second screen for
// programs that draw everything themselves. Pure: no DOM, no time. What scrolls off the top of the first
// screen is kept up to a limit.
//
// A line is { id, stamp, cells, looks }: `stamp` grows with every change, so whoever draws can tell which
// lines to draw anew. A cell is a letter with what belongs to it; the second cell of a wide letter is "".

import { widthOf } from "./letters.js";
import { PLAIN } from "./style.js";

const TAB = 8;
// Without a width, lines are as long as they are, up to this; a cursor cannot be sent further either.
const COLUMNS_MOST = 4096;

let lastId = 0;

function blankLine() {
  lastId += 1;
  return { id: lastId, stamp: 0, cells: [], looks: [] };
}

function blankScreen(rows) {
  return Array.from({ length: rows }, blankLine);
}

/** `columns` is 0 where lines are not broken, as for an output that never met a terminal. */
export function makeScreen({ rows = 30, columns = 120, kept = 5000 } = {}) {
  let size = { rows, columns: columns || COLUMNS_MOST };
  let breaks = Boolean(columns);
  let above = [];
  let lines = [blankLine()];
  let first = null;
  let [x, y] = [0, 0];
  let [top, bottom] = [0, size.rows - 1];
  let saved = { x: 0, y: 0, style: PLAIN };
  let isCut = false;
  const screen = {
    style: PLAIN,
    isCursorShown: true,
    write,
    lineFeed,
    carriageReturn: () => moveTo(0, y),
    backspace: () => moveTo(Math.min(x, size.columns) - 1, y),
    tab,
    moveTo,
    moveBy: (dx, dy) => moveTo(Math.min(x, size.columns - 1) + dx, y + dy),
    column: (to) => moveTo(to, y),
    row: (to) => moveTo(x, to),
    eraseLine,
    eraseScreen,
    insertLines: (count) => inRegion((at) => shift(at, bottom, count)),
    deleteLines: (count) => inRegion((at) => shift(at, bottom, -count)),
    insertCells,
    deleteCells,
    eraseCells: (count) => erase(line(), x, x + count),
    scroll: (count) => (count > 0 ? scrollUp(count) : shift(top, bottom, -count)),
    region,
    reverseFeed,
    save,
    restore,
    other,
    reset,
    resize,
    /** All lines there are to see, the oldest first. */
    lines: () => (first ? lines : [...above, ...lines]),
    /** Where the cursor is among them. */
    cursor: () => ({ x: Math.min(x, size.columns - 1), line: line() }),
    /** Whether lines made room for newer ones. */
    isCut: () => isCut,
    size: () => size,
  };

  function line(at = y) {
    while (lines.length <= at) lines.push(blankLine());
    return lines[at];
  }

  function moveTo(toX, toY) {
    x = Math.max(0, Math.min(size.columns - 1, toX));
    y = Math.max(0, Math.min(size.rows - 1, toY));
  }

  /** Puts one letter where the cursor is. */
  function write(letter) {
    const width = widthOf(letter);
    if (width === 0) return join(letter);
    if (x + width > size.columns) {
      if (breaks) nextLine();
      else return undefined;
    }
    const target = line();
    fillTo(target, x);
    // Half a wide letter is no letter.
    if (target.cells[x] === "" && x > 0) target.cells[x - 1] = " ";
    if (width === 1 && target.cells[x + 1] === "") target.cells[x + 1] = " ";
    target.cells[x] = letter;
    target.looks[x] = screen.style;
    if (width === 2) {
      target.cells[x + 1] = "";
      target.looks[x + 1] = screen.style;
    }
    target.stamp += 1;
    x += width;
    return undefined;
  }

  /** A mark belongs to the letter before it; a handful of them is enough for any script. */
  function join(mark) {
    const target = line();
    let at = x - 1;
    if (target.cells[at] === "") at -= 1;
    if (at < 0 || !target.cells[at] || target.cells[at].length > 16) return;
    target.cells[at] += mark;
    target.stamp += 1;
  }

  function fillTo(target, at) {
    while (target.cells.length < at) {
      target.cells.push(" ");
      target.looks.push(PLAIN);
    }
  }

  function nextLine() {
    x = 0;
    lineFeed();
  }

  function lineFeed() {
    if (y === bottom) scrollUp(1);
    else if (y < size.rows - 1) y += 1;
    line();
  }

  function reverseFeed() {
    if (y === top) shift(top, bottom, 1);
    else if (y > 0) y -= 1;
  }

  function tab() {
    moveTo((Math.floor(x / TAB) + 1) * TAB, y);
  }

  /** Moves the lines from `from` to `to` down by `count`, up if it is negative; blank ones come in. */
  function shift(from, to, count) {
    const many = Math.min(Math.abs(count), to - from + 1);
    if (!many) return;
    line(to);
    const blanks = blankScreen(many);
    if (count > 0) {
      lines.splice(to + 1 - many, many);
      lines.splice(from, 0, ...blanks);
      return;
    }
    lines.splice(from, many);
    lines.splice(to + 1 - many, 0, ...blanks);
  }

  /** Moves the region up. What leaves at the top of the first screen was said, and is kept. */
  function scrollUp(count) {
    const many = Math.min(count, bottom - top + 1);
    if (top === 0 && !first) keep(lines.slice(0, many));
    shift(top, bottom, -many);
  }

  function keep(gone) {
    above.push(...gone);
    // Not one by one: cutting the beginning off a long list is not free.
    if (above.length <= kept + 200) return;
    above = above.slice(-kept);
    isCut = true;
  }

  function inRegion(change) {
    if (y < top || y > bottom) return;
    change(y);
    x = 0;
  }

  function region(from, to) {
    const last = Math.min(to, size.rows - 1);
    [top, bottom] = from >= 0 && from < last ? [from, last] : [0, size.rows - 1];
    moveTo(0, 0);
  }

  function erase(target, from, to) {
    const end = Math.min(to, size.columns);
    const { ground } = screen.style;
    if (ground === null && end >= target.cells.length) {
      target.cells.length = Math.min(target.cells.length, from);
      target.looks.length = target.cells.length;
    } else {
      fillTo(target, end);
      const look = ground === null ? PLAIN : screen.style;
      target.cells.fill(" ", from, end);
      target.looks.fill(look, from, end);
    }
    target.stamp += 1;
  }

  /** 0: from the cursor on, 1: up to it, 2: all of the line. */
  function eraseLine(what) {
    const at = Math.min(x, size.columns - 1);
    const [from, to] = { 0: [at, size.columns], 1: [0, at + 1], 2: [0, size.columns] }[what] ?? [
      0, 0,
    ];
    const isEndless = !breaks && to === size.columns;
    if (isEndless) {
      line().cells.length = Math.min(line().cells.length, from);
      line().looks.length = line().cells.length;
      line().stamp += 1;
    } else if (to > from) erase(line(), from, to);
  }

  /** As `eraseLine`, for the screen; 3 also forgets what scrolled away. */
  function eraseScreen(what) {
    if (what === 3) {
      above = [];
      return;
    }
    if (what === 2 && !first) keepShown();
    const from = what === 0 ? y + 1 : 0;
    const to = what === 1 ? y : size.rows;
    for (let at = from; at < Math.min(to, lines.length); at += 1) erase(lines[at], 0, size.columns);
    if (what < 2) eraseLine(what);
  }

  /** What is wiped off the first screen was said, and can still be read. */
  function keepShown() {
    let last = lines.length - 1;
    while (last >= 0 && !lines[last].cells.some((cell) => cell !== " ")) last -= 1;
    const gone = lines.slice(0, last + 1);
    keep(gone);
    lines = [...blankScreen(gone.length), ...lines.slice(last + 1)];
  }

  function insertCells(count) {
    const target = line();
    const many = Math.min(count, size.columns - x);
    if (x >= target.cells.length || many <= 0) return;
    target.cells.splice(x, 0, ...Array(many).fill(" "));
    target.looks.splice(x, 0, ...Array(many).fill(PLAIN));
    target.cells.length = Math.min(target.cells.length, size.columns);
    target.looks.length = target.cells.length;
    target.stamp += 1;
  }

  function deleteCells(count) {
    const target = line();
    target.cells.splice(x, count);
    target.looks.splice(x, count);
    target.stamp += 1;
  }

  function save() {
    saved = { x, y, style: screen.style };
  }

  function restore() {
    screen.style = saved.style;
    moveTo(saved.x, saved.y);
  }

  /** Goes to the second screen, which begins empty, or back to the first, which is as it was. */
  function other(isWanted) {
    if (isWanted === Boolean(first)) return;
    if (isWanted) {
      first = { lines, x, y };
      lines = blankScreen(size.rows);
    } else {
      ({ lines, x, y } = first);
      first = null;
    }
    [top, bottom] = [0, size.rows - 1];
    moveTo(x, y);
  }

  function reset() {
    other(false);
    screen.style = PLAIN;
    screen.isCursorShown = true;
    region(0, size.rows - 1);
    eraseScreen(2);
  }

  /** Another size: lines that no longer fit scroll away, and nothing is broken anew. */
  function resize(next) {
    const gone = Math.max(0, y + 1 - next.rows);
    if (gone) {
      const cut = lines.splice(0, gone);
      if (!first) keep(cut);
    }
    lines.length = Math.min(lines.length, next.rows);
    size = { ...next };
    breaks = true;
    [top, bottom] = [0, size.rows - 1];
    moveTo(x, y - gone);
  }

  return screen;
}

/** The words of a line, without what is blank at its end. */
export function wordsOf({ cells }) {
  return cells.join("").trimEnd();
}
