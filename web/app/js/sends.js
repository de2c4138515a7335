// Messages on their way from this tab to the gateway. Each has a message_id made once, so sending it
// again (by hand, after a reload, after a lost answer) can never double it. Those that nobody answered
// go out by themselves once the gateway is back. They are kept in the tab's storage until a reading
// made after their acceptance shows them as the gateway's own.

import { api } from "./api.js";
import { tab } from "./storage.js";
import { on } from "./stream.js";

const AGAIN_MS = [1000, 3000];
const boxes = new Map();

/** The messages of one conversation; `changed` follows them, `accepted(answer)` each acceptance. */
export function openSends(chat, { changed, accepted }) {
  if (!boxes.has(chat)) boxes.set(chat, makeBox(chat));
  const box = boxes.get(chat);
  box.changed = changed;
  box.accepted = accepted;
  resume(box);
  return box;
}

function makeBox(chat) {
  const key = `sends.${chat}`;
  const box = { list: [], changed: () => {}, accepted: () => {}, add, post, again, settle, close };
  // What was accepted before a reload is the gateway's; the time of acceptance is this page's zero.
  box.list = tab.get(key, []).map((send) => ({ ...send, acceptedAt: 0, isUnderWay: false }));
  let last = Promise.resolve();

  function keep() {
    tab.set(
      key,
      box.list.map(({ isUnderWay, acceptedAt, ...send }) => send),
    );
    box.changed();
  }

  /** `after` is the last line of the transcript that the writer could see, null when none was read. */
  function add({ text, pictures }, after) {
    const send = {
      message_id: newId(),
      text,
      pictures,
      after,
      at: new Date().toISOString(),
      state: "sending",
      inbox_id: null,
      error: null,
    };
    box.list.push(send);
    post(send);
  }

  function again(send) {
    send.state = "sending";
    send.error = null;
    post(send);
  }

  /** One at a time, so that messages arrive in the order in which they were written. */
  function post(send) {
    send.isUnderWay = true;
    keep();
    last = last.then(() => deliver(send));
  }

  async function deliver(send) {
    try {
      const answer = await posted(chat, send);
      Object.assign(send, {
        state: "accepted",
        inbox_id: answer.inbox_id,
        acceptedAt: performance.now(),
      });
      box.accepted(answer);
    } catch (error) {
      Object.assign(send, { state: "failed", error: reason(error) });
    }
    send.isUnderWay = false;
    keep();
  }

  /**
   * Forgets what a reading that began at `readAt` must have shown. Of the same instant counts as after:
   * the reading that an acceptance asks for often begins before the browser's clock moves on.
   */
  function settle(readAt) {
    const left = box.list.filter((send) => send.state !== "accepted" || send.acceptedAt > readAt);
    if (left.length === box.list.length) return;
    box.list = left;
    tab.set(
      key,
      left.map(({ isUnderWay, acceptedAt, ...send }) => send),
    );
  }

  function close() {
    box.changed = () => {};
    box.accepted = () => {};
  }

  return box;
}

function reason({ message, hint, isUnanswered }) {
  const hope = "It goes out by itself once the gateway is back.";
  return { message, hint: isUnanswered ? hope : (hint ?? ""), isUnanswered };
}

/** Sends what a reload interrupted and what nobody answered. */
function resume(box) {
  for (const send of box.list) {
    const isLeft = send.state === "sending" || (send.state === "failed" && send.error?.isUnanswered);
    if (isLeft && !send.isUnderWay) box.again(send);
  }
}

on("resync", () => boxes.forEach(resume));

/** Where no answer came at all, asks again by itself: the id makes that safe. */
async function posted(chat, send) {
  const message = {
    platform: "web",
    chat,
    chat_type: "dm",
    user: { id: "operator", name: "You" },
    text: send.text,
    message_id: send.message_id,
    attachments: (send.pictures ?? []).map(({ id, name }) => ({ id, name })),
  };
  for (const wait of AGAIN_MS) {
    try {
      return await api.inbox(message);
    } catch (error) {
      if (!error.isUnanswered) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return api.inbox(message);
}

/** randomUUID exists only on secure origins; a console on a plain-http address makes its own. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
