// Draws a conversation: takes what a feed and the tab's own sends hold and lays it out as one list of
// items for keyed.js. `arrange` decides the order; the rest builds nodes. It fetches nothing.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { inline } from "./inline.js";
import { renderInto } from "./markdown.js";
import { fileRow, pictureRow, stampOfPictures } from "./pictures.js";
import { hasLines, stampOf } from "./steps.js";
import { clock, day, full } from "./time.js";
import { growWork, workBlock } from "./views/steps.js";

/** Pure: [{ key, kind, text, at, name, … }] in the order in which they are read. */
export function arrange(feed, { sends, asides = [], isAsking = false }, now) {
  const said = feed ? [...feed.rows.values()].sort((a, b) => a.seq - b.seq) : [];
  const lines = amid(worked(feed, said), asides);
  const open = paired(feed?.waiting ?? [], unsaid(sends, said));
  const working = Boolean(feed?.turn || feed?.draft);
  const spoken = working
    ? Math.max(1, open.filter((one) => feed.working.includes(one.inbox_id)).length)
    : 0;
  open
    .slice(0, spoken)
    .forEach((one) => lines.push({ ...one, mark: one.mark === "queued" ? "" : one.mark }));
  const at = feed?.turn?.id ?? feed?.draft?.turn ?? feed?.lingering;
  const isToldOf = lines.some((line) => line.key === `steps:${at}`);
  const work = at && !isToldOf ? feed.steps.known(at) : null;
  if (work && hasLines(work)) lines.push(workLine(feed, at));
  const isAside = asides.some((one) => one.turn && one.turn === feed?.draft?.turn);
  if (feed?.draft && !isAside)
    lines.push({
      key: `draft:${feed.draft.turn}`,
      kind: "draft",
      text: feed.draft.text,
      isFinal: feed.draft.isFinal,
      at: null,
    });
  else if (!isAsking && (working || open.some(isTaken)))
    lines.push({ key: "thinking", kind: "thinking", at: null });
  open
    .slice(spoken)
    .forEach((one, i) =>
      lines.push({ ...one, mark: one.mark === "queued" && !working && i === 0 ? "" : one.mark }),
    );
  if (!working) moveLast(lines, "thinking");
  return grouped(lines, now);
}

function isTaken({ mark }) {
  return mark === "queued" || mark === "accepted";
}

/** What was said, with the steps of a turn above its words and not among them. */
function worked(feed, said) {
  const busy = new Set(said.filter((row) => row.turn && isWork(row)).map((row) => row.turn));
  const begun = new Set();
  const lines = [];
  for (const row of said) {
    const hasSteps = busy.has(row.turn) && row.role !== "user";
    if (hasSteps && !begun.has(row.turn)) {
      begun.add(row.turn);
      lines.push({ ...workLine(feed, row.turn), at: row.at, fate: row.visibility ?? "visible" });
    }
    const isAmongSteps = hasSteps && (row.role === "tool" || !row.text.trim());
    if (!isAmongSteps) lines.push(toldLine(row));
  }
  return lines;
}

function isWork(row) {
  return row.work || row.role === "tool";
}

function toldLine(row) {
  return {
    key: `seq:${row.seq}`,
    kind: row.role,
    text: row.text,
    pictures: row.pictures,
    files: row.files,
    at: row.at,
    name: row.name,
    seq: row.seq,
    tool: row.tool,
    fate: row.visibility ?? "visible",
  };
}

function workLine(feed, turn) {
  const isLive = feed.turn?.id === turn;
  return { key: `steps:${turn}`, kind: "work", work: feed.steps.of(turn), isLive, at: null };
}

/** The asides among what was said, each after what was said before it. */
function amid(lines, asides) {
  const result = [...lines];
  for (const { id, asked, text, at } of asides) {
    const before = result.findLastIndex((line) => line.at <= at);
    result.splice(before + 1, 0, { key: `aside:${id}`, kind: "aside", asked, text, at });
  }
  return result;
}

