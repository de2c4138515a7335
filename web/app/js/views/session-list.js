// The list of sessions, most recently active first. The gateway filters; the first page is read again
// whenever events say that something moved, and older pages stay loaded.

import { api } from "../api.js";
import { el, fill, pointAt } from "../dom.js";
import { plain } from "../inline.js";
import { keyed } from "../keyed.js";
import { walkable } from "../keys.js";
import { platformName, titleOf } from "../naming.js";
import { complain, problem } from "../notices.js";
import { path } from "../router.js";
import { soon } from "../soon.js";
import { on } from "../stream.js";
import { ago } from "../time.js";
import { icon } from "../icons.js";

const PAGE = 50;
const Q_MOST = 200;
/** After these a session may be live that was not, or the other way round. */
const MOVES = ["began", "ended", "resumed", "branched"];
const LIVES = [
  ["all", "All"],
  ["live", "Live"],
  ["ended", "Ended"],
];

/** `met(platform)` hears of every platform, `searchFor()` searches, `chosen()` is the open one's id. */
export function makeList({ met, searchFor, chosen }) {
  const sessions = new Map();
  let older = null;
  let wish = { life: "all", platform: "", q: "" };
  // Answers to an earlier wish are of no use any more.
  let wishes = 0;
  let isRead = false;
  let stopped = false;

  const list = el("ul.rows", { role: "list" });
  const state = el("div");
  const offer = el("div.offer");
  const more = el("div.more");
  const lives = LIVES.map(([life, label]) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(life === wish.life),
        onclick: () => narrow({ life }),
      },
      label,
    ),
  );
  const node = el(
    "div.pick-scroll",
    {},
    el("div.segments.lives", { role: "group", "aria-label": "Which sessions" }, lives),
    offer,
    state,
    list,
    more,
  );
  walkable(list, "a");

  function asked(page) {
    const { life, platform, q } = wish;
    return {
      limit: PAGE,
      life: life === "all" ? null : life,
      platform: platform || null,
      q: q.slice(0, Q_MOST) || null,
      ...page,
    };
  }

  async function read() {
    const mine = wishes;
    try {
      const first = await api.sessions(asked({}));
      if (stopped || mine !== wishes) return;
      if (!isRead) older = first.next;
      isRead = true;
      keepNewest(first);
      fill(state);
      draw();
    } catch (error) {
      if (stopped || mine !== wishes) return;
      if (sessions.size) complain(error);
      else fill(state, problem(error, read));
    }
  }

  /** A page without a next one is the whole list: what it does not tell is gone or fits no more. */
  function keepNewest({ items, next }) {
    if (!next) sessions.clear();
    keep(items);
  }

  /** One that was deleted, or that may be on another list now; if it still fits, the reading says so. */
  function hear({ session_id: id, change }) {
    const mayMove = wish.life !== "all" && MOVES.includes(change);
    if (change === "deleted" || mayMove) sessions.delete(id);
    readSoon();
  }

  /** After a gap nobody knows which of the older ones are still there. */
  function begin() {
    sessions.clear();
    isRead = false;
    readSoon();
  }

  function keep(items) {
    for (const session of items) {
      sessions.set(session.id, session);
      met(session.platform);
    }
  }

  async function readOlder() {
    const mine = wishes;
    try {
      const next = await api.sessions(asked({ after: older }));
      if (stopped || mine !== wishes) return;
      keep(next.items.filter((one) => !sessions.has(one.id)));
      older = next.next;
      draw();
    } catch (error) {
      complain(error);
    }
  }

  function narrow(change) {
    wish = { ...wish, ...change };
    wishes += 1;
    isRead = false;
    LIVES.forEach(([life], i) => lives[i].setAttribute("aria-pressed", String(life === wish.life)));
    sessions.clear();
    drawOffer();
    readSoon();
  }

  /** The list holds names and last words only; everything else is one Enter away. */
  function drawOffer() {
    fill(
      offer,
      wish.q
        ? el(
            "button.offer-button",
            { type: "button", onclick: searchFor },
            icon("search", 16),
            el("span", {}, "Search all messages for ", el("bdi", {}, `“${wish.q}”`)),
            el("kbd.wide-only", {}, "Enter"),
          )
        : null,
    );
  }

  function draw() {
    const all = [...sessions.values()].sort((a, b) => b.active_at.localeCompare(a.active_at));
    keyed(
      list,
      all.map((session) => ({
        key: session.id,
        stamp: stampOf(session),
        build: () => row(session),
        update: (one) => redraw(one.firstChild, session),
      })),
    );
    point();
    fill(state, all.length ? null : nothing(wish, narrow));
    fill(
      more,
      older
        ? el("button.button.small", { type: "button", onclick: readOlder }, "Load older")
        : null,
    );
  }

  const point = () => pointAt(list.querySelectorAll("a"), ({ id }) => id === chosen());
  const readSoon = soon(read, 200);
  const stops = [
    ...["message", "turn", "delivery"].map((name) => on(name, readSoon)),
    on("session", hear),
    on("resync", begin),
  ];

  return {
    node,
    narrow,
    point,
    start: () => {
      fill(state, el("div.loading", {}, "Loading…"));
      read();
    },
    stop: () => {
      stopped = true;
      readSoon.cancel();
      for (const stop of stops) stop();
    },
  };
}

function stampOf({ title, label, preview, state, active_at: active, ended_at: ended }) {
  return [title, label, preview, state, active, ended].join("\u0000");
}

function row(session) {
  const attributes = { href: path("sessions", session.id), "data-id": session.id };
  const link = el("a.row", attributes);
  redraw(link, session);
  return el("li", {}, link);
}

function redraw(link, session) {
  link.classList.toggle("ended", Boolean(session.ended_at));
  fill(link, words(session));
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
      el("span.tag", {}, placeOf(session)),
      session.ended_at ? el("span.tag", {}, "ended") : null,
      el("span.row-text", { dir: "auto" }, plain(session.preview) || "Nothing said yet"),
    ),
  ];
}

function placeOf({ platform, chat_type: type }) {
  return type === "dm" ? platformName(platform) : `${platformName(platform)} ${type}`;
}

const NONE = {
  ended: [
    "No ended sessions",
    "One ends when its place begins anew: by /new, after a long pause, on a new day.",
  ],
  live: ["No live sessions", "The next message on any platform begins one."],
};

/** Why there is nothing, and what brings something. */
function nothing({ q, life, platform }, narrow) {
  if (q)
    return el(
      "div.empty.small",
      {},
      el(
        "p",
        {},
        "No title, name or last words like this. Enter searches everything that was said.",
      ),
    );
  if (NONE[life] || platform)
    return el(
      "div.empty.small",
      {},
      el("h2", {}, NONE[life]?.[0] ?? "No sessions here"),
      el("p", {}, NONE[life]?.[1] ?? "Nobody has written on this platform yet."),
      life === "all"
        ? null
        : el(
            "button.button.small",
            { type: "button", onclick: () => narrow({ life: "all" }) },
            "Show all",
          ),
    );
  return el(
    "div.empty.small",
    {},
    el("h2", {}, "No sessions yet"),
    el(
      "p",
      {},
      "The first message on any platform begins one. Write it here, or run ",
      el("code", {}, "angelia chat"),
      ".",
    ),
    el("a.button.small", { href: path("chat") }, icon("chat", 16), "Say something"),
  );
}
