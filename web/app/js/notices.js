// Short words at the edge of the page: what went wrong, what was done, that the line is down.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { inline } from "./inline.js";

const STAY_MS = 9000;
const QUIET_MS = 2500;
let connection = null;
let connectionTimer = 0;

/** An error, in the gateway's words and with its hint; stays long enough to be read. */
export function complain(error) {
  const notice = el(
    "div.notice",
    { role: "alert" },
    el("span.dot.bad"),
    el(
      "div.said",
      {},
      el("div", {}, inline(error.message)),
      error.hint ? el("div.hint", {}, inline(error.hint)) : null,
    ),
    el(
      "button.icon-button",
      { type: "button", "aria-label": "Dismiss", onclick: () => notice.remove() },
      icon("close", 16),
    ),
  );
  show(notice, STAY_MS);
}

export function remark(words) {
  show(el("div.notice.quiet", { role: "status" }, words), QUIET_MS);
}

/** Says words to a screen reader only. */
export function announce(words) {
  document.getElementById("announcer").textContent = words;
}

function show(notice, ms) {
  document.getElementById("notices").append(notice);
  setTimeout(() => notice.remove(), ms);
}

/** Follows the stream's state. A gap shorter than a second is not worth a word. */
export function showConnection(state) {
  clearTimeout(connectionTimer);
  if (state !== "reconnecting") {
    document.body.classList.remove("reconnecting");
    connection?.remove();
    connection = null;
    return;
  }
  if (connection) return;
  connectionTimer = setTimeout(() => {
    connection = el(
      "div.notice.quiet",
      { role: "status" },
      el("span.dot.warn.busy"),
      "Reconnecting…",
    );
    document.body.classList.add("reconnecting");
    document.getElementById("notices").prepend(connection);
  }, 1000);
}

/** An error in the place where a page should be, with a way to try again. */
export function problem(error, retry) {
  return el(
    "div.problem",
    { role: "alert" },
    el("strong", {}, inline(error.message)),
    error.hint ? el("div.hint", {}, inline(error.hint)) : null,
    el("button.button.small", { type: "button", onclick: retry }, icon("retry", 16), "Try again"),
  );
}
