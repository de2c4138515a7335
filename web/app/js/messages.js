// Draws a conversation: takes what a feed and the tab's own sends hold and lays it out as one list of
// items for keyed.js. `arrange` decides the order; the rest builds nodes. It fetches nothing.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { inline } from "./inline.js";
import { renderInto } from "./markdown.js";
import { clock, day, full } from "./time.js";

/** Pure: [{ key, kind, text, at, name, … }] in the order in which they are read. */
export function arrange(feed, sends, now) {
  const said = feed ? [...feed.rows.values()].sort((a, b) => a.seq - b.seq) : [];
  const lines = said.map((row) => ({
    key: `seq:${row.seq}`,
    kind: row.role,
    text: row.text,
    at: row.at,
    name: row.name,
  }));
  const open = paired(feed?.waiting ?? [], unsaid(sends, said));
  const working = Boolean(feed?.turn || feed?.draft);
  const spoken = working
    ? Math.max(1, open.filter((one) => feed.working.includes(one.inbox_id)).length)
    : 0;
  open
    .slice(0, spoken)
    .forEach((one) => lines.push({ ...one, mark: one.mark === "queued" ? "" : one.mark }));
  if (feed?.draft)
    lines.push({
      key: `draft:${feed.draft.turn}`,
      kind: "draft",
      text: feed.draft.text,
      isFinal: feed.draft.isFinal,
      at: null,
    });
  else if (working || open.some((one) => one.mark === "queued" || one.mark === "accepted"))
    lines.push({ key: "thinking", kind: "thinking", at: null });
  open
    .slice(spoken)
    .forEach((one, i) =>
      lines.push({ ...one, mark: one.mark === "queued" && !working && i === 0 ? "" : one.mark }),
    );
  if (!working) moveLast(lines, "thinking");
  return grouped(lines, now);
}

/** Our own sends without those that the transcript has already, though nobody told us so yet. */
function unsaid(sends, said) {
  const taken = new Set();
  return sends.filter(({ text, after }) => {
    const isTwin = (row) => row.seq > after && row.text === text && !taken.has(row.seq);
    const twin = Number.isInteger(after) && said.find((row) => row.role === "user" && isTwin(row));
    if (twin) taken.add(twin.seq);
    return !twin;
  });
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
        (send) => !send.inbox_id && send.text === message.text && message.user?.id === "operator",
      );
    const key = own ? `send:${own.message_id}` : `inbox:${message.inbox_id}`;
    const mark = own && own.state !== "accepted" ? own.state : "queued";
    return {
      key,
      kind: "user",
      text: message.text,
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
    const who = line.kind === "user" ? `user:${line.name}` : line.kind === "notice" ? "" : "agent";
    result.push({ ...line, goesOn: who !== "" && who === speaker });
    speaker = who;
  }
  return result;
}

/** Items for keyed.js. `retry(send)` is what the button of a failed message does. */
export function items(lines, { retry = () => {}, names = false } = {}) {
  return lines.map((line) => ({
    key: line.key,
    stamp: stamp(line),
    build: () => build(line, retry, names),
    update: line.kind === "draft" ? (node) => growDraft(node, line) : undefined,
  }));
}

function stamp({ kind, text, mark, goesOn, at, isFinal, send }) {
  return [kind, text, mark, goesOn, at, isFinal, send?.error?.message].join("\u0000");
}

function build(line, retry, names) {
  if (line.kind === "day") return el("li.day", {}, el("span", {}, line.text));
  if (line.kind === "notice")
    return el("li.aside", {}, withProse("div.prose", line.text), when(line));
  if (line.kind === "thinking") return thinking();
  if (line.kind === "user") return fromPerson(line, retry, names);
  return fromAgent(line);
}

function fromPerson(line, retry, names) {
  return el(
    "li",
    { class: classes("msg person", line) },
    names && !line.goesOn && line.name
      ? el("div.who", { dir: "auto" }, line.name)
      : el("span.visually-hidden", {}, `${line.name ?? "Person"}: `),
    withProse("div.bubble.prose", line.text),
    foot(line, retry),
  );
}

function classes(base, line) {
  return [base, line.goesOn ? "goes-on" : "", line.mark ?? ""].join(" ").trim();
}

function fromAgent(line) {
  const growing = line.kind === "draft" && !line.isFinal;
  return el(
    "li",
    { class: classes(`msg agent${growing ? " growing" : ""}`, line) },
    el("div.face", {}, line.goesOn ? null : icon("mark", 18)),
    el("span.visually-hidden", {}, "Agent: "),
    withProse("div.prose", line.text),
    foot(line),
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

function foot(line, retry) {
  if (line.mark === "failed") return failedFoot(line, retry);
  const words = MARKS[line.mark];
  return el("div.foot", {}, words ? el("span", {}, words) : when(line));
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
