// Draws a safe subset of Markdown as DOM nodes: paragraphs, headings, lists, quotations, tables,
// rules and fenced code. `blocks` (pure) cuts the text; `renderInto` draws it and, while a reply
// grows, keeps the nodes of the blocks that did not change. Inside of lines: inline.js.

import { copyButton } from "./copy.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { inline } from "./inline.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]{0,40})(?:\s[^`]*)?$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const TABLE_LINE = /^\s*\|.*\|\s*$/;
const TABLE_DASHES = /^\s*\|?(\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/;
const DEPTH_MOST = 5;

/** Cuts text into blocks: { kind, source, … } in order. */
export function blocks(text) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const found = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at].trim() === "") {
      at += 1;
      continue;
    }
    const { end, ...block } = next(lines, at);
    found.push({ ...block, source: lines.slice(at, end).join("\n") });
    at = end;
  }
  return found;
}

function next(lines, at) {
  const line = lines[at];
  const fence = FENCE.exec(line);
  if (fence) return code(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading)
    return {
      kind: "heading",
      level: heading[1].length,
      text: heading[2].replace(/ #{1,6}$/, ""),
      end: at + 1,
    };
  if (RULE.test(line)) return { kind: "rule", end: at + 1 };
  if (QUOTE.test(line)) return quote(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  if (TABLE_LINE.test(line) && TABLE_DASHES.test(lines[at + 1] ?? "")) return table(lines, at);
  return paragraph(lines, at);
}

/** A fence without an end runs to the end of the text: that is how a reply looks while it streams. */
function code(lines, at, [, marks, language]) {
  let end = at + 1;
  while (end < lines.length && !closes(lines[end], marks)) end += 1;
  return {
    kind: "code",
    language,
    text: lines.slice(at + 1, end).join("\n"),
    end: Math.min(end + 1, lines.length),
  };
}

function closes(line, marks) {
  const text = line.trim();
  return text.length >= marks.length && text === marks[0].repeat(text.length);
}

function quote(lines, at) {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end])) end += 1;
  return {
    kind: "quote",
    text: lines
      .slice(at, end)
      .map((line) => QUOTE.exec(line)[1])
      .join("\n"),
    end,
  };
}

function list(lines, at) {
  const [, indent, sign] = ITEM.exec(lines[at]);
  const ordered = /\d/.test(sign);
  const items = [];
  let end = at;
  while (end < lines.length) {
    const item = ITEM.exec(lines[end]);
    if (item && item[1].length <= indent.length + 1) {
      if (/\d/.test(item[2]) !== ordered) break;
      items.push([item[3]]);
    } else if (
      lines[end].trim() === ""
        ? !goesOn(lines[end + 1], indent)
        : !/^\s/.test(lines[end]) && starts(lines[end])
    ) {
      break;
    } else {
      items.at(-1).push(lines[end]);
    }
    end += 1;
  }
  return {
    kind: "list",
    ordered,
    first: ordered ? Number.parseInt(sign, 10) : 1,
    items: items.map(unindented),
    end,
  };
}

function goesOn(line, indent) {
  return (
    line !== undefined &&
    (/^\s{2,}\S/.test(line) || (ITEM.exec(line)?.[1].length ?? -1) === indent.length)
  );
}

function unindented([first, ...rest]) {
  const least = Math.min(
    ...rest.filter((line) => line.trim()).map((line) => /^\s*/.exec(line)[0].length),
    8,
  );
  return [first, ...rest.map((line) => line.slice(least))].join("\n").trimEnd();
}

function starts(line) {
  return (
    FENCE.test(line) ||
    HEADING.test(line) ||
    QUOTE.test(line) ||
    RULE.test(line) ||
    TABLE_LINE.test(line)
  );
}

function table(lines, at) {
  let end = at + 2;
  while (end < lines.length && TABLE_LINE.test(lines[end])) end += 1;
  const rows = [lines[at], ...lines.slice(at + 2, end)].map(cellsOf);
  return { kind: "table", rows, sides: cellsOf(lines[at + 1]).map(sideOf), end };
}

function cellsOf(line) {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The side a column leans to, from the colons around its dashes. */
function sideOf(dashes) {
  if (!dashes.endsWith(":")) return null;
  return dashes.startsWith(":") ? "middle" : "end";
}

function paragraph(lines, at) {
  let end = at + 1;
  while (
    end < lines.length &&
    lines[end].trim() !== "" &&
    !starts(lines[end]) &&
    !ITEM.test(lines[end])
  )
    end += 1;
  return {
    kind: "paragraph",
    text: lines
      .slice(at, end)
      .map((line) => line.trimStart())
      .join("\n"),
    end,
  };
}

const drawn = new WeakMap();

/** Draws `text` into `node`, touching only the blocks from the first changed one on. */
export function renderInto(node, text) {
  const now = blocks(text);
  const before = drawn.get(node) ?? [];
  let same = 0;
  while (same < now.length && before[same] === now[same].source) same += 1;
  while (node.childNodes.length > same) node.lastChild.remove();
  for (const block of now.slice(same)) node.append(draw(block, 0));
  drawn.set(
    node,
    now.map((block) => block.source),
  );
}

const DRAW = {
  paragraph: (block) => el("p", { dir: "auto" }, inline(block.text)),
  heading: (block) => el(`h${Math.min(5, block.level + 2)}`, { dir: "auto" }, inline(block.text)),
  rule: () => el("hr"),
  quote: (block, depth) => el("blockquote", { dir: "auto" }, inner(block.text, depth)),
  list: (block, depth) =>
    el(
      block.ordered ? "ol" : "ul",
      { dir: "auto", start: block.first === 1 ? null : block.first },
      block.items.map((item) => drawItem(item, depth)),
    ),
  table: (block) =>
    el(
      "div.table",
      { tabindex: "0", role: "group", "aria-label": "Table" },
      el(
        "table",
        {},
        el("thead", {}, row(block.rows[0], "th", block.sides)),
        el(
          "tbody",
          {},
          block.rows.slice(1).map((cells) => row(cells, "td", block.sides)),
        ),
      ),
    ),
  code: drawCode,
};

function draw(block, depth) {
  return DRAW[block.kind](block, depth);
}

function inner(text, depth) {
  if (depth >= DEPTH_MOST) return [text];
  return blocks(text).map((block) => draw(block, depth + 1));
}

/** `[ ]` and `[x]` at the beginning of an item are boxes to be ticked. */
function drawItem(text, depth) {
  const task = /^\[([ xX])\]\s+/.exec(text);
  if (!task) return el("li", { dir: "auto" }, inItem(text, depth));
  const isDone = task[1] !== " ";
  const box = el(
    "span",
    { class: `box ${isDone ? "done" : ""}`, role: "img", "aria-label": isDone ? "done" : "open" },
    isDone ? icon("check", 12) : null,
  );
  return el("li.task", { dir: "auto" }, box, inItem(text.slice(task[0].length), depth));
}

/** A tight list has no paragraphs: the first line of an item is set without one. */
function inItem(text, depth) {
  if (depth >= DEPTH_MOST) return [text];
  return blocks(text).map((block, i) =>
    i === 0 && block.kind === "paragraph" ? inline(block.text) : draw(block, depth + 1),
  );
}

function row(cells, tag, sides) {
  return el(
    "tr",
    {},
    cells.map((cell, i) => el(tag, { dir: "auto", class: sides[i] }, inline(cell))),
  );
}

function drawCode({ language, text }) {
  return el(
    "figure.code",
    { dir: "ltr" },
    el(
      "figcaption",
      {},
      el("span", {}, language || "text"),
      copyButton("Copy code", () => text),
    ),
    el("pre", { tabindex: "0", role: "group", "aria-label": "Code" }, el("code", {}, text)),
  );
}
