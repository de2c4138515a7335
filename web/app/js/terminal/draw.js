// Puts a screen on the page: a node per line, drawn anew only where the line changed, once per frame. The
// view stays at the end while the reader is there, and stays put while they read further up.

import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { wordsOf } from "./screen.js";

const NEAR_PX = 40;
const MARKS = { b: "bold", f: "faded", i: "slanted", u: "under", h: "unseen", s: "struck" };

/** `isLive()` says whether a cursor is shown. */
export function makeDrawing(screen, { label, isLive, wraps }) {
  const drawn = new Map();
  let frame = 0;
  let pinned = true;
  let cursorAt = null;
  const lines = el("div.term-lines");
  const jump = el(
    "button.jump",
    { type: "button", hidden: true, "aria-label": "Go to the newest line", onclick: toEnd },
    icon("down", 18),
  );
  const box = el(
    "pre.term",
    { tabindex: "0", role: "region", "aria-label": label, class: `term ${wraps ? "wraps" : ""}` },
    lines,
  );
  box.addEventListener(
    "scroll",
    () => {
      pinned = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      jump.hidden = pinned;
    },
    { passive: true },
  );
  const watch = new ResizeObserver(() => pinned && end());
  watch.observe(box);

  function end() {
    box.scrollTop = box.scrollHeight;
  }

  function toEnd() {
    pinned = true;
    jump.hidden = true;
    end();
  }

  function soon() {
    if (!frame) frame = requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const all = screen.lines();
    const cursor = isLive() && screen.isCursorShown ? screen.cursor() : null;
    const touched = new Set([cursorAt?.line, cursor?.line]);
    cursorAt = cursor;
    const ids = new Set(all.map(({ id }) => id));
    for (const [id, entry] of drawn) {
      if (ids.has(id)) continue;
      entry.node.remove();
      drawn.delete(id);
    }
    let place = lines.firstChild;
    for (const line of all) {
      const { node } = current(line, touched.has(line), line === cursor?.line ? cursor.x : -1);
      if (node === place) place = place.nextSibling;
      else lines.insertBefore(node, place);
    }
    if (pinned) end();
    else jump.hidden = false;
  }

  function current(line, isTouched, cursor) {
    const entry = drawn.get(line.id) ?? { node: el("div.term-line"), stamp: -1 };
    if (entry.stamp !== line.stamp || isTouched) fill(entry.node, runs(line, cursor));
    entry.stamp = line.stamp;
    drawn.set(line.id, entry);
    return entry;
  }

  return {
    node: el("div.term-frame", {}, box, jump),
    box,
    soon,
    toEnd,
    stop: () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
    },
  };
}

/** The letters of a line, those that look alike together. */
function runs(line, cursor) {
  const { cells, looks } = line;
  const made = [];
  const length = Math.max(cells.length, cursor + 1);
  let from = 0;
  while (from < length) {
    let to = from + 1;
    while (to < length && from !== cursor && to !== cursor && looks[to] === looks[from]) to += 1;
    made.push(run(cells.slice(from, to).join("") || " ", looks[from], from === cursor));
    from = to;
  }
  return made.length ? made : "\n";
}

function run(words, look, isCursor) {
  const classes = isCursor ? ["cursor"] : [];
  if (!look || (!look.marks && look.ink === null && look.ground === null))
    return isCursor ? el("span.cursor", {}, words) : words;
  const isReversed = look.marks.includes("r");
  for (const mark of look.marks) if (MARKS[mark]) classes.push(MARKS[mark]);
  const [ink, ground] = isReversed ? [look.ground, look.ink] : [look.ink, look.ground];
  if (isReversed) classes.push("reversed");
  const node = el("span", {}, words);
  painted(node, classes, "ink", ink);
  painted(node, classes, "ground", ground);
  node.className = classes.join(" ");
  return node;
}

/** A colour of the theme is a class; any other is a property that the style sheet reads. */
function painted(node, classes, which, colour) {
  if (colour === null) return;
  if (typeof colour === "number") classes.push(`${which}-${colour}`);
  else {
    classes.push(`${which}-own`);
    node.style.setProperty(which === "ink" ? "--ink-of" : "--ground", colour);
  }
}

/** Everything that is shown, as plain words. */
export function allWords(screen) {
  return screen.lines().map(wordsOf).join("\n").trimEnd();
}
