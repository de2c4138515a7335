// One background process: what it says as it says it, drawn as a terminal would; who started it and where;
// a way in, and a way to stop it. What it says comes from `process-log.js`, what it is from the gateway's row.

import { api } from "../api.js";
import { asking } from "../asking.js";
import { copyButton, copyId } from "../copy.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { nameOf } from "../naming.js";
import { complain, problem, remark } from "../notices.js";
import { followLog } from "../process-log.js";
import { ending, isLive, standing, startedBy } from "../process-words.js";
import { path } from "../router.js";
import { soon } from "../soon.js";
import { tab } from "../storage.js";
import { on } from "../stream.js";
import { allWords, makeDrawing } from "../terminal/draw.js";
import { makeReader } from "../terminal/escapes.js";
import { makeScreen } from "../terminal/screen.js";
import { ago, full } from "../time.js";
import { makeInput } from "./process-input.js";

const SIZE = { rows: 30, columns: 120 };

export function openProcess(page, id) {
  let left = false;
  let process = null;
  let shown = null;
  let log = null;
  const frame = el(
    "section.process",
    { "aria-label": "Process" },
    el("div.loading", {}, "Loading…"),
  );
  document.title = "Process · Angelia";
  fill(page, frame);

  async function read() {
    try {
      const row = await api.process(id);
      if (!left) take(row);
    } catch (error) {
      if (left) return;
      if (process) complain(error);
      else fill(frame, missing(error, read));
    }
  }

  function take(row) {
    process = row;
    if (!shown) begin();
    if (!log && process.state !== "starting" && process.state !== "failed") listen();
    shown.draw(process);
  }

  function begin() {
    shown = makeView(process, { stop });
    fill(frame, shown.node);
    document.title = `${process.command} · Angelia`;
  }

  /** What was never started has nothing to say. */
  function listen() {
    log = followLog(id, {
      form: process.mode === "pty" ? "terminal" : "plain",
      piece: shown.piece,
      ended: take,
      failed: (error) => fill(frame, missing(error, read)),
    });
  }

  async function stop() {
    const done = await asking({
      title: "Stop this process?",
      words: "It and everybody it started are asked to end, and killed after two seconds.",
      yes: "Stop it",
      tone: "danger",
      act: () => api.kill(id),
    });
    if (!done || left) return;
    remark("Stopped.");
    take(done);
  }

  const readSoon = soon(read, 150);
  const stops = [on("process", (row) => row.id === id && take(row)), on("resync", readSoon)];
  read();

  return {
    focus: () => shown?.focus(),
    leave: () => {
      left = true;
      readSoon.cancel();
      log?.close();
      shown?.stop();
      for (const unhear of stops) unhear();
    },
  };
}

/** The page of one process, and what it says so far. */
function makeView(process, { stop }) {
  let now = process;
  const isTerminal = process.mode === "pty";
  const size = tab.get(`size.${process.id}`, SIZE);
  const screen = makeScreen(isTerminal ? size : { columns: 0 });
  const reader = makeReader(screen, { newline: isTerminal ? "feed" : "line" });
  const drawing = makeDrawing(screen, {
    label: "Output",
    isLive: () => isTerminal && isLive(now),
    wraps: !isTerminal,
  });
  const facts = el("div.facts");
  const actions = el("div.head-actions");
  const earlier = el("p.term-note", { hidden: true });
  const end = el("div.process-end", { role: "status" });
  const input = makeInput(process, { box: drawing.box, fit });
  const back = { href: path("processes"), "aria-label": "Back to the processes" };
  const copy = copyButton("Copy what is shown", () => allWords(screen));

  const node = el(
    "div.process-frame",
    {},
    el(
      "header.page-head",
      {},
      el("a.icon-button.back-always", back, icon("back")),
      el(
        "div.head-words",
        {},
        el("h1.process-command", { title: process.command, dir: "ltr" }, process.command),
        facts,
      ),
      actions,
    ),
    el("div.process-about", {}, aboutOf(process)),
    earlier,
    drawing.node,
    end,
    input.node,
  );

  function draw(row) {
    now = row;
    const { tone, words } = standing(row);
    fill(
      facts,
      el("span", { class: `tag ${tone}` }, isLive(row) ? el("span.dot.accent.busy") : null, words),
      el("span.tag", {}, isTerminal ? "terminal" : "pipes"),
      copyId(row.id),
    );
    fill(
      actions,
      copy,
      isLive(row)
        ? el("button.button.small", { type: "button", onclick: stop }, icon("stop", 15), "Stop")
        : null,
    );
    input.node.hidden = !isLive(row);
    end.hidden = isLive(row);
    fill(end, isLive(row) ? null : endOf(row));
    drawing.soon();
  }

  function piece(text, { isTorn, cut }) {
    if (isTorn) sayEarlier();
    if (cut) reader.read(`\r\n[… ${cut} bytes were left out here …]\r\n`);
    reader.read(isTorn ? fromALine(text) : text);
    if (screen.isCut()) sayEarlier();
    drawing.soon();
  }

  function sayEarlier() {
    if (!earlier.hidden) return;
    earlier.hidden = false;
    fill(
      earlier,
      "Only the newest part is shown. All of it: ",
      el("code", {}, `angelia processes log ${process.id}`),
    );
  }

  /** Gives its terminal the size of the window that shows it. */
  async function fit() {
    const next = fitting(drawing.box);
    try {
      await api.resize(process.id, next);
      screen.resize(next);
      tab.set(`size.${process.id}`, next);
      drawing.soon();
      remark(`${next.columns} by ${next.rows}.`);
    } catch (error) {
      complain(error);
    }
  }

  return {
    node,
    draw,
    piece,
    focus: () => (isLive(now) ? input.focus() : drawing.box.focus()),
    stop: drawing.stop,
  };
}

/** A piece that begins anywhere is shown from the beginning of a line on. */
function fromALine(text) {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(end + 1);
}

/** How many rows and columns of letters fit into a box. */
function fitting(box) {
  const probe = el("span", {}, "0".repeat(100));
  const line = el("div.term-line", {}, probe);
  box.append(line);
  const style = getComputedStyle(box);
  const inner = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const height = box.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  const letter = probe.getBoundingClientRect().width / 100;
  const columns = Math.floor(inner / letter);
  const rows = Math.floor(height / line.getBoundingClientRect().height);
  line.remove();
  return { rows: Math.max(5, Math.min(200, rows)), columns: Math.max(20, Math.min(500, columns)) };
}

function aboutOf(process) {
  const place = process.session_id
    ? el("a", { href: path("sessions", process.session_id), dir: "auto" }, "its conversation")
    : el("span", {}, "a conversation that was deleted");
  if (process.session_id) nameOf(process.session_id).then((name) => fill(place, name));
  return [
    el("span", {}, "Started ", ago(process.started_at), ` by ${startedBy(process)}`),
    el("span", {}, "Conversation: ", place),
    process.workdir ? el("span", {}, "In ", el("code", {}, process.workdir)) : null,
  ];
}

function endOf(row) {
  return [
    el("strong", {}, ending(row)),
    row.ended_at ? el("span.faint", { title: full(row.ended_at) }, ago(row.ended_at)) : null,
  ];
}

function missing(error, retry) {
  if (error.status !== 404 && error.status !== 400) return problem(error, retry);
  return el(
    "div.empty",
    {},
    el("h2", {}, "There is no such process"),
    el("p", {}, "It ended long ago and was forgotten, or the address is not quite right."),
    el("a.button", { href: path("processes") }, "All processes"),
  );
}
