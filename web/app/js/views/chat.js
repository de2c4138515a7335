// The chat: one conversation on platform `web`. Finds its session, shows what was said, what waits
// and what is being written, and sends. What is on the page comes from a feed and the tab's own sends;
// this view only brings them together.

import {
  findSession,
  forget,
  keepAsLast,
  lastName,
  readConversations,
  remember,
} from "../conversations.js";
import { sheet } from "../dialogs.js";
import { el, fill } from "../dom.js";
import { openFeed } from "../feed.js";
import { icon } from "../icons.js";
import { keyed } from "../keyed.js";
import { arrange, items } from "../messages.js";
import { announce, complain, problem } from "../notices.js";
import { path } from "../router.js";
import { makeScroller } from "../scroller.js";
import { openSends } from "../sends.js";
import { on } from "../stream.js";
import { newConversation, talkList } from "../talks.js";
import { makeComposer } from "./composer.js";
import { demoBanner, welcome } from "./welcome.js";

export function mountChat(page, rest) {
  let open = openConversation(page, rest || lastName());
  return {
    update: (name) => {
      open.leave();
      open = openConversation(page, name || lastName());
    },
    leave: () => open.leave(),
    focus: () => open.composer.focus(),
  };
}

function openConversation(page, name) {
  let feed = null;
  let left = false;
  let drawing = 0;
  let lastSeq = null;
  let isKnown = false;
  const list = el("ol.messages", { role: "list", "aria-label": `Conversation ${name}` });
  const above = el("div.above");
  const scroller = makeScroller(el("div.column", {}, above, list), async () =>
    feed?.loadEarlier().catch(complain),
  );
  const sends = openSends(name, { changed: draw, accepted: (answer) => attach(answer.session_id) });
  const composer = makeComposer(name, send);
  const head = makeHead(name);
  const banner = demoBanner();
  keepAsLast(name);
  document.title = `${name} · Angelia`;
  fill(page, head.node, banner.node, scroller.node, composer.node);

  function send(text) {
    sends.add(text);
    scroller.toEnd();
  }

  /** Opens the feed once the session is known; a second answer for it only asks for a reading. */
  function attach(id) {
    if (left || !id) return;
    if (feed?.id === id) {
      feed.refresh();
      return;
    }
    feed?.close();
    feed = openFeed(id, { changed, failed });
    head.link(id);
    readConversations();
  }

  /** One thing above the messages, in place of whatever was there. */
  function say(node) {
    keyed(above, [{ key: "said", stamp: performance.now(), build: () => node }]);
  }

  async function find() {
    say(el("div.loading", {}, "Loading…"));
    try {
      const id = await findSession(name);
      if (left) return;
      isKnown = true;
      keyed(above, []);
      if (!id) remember(name);
      if (!feed) attach(id);
      draw();
    } catch (error) {
      failed(error);
    }
  }

  function changed() {
    sends.settle(feed.readAt);
    tellNewest();
    draw();
  }

  function failed(error) {
    if (left) return;
    if (feed?.session) complain(error);
    else say(problem(error, () => (feed ? feed.refresh() : find())));
  }

  /** Says a reply aloud once, when it is complete; not those that were there when the page opened. */
  function tellNewest() {
    if (!feed.session) return;
    const newest = [...feed.rows.values()].reduce((a, b) => (a && a.seq > b.seq ? a : b), null);
    if (lastSeq !== null && newest && newest.seq > lastSeq && newest.role !== "user")
      announce(`Reply: ${newest.text.slice(0, 400)}`);
    lastSeq = newest?.seq ?? 0;
  }

  /** At most once per frame, however fast a draft grows. */
  function draw() {
    if (!drawing && !left) drawing = requestAnimationFrame(drawNow);
  }

  function drawNow() {
    drawing = 0;
    if (left) return;
    const lines = arrange(feed, sends.list, Date.now());
    const isEmpty = isKnown && lines.length === 0 && (!feed || feed.session);
    scroller.around(() => {
      if (isEmpty || feed?.session || lines.length) keyed(above, [...top(isEmpty)]);
      keyed(list, items(lines, { retry: sends.again }));
    });
    head.working(Boolean(feed?.turn || feed?.waiting.length));
  }

  function* top(isEmpty) {
    if (isEmpty) yield { key: "welcome", stamp: "", build: () => welcome(send) };
    if (feed?.earlier) yield { key: "earlier", stamp: "", build: earlierButton };
  }

  function earlierButton() {
    return el(
      "div.more",
      {},
      el(
        "button.button.small",
        { type: "button", onclick: () => feed.loadEarlier().catch(complain) },
        "Show earlier messages",
      ),
    );
  }

  const stopListening = on("message", (data) => {
    if (!feed && data.platform === "web" && data.chat === name) attach(data.session_id);
  });

  find();
  if (matchMedia("(pointer: fine)").matches) composer.focus();

  function leave() {
    left = true;
    if (isKnown && !feed && !sends.list.length && composer.isEmpty()) forget(name);
    cancelAnimationFrame(drawing);
    stopListening();
    feed?.close();
    sends.close();
    scroller.stop();
    banner.stop();
  }

  return { leave, composer };
}

function makeHead(name) {
  const state = el("span.head-state");
  const link = el("span");
  const title = el("h1.unseen-on-phone", {}, name);
  const choose = el(
    "button.switch.phone-only",
    {
      type: "button",
      "aria-haspopup": "dialog",
      "aria-label": `Conversation ${name}. Choose another`,
      onclick: chooseTalk,
    },
    el("span.switch-name", {}, name),
    icon("chevron", 18),
  );
  const add = el(
    "button.icon-button.phone-only",
    { type: "button", "aria-label": "New conversation", onclick: newConversation },
    icon("plus"),
  );
  const node = el("header.page-head", {}, title, choose, state, el("span.grow"), link, add);
  return {
    node,
    working: (busy) =>
      fill(state, busy ? el("span.tag.accent", {}, el("span.dot.accent.busy"), "Working") : null),
    link: (id) =>
      fill(
        link,
        el(
          "a.icon-button",
          {
            href: path("sessions", id),
            "aria-label": "Open in Sessions",
            title: "Open in Sessions",
          },
          icon("sessions"),
        ),
      ),
  };
}

function chooseTalk() {
  const talks = talkList(() => dialog.close());
  const dialog = sheet("Conversations", talks.node);
  dialog.addEventListener("close", talks.stop);
}
