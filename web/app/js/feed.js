// One session as the page sees it: transcript, waiting messages, the open turn, its steps and its draft.
//
// By default it holds what is visible; `showAll` also what was undone or summarised. `reach` reads back
// until a certain entry is held.
//
// The gateway's pages are the truth. Events are drawn at once and followed by a reading: first the
// session, then the newest page of its transcript. A turn is settled in one step (its messages leave
// `waiting` as they enter the transcript), so in that order no message can be missed.

import { api } from "./api.js";
import { soon } from "./soon.js";
import { openSteps } from "./steps.js";
import { on } from "./stream.js";

const PAGE = 50;
const PAGE_MOST = 200;
const SETTLE_MS = 120;

/**
 * Opens the feed of a session. `changed(feed)` follows every change, `failed(error)` a failed reading,
 * `gone()` its deletion.
 */
export function openFeed(id, { changed, failed, gone = () => {} }) {
  const feed = {
    id,
    session: null,
    rows: new Map(),
    earlier: null,
    waiting: [],
    turn: null,
    draft: null,
    working: [],
    // The turn that ended a moment ago, until a reading tells what it said.
    lingering: null,
    steps: openSteps(() => closed || changed(feed)),
    // Before any time there is: nothing was read yet.
    readAt: -1,
    isAll: false,
    loadEarlier,
    showAll,
    reach,
    refresh,
    close,
  };
  let closed = false;
  // Whether what is held may have changed further back than the newest page reaches.
  let isStale = false;
  const refreshSoon = soon(refresh, SETTLE_MS);

  async function refresh() {
    const startedAt = performance.now();
    try {
      const session = await api.session(id);
      const page = await api.transcript(id, wanted({ limit: PAGE }));
      // Of two readings under way, the one begun later counts.
      if (closed || startedAt < feed.readAt) return;
      if (isStale) feed.rows.clear();
      isStale = false;
      accept(feed, session, page, startedAt);
      if (session.turn) feed.steps.read(session.turn.id);
      changed(feed);
    } catch (error) {
      if (!closed) failed(error);
    }
  }

  function wanted(page) {
    return { order: "desc", all: feed.isAll ? true : null, ...page };
  }

  async function loadEarlier(limit = PAGE) {
    if (!feed.earlier) return;
    const after = feed.earlier;
    const page = await api.transcript(id, wanted({ limit, after }));
    if (closed || feed.earlier !== after) return;
    for (const row of page.items) feed.rows.set(row.seq, row);
    feed.earlier = page.next;
    changed(feed);
  }

  /** Shows what was undone or summarised too, or hides it again. */
  function showAll(isAll) {
    if (feed.isAll === isAll) return undefined;
    feed.isAll = isAll;
    isStale = true;
    return refresh();
  }

  /** Reads back until the entry `seq` is held; tells whether it is there. */
  async function reach(seq) {
    const isBefore = () => feed.earlier && Math.min(...feed.rows.keys()) > seq;
    while (!closed && isBefore()) await loadEarlier(PAGE_MOST);
    if (!feed.rows.has(seq) && !feed.isAll && !closed) {
      await showAll(true);
      return reach(seq);
    }
    return feed.rows.has(seq);
  }

  function hear(name, apply) {
    return on(name, (data) => {
      if (data.session_id !== id) return;
      apply(feed, data);
      changed(feed);
      if (name !== "draft" && name !== "step") refreshSoon();
    });
  }

  const stops = [
    hear("message", hearMessage),
    hear("turn", hearTurn),
    hear("draft", hearDraft),
    hear("step", (_, data) => feed.steps.hear(data)),
    hear("delivery", hearDelivery),
    on("session", hearSession),
    on("resync", () => {
      feed.steps.doubt();
      refreshSoon();
    }),
  ];

  function hearSession(data) {
    if (data.session_id !== id) return;
    if (data.change === "deleted") {
      close();
      gone();
      return;
    }
    isStale ||= data.change === "rewound";
    refreshSoon();
  }

  function close() {
    closed = true;
    refreshSoon.cancel();
    for (const stop of stops) stop();
  }

  refresh();
  return feed;
}

/** Takes over one reading that began at `startedAt`. */
function accept(feed, session, page, startedAt) {
  feed.session = session;
  feed.turn = session.turn;
  mergeNewest(feed, page);
  feed.waiting = unsettled(session, page.items);
  // A draft newer than the reading belongs to a turn the reading could not see yet.
  if (feed.draft && feed.draft.at < startedAt && feed.draft.turn !== session.turn?.id)
    feed.draft = null;
  if (feed.draft && page.items.some((row) => row.turn === feed.draft.turn && row.role !== "user"))
    feed.draft = null;
  feed.lingering = null;
  feed.readAt = startedAt;
}

/**
 * Adds the newest page; where it does not reach what we hold, what we hold is out of date. What we hold
 * from its beginning on and it does not tell any more was hidden.
 */
function mergeNewest(feed, page) {
  const told = new Set(page.items.map((row) => row.seq));
  const touches = page.items.some((row) => feed.rows.has(row.seq));
  if (!touches) {
    feed.rows.clear();
    feed.earlier = page.next;
  }
  const first = page.next ? Math.min(...told) : 0;
  for (const seq of feed.rows.keys()) if (seq >= first && !told.has(seq)) feed.rows.delete(seq);
  for (const row of page.items) feed.rows.set(row.seq, row);
}

/** Waiting messages without those which the transcript, read a moment later, already has. */
function unsettled(session, rows) {
  const settled = rows
    .filter((row) => row.role === "user" && row.turn === session.turn?.id)
    .map((row) => row.text);
  return session.waiting.filter((message) => {
    const at = settled.indexOf(message.text);
    if (at >= 0) settled.splice(at, 1);
    return at < 0;
  });
}

function hearMessage(feed, data) {
  if (feed.waiting.some((message) => message.inbox_id === data.inbox_id)) return;
  feed.waiting = [
    ...feed.waiting,
    { inbox_id: data.inbox_id, text: data.text, user: data.user, received_at: data.at },
  ];
}

function hearTurn(feed, data) {
  const running = data.state === "running";
  feed.turn = running ? { id: data.turn, state: "running", claimed_at: data.at } : null;
  feed.working = data.inbox_ids ?? [];
  if (running) feed.steps.begin(data.turn, data.at);
  else feed.steps.end(data.turn, data.at);
  if (!running) feed.lingering = data.turn;
}

function hearDraft(feed, data) {
  feed.draft = { turn: data.turn, text: data.text, at: performance.now(), isFinal: false };
  feed.working = data.inbox_ids ?? [];
}

/** The delivery of a reply in one part is the reply; of one in several, the reading brings the whole. */
function hearDelivery(feed, data) {
  // What is said before the reply, such as a question, is no part of it.
  if (data.kind === "notice") return;
  if (data.state !== "sent" || data.parts !== 1 || !data.turn) return;
  if ([...feed.rows.values()].some((row) => row.turn === data.turn && row.role !== "user")) return;
  feed.draft = { turn: data.turn, text: data.text, at: performance.now(), isFinal: true };
}
