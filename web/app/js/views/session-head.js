// The head of a session: its name, what it is, how it stands, and the line of its family. Drawn anew
// only when something in it changed, so that a focus in it survives.

import { copyId } from "../copy.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { endingOf, nameOf, platformName, titleOf } from "../naming.js";
import { path } from "../router.js";
import { ago } from "../time.js";
import { menuButton } from "../menu.js";

const BRANCHES_MOST = 5;

/** `beside` stands with the facts; `isAsking()` tells whether something waits for an answer. */
export function makeHead(feed, acts, { beside, isAsking }) {
  const title = el("h2", { dir: "auto" }, "Session");
  const facts = el("div.facts");
  const buttons = el("div.head-buttons");
  const menu = menuButton("More for this session", () => acts.menu());
  const standing = el("div.standing");
  const rename = el(
    "button.icon-button.rename",
    { type: "button", "aria-label": "Rename", title: "Rename", onclick: acts.rename },
    icon("pen", 16),
  );
  menu.node.hidden = true;
  rename.hidden = true;

  function draw() {
    const { session } = feed;
    title.textContent = titleOf(session);
    title.title = titleOf(session);
    menu.node.hidden = false;
    rename.hidden = false;
    const { id, state, model, current, ended_at: ended } = session;
    const doing = isAsking() ? "asking" : state;
    once(facts, [id, doing, JSON.stringify(model), ended], () => factsOf(session, acts, doing));
    once(buttons, [id, state, Boolean(feed.turn), current, ended], () => buttonsOf(feed, acts));
    once(standing, standingStamp(feed), () => standingOf(feed, acts));
    standing.hidden = !standing.childElementCount;
  }

  return {
    words: el(
      "div.head-words",
      {},
      el("div.head-title", {}, title, rename),
      el("div.facts-row", {}, facts, beside),
    ),
    actions: el("div.head-actions", {}, buttons, menu.node),
    standing,
    draw,
  };
}

/** Fills `node` only when its stamp changed. */
function once(node, parts, build) {
  const stamp = parts.join("\u0000");
  if (node.dataset.stamp === stamp) return;
  node.dataset.stamp = stamp;
  fill(node, build());
}

function factsOf(session, acts, doing) {
  return [
    el("span.tag", {}, placeOf(session)),
    doingTag(doing),
    session.ended_at ? el("span.tag", {}, "ended") : null,
    session.model ? modelTag(session.model, acts) : null,
    copyId(session.id),
  ];
}

function doingTag(doing) {
  if (doing === "idle") return null;
  const dot = doing === "asking" ? null : el("span.dot.accent.busy");
  return el("span.tag.accent", {}, dot, doing);
}

function placeOf({ platform, chat_type: type }) {
  return type === "dm" ? platformName(platform) : `${platformName(platform)} ${type}`;
}

function modelTag({ model, provider, base_url: address }, acts) {
  const label = model || provider || address;
  return el(
    "button.tag.model-tag",
    { type: "button", title: `Model: ${label}. Change it`, onclick: acts.model },
    icon("model", 13),
    el("span", {}, label),
  );
}

function buttonsOf(feed, acts) {
  const { session } = feed;
  if (feed.turn || session.state === "working")
    return el(
      "button.button.small",
      { type: "button", onclick: acts.stop, title: "End the answer that is being written" },
      icon("stop", 15),
      "Stop",
    );
  if (!session.current)
    return el(
      "button.button.small",
      { type: "button", onclick: acts.resume },
      icon("resume", 15),
      "Go on here",
    );
  if (session.platform !== "web") return null;
  return el("a.button.small", { href: path("chat", session.chat) }, icon("chat", 15), "Continue");
}

function standingStamp({ session, isAll }) {
  const {
    id,
    ended_at: ended,
    end_reason: why,
    suspended_at: held,
    resume,
    state,
    links,
    rewinds,
  } = session;
  return [id, ended, why, held, JSON.stringify(resume), state, JSON.stringify(links), rewinds > 0, isAll];
}

function standingOf(feed, acts) {
  const { session } = feed;
  return [
    session.ended_at
      ? el("p", {}, "Ended ", ago(session.ended_at), `: ${endingOf(session)}.`)
      : null,
    session.suspended_at ? el("p", {}, "Suspended: the next message begins anew.") : null,
    session.resume
      ? el("p", {}, "Interrupted ", ago(session.resume.at), goesOn(session))
      : null,
    family(session.links),
    undoneLine(feed, acts),
  ];
}

function goesOn({ state }) {
  return state === "idle" ? "; it goes on with the next message." : "; it goes on now.";
}

const CAME = {
  continuation: "Continues ",
  branch: "Branched from ",
  delegate: "Works for ",
  parent: "Came from ",
};

/** Where it came from and where it goes on, as links. */
function family(links) {
  if (!links) return null;
  const { parent, link, continuation, branches = [] } = links;
  const further = branches.length - BRANCHES_MOST;
  return [
    parent ? el("p", {}, CAME[link] ?? CAME.parent, kin(parent)) : null,
    continuation ? el("p", {}, "Goes on in ", kin(continuation)) : null,
    branches.length
      ? el(
          "p",
          {},
          branches.length === 1 ? "Branch: " : "Branches: ",
          branches.slice(0, BRANCHES_MOST).map((id, i) => [i ? ", " : "", kin(id)]),
          further > 0 ? ` and ${further} more` : null,
        )
      : null,
  ];
}

/** A link to another session, under its id until its name is known. */
function kin(id) {
  const link = el("a", { href: path("sessions", id), dir: "auto" }, `${id.slice(0, 12)}…`);
  nameOf(id).then((name) => fill(link, name));
  return link;
}

function undoneLine(feed, acts) {
  if (!feed.isAll && !feed.session.rewinds) return null;
  return el(
    "p",
    {},
    feed.isAll ? "What was undone or summarised is shown in grey. " : "Some of it was undone. ",
    el(
      "button.link-button",
      { type: "button", onclick: acts.toggleAll },
      feed.isAll ? "Hide it" : "Show it",
    ),
  );
}
