// The outbox: every reply on its way out, those that could not be delivered, and those that were.
// Retry and Drop are offered where the gateway allows them; Drop asks first.

import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { readHealth } from "../health.js";
import { icon } from "../icons.js";
import { keyed } from "../keyed.js";
import { complain, problem, remark } from "../notices.js";
import { path } from "../router.js";
import { soon } from "../soon.js";
import { on } from "../stream.js";
import { card } from "./delivery.js";

const PAGE = 50;
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
  let shown = tabOf(rest);
  let loaded = 1;
  let left = false;
  let reading = 0;
  const tabs = el("nav.segments", { "aria-label": "Which deliveries" });
  const list = el("ul.deliveries", { role: "list" });
  const state = el("div");
  const more = el("div.more");
  document.title = "Outbox · Angelia";
  fill(
    page,
    el(
      "header.page-head",
      {},
      el("div.narrow.head-row", {}, el("h1", {}, "Outbox"), el("span.grow.wide-only"), tabs),
    ),
    el("div.page-body", { tabindex: "-1" }, el("div.narrow", {}, state, list, more)),
  );

  /** Reads as many pages as are shown, so that an update does not fold what was unfolded. */
  async function read() {
    reading += 1;
    const mine = reading;
    try {
      const { items, next } = await pages(shown, loaded);
      if (left || mine !== reading) return;
      draw(items, next);
    } catch (error) {
      if (left || mine !== reading) return;
      if (list.childElementCount) complain(error);
      else fill(state, problem(error, read));
    }
  }

  function draw(items, next) {
    const hadFocus = list.contains(document.activeElement);
    keyed(
      list,
      items.map((delivery) => ({
        key: delivery.id,
        stamp: JSON.stringify(delivery),
        build: () => card(delivery, { done, failed: complain }),
      })),
    );
    // The card that was acted on is gone or new: the focus goes to the next thing to decide.
    if (hadFocus && !list.contains(document.activeElement))
      (list.querySelector(".button") ?? tabs.querySelector("[aria-current]")).focus();
    fill(state, items.length ? null : empty());
    fill(
      more,
      next
        ? el(
            "button.button.small",
            {
              type: "button",
              onclick: () => {
                loaded += 1;
                read();
              },
            },
            "Load more",
          )
        : null,
    );
  }

  function empty() {
    const [title, words] = EMPTY[shown];
    return el("div.empty", {}, icon("outbox", 28), el("h2", {}, title), el("p", {}, words));
  }

  function done(words) {
    remark(words);
    read();
    readHealth();
  }

  function choose(name) {
    shown = tabOf(name);
    loaded = 1;
    fill(
      tabs,
      TABS.map(([tab, label]) =>
        el(
          "a",
          {
            href: path("outbox", tab === "open" ? "" : tab),
            "aria-current": tab === shown ? "true" : null,
          },
          label,
        ),
      ),
    );
    keyed(list, []);
    fill(more);
    fill(state, el("div.loading", {}, "Loading…"));
    read();
  }

  const readSoon = soon(read, 250);
  const stops = ["delivery", "resync"].map((name) => on(name, readSoon));
  choose(rest);

  return {
    update: choose,
    focus: () => tabs.querySelector("[aria-current]")?.focus(),
    leave: () => {
      left = true;
      readSoon.cancel();
      for (const stop of stops) stop();
    },
  };
}

function tabOf(rest) {
  return TABS.some(([tab]) => tab === rest) ? rest : "open";
}

async function pages(state, number) {
  let items = [];
  let next = null;
  for (let page = 0; page < number; page += 1) {
    const answer = await api.outbox({ state, limit: PAGE, after: next });
    items = [...items, ...answer.items];
    next = answer.next;
    if (!next) break;
  }
  return { items, next };
}
