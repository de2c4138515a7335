// The frame around every view: sidebar on a wide screen, bar at the bottom on a phone, the dot that
// tells the gateway's health, the badges of questions and strangers that wait and of replies that could not be delivered.

import { showShortcuts } from "./dialogs.js";
import { el, mark } from "./dom.js";
import { verdict, watchHealth } from "./health.js";
import { icon } from "./icons.js";
import { watchQuestions } from "./questions.js";
import { watchStrangers } from "./strangers.js";
import { newConversation, talkList } from "./talks.js";
import { themeButton } from "./theme.js";

const VIEWS = [
  ["chat", "Chat", "g c"],
  ["sessions", "Sessions", "g s"],
  ["processes", "Processes", "g p"],
  ["approvals", "Approvals", "g a"],
  ["access", "Access", "g w"],
  ["outbox", "Outbox", "g o"],
  ["status", "Status", "g t"],
];

/** Builds the frame; `page` is where a view goes, `point(view)` marks where we are. */
export function makeShell(signOut) {
  const page = el("main.page", { id: "page", tabindex: "-1" });
  const badges = [];
  const asked = [];
  const strangers = [];
  const dots = [];
  const links = [];

  function link(spec, [view, label, keys], extras) {
    const node = el(
      spec,
      { href: `#/${view}`, title: `${label} (${keys})` },
      icon(view),
      el("span.grow", {}, label),
      extras,
    );
    links.push([view, node]);
    return node;
  }

  function extras(view) {
    if (view === "approvals") return keepIn(asked, el("span.badge", { hidden: true }));
    if (view === "access") return keepIn(strangers, el("span.badge", { hidden: true }));
    if (view === "outbox") return keepIn(badges, el("span.badge", { hidden: true }));
    if (view === "status") return keepIn(dots, el("span.dot", { role: "img" }));
    return null;
  }

  const talks = talkList();
  const side = el(
    "aside.side",
    { "aria-label": "Console" },
    el("a.brand", { href: "#/chat" }, icon("mark", 24), "Angelia"),
    el(
      "nav.nav",
      { "aria-label": "Views" },
      VIEWS.map((view) => link("a.nav-link", view, extras(view[0]))),
    ),
    el(
      "section.side-talks",
      { "aria-label": "Conversations" },
      el(
        "div.side-head",
        {},
        el("span", {}, "Conversations"),
        el(
          "button.icon-button",
          {
            type: "button",
            "aria-label": "New conversation",
            title: "New conversation (n)",
            onclick: newConversation,
          },
          icon("plus", 18),
        ),
      ),
      el("div.side-scroll", {}, talks.node),
    ),
    el(
      "div.side-foot",
      {},
      themeButton(),
      el(
        "button.icon-button",
        {
          type: "button",
          "aria-label": "Keyboard shortcuts",
          title: "Keyboard shortcuts (?)",
          onclick: showShortcuts,
        },
        icon("keyboard"),
      ),
      el("span.grow"),
      el(
        "button.icon-button",
        { type: "button", "aria-label": "Sign out", title: "Sign out", onclick: signOut },
        icon("leave"),
      ),
    ),
  );
  const bar = el(
    "nav.tabbar",
    { "aria-label": "Views" },
    VIEWS.map((view) => link("a", view, extras(view[0]))),
  );

  const skip = el(
    "button.skip",
    { type: "button", onclick: () => page.focus() },
    "Skip to the content",
  );
  const node = el("div.shell", {}, skip, side, page, bar);
  const unask = watchQuestions((open) => drawAsked(open.length, asked));
  const unmeet = watchStrangers((waiting) =>
    drawCount(waiting.length, strangers, `${waiting.length} to be let in`),
  );
  const unwatch = watchHealth((state) => drawHealth(state, dots, badges));

  return {
    node,
    page,
    point: (view) => {
      for (const [name, one] of links) mark(one, "aria-current", name === view ? "page" : null);
    },
    stop: () => {
      unask();
      unmeet();
      unwatch();
      talks.stop();
    },
  };
}

function keepIn(list, node) {
  list.push(node);
  return node;
}

function drawHealth(state, dots, badges) {
  const { tone, words } = verdict(state);
  for (const dot of dots) {
    dot.className = `dot ${tone}`;
    dot.setAttribute("aria-label", words);
    dot.title = words;
  }
  const wedged = state.status?.wedged ?? 0;
  drawCount(wedged, badges, `${wedged} could not be delivered`);
}

function drawAsked(number, badges) {
  drawCount(number, badges, `${number} ${number === 1 ? "waits" : "wait"} for an answer`);
}

function drawCount(number, badges, title) {
  for (const badge of badges) {
    badge.hidden = number === 0;
    badge.textContent = number > 99 ? "99+" : String(number);
    badge.title = title;
  }
}
