// One session's transcript, read-only and live, with its ids at hand.

import { copyId } from "../copy.js";
import { el, fill } from "../dom.js";
import { openFeed } from "../feed.js";
import { icon } from "../icons.js";
import { complain, problem } from "../notices.js";
import { path } from "../router.js";
import { makeTranscript } from "../transcript.js";

export function openSession(pane, id) {
  const title = el("h2", {}, "Session");
  const facts = el("div.facts");
  const actions = el("span");
  const transcript = makeTranscript({
    label: "Transcript",
    feed: () => feed,
    sends: () => [],
    isReady: () => Boolean(feed.session),
    welcome: () => el("div.empty", {}, el("p", {}, "Nothing was said here yet.")),
    drawn: () => feed.session && drawHead(feed.session, { title, facts, actions }),
    names: true,
  });
  const feed = openFeed(id, { changed: transcript.draw, failed });
  const back = { href: path("sessions"), "aria-label": "Back to the sessions" };

  fill(
    pane,
    el(
      "header.page-head",
      {},
      el("a.icon-button.back-link", back, icon("back")),
      el("div.head-words", {}, title, facts),
      actions,
    ),
    transcript.node,
  );
  transcript.say(el("div.loading", {}, "Loading…"));

  function failed(error) {
    if (feed.session) complain(error);
    else transcript.say(problem(error, feed.refresh));
  }

  function leave() {
    feed.close();
    transcript.stop();
  }

  return { leave };
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
