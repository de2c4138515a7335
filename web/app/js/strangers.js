// Strangers who wait to be let in. Read once, again whenever somebody looks at them or lets one in, and now and then:
// they come without an event. The badge and the page watch the same reading.

import { api } from "./api.js";
import { soon } from "./soon.js";
import { on } from "./stream.js";

const PAGE = 50;
const EVERY_MS = 10_000;
const watchers = new Set();
let waiting = [];
let timer = 0;

/** `watcher(strangers)` hears of those who wait, newest first; returns how to stop. */
export function watchStrangers(watcher) {
  watchers.add(watcher);
  watcher(waiting);
  return () => watchers.delete(watcher);
}

async function read() {
  if (!timer || document.hidden) return;
  try {
    const { items } = await api.strangers({ limit: PAGE });
    tell(items);
  } catch {
    // The health of the gateway is shown elsewhere; the next time reads again.
  }
}

function tell(strangers) {
  const isSame = JSON.stringify(strangers) === JSON.stringify(waiting);
  if (isSame) return;
  waiting = strangers;
  for (const watcher of watchers) watcher(waiting);
}

export const readStrangers = soon(read, 150);

export function startStrangers() {
  timer = setInterval(readStrangers, EVERY_MS);
  readStrangers();
}

export function stopStrangers() {
  clearInterval(timer);
  timer = 0;
  readStrangers.cancel();
  tell([]);
}

on("resync", readStrangers);
document.addEventListener("visibilitychange", readStrangers);
