// Draws what a turn does: one line of summary, below it a line for each step, each opening to what it was
// called with and what came of it. While the turn works the lines are open; once the reply is whole they
// fold, unless somebody is looking at them. It fetches nothing.

import { el, fill, mark } from "../dom.js";
import { icon } from "../icons.js";
import { keyed } from "../keyed.js";
import { lines, summary, tokenWords, took } from "../steps.js";

/** Lines of a working turn that are in sight; earlier ones are behind a button. */
const IN_SIGHT = 8;
const ICONS = { terminal: "processes", process: "processes", todo: "check", ask_user: "chat" };
const STATES = { running: "running", failed: "failed", unknown: "outcome unknown", stopped: "stopped" };

let numbers = 0;

/** Builds the block of a line { work, isLive, goesOn }. */
export function workBlock(line) {
  const id = `steps-${(numbers += 1)}`;
  const words = el("span.work-words");
  const toggle = el(
    "button.work-sum",
    { type: "button", "aria-controls": id, onclick: () => choose(node) },
    icon("chevron", 14),
    words,
  );
  const list = el("ol.steps", { id, role: "list", "aria-label": "Steps of this reply" });
  const box = el("div.work-box", {}, toggle, el("div.work-fold", {}, list));
  const node = el(
    "li.work",
    {},
    el("div.face"),
    el("span.visually-hidden", {}, "Agent: "),
    box,
  );
  node.parts = { toggle, words, list };
  growWork(node, line);
  return node;
}

/** Brings a block in line with what is known now. */
export function growWork(node, line) {
  node.line = line;
  const { work, isLive, goesOn } = line;
  const drawn = lines(work, isLive);
  const { toggle, words, list } = node.parts;
  node.classList.toggle("live", isLive);
  fill(node.querySelector(".face"), goesOn ? null : icon("mark", 18));
  mark(node, "data-unread", work.isRead || isLive ? null : work.turn);
  const said = drawn.length ? summary(work, drawn) : "Steps";
  if (words.textContent !== said) words.textContent = said;
  mark(toggle, "title", tokenWords(work));
  if (node.wasLive && !isLive && isLookedAt(list)) node.chosen ??= true;
  node.wasLive = isLive;
  const isOpen = node.chosen ?? isLive;
  mark(toggle, "aria-expanded", String(isOpen));
  node.classList.toggle("folded", !isOpen);
  const hidden = isLive && !node.chosen ? Math.max(0, drawn.length - IN_SIGHT) : 0;
  const items = drawn.slice(hidden).map(item);
  keyed(list, hidden ? [earlier(node, hidden), ...items] : items);
  return node;
}

/** Whether somebody reads in it: then it does not fold by itself. */
function isLookedAt(list) {
  return Boolean(list.querySelector("details[open]") || list.contains(document.activeElement));
}

function choose(node) {
  node.chosen = node.classList.contains("folded");
  growWork(node, node.line);
}

function earlier(node, count) {
  const act = () => {
    node.chosen = true;
    growWork(node, node.line);
  };
  return {
    key: "earlier",
    stamp: count,
    build: () =>
      el(
        "li.steps-earlier",
        {},
        el("button.link-button", { type: "button", onclick: act }, `${count} earlier steps`),
      ),
  };
}

function item(step) {
  return {
    key: step.id,
    stamp: [step.state, step.ms, step.gist, step.times].join("\u0000"),
    build: () => grown(el("li.step", {}, el("details", {}, el("summary"), el("div.step-body"))), step),
    update: (node) => grown(node, step),
  };
}

function grown(node, step) {
  node.dataset.state = step.state;
  node.dataset.kind = step.kind;
  const [head, body] = node.querySelector("details").children;
  fill(
    head,
    icon(iconOf(step), 15),
    el("span.step-name", {}, nameOf(step)),
    el("span.step-gist", { dir: "auto" }, step.gist),
    el("span.step-state", {}, stateOf(step)),
    el("span.step-time", step.since ? { "data-since": step.since } : {}, timeOf(step)),
  );
  if (step.kind === "tool") fill(body, called(step), came(step));
  else thoughts(body, step);
  return node;
}

function iconOf({ kind, title }) {
  if (kind === "answer") return "thought";
  if (kind === "plan") return "sessions";
  return ICONS[title] ?? (/search|find|grep/.test(title ?? "") ? "search" : "tool");
}

function nameOf({ kind, title, state }) {
  if (kind === "answer") return state === "running" ? "Thinking" : "Thought";
  if (kind === "plan") return "Plan";
  return title ?? "Step";
}

/** Nothing for what went well: that is the usual, and a quiet list says only what is not. */
function stateOf({ state, output }) {
  const code = output?.exit_code;
  if (state === "done" && Number.isInteger(code) && code !== 0) return `exit ${code}`;
  if (state === "running") return [el("span.dot.accent.busy"), el("span.visually-hidden", {}, "running")];
  return STATES[state] ?? el("span.visually-hidden", {}, "done");
}

function timeOf({ ms, since }) {
  if (ms !== null) return took(ms);
  return since ? took(Math.max(0, Date.now() - since)) : "";
}

function thoughts(body, { words }) {
  const held = body.querySelector("pre");
  const pre = held ?? box("thoughts", "");
  const isAtEnd = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 24;
  pre.textContent = words ?? "";
  if (!held) fill(body, pre);
  else if (isAtEnd) pre.scrollTop = pre.scrollHeight;
}

function called({ title, input }) {
  if (input === undefined) return null;
  const { command, ...rest } = typeof input === "object" && input ? input : {};
  if (title !== "terminal" || typeof command !== "string") return part("Called with", pretty(input));
  const more = Object.keys(rest).length ? part("With", pretty(rest)) : null;
  return [part("Command", command), more];
}

/** What came of it: its words as words, the rest of the result beside them. */
function came({ output, state }) {
  if (output === undefined)
    return el("p.step-none", {}, state === "running" ? "No result yet." : "There is no result.");
  if (typeof output !== "object" || output === null) return part("Result", pretty(output));
  const { output: words, error, exit_code: code, ...rest } = output;
  const isBare = typeof words !== "string";
  const left = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return [
    error ? el("p.step-error", { dir: "auto" }, String(error)) : null,
    isBare ? part("Result", pretty(output)) : null,
    !isBare && words ? part(code ? `Output, exit ${code}` : "Output", words) : null,
    !isBare && !words && !error ? el("p.step-none", {}, "It said nothing.") : null,
    !isBare && Object.keys(left).length ? part("Also", pretty(left)) : null,
  ];
}

function part(label, text) {
  return [el("div.step-label", {}, label), box(label, text)];
}

/** Long texts scroll in a box of their own, which keys reach too. */
function box(label, text) {
  return el("pre.step-text", { tabindex: "0", dir: "auto", role: "group", "aria-label": label }, text);
}

function pretty(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Keeps the time of what runs true. */
setInterval(() => {
  if (document.hidden) return;
  for (const node of document.querySelectorAll(".step-time[data-since]"))
    node.textContent = took(Math.max(0, Date.now() - Number(node.dataset.since)));
}, 1_000);
