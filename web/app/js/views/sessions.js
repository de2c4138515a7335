// All sessions, most recently active first, and beside them (on a phone: over them) the one that was
// chosen. The list is read again when events say that something moved; older pages stay loaded.

import { api } from "../api.js";
import { el, fill, mark } from "../dom.js";
import { icon } from "../icons.js";
import { plain } from "../inline.js";
import { keyed } from "../keyed.js";
import { walkable } from "../keys.js";
import { complain, problem } from "../notices.js";
import { go, path } from "../router.js";
import { soon } from "../soon.js";
import { on } from "../stream.js";
import { ago } from "../time.js";
import { openSession, titleOf } from "./session.js";

const PAGE = 50;

export function mountSessions(page, rest) {
  const sessions = new Map();
  let older = null;
  let chosen = rest;
  let detail = null;
  let left = false;
  let isRead = false;

  const filter = el("input.input", {
    type: "search",
    placeholder: "Filter",
    "aria-label": "Filter the loaded sessions",
    oninput: () => isRead && draw(),
    onkeydown: leaveOnEscape,
  });
  const list = el("ul.rows", { role: "list" });
  const state = el("div");
  const more = el("div.more");
  const pane = el("section.pane", { "aria-label": "Transcript", tabindex: "-1" });
  const frame = el(
    "div.split",
    {},
    el(
      "section.pick",
      { "aria-label": "Sessions" },
      el("header.page-head", {}, el("h1", {}, "Sessions")),
      el("div.pick-filter", {}, filter),
      el("div.pick-scroll", {}, state, list, more),
    ),
    pane,
  );
  walkable(list, "a");
  fill(page, frame);

  async function read() {
    try {
      const first = await api.sessions({ limit: PAGE });
      if (left) return;
      isRead = true;
      if (!older && sessions.size <= PAGE) older = first.next;
      for (const session of first.items) sessions.set(session.id, session);
      fill(state);
      draw();
    } catch (error) {
      if (left) return;
      if (sessions.size) complain(error);
      else fill(state, problem(error, read));
    }
  }

  async function readOlder() {
    try {
      const next = await api.sessions({ limit: PAGE, after: older });
      for (const session of next.items)
        if (!sessions.has(session.id)) sessions.set(session.id, session);
      older = next.next;
      draw();
    } catch (error) {
      complain(error);
    }
  }

  function draw() {
    const sought = filter.value.trim().toLowerCase();
    const all = [...sessions.values()].sort((a, b) => b.active_at.localeCompare(a.active_at));
    const fitting = all.filter((session) => matches(session, sought));
    keyed(
      list,
      fitting.map((session) => ({
        key: session.id,
        stamp: [session.title, session.preview, session.state, session.active_at].join("\u0000"),
        build: () =>
          el(
            "li",
            {},
            el(
              "a.row",
              { href: path("sessions", session.id), "data-id": session.id },
              words(session),
            ),
          ),
        update: (node) => fill(node.firstChild, words(session)),
      })),
    );
    point();
    fill(state, fitting.length ? null : nothing(sought));
    fill(
      more,
      older
        ? el("button.button.small", { type: "button", onclick: readOlder }, "Load older")
        : null,
    );
  }

  function point() {
    for (const link of list.querySelectorAll("a"))
      mark(link, "aria-current", link.dataset.id === chosen ? "true" : null);
  }

  function choose(id) {
    chosen = id;
    detail?.leave();
    detail = null;
    frame.classList.toggle("chosen", Boolean(id));
    document.title = "Sessions · Angelia";
    if (id) detail = openSession(pane, id);
    else
      fill(
        pane,
        el(
          "div.empty",
          {},
          icon("sessions", 28),
          el("h2", {}, "No session chosen"),
          el("p", {}, "Choose one to read what was said in it."),
        ),
      );
    point();
  }

  /** On a narrow screen the list and the transcript take each other's place, and the focus must follow. */
  function chooseAndFollow(id) {
    const before = chosen;
    choose(id);
    if (id && !filter.offsetParent) pane.focus();
    if (!id && before) list.querySelector(`a[data-id="${CSS.escape(before)}"]`)?.focus();
  }

  const readSoon = soon(read, 250);
  const stops = ["message", "turn", "delivery", "resync"].map((name) => on(name, readSoon));
  fill(state, el("div.loading", {}, "Loading…"));
  choose(rest);
  read();

  return {
    update: chooseAndFollow,
    focus: () => (filter.offsetParent ? filter.focus() : null),
    escape: () => chosen && go("sessions"),
    leave: () => {
      left = true;
      readSoon.cancel();
      for (const stop of stops) stop();
      detail?.leave();
    },
  };
}

function leaveOnEscape(event) {
  if (event.key === "Escape" && !event.target.value) event.target.blur();
}

function matches(session, sought) {
  return [session.title, session.preview, session.platform, session.chat, session.id]
    .join(" ")
    .toLowerCase()
    .includes(sought);
}

function nothing(sought) {
  if (sought)
    return el(
      "div.empty",
      {},
      el("p", {}, `No loaded session has “${sought}” in it. Load older ones to look further back.`),
    );
  return el(
    "div.empty",
    {},
    el("h2", {}, "No sessions yet"),
    el("p", {}, "The first message on any platform begins one."),
  );
}

const STATES = {
  idle: ["idle", "idle"],
  working: ["accent busy", "working"],
  waiting: ["warn busy", "waiting"],
};

function words(session) {
  const [tone, label] = STATES[session.state] ?? STATES.idle;
  return [
    el(
      "span.row-top",
      {},
      el("span", { class: `dot ${tone}`, role: "img", "aria-label": label, title: label }),
      el("strong.row-title", { dir: "auto" }, titleOf(session)),
      el("span.row-when", {}, ago(session.active_at)),
    ),
    el(
      "span.row-under",
      {},
      el(
        "span.tag",
        {},
        session.chat_type === "dm" ? session.platform : `${session.platform} ${session.chat_type}`,
      ),
      el("span.row-text", { dir: "auto" }, plain(session.preview) || "Nothing said yet"),
    ),
  ];
}
