// One session: its transcript as it grows, how it stands, where it came from, and what can be done with
// it. What is on the page comes from a feed; the calls are in `session-acts.js`.

import { spoken } from "../asking.js";
import { el, fill } from "../dom.js";
import { openFeed } from "../feed.js";
import { icon } from "../icons.js";
import { liveProcesses } from "../live-processes.js";
import { titleOf } from "../naming.js";
import { complain, problem, remark } from "../notices.js";
import { go, path } from "../router.js";
import { makeTranscript } from "../transcript.js";
import { chatQuestions } from "./chat-questions.js";
import { makeActs } from "./session-acts.js";
import { makeHead } from "./session-head.js";

/** `seq` is the entry to go to, null for the end. */
export function openSession(pane, id, seq = null) {
  let sought = seq;
  let left = false;
  const trouble = el("div.pane-trouble", { role: "alert" });
  const transcript = makeTranscript({
    label: "Transcript",
    feed: () => feed,
    sends: () => [],
    isReady: () => Boolean(feed.session),
    isAsking: () => questions.isAsking(),
    welcome: () => nothingSaid(feed),
    drawn,
    names: true,
    acts: (line) => (feed.session ? acts.ofLine(line) : []),
  });
  const feed = openFeed(id, { changed, failed, gone });
  const acts = makeActs(feed, { failed: sayTrouble, transcript });
  const running = liveProcesses(id);
  const questions = chatQuestions(() => id, transcript.draw);
  const { isAsking } = questions;
  const head = makeHead(feed, acts, { beside: running.node, isAsking });
  const back = { href: path("sessions"), "aria-label": "Back to the sessions" };

  fill(
    pane,
    el(
      "header.page-head",
      {},
      el("a.icon-button.back-link", back, icon("back")),
      head.words,
      head.actions,
    ),
    head.standing,
    trouble,
    transcript.node,
    questions.node,
  );
  transcript.say(el("div.loading", {}, "Loading…"));

  function changed() {
    transcript.draw();
    if (sought !== null && feed.session) find();
  }

  function drawn() {
    if (!feed.session) return;
    document.title = `${titleOf(feed.session)} · Angelia`;
    head.draw();
  }

  async function find() {
    const wanted = sought;
    sought = null;
    try {
      const isThere = await feed.reach(wanted);
      if (left) return;
      if (isThere) transcript.show(wanted);
      else remark("That message is no longer there.");
    } catch (error) {
      sayTrouble(error);
    }
  }

  function goTo(place) {
    sought = place;
    if (place !== null && feed.session) find();
  }

  /** What failed is said where it was asked for, and goes with the next thing that is done. */
  function sayTrouble(error) {
    fill(trouble, error && !left ? [spoken(error), closer(() => fill(trouble))] : null);
  }

  function failed(error) {
    if (left) return;
    if (feed.session) complain(error);
    else transcript.say(missing(error, feed.refresh));
  }

  function gone() {
    remark("The session was deleted.");
    if (!left) go("sessions");
  }

  function leave() {
    left = true;
    feed.close();
    running.stop();
    questions.stop();
    transcript.stop();
  }

  return { leave, goTo };
}

function closer(close) {
  const attributes = { type: "button", "aria-label": "Dismiss", onclick: close };
  return el("button.icon-button", attributes, icon("close", 16));
}

function missing(error, retry) {
  if (error.status !== 404 && error.status !== 400) return problem(error, retry);
  return el(
    "div.empty",
    {},
    el("h2", {}, "There is no such session"),
    el("p", {}, "It was deleted, or the address is not quite right."),
    el("a.button", { href: path("sessions") }, "All sessions"),
  );
}

function nothingSaid(feed) {
  if (feed.session?.rewinds > 0 && !feed.isAll)
    return el(
      "div.empty",
      {},
      el("h2", {}, "Everything was undone"),
      el("p", {}, "What was said is hidden, not deleted; the agent no longer sees it."),
      el("button.button", { type: "button", onclick: () => feed.showAll(true) }, "Show it in grey"),
    );
  return el(
    "div.empty",
    {},
    el("h2", {}, "Nothing was said here yet"),
    el("p", {}, "The next message of its place appears here by itself."),
  );
}
