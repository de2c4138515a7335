// What a turn does, step by step, as the page holds it. A step is told again under its id when more is
// known: `tell` puts that together, whether it came as an event or was read. The rest are words about it.
// Pure, but for `openSteps`, which reads.

import { api } from "./api.js";

const PAGE = 200;
const ENDED = ["done", "failed", "unknown"];
const ARGUMENTS = ["command", "path", "file", "query", "pattern", "url", "question", "text", "name"];

const numberFormat = new Intl.NumberFormat();

/** The steps of one turn, nothing known yet. */
export function noSteps(turn) {
  return { turn, began: null, ended: null, isRead: false, steps: new Map() };
}

/**
 * Takes over what is told of one step; what is null there stays as it was. An answer with thoughts has all of
 * them, also those that were told before and kept nowhere.
 */
export function tell(work, told, heard = null) {
  const before = work.steps.get(told.id);
  const isOver = before && ENDED.includes(before.state);
  if (isOver && told.state === "running") return;
  if (told.kind === "answer" && told.seq && told.words) forgetUnkept(work, told.id);
  const given = Object.entries(told).filter(([, value]) => value !== null);
  const step = { ...before, ...Object.fromEntries(given) };
  step.first = before?.first ?? told.at;
  step.heard = before?.heard ?? heard;
  step.times = (before?.times ?? 0) + 1;
  work.steps.set(told.id, step);
}

function forgetUnkept(work, but) {
  for (const { id, kind, seq } of [...work.steps.values()])
    if (kind === "answer" && !seq && id !== but) work.steps.delete(id);
}

/** The steps of a session's turns: `of(turn)` is what is known, `read(turn)` asks for the rest. */
export function openSteps(changed) {
  const works = new Map();
  const reading = new Map();
  let queue = Promise.resolve();

  function of(turn) {
    if (!works.has(turn)) works.set(turn, noSteps(turn));
    return works.get(turn);
  }

  /** One after the other: a page full of turns asks for few things at a time. */
  function read(turn) {
    if (of(turn).isRead || reading.has(turn)) return;
    reading.set(turn, true);
    queue = queue.then(() => readAll(of(turn)).then(changed, () => {})).finally(() => reading.delete(turn));
  }

  return {
    known: (turn) => works.get(turn),
    of,
    read,
    hear: (data) => tell(of(data.turn), data, Date.now()),
    begin: (turn, at) => {
      of(turn).began ??= at;
    },
    end: (turn, at) => {
      if (works.has(turn)) of(turn).ended = at;
    },
    /** Events were missed: what is open is read again. */
    doubt: () => {
      for (const work of works.values()) if (!work.ended) work.isRead = false;
    },
  };
}

async function readAll(work) {
  let after = null;
  do {
    const page = await api.steps(work.turn, { limit: PAGE, after });
    work.began = page.turn.claimed_at;
    work.ended = page.turn.settled_at;
    for (const step of page.items) tell(work, step);
    after = page.next;
  } while (after);
  work.isRead = true;
}

/**
 * The lines to draw: [{ id, kind, title, gist, state, ms, since, … }]. An answer without thoughts is no
 * line. What still runs in a turn that is over was stopped.
 */
export function lines(work, isLive) {
  const result = [];
  let before = work.began;
  for (const step of work.steps.values()) {
    const isShown = step.kind !== "answer" || step.words;
    const since = step.kind === "answer" ? (before ?? step.first) : step.first;
    const isRunning = step.state === "running";
    if (isShown)
      result.push({
        ...step,
        state: isRunning && !isLive ? "stopped" : step.state,
        ms: isRunning ? null : gap(since, step.at),
        since: isRunning && isLive ? (step.heard ?? new Date(since).getTime()) : null,
        gist: gist(step),
      });
    before = step.at;
  }
  return result;
}

/** Whether there is anything to draw. */
export function hasLines(work) {
  return [...work.steps.values()].some((step) => step.kind !== "answer" || step.words);
}

/** The same as long as nothing changed. */
export function stampOf(work) {
  const steps = [...work.steps.values()].map(({ id, times }) => `${id} ${times}`);
  return [work.isRead, work.began, work.ended, ...steps].join(" ");
}

function gap(since, until) {
  return since ? Math.max(0, new Date(until) - new Date(since)) : null;
}

/** What a step is about, in one line. */
function gist({ kind, title, input, words }) {
  if (kind === "plan") return title ?? "";
  if (kind !== "tool") return (words ?? "").trim().split("\n").at(-1);
  if (!input || typeof input !== "object") return typeof input === "string" ? input : "";
  const named = ARGUMENTS.map((name) => input[name]).find((value) => typeof value === "string");
  const action = typeof input.action === "string" ? input.action : "";
  const other = Object.entries(input).find(([name, value]) => name !== "action" && isPlain(value));
  return [action, named ?? (other ? String(other[1]) : "")].filter(Boolean).join(" ").split("\n")[0];
}

function isPlain(value) {
  return typeof value === "string" || typeof value === "number";
}

/** Tokens of all answers: { all, read, written }. */
export function used(work) {
  const sum = { read: 0, written: 0 };
  for (const { tokens } of work.steps.values()) {
    if (!tokens) continue;
    sum.read += tokens.input + tokens.cache_read + tokens.cache_write;
    sum.written += tokens.output;
  }
  return { ...sum, all: sum.read + sum.written };
}

/** "7 steps · 12 s · 3,400 tokens". */
export function summary(work, drawn) {
  const { all } = used(work);
  const last = [...work.steps.values()].at(-1);
  const ms = gap(work.began, work.ended ?? last?.at ?? work.began);
  const parts = [
    `${drawn.length} ${drawn.length === 1 ? "step" : "steps"}`,
    work.ended && ms !== null ? took(ms) : "",
    all ? `${numberFormat.format(all)} tokens` : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The tokens in more words, for whoever points at them. */
export function tokenWords(work) {
  const { all, read, written } = used(work);
  if (!all) return null;
  return `${numberFormat.format(read)} tokens read, ${numberFormat.format(written)} written`;
}

/** "0.4 s", "12 s", "2 min 5 s". */
export function took(ms) {
  if (ms < 50) return "<0.1 s";
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
