// What /api/v1/status said last, read every few seconds while the page is visible, and what that
// means in one word for the dot in the navigation.

import { api } from "./api.js";
import { soon } from "./soon.js";
import { on } from "./stream.js";

const EVERY_MS = 15_000;
const watchers = new Set();
const state = { status: null, error: null, readAt: null };
let timer = 0;

export function watchHealth(watcher) {
  watchers.add(watcher);
  watcher(state);
  return () => watchers.delete(watcher);
}

/** { tone, words } for what we know: pure. */
export function verdict({ status, error }) {
  if (error) return { tone: "bad", words: "The gateway does not answer" };
  if (!status) return { tone: "", words: "Asking the gateway" };
  if (/^(starting|draining|stopping|stopped)$/.test(status.phase))
    return { tone: "warn", words: `The gateway is ${status.phase}` };
  const unheard = (status.platforms ?? []).filter(isUnheard);
  if (unheard.length)
    return { tone: "warn", words: `Running; ${names(unheard)} ${isAre(unheard)} not connected` };
  if (status.loops?.some((loop) => loop.last_error))
    return { tone: "warn", words: "Running, with an error in one of its loops" };
  if (status.wedged > 0)
    return {
      tone: "warn",
      words: `Running; ${count(status.wedged, "reply", "replies")} could not be delivered`,
    };
  return { tone: "good", words: "All is well" };
}

/** Whether nobody who writes to this account is heard now. */
export function isUnheard({ state }) {
  return state === "down" || state === "silent";
}

const names = (accounts) => accounts.map(({ account }) => account).join(", ");
const isAre = (accounts) => (accounts.length === 1 ? "is" : "are");

export function count(number, one, many) {
  return `${number} ${number === 1 ? one : many}`;
}

async function read() {
  try {
    state.status = await api.status();
    state.readAt = new Date().toISOString();
    state.error = null;
  } catch (error) {
    state.error = error;
  }
  for (const watcher of watchers) watcher(state);
}

export const readHealth = soon(read, 200);

export function startHealth() {
  readHealth();
  clearInterval(timer);
  timer = setInterval(() => document.hidden || readHealth(), EVERY_MS);
}

export function stopHealth() {
  clearInterval(timer);
  timer = 0;
  readHealth.cancel();
  state.status = null;
  state.error = null;
}

const readAfterChange = soon(async () => timer && readHealth(), 800);
on("delivery", readAfterChange);
on("turn", readAfterChange);
on("resync", readHealth);
on("state", (connection) => connection === "reconnecting" && readHealth());
document.addEventListener("visibilitychange", () => document.hidden || (timer && readHealth()));
