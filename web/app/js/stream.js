// The one live connection: an EventSource on /api/v1/events, shared by every view.
//
// It reconnects by itself, waiting longer each time. After a gap (a reconnect, or the gateway
// saying `lagged`) it tells `resync`, and whoever shows a page reads that page again. Events are
// hints, never the truth. It does not know what any event means.

import { api } from "./api.js";

const NAMES = ["message", "turn", "draft", "step", "delivery", "process", "approval", "session"];
const WAIT_FIRST_MS = 500;
const WAIT_MOST_MS = 15_000;
// Browsers allow about six connections to one address; tabs left in the background must not use them up.
const HIDDEN_MS = 5 * 60_000;

const listeners = new Map();
let source = null;
let wanted = false;
let hadGap = false;
let failures = 0;
let timer = 0;
let hiddenTimer = 0;

/** Listens to `message`, `turn`, `draft`, `step`, `delivery`, `session`, `resync` or `state`; returns how to stop. */
export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  return () => listeners.get(name).delete(listener);
}

function tell(name, data) {
  for (const listener of listeners.get(name) ?? []) listener(data);
}

export function start() {
  wanted = true;
  if (!source) connect();
}

export function stop() {
  wanted = false;
  clearTimeout(timer);
  close();
  tell("state", "off");
}

function close() {
  source?.close();
  source = null;
}

function connect() {
  clearTimeout(timer);
  close();
  const mine = new EventSource("/api/v1/events");
  source = mine;
  mine.onopen = () => {
    failures = 0;
    tell("state", "open");
    if (hadGap) tell("resync");
    hadGap = false;
  };
  mine.onerror = () => source === mine && lost();
  for (const name of NAMES) mine.addEventListener(name, (event) => receive(name, event));
  mine.addEventListener("lagged", () => tell("resync"));
}

function receive(name, event) {
  let data;
  try {
    data = JSON.parse(event.data);
  } catch {
    tell("resync");
    return;
  }
  tell(name, data);
}

async function lost() {
  close();
  hadGap = true;
  tell("state", "reconnecting");
  // An EventSource cannot say why it failed; asking tells a lost sign-in (which stops us) from a lost server.
  await api.me().catch(() => {});
  if (!wanted || source) return;
  const wait = Math.min(WAIT_MOST_MS, WAIT_FIRST_MS * 2 ** failures) * (0.75 + Math.random() / 2);
  failures += 1;
  clearTimeout(timer);
  timer = setTimeout(connect, wait);
}

function wake() {
  if (!wanted || source) return;
  failures = 0;
  connect();
}

window.addEventListener("online", wake);
// A page that the browser keeps for "back" would hold its connection as well.
window.addEventListener("pagehide", () => {
  clearTimeout(timer);
  close();
  hadGap = true;
});
window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiddenTimer);
  if (!document.hidden) return wake();
  hiddenTimer = setTimeout(() => {
    clearTimeout(timer);
    close();
    hadGap = true;
  }, HIDDEN_MS);
  return undefined;
});
