// The chat: one conversation on platform `web`. Finds its session, shows what was said, what waits
// and what is being written, and sends. What is on the page comes from a feed and the tab's own sends;
// this view only brings them together.

import { api } from "../api.js";
import { openAsides } from "../asides.js";
import {
  currentSession,
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
import { liveProcesses } from "../live-processes.js";
import { announce, complain, problem, remark } from "../notices.js";
import { path } from "../router.js";
import { openSends } from "../sends.js";
import { soon } from "../soon.js";
import { on } from "../stream.js";
import { newConversation, talkList } from "../talks.js";
import { makeTranscript } from "../transcript.js";
import { chatQuestions } from "./chat-questions.js";
import { makeComposer } from "./composer.js";
import { demoBanner, welcome } from "./welcome.js";

/** After these a conversation may go on elsewhere. */
const MOVES = ["began", "resumed", "branched", "deleted"];

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
  let isKnown = false;
  let teller = makeTeller();
  const transcript = makeTranscript({
    label: `Conversation ${name}`,
    feed: () => feed,
    sends: () => sends.list,
    asides: (now) => asides.beside(now),
    isReady: () => isKnown && (!feed || feed.session),
    isAsking: () => questions.isAsking(),
    welcome: () => welcome(send),
    drawn: () => head.working(stateOf(feed, questions.isAsking()), Boolean(feed?.turn)),
    retry: (failedSend) => sends.again(failedSend),
  });
  const sends = openSends(name, { changed: draw, accepted: (answer) => attach(answer.session_id) });
  const asides = openAsides(name, draw);
  const composer = makeComposer(name, send);
  const questions = chatQuestions(() => feed?.id, draw);
  const head = makeHead(name, stopAnswer);
  const followSoon = soon(follow, 200);
  const banner = demoBanner();
  const stops = [
    on("message", (data) => {
      const isOurs = data.platform === "web" && data.chat === name;
      if (isOurs && feed?.id !== data.session_id) attach(data.session_id);
    }),
    // A command may have moved it: its answer comes after that.
    on("delivery", (data) => data.platform === "web" && data.chat === name && followSoon()),
    on("session", ({ change }) => MOVES.includes(change) && followSoon()),
    on("resync", () => (isKnown ? followSoon() : find())),
  ];
  fill(page, head.node, banner.node, transcript.node, questions.node, composer.node);
  keepAsLast(name);
  document.title = `${name} · Angelia`;

  function draw() {
    if (!left) transcript.draw();
  }

  function send(text, pictures = []) {
    sends.add({ text, pictures }, lastSeen());
    transcript.toEnd();
  }

  async function stopAnswer() {
    const stopped = feed;
    try {
      await api.stop(stopped.id);
      remark("Stopped.");
      stopped.refresh();
    } catch (error) {
      failed(error);
    }
  }

  function lastSeen() {
    if (feed?.session) return Math.max(0, ...feed.rows.keys());
    return isKnown && !feed ? 0 : null;
  }

  /** Opens the feed once the session is known; a second answer for it only asks for a reading. */
  function attach(id) {
    if (left || !id) return;
    if (feed?.id === id) {
      feed.refresh();
      return;
    }
    feed?.close();
    teller = makeTeller();
    feed = openFeed(id, { changed, failed, gone });
    head.link(id);
    questions.draw();
    readConversations();
  }

  /** Its session was deleted: the next message begins another. */
  function gone() {
    feed = null;
    head.unlink();
    draw();
  }

  /** The conversation may go on in another session now. */
  async function follow() {
    const id = await currentSession(name).catch(() => null);
    if (id && id !== feed?.id) attach(id);
  }

  async function find() {
    transcript.say(el("div.loading", {}, "Loading…"));
    try {
      const id = await findSession(name);
      if (left) return;
      isKnown = true;
      if (!id) remember(name);
      if (!feed) attach(id);
      draw();
    } catch (error) {
      failed(error);
    }
  }

  function changed() {
    sends.settle(feed.readAt);
    teller(feed);
    draw();
  }

  function failed(error) {
    if (left) return;
    if (feed?.session) complain(error);
    else transcript.say(problem(error, () => (feed ? feed.refresh() : find())));
  }

  function leave() {
    left = true;
    followSoon.cancel();
    if (isKnown && !feed && !sends.list.length && composer.isEmpty()) forget(name);
    for (const stop of stops) stop();
    feed?.close();
    sends.close();
    asides.close();
    questions.stop();
    head.unlink();
    transcript.stop();
    banner.stop();
  }

  find();
  if (matchMedia("(pointer: fine)").matches) composer.focus();
  return { leave, composer };
}

/** Says a reply aloud once, when it is complete; not those that were there when the page opened. */
function makeTeller() {
  let last = null;
  return (feed) => {
    if (!feed.session) return;
    const newest = [...feed.rows.values()].reduce((a, b) => (a && a.seq > b.seq ? a : b), null);
    const isNew = last !== null && newest && newest.seq > last && newest.role !== "user";
    if (isNew) announce(`Reply: ${newest.text.slice(0, 400)}`);
    last = newest?.seq ?? 0;
  };
}

/** What goes on, as a tag, or nothing where nothing does. */
function stateOf(feed, isAsking) {
  if (isAsking) return el("span.tag.accent", {}, "Waits for you");
  if (!feed?.turn && !feed?.waiting.length) return null;
  return el("span.tag.accent", {}, el("span.dot.accent.busy"), "Working");
}

/** `stopAnswer` ends the answer that is being written. */
function makeHead(name, stopAnswer) {
  const state = el("span.head-state");
  const stop = el(
    "button.button.small",
    {
      type: "button",
      hidden: true,
      title: "End the answer that is being written",
      onclick: stopAnswer,
    },
    icon("stop", 15),
    "Stop",
  );
  const link = el("span.head-links");
  let running = null;
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
  const node = el("header.page-head", {}, title, choose, state, el("span.grow"), stop, link, add);
  return {
    node,
    working: (tag, answering) => {
      fill(state, tag);
      // On a phone there is room for one of them, and the button says as much.
      state.classList.toggle("wide-only", answering);
      stop.hidden = !answering;
    },
    unlink,
    link: (id) => {
      unlink();
      running = liveProcesses(id);
      fill(
        link,
        running.node,
        el(
          "a.icon-button",
          {
            href: path("sessions", id),
            "aria-label": "Open in Sessions",
            title: "Open in Sessions",
          },
          icon("sessions"),
        ),
      );
    },
  };

  function unlink() {
    running?.stop();
    running = null;
    fill(link);
  }
}

function chooseTalk() {
  const talks = talkList(() => dialog.close());
  const dialog = sheet("Conversations", talks.node);
  dialog.addEventListener("close", talks.stop);
}
