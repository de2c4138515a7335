// One session's transcript, read-only and live, with its ids at hand.

import { copyId } from "../copy.js";
import { el, fill } from "../dom.js";
import { openFeed } from "../feed.js";
import { icon } from "../icons.js";
import { keyed } from "../keyed.js";
import { arrange, items } from "../messages.js";
import { complain, problem } from "../notices.js";
import { path } from "../router.js";
import { makeScroller } from "../scroller.js";

export function openSession(pane, id) {
  let drawing = 0;
  const list = el("ol.messages", { role: "list", "aria-label": "Transcript" });
  const above = el("div.above");
  const title = el("h2", {}, "Session");
  const facts = el("div.facts");
  const actions = el("span");
  const scroller = makeScroller(el("div.column", {}, above, list), () =>
    feed.loadEarlier().catch(complain),
  );
  const feed = openFeed(id, { changed: draw, failed });

  fill(
    pane,
    el(
      "header.page-head",
      {},
      el(
        "a.icon-button.back-link",
        { href: path("sessions"), "aria-label": "Back to the sessions" },
        icon("back"),
      ),
      el("div.head-words", {}, title, facts),
      actions,
    ),
    scroller.node,
  );

  function draw() {
    if (!drawing) drawing = requestAnimationFrame(drawNow);
  }

  function drawNow() {
    drawing = 0;
    if (!feed.session) return;
    drawHead(feed.session, { title, facts, actions });
    const lines = arrange(feed, [], Date.now());
    scroller.around(() => {
      keyed(above, [...top(lines.length === 0)]);
      keyed(list, items(lines, { names: true }));
    });
  }

  function* top(isEmpty) {
    if (feed.earlier) yield { key: "earlier", stamp: "", build: earlierButton };
    else if (isEmpty)
      yield {
        key: "empty",
        stamp: "",
        build: () => el("div.empty", {}, el("p", {}, "Nothing was said here yet.")),
      };
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

  function failed(error) {
    if (feed.session) complain(error);
    else say(problem(error, feed.refresh));
  }

  /** One thing above the messages, in place of whatever was there. */
  function say(node) {
    keyed(above, [{ key: "said", stamp: performance.now(), build: () => node }]);
  }

  say(el("div.loading", {}, "Loading…"));

  return {
    leave: () => {
      cancelAnimationFrame(drawing);
      feed.close();
      scroller.stop();
    },
  };
}

/** In the console everyone is "You"; there the conversation's name says more. */
export function titleOf(session) {
  return session.platform === "web" ? session.chat : session.title || session.chat;
}

function drawHead(session, { title, facts, actions }) {
  title.textContent = titleOf(session);
  const stamp = [session.id, session.state, session.waiting.length].join(" ");
  if (facts.dataset.stamp === stamp) return;
  facts.dataset.stamp = stamp;
  fill(
    facts,
    el("span.tag", {}, session.platform),
    session.state === "idle"
      ? null
      : el("span.tag.accent", {}, el("span.dot.accent.busy"), session.state),
    copyId(session.id),
    copyId(session.key),
  );
  if (session.platform === "web")
    fill(
      actions,
      el("a.button.small", { href: path("chat", session.chat) }, icon("chat", 16), "Continue"),
    );
}
