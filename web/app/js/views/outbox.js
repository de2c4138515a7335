// The outbox: every reply on its way out, those that could not be delivered, and those that were.
// Retry and Drop are offered where the gateway allows them; Drop asks first.

import { api } from "../api.js";
import { readHealth } from "../health.js";
import { complain, remark } from "../notices.js";
import { mountCards } from "./card-list.js";
import { card } from "./delivery.js";

const TABS = [
  ["open", "Open"],
  ["wedged", "Wedged"],
  ["sent", "Sent"],
  ["all", "All"],
];
const EMPTY = {
  open: ["Nothing is on its way", "Every reply has been delivered or dropped."],
  wedged: [
    "Nothing is stuck",
    "Replies that could not be delivered would wait here for you to try them again.",
  ],
  sent: ["Nothing was sent yet", "Replies appear here once a platform has taken them."],
  all: ["The outbox is empty", "Every reply of the agent passes through here on its way out."],
};

export function mountOutbox(page, rest) {
  return mountCards(page, rest, {
    title: "Outbox",
    place: "outbox",
    icon: "outbox",
    which: "Which deliveries",
    list: "deliveries",
    tabs: TABS,
    empty: EMPTY,
    read: api.outbox,
    card: (delivery, again) => card(delivery, { done: done(again), failed: complain }),
    events: ["delivery", "resync"],
    pause: 250,
  });
}

/** What follows a retry or a drop. */
function done(again) {
  return (words) => {
    remark(words);
    again();
    readHealth();
  };
}
