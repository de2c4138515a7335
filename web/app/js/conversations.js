// The conversations of platform `web`: those the gateway has, most recent first, and those only
// named in this browser so far. Also where a conversation's session is found.

import { api } from "./api.js";
import { soon } from "./soon.js";
import { kept } from "./storage.js";
import { on } from "./stream.js";

const PAGE = 200;
const NAMED_MOST = 20;
const FIRST = [
  "amber",
  "brisk",
  "calm",
  "clear",
  "early",
  "gentle",
  "golden",
  "green",
  "late",
  "light",
  "plain",
  "quiet",
  "silver",
  "still",
  "swift",
  "warm",
];
const SECOND = [
  "bay",
  "birch",
  "brook",
  "cedar",
  "cove",
  "field",
  "harbor",
  "hill",
  "lark",
  "meadow",
  "olive",
  "pine",
  "reed",
  "river",
  "shore",
  "wren",
];

const DEFAULT_NAME = "console";

const watchers = new Set();
let sessions = [];

export function watchConversations(watcher) {
  watchers.add(watcher);
  watcher();
  return () => watchers.delete(watcher);
}

/** [{ name, preview, active_at, state }]: new names first, then by activity. */
export function conversations() {
  const stored = sessions.map(({ chat, preview, active_at, state }) => ({
    name: chat,
    preview,
    active_at,
    state,
  }));
  const has = (name) => stored.some((one) => one.name === name);
  const named = kept.get("named", []).filter((name) => !has(name));
  const fresh = named.map((name) => ({ name, preview: "", active_at: null, state: "idle" }));
  const all = [...fresh, ...stored];
  return all.length ? all : [{ name: DEFAULT_NAME, preview: "", active_at: null, state: "idle" }];
}

/** The conversation to open when none is named: the one that was open last. */
export function lastName() {
  return kept.get("last") || DEFAULT_NAME;
}

export function keepAsLast(name) {
  kept.set("last", name);
}

/** Remembers a name that has no message yet. */
export function remember(name) {
  const named = kept.get("named", []);
  if (named.includes(name) || sessions.some((session) => session.chat === name)) return;
  kept.set("named", [name, ...named].slice(0, NAMED_MOST));
  tell();
}

/** Forgets a name that was left without a word. */
export function forget(name) {
  kept.set(
    "named",
    kept.get("named", []).filter((one) => one !== name),
  );
  if (lastName() === name) kept.remove("last");
  tell();
}

export function freshName() {
  const taken = new Set(conversations().map((one) => one.name));
  const pick = (words) => words[Math.floor(Math.random() * words.length)];
  for (let tries = 0; tries < 50; tries += 1) {
    const name = `${pick(FIRST)}-${pick(SECOND)}`;
    if (!taken.has(name)) return name;
  }
  return `${pick(FIRST)}-${Date.now().toString(36)}`;
}

/** The session in which a conversation goes on, or null when nothing was said there yet. */
export async function findSession(name) {
  const known = () => sessions.find((session) => session.chat === name && session.current)?.id;
  return known() ?? currentSession(name);
}

/** The same, by the gateway's word of now: a conversation may have begun anew or been resumed. */
export async function currentSession(name) {
  const { items } = await api.sessions({ platform: "web", chat: name });
  take(items);
  return sessions.find((session) => session.chat === name)?.id ?? null;
}

async function read() {
  const { items, next } = await api.sessions({ platform: "web", limit: PAGE });
  if (!next) sessions = [];
  take(items);
}

/** Takes over a reading; conversations that it does not tell stay as they were. */
function take(items) {
  const found = onePerChat(items.filter(isOurs));
  const older = sessions.filter((session) => !found.some((one) => one.chat === session.chat));
  sessions = [...found, ...older].sort((a, b) => b.active_at.localeCompare(a.active_at));
  const stored = new Set(sessions.map((session) => session.chat));
  kept.set(
    "named",
    kept.get("named", []).filter((name) => !stored.has(name)),
  );
  tell();
}

function isOurs(session) {
  return session.platform === "web" && !session.thread;
}

/** A conversation begun anew has several sessions: the one it goes on in, else the last one, is it. */
function onePerChat(list) {
  const ranked = [...list.filter((one) => one.current), ...list.filter((one) => !one.current)];
  return ranked.filter((one, at) => ranked.findIndex((other) => other.chat === one.chat) === at);
}

function tell() {
  for (const watcher of watchers) watcher();
}

// The list is a convenience: when it cannot be read, the page that shows it says so by itself.
export const readConversations = soon(() => read().catch(() => {}), 250);

export function startConversations() {
  for (const name of ["message", "delivery"])
    on(name, (data) => data.platform === "web" && readConversations());
  on(
    "turn",
    (data) => sessions.some((session) => session.id === data.session_id) && readConversations(),
  );
  on("session", readConversations);
  on("resync", readConversations);
}
