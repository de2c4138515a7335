// The background processes: those that run, or all that are remembered, of one conversation or of every
// one. An address is `#/processes`, `#/processes/all`, `#/processes/ses_…` or, for one, `#/processes/prc_…`.

import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { keyed } from "../keyed.js";
import { walkable } from "../keys.js";
import { nameOf } from "../naming.js";
import { complain, problem } from "../notices.js";
import { isLive, standing, startedBy } from "../process-words.js";
import { go, path } from "../router.js";
import { soon } from "../soon.js";
import { on } from "../stream.js";
import { ago } from "../time.js";
import { openProcess } from "./process.js";

const PAGE = 50;
const READ_EVERY_MS = 30_000;

export function mountProcesses(page, rest) {
  let inside = null;
  let chosen = "";

  function choose(address) {
    const before = chosen;
    inside?.leave();
    chosen = address;
    inside = address.startsWith("prc_")
      ? openProcess(page, address)
      : openList(page, address, before);
  }

  choose(rest);
  return {
    update: choose,
    focus: () => inside.focus(),
    escape: () => chosen.startsWith("prc_") && go("processes"),
    leave: () => inside.leave(),
  };
}

function openList(page, address, before) {
  const session = address.startsWith("ses_") ? address : null;
  const which = session || address === "all" ? "all" : "live";
  let loaded = 1;
  let left = false;
  let reading = 0;
  const tabs = el("nav.segments", { "aria-label": "Which processes" });
  const list = el("ul.processes", { role: "list" });
  const state = el("div");
  const more = el("div.more");
  document.title = "Processes · Angelia";
  fill(
    tabs,
    choice("", "Running", which === "live"),
    choice("all", "All", which === "all" && !session),
  );
  walkable(list, "a.process-row");
  fill(
    page,
    el(
      "header.page-head",
      {},
      el("div.narrow.head-row", {}, el("h1", {}, "Processes"), el("span.grow.wide-only"), tabs),
    ),
    el(
      "div.page-body",
      { tabindex: "-1" },
      el("div.narrow", {}, session ? filterLine(session) : null, state, list, more),
    ),
  );
  fill(state, el("div.loading", {}, "Loading…"));

  async function read() {
    reading += 1;
    const mine = reading;
    try {
      const found = await pages({ state: which, session }, loaded);
      if (!left && mine === reading) draw(found);
    } catch (error) {
      if (left || mine !== reading) return;
      if (list.childElementCount) complain(error);
      else fill(state, problem(error, read));
    }
  }

  function draw({ items, next }) {
    const isFirst = !list.childElementCount;
    keyed(
      list,
      items.map((process) => ({
        key: process.id,
        stamp: JSON.stringify(process),
        build: () => row(process),
      })),
    );
    fill(state, items.length ? null : nothing(which, session));
    fill(more, next ? moreButton() : null);
    if (isFirst && before.startsWith("prc_"))
      list.querySelector(`a[data-id="${CSS.escape(before)}"]`)?.focus();
  }

  function moreButton() {
    const onclick = () => {
      loaded += 1;
      read();
    };
    return el("button.button.small", { type: "button", onclick }, "Load more");
  }

  const readSoon = soon(read, 200);
  const stops = ["process", "resync"].map((name) => on(name, readSoon));
  // The end of a process whose conversation was deleted rings no bell here.
  const timer = setInterval(() => document.hidden || readSoon(), READ_EVERY_MS);
  read();

  return {
    focus: () => (list.querySelector("a.process-row") ?? tabs.querySelector("a"))?.focus(),
    leave: () => {
      left = true;
      clearInterval(timer);
      readSoon.cancel();
      for (const stop of stops) stop();
    },
  };
}

function choice(rest, label, isOpen) {
  return el("a", { href: path("processes", rest), "aria-current": isOpen ? "true" : null }, label);
}

async function pages(filter, number) {
  let items = [];
  let next = null;
  for (let page = 0; page < number; page += 1) {
    const answer = await api.processes({ ...filter, limit: PAGE, after: next });
    items = [...items, ...answer.items];
    next = answer.next;
    if (!next) break;
  }
  return { items, next };
}

function row(process) {
  const { tone, words } = standing(process);
  const place = el("span.process-place", { dir: "auto" }, startedBy(process));
  if (process.session_id)
    nameOf(process.session_id).then((name) => fill(place, `${startedBy(process)} · ${name}`));
  return el(
    "li",
    {},
    el(
      "a.process-row",
      { href: path("processes", process.id), "data-id": process.id },
      el("span.process-mark", {}, icon("processes", 18)),
      el(
        "span.process-words",
        {},
        el("code.process-command", { dir: "ltr" }, process.command),
        el("span.process-under", {}, ago(process.started_at), " · ", place),
      ),
      el(
        "span",
        { class: `tag ${tone}` },
        isLive(process) ? el("span.dot.accent.busy") : null,
        words,
      ),
    ),
  );
}

function filterLine(session) {
  const name = el("a", { href: path("sessions", session), dir: "auto" }, "one conversation");
  nameOf(session).then((title) => fill(name, title));
  return el(
    "p.process-filter",
    {},
    "Only those of ",
    name,
    ". ",
    el("a", { href: path("processes", "all") }, "Show all"),
  );
}

function nothing(which, session) {
  const [title, words] =
    which === "live"
      ? [
          "Nothing runs in the background",
          "What an agent starts appears here, and goes on when its answer is written.",
        ]
      : session
        ? [
            "This conversation has started nothing",
            "What its agent starts in the background appears here.",
          ]
        : ["Nothing was started yet", "Background processes are kept for a day after their end."];
  return el(
    "div.empty",
    {},
    icon("processes", 28),
    el("h2", {}, title),
    el("p", {}, words),
    which === "live"
      ? el("a.button", { href: path("processes", "all") }, "Those that ended")
      : null,
  );
}
