// Approvals: commands that agents want to run and that need somebody's yes, and what became of the
// earlier ones. The open ones are also shown in their own chats.

import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { keyed } from "../keyed.js";
import { complain, problem } from "../notices.js";
import { path } from "../router.js";
import { soon } from "../soon.js";
import { on } from "../stream.js";
import { questionCard } from "./approval.js";

const PAGE = 50;
const TABS = [
  ["open", "Open"],
  ["all", "All"],
];
const EMPTY = {
  open: [
    "Nothing waits for you",
    "Before an agent runs a command that can do harm, it asks. Its questions stand here and in the chat.",
  ],
  all: ["Nobody was asked yet", "Questions of agents about commands stay here with their answers."],
};

export function mountApprovals(page, rest) {
  let shown = tabOf(rest);
  let loaded = 1;
  let left = false;
  let reading = 0;
  const tabs = el("nav.segments", { "aria-label": "Which questions" });
  const list = el("ul.questions", { role: "list" });
  const state = el("div");
  const more = el("div.more");
  document.title = "Approvals · Angelia";
  fill(
    page,
    el(
      "header.page-head",
      {},
      el("div.narrow.head-row", {}, el("h1", {}, "Approvals"), el("span.grow.wide-only"), tabs),
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
      items.map((question) => ({
        key: question.id,
        stamp: JSON.stringify(question),
        build: () => questionCard(question, "list"),
      })),
    );
    // The card that was answered is gone or new: the focus goes to the next thing to decide.
    if (hadFocus && !list.contains(document.activeElement))
      (list.querySelector(".button") ?? tabs.querySelector("[aria-current]")).focus();
    fill(state, items.length ? null : empty());
    fill(more, next ? moreButton() : null);
  }

  function moreButton() {
    const unfold = () => {
      loaded += 1;
      read();
    };
    return el("button.button.small", { type: "button", onclick: unfold }, "Load more");
  }

  function empty() {
    const [title, words] = EMPTY[shown];
    return el("div.empty", {}, icon("approvals", 28), el("h2", {}, title), el("p", {}, words));
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
            href: path("approvals", tab === "open" ? "" : tab),
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

  const readSoon = soon(read, 200);
  const stops = ["approval", "resync"].map((name) => on(name, readSoon));
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
    const answer = await api.approvals({ state, limit: PAGE, after: next });
    items = [...items, ...answer.items];
    next = answer.next;
    if (!next) break;
  }
  return { items, next };
}
