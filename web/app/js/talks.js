// The list of conversations, as the sidebar and the phone's sheet show it.

import {
  conversations,
  freshName,
  lastName,
  remember,
  watchConversations,
} from "./conversations.js";
import { el, fill, mark } from "./dom.js";
import { plain } from "./inline.js";
import { keyed } from "./keyed.js";
import { walkable } from "./keys.js";
import { go, here, path } from "./router.js";

export function newConversation() {
  const name = freshName();
  remember(name);
  go("chat", name);
}

/** A list that follows the conversations and the address; `picked` runs when one is chosen. */
export function talkList(picked = () => {}) {
  const list = el("ul.talks", { role: "list" });
  walkable(list, "a");
  const draw = () =>
    keyed(
      list,
      conversations().map((one) => ({
        key: one.name,
        stamp: `${one.preview}\u0000${one.state}`,
        build: () => talk(one, picked),
        update: (node) => fill(node.firstChild, words(one)),
      })),
    );
  const point = () => {
    const { view, rest } = here();
    for (const link of list.querySelectorAll("a"))
      mark(
        link,
        "aria-current",
        view === "chat" && link.dataset.name === (rest || lastName()) ? "page" : null,
      );
  };
  const stopWatching = watchConversations(() => {
    draw();
    point();
  });
  window.addEventListener("hashchange", point);
  const stop = () => {
    stopWatching();
    window.removeEventListener("hashchange", point);
  };
  return { node: list, stop };
}

function talk(one, picked) {
  return el(
    "li",
    {},
    el(
      "a.talk",
      { href: path("chat", one.name), "data-name": one.name, onclick: picked },
      words(one),
    ),
  );
}

function words({ name, preview, state }) {
  return [
    el(
      "span.talk-name",
      {},
      name,
      state === "idle"
        ? null
        : el("span.dot.accent.busy", { role: "img", "aria-label": "working" }),
    ),
    el("span.talk-preview", { dir: "auto" }, plain(preview) || "No messages yet"),
  ];
}
