// The questions that are open: agents want to run something, and wait for a yes or a no. Read once and
// again whenever one is asked or answered; the badge, the list and the chats all watch the same reading.

import { api } from "./api.js";
import { soon } from "./soon.js";
import { on } from "./stream.js";

const PAGE = 50;
const watchers = new Set();
let open = [];
let isOn = false;

/** `watcher(questions)` hears of the open ones, oldest first; returns how to stop. */
export function watchQuestions(watcher) {
  watchers.add(watcher);
  watcher(open);
  return () => watchers.delete(watcher);
}

async function read() {
  if (!isOn) return;
  try {
    const { items } = await api.approvals({ state: "open", limit: PAGE });
    tell(items.reverse());
  } catch {
    // The health of the gateway is shown elsewhere; the next event or gap reads again.
  }
}

function tell(questions) {
  open = questions;
  for (const watcher of watchers) watcher(open);
}

export const readQuestions = soon(read, 150);

export function startQuestions() {
  isOn = true;
  readQuestions();
}

export function stopQuestions() {
  isOn = false;
  readQuestions.cancel();
  tell([]);
}

on("approval", readQuestions);
on("resync", readQuestions);
