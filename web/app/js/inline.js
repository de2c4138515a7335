// The Markdown inside a line: `code`, **bold**, *italic*, ~~struck~~, [links](https://…) and bare
// addresses. Returns DOM nodes; whatever is not one of these stays the text it is.
//
// Each rule looks ahead a bounded distance, so hostile text costs linear time. Links may only be
// http or https, whatever the text says.

import { el } from "./dom.js";

const DEPTH_MOST = 6;

const RULES = [
  // A backslash before a mark keeps the mark as text.
  { at: /\\([\\`*_~[\]()#>+.!|-])/y, make: (m) => m[1] },
  { at: /(`{1,3})([^`](?:[^]{0,4000}?[^`])?)\1(?!`)/y, make: (m) => el("code", {}, m[2]) },
  {
    at: /\[([^\]\n]{1,1000})\]\(<?(https?:\/\/[^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,2000})?)>?(?:\s+"[^"\n]{0,300}")?\)/y,
    make: (m, depth) => link(m[2], inline(m[1], depth)),
  },
  { at: /<?(https?:\/\/[^\s<>"`]{1,2000})>?/y, word: true, make: bare },
  {
    at: /\*\*(?=\S)([^]{1,3000}?\S)\*\*(?!\*)|\*\*(\S)\*\*/y,
    make: (m, depth) => el("strong", {}, inline(m[1] ?? m[2], depth)),
  },
  {
    at: /__(?=\S)([^]{1,3000}?\S)__(?!\w)/y,
    word: true,
    make: (m, depth) => el("strong", {}, inline(m[1], depth)),
  },
  {
    at: /\*(?=[^\s*])((?:[^*]{0,3000}?[^\s*])??)\*(?!\*)/y,
    make: (m, depth) => el("em", {}, inline(m[1], depth)),
  },
  {
    at: /_(?=[^\s_])((?:[^_]{0,3000}?[^\s_])??)_(?!\w)/y,
    word: true,
    make: (m, depth) => el("em", {}, inline(m[1], depth)),
  },
  { at: /~~(?=\S)([^~\n]{1,3000}?)~~/y, make: (m, depth) => el("s", {}, inline(m[1], depth)) },
  { at: / *\n/y, make: () => el("br") },
];
const MARKS = /[\\`[<*_~\n]|https?:/g;

export function inline(text, depth = 0) {
  if (depth > DEPTH_MOST) return [text];
  const nodes = [];
  let plain = 0;
  MARKS.lastIndex = 0;
  for (let found = MARKS.exec(text); found; found = MARKS.exec(text)) {
    const hit = match(text, found.index, depth);
    const next = hit ? hit.end : found.index + 1;
    if (hit) {
      nodes.push(
        text
          .slice(plain, found.index)
          .replace(/ +$/, (gap) => (text[found.index] === "\n" ? "" : gap)),
        hit.node,
      );
      plain = hit.end;
    }
    // The recursion above used the same expression object: say again where this walk goes on.
    MARKS.lastIndex = next;
  }
  nodes.push(text.slice(plain));
  return nodes.flat().filter((node) => node !== "");
}

function match(text, at, depth) {
  for (const rule of RULES) {
    if (rule.word && /\w/.test(text[at - 1] ?? "")) continue;
    rule.at.lastIndex = at;
    const m = rule.at.exec(text);
    if (!m) continue;
    const end = rule.at.lastIndex;
    const node = rule.make(m, depth + 1);
    if (Array.isArray(node)) return { node: node[0], end: end - node[1] };
    return { node, end };
  }
  return null;
}

/** The words without their marks, for one-line previews. */
export function plain(text) {
  const words = text.replace(/^ {0,3}(?:```|~~~).*$|^[ |:-]*-{3}[ |:-]*$/gm, "");
  const unmarked = words.replace(/\*\*|__|`+|~~|^ {0,3}(?:#{1,6}|>) /gm, "");
  return unmarked.replace(/(^|[\s(])[*_]([^\s*_][^*_\n]{0,200})[*_](?=[\s.,;:!?)]|$)/g, "$1$2");
}

/** A bare address, without the punctuation that belongs to the sentence around it. */
function bare(m) {
  let address = m[1];
  const inAngles = m[0].startsWith("<");
  if (!inAngles) {
    address = address.replace(/[.,;:!?'*_~\]]+$/, "");
    if (address.endsWith(")") && !address.includes("(")) address = address.slice(0, -1);
  }
  const left = inAngles ? 0 : m[0].length - address.length;
  return [link(address, [address]), left];
}

function link(address, children) {
  return el("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, children);
}
