// A page of cards in tabs: pages are read from the gateway, read again when something happens, and unfolded
// by a button. What the cards are about is told by whoever mounts it:
//
//   title, place (its part of the address), icon, which (what the tabs choose, for those who listen)
//   list       the class of the list
//   tabs       [name, label], the first one is shown by default
//   empty      by tab: [title, words] where there is nothing
//   read       ({ state, limit, after }) → { items, next }
//   card       (item, again) → element; `again` reads the page again
//   events     the events of the stream that change something here
//   above      what stands above the list, if anything
//   pause      how long to gather them, in milliseconds

import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { keyed } from "../keyed.js";
import { complain, problem } from "../notices.js";
import { path } from "../router.js";
import { soon } from "../soon.js";
import { on } from "../stream.js";

const PAGE = 50;

export function mountCards(page, rest, about) {
  const [[first]] = about.tabs;
  let shown = first;
  let loaded = 1;
  let left = false;
  let reading = 0;
  const tabs = el("nav.segments", { "aria-label": about.which });
  const list = el(`ul.${about.list}`, { role: "list" });
  const state = el("div");
  const more = el("div.more");
  document.title = `${about.title} · Angelia`;
  fill(
    page,
    el(
      "header.page-head",
      {},
      el("div.narrow.head-row", {}, el("h1", {}, about.title), el("span.grow.wide-only"), tabs),
    ),
    el("div.page-body", { tabindex: "-1" }, el("div.narrow", {}, about.above, state, list, more)),
  );

  /** Reads as many pages as are shown, so that an update does not fold what was unfolded. */
  async function read() {
    reading += 1;
    const mine = reading;
    try {
      const { items, next } = await pages();
      if (left || mine !== reading) return;
      draw(items, next);
    } catch (error) {
      if (left || mine !== reading) return;
      if (list.childElementCount) complain(error);
      else fill(state, problem(error, read));
    }
  }

  async function pages() {
    let items = [];
    let next = null;
    const [tab, number] = [shown, loaded];
    for (let count = 0; count < number; count += 1) {
      const answer = await about.read({ state: tab, limit: PAGE, after: next });
      items = [...items, ...answer.items];
      next = answer.next;
      if (!next) break;
    }
    return { items, next };
  }

  function draw(items, next) {
    const hadFocus = list.contains(document.activeElement);
    keyed(
      list,
      items.map((item) => ({
        key: item.id,
        stamp: JSON.stringify(item),
        build: () => about.card(item, read),
      })),
    );
    // The card that was acted on is gone or new: the focus goes to the next thing to decide.
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
    const [title, words] = about.empty[shown];
    return el("div.empty", {}, icon(about.icon, 28), el("h2", {}, title), el("p", {}, words));
  }

  function choose(name) {
    shown = about.tabs.some(([tab]) => tab === name) ? name : first;
    loaded = 1;
    fill(tabs, about.tabs.map(tabLink));
    keyed(list, []);
    fill(more);
    fill(state, el("div.loading", {}, "Loading…"));
    read();
  }

  function tabLink([tab, label]) {
    const href = path(about.place, tab === first ? "" : tab);
    return el("a", { href, "aria-current": tab === shown ? "true" : null }, label);
  }

  const readSoon = soon(read, about.pause);
  const stops = about.events.map((name) => on(name, readSoon));
  choose(rest);

  return {
    update: choose,
    again: read,
    focus: () => tabs.querySelector("[aria-current]")?.focus(),
    leave: () => {
      left = true;
      readSoon.cancel();
      for (const stop of stops) stop();
    },
  };
}
