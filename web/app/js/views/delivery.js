// One delivery as a card: where it goes, what it says, how it fares, and what can be done about it.

import { api } from "../api.js";
import { copyId } from "../copy.js";
import { confirmed } from "../dialogs.js";
import { el } from "../dom.js";
import { count } from "../health.js";
import { icon } from "../icons.js";
import { plain } from "../inline.js";
import { fileRow } from "../pictures.js";
import { path } from "../router.js";
import { ago } from "../time.js";

const TONES = { due: "", sending: "accent", sent: "good", wedged: "bad", dropped: "" };
const WORDS = {
  due: "Due",
  sending: "Sending",
  sent: "Sent",
  wedged: "Wedged",
  dropped: "Dropped",
};
const PREVIEW_CHARS = 400;

/** `done(words)` follows a successful action, `failed(error)` another. */
export function card(delivery, { done, failed }) {
  return el(
    "li.delivery",
    {},
    el(
      "div.delivery-top",
      {},
      el(
        "span",
        { class: `tag ${TONES[delivery.state] ?? ""}` },
        WORDS[delivery.state] ?? delivery.state,
      ),
      el("span.delivery-to", { dir: "auto" }, `${delivery.platform} · ${delivery.chat}`),
      delivery.parts > 1
        ? el("span.faint", {}, `part ${delivery.part} of ${delivery.parts}`)
        : null,
      delivery.repeat === "possible" ? repeatMark() : null,
      el("span.delivery-when", {}, when(delivery)),
    ),
    el("p.delivery-text", { dir: "auto" }, plain(delivery.text.slice(0, PREVIEW_CHARS))),
    fileRow(delivery.files),
    delivery.why ? el("p.delivery-why", { dir: "auto" }, whyOf(delivery)) : null,
    el(
      "div.delivery-foot",
      {},
      el("span.faint", {}, count(delivery.attempts, "attempt", "attempts")),
      copyId(delivery.id),
      delivery.session_id
        ? el("a.faint-link", { href: path("sessions", delivery.session_id) }, "Session")
        : null,
      actions(delivery, done, failed),
    ),
  );
}

function repeatMark() {
  const words = "This reply may have reached the person twice";
  return el(
    "span.tag.warn",
    { title: words },
    icon("repeat", 13),
    "Maybe repeated",
    el("span.visually-hidden", {}, `: ${words}`),
  );
}

function whyOf({ state, why }) {
  return state === "wedged" ? why : `Not yet: ${why}`;
}

function when(delivery) {
  if (delivery.state === "due") return ["due ", ago(delivery.due_at)];
  return ago(delivery.at);
}

function actions(delivery, done, failed) {
  if (!["due", "wedged"].includes(delivery.state)) return null;
  let isUnderWay = false;
  // Not disabled meanwhile: a button that is disabled loses the focus.
  const act = async (call, words) => {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      await call(delivery.id);
      done(words);
    } catch (error) {
      failed(error);
    }
    isUnderWay = false;
  };
  const retry = el(
    "button.button.small",
    { type: "button", onclick: () => act(api.retry, "Trying again now.") },
    icon("retry", 15),
    "Retry",
  );
  const drop = el(
    "button.button.small",
    { type: "button", onclick: async () => (await sure(delivery)) && act(api.drop, "Dropped.") },
    icon("trash", 15),
    "Drop",
  );
  return el("div.delivery-actions", {}, retry, drop);
}

function sure(delivery) {
  return confirmed({
    title: "Drop this reply?",
    words: `It will never reach ${delivery.chat} on ${delivery.platform}. The transcript keeps it.`,
    yes: "Drop it",
  });
}