/** Our own sends without those that the transcript has already, though nobody told us so yet. */
function unsaid(sends, said) {
  const taken = new Set();
  return sends.filter((send) => {
    const { after } = send;
    const isTwin = (row) => row.seq > after && saysTheSame(row, send) && !taken.has(row.seq);
    const twin = Number.isInteger(after) && said.find((row) => row.role === "user" && isTwin(row));
    if (twin) taken.add(twin.seq);
    return !twin;
  });
}

function saysTheSame(one, other) {
  const isSeen = stampOfPictures(one.pictures) === stampOfPictures(other.pictures);
  return isSeen && one.text === other.text;
}

/** Waiting messages and our own sends, each message once: a send takes the place of its twin. */
function paired(waiting, sends) {
  const left = [...sends];
  const take = (test) => {
    const at = left.findIndex(test);
    return at < 0 ? null : left.splice(at, 1)[0];
  };
  const lines = waiting.map((message) => {
    const own =
      take((send) => send.inbox_id === message.inbox_id) ??
      take(
        (send) =>
          !send.inbox_id && saysTheSame(message, send) && message.user?.id === "operator",
      );
    const key = own ? `send:${own.message_id}` : `inbox:${message.inbox_id}`;
    const mark = own && own.state !== "accepted" ? own.state : "queued";
    return {
      key,
      kind: "user",
      text: message.text,
      pictures: message.pictures,
      at: message.received_at,
      name: message.user?.name,
      inbox_id: message.inbox_id,
      mark,
      send: own,
    };
  });
  const own = left.map((send) => ({
    key: `send:${send.message_id}`,
    kind: "user",
    text: send.text,
    pictures: send.pictures,
    at: send.at,
    name: "You",
    inbox_id: send.inbox_id,
    mark: send.state,
    send,
  }));
  return [...lines, ...own];
}

function moveLast(lines, key) {
  const at = lines.findIndex((line) => line.key === key);
  if (at >= 0) lines.push(...lines.splice(at, 1));
}

/** Puts a day above its first message and notes who goes on speaking. */
function grouped(lines, now) {
  const result = [];
  let lastDay = "";
  let speaker = "";
  for (const line of lines) {
    const today = line.at ? day(line.at, now) : lastDay;
    if (today !== lastDay) {
      result.push({ key: `day:${today}`, kind: "day", text: today });
      speaker = "";
    }
    lastDay = today;
    const who = speakerOf(line);
    result.push({ ...line, goesOn: who !== "" && who === speaker });
    speaker = who;
  }
  return result;
}

/** What stands apart (notices, tools, what was undone) begins a new run of bubbles after it. */
function speakerOf({ kind, name, fate = "visible" }) {
  if (["notice", "system", "tool", "aside"].includes(kind)) return "";
  return `${fate}:${kind === "user" ? `user:${name}` : "agent"}`;
}

/**
 * Items for keyed.js. `retry(send)` is what the button of a failed message does; `acts(line)` tells
 * what else can be done with a message: [{ icon, label, act }].
 */
export function items(lines, { retry = () => {}, names = false, acts = () => [] } = {}) {
  return lines.map((line) => ({
    key: line.key,
    stamp: stamp(line),
    build: () => marked(build(line, { retry, names, acts }), line),
    update: growing(line),
  }));
}

/** How a node is brought up to date in place, for what changes while it is looked at. */
function growing(line) {
  if (line.kind === "draft") return (node) => growDraft(node, line);
  if (line.kind === "work")
    return (node) => {
      node.classList.remove("undone", "archived");
      marked(growWork(node, line), line);
    };
  return undefined;
}

function stamp(line) {
  const { kind, text, mark, goesOn, at, isFinal, send, fate, work, isLive } = line;
  if (work) return [stampOf(work), goesOn, isLive, fate].join("\u0000");
  const seen = stampOfPictures(line.pictures) + stampOfPictures(line.files);
  return [kind, text, mark, goesOn, at, isFinal, send?.error?.message, fate, seen].join("\u0000");
}

/** Where it is in the transcript, and what became of it. */
function marked(node, { seq, fate = "visible" }) {
  if (seq) node.dataset.seq = seq;
  if (fate !== "visible") node.classList.add(fate === "hidden" ? "undone" : "archived");
  return node;
}

function build(line, ways) {
  if (line.kind === "day") return el("li.day", {}, el("span", {}, line.text));
  if (line.kind === "notice" || line.kind === "system")
    return el("li.aside", {}, withProse("div.prose", line.text), fateOf(line), when(line));
  if (line.kind === "aside") return fromGateway(line);
  if (line.kind === "tool") return fromTool(line);
  if (line.kind === "thinking") return thinking();
  if (line.kind === "work") return workBlock(line);
  if (line.kind === "user") return fromPerson(line, ways);
  return fromAgent(line, ways);
}

/** What the gateway itself answered, below the command that asked for it. */
function fromGateway({ asked, text }) {
  return el(
    "li.aside.command",
    {},
    asked ? el("code", { dir: "auto" }, asked) : null,
    // Not Markdown: its numbers are meant to be typed, and must stay what they are.
    el("p.plain", { dir: "auto" }, text),
  );
}

/** What a tool answered: there for whoever wants to look, out of the way for everybody else. */
function fromTool(line) {
  return el(
    "li.tool",
    {},
    el(
      "details",
      {},
      el("summary", {}, icon("model", 15), line.tool || line.name || "Tool", fateOf(line)),
      el("pre", { dir: "auto" }, line.text),
    ),
  );
}

function fromPerson(line, { retry, names, acts }) {
  return el(
    "li",
    { class: classes("msg person", line) },
    names && !line.goesOn && line.name
      ? el("div.who", { dir: "auto" }, line.name)
      : el("span.visually-hidden", {}, `${line.name ?? "Person"}: `),
    pictureRow(line.pictures),
    line.text.trim() ? withProse("div.bubble.prose", line.text) : null,
    foot(line, { retry, acts }),
  );
}

function classes(base, line) {
  return [base, line.goesOn ? "goes-on" : "", line.mark ?? ""].join(" ").trim();
}

function fromAgent(line, { acts }) {
  const growing = line.kind === "draft" && !line.isFinal;
  return el(
    "li",
    { class: classes(`msg agent${growing ? " growing" : ""}`, line) },
    el("div.face", {}, line.goesOn ? null : icon("mark", 18)),
    el("span.visually-hidden", {}, "Agent: "),
    withProse("div.prose", line.text),
    fileRow(line.files),
    foot(line, { acts }),
  );
}

function growDraft(node, line) {
  node.classList.toggle("growing", !line.isFinal);
  renderInto(node.querySelector(".prose"), line.text);
}

function withProse(spec, text) {
  const node = el(spec);
  renderInto(node, text);
  return node;
}

function thinking() {
  return el(
    "li.msg.agent.thinking",
    {},
    el("div.face", {}, icon("mark", 18)),
    el(
      "div.dots",
      {},
      el("span.visually-hidden", {}, "The agent is thinking"),
      el("i"),
      el("i"),
      el("i"),
    ),
  );
}

const MARKS = { sending: "Sending…", accepted: "", queued: "Waiting its turn" };

function foot(line, { retry, acts }) {
  if (line.mark === "failed") return failedFoot(line, retry);
  const words = MARKS[line.mark];
  if (words) return el("div.foot", {}, el("span", {}, words));
  return el("div.foot", {}, fateOf(line), when(line), line.seq ? acts(line).map(actButton) : null);
}

const FATES = { hidden: "Undone", archived: "Summarised" };

function fateOf({ fate }) {
  return FATES[fate] ? el("span.fate", {}, FATES[fate]) : null;
}

function actButton({ icon: name, label, act }) {
  return el("button.act", { type: "button", onclick: act }, icon(name, 14), label);
}

function failedFoot({ send }, retry) {
  return el(
    "div.foot.failed",
    {},
    el(
      "span",
      {},
      "Not sent. ",
      send.error?.message ?? "",
      " ",
      send.error?.hint ? el("span.hint", {}, inline(send.error.hint)) : null,
    ),
    el(
      "button.button.small",
      { type: "button", onclick: () => retry(send) },
      icon("retry", 15),
      "Retry",
    ),
  );
}

function when({ at }) {
  return at ? el("time", { datetime: at, title: full(at) }, clock(at)) : null;
}
