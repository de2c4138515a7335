// What can be done with a session: the menu, the dialogs and their calls. Ids of sessions to be made are
// made here once per question, so that asking again after a lost answer makes no second one.

import { api } from "../api.js";
import { asking, field } from "../asking.js";
import { el } from "../dom.js";
import { count } from "../health.js";
import { newSessionId } from "../ids.js";
import { titleOf } from "../naming.js";
import { remark } from "../notices.js";
import { go } from "../router.js";
import { showAbout } from "./session-about.js";
import { chooseOlder } from "./session-older.js";
import { askRewind } from "./session-rewind.js";

const TITLE_MOST = 100;

/** `failed(error)` says what went wrong outside of a dialog; null takes it back. */
export function makeActs(feed, { failed, transcript }) {
  const id = () => feed.session.id;

  /** Runs a call without a dialog, and says what came of it. */
  async function outright(call, words) {
    failed(null);
    try {
      const answer = await call();
      remark(words);
      feed.refresh();
      return answer;
    } catch (error) {
      failed(error);
      return null;
    }
  }

  const acts = {
    menu,
    ofLine,
    rename: () => askTitle(feed),
    model: () => askModel(feed),
    stop: () => outright(() => api.stop(id()), "Stopped."),
    // A session resumed by itself: the place that it began in goes on in it.
    resume: () => outright(() => api.resume(id(), id()), "Its place goes on here."),
    toggleAll: () => feed.showAll(!feed.isAll),
  };

  async function rewind(from = null) {
    const done = await askRewind(feed, from);
    if (!done) return;
    remark(`Undone: ${count(done.rows, "message", "messages")}.`);
    feed.refresh();
    transcript.toEnd();
  }

  function save(format) {
    return outright(async () => {
      const { blob, name } = await api.exported(id(), format);
      const link = el("a", { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    }, "Exported.");
  }

  function menu() {
    const { session } = feed;
    const isOpen = Boolean(feed.turn);
    return [
      { icon: "pen", label: "Rename…", act: acts.rename },
      { icon: "model", label: "Model…", act: acts.model },
      null,
      { icon: "undo", label: "Undo turns…", act: () => rewind() },
      { icon: "branch", label: "Branch…", act: () => askBranch(feed) },
      session.current ? { icon: "plus", label: "Begin anew…", act: () => askAnew(feed) } : [],
      session.current
        ? { icon: "clock", label: "Resume an older one…", act: () => chooseOlder(session) }
        : { icon: "resume", label: "Go on here", act: acts.resume },
      isOpen ? { icon: "stop", label: "Stop the answer", act: acts.stop } : [],
      null,
      {
        icon: "eye",
        label: "Show what was undone",
        isOn: feed.isAll,
        act: acts.toggleAll,
      },
      { icon: "processes", label: "Background processes", act: () => go("processes", id()) },
      { icon: "info", label: "Details", act: () => showAbout(session) },
      { icon: "save", label: "Export as Markdown", act: () => save("markdown") },
      { icon: "save", label: "Export as JSON", act: () => save("json") },
      null,
      { icon: "trash", label: "Delete…", tone: "bad", act: () => askDelete(feed) },
    ].flat();
  }

  /** What can be done with one message. */
  function ofLine({ kind, seq, fate }) {
    if (fate !== "visible") return [];
    if (kind === "user") return [{ icon: "undo", label: "Undo from here", act: () => rewind(seq) }];
    if (kind === "assistant")
      return [{ icon: "branch", label: "Branch here", act: () => askBranch(feed, seq) }];
    return [];
  }

  return acts;
}

function askTitle(feed) {
  const { id, title } = feed.session;
  const name = field(
    "Title",
    { maxlength: TITLE_MOST, value: title ?? "", "data-first": true },
    "No two sessions have the same title. Leave it empty to take the title away.",
  );
  return asking({
    title: "Rename",
    content: name.node,
    yes: "Save",
    act: async () => {
      await api.rename(id, name.input.value.trim() || null);
      feed.refresh();
    },
  });
}

function askModel(feed) {
  const { id, model } = feed.session;
  const fields = [
    ["model", "Model", "as the provider calls it"],
    ["provider", "Provider", "as the configuration calls it"],
    ["base_url", "Base URL", "https://…"],
  ].map(([key, label, placeholder], i) => [
    key,
    field(label, {
      value: model?.[key] ?? "",
      placeholder,
      dir: "ltr",
      spellcheck: "false",
      autocapitalize: "off",
      inputmode: key === "base_url" ? "url" : null,
      "data-first": i === 0,
    }),
  ]);
  const choose = async (wish) => {
    await api.chooseModel(id, wish);
    feed.refresh();
  };
  return asking({
    title: "Model for this session",
    words: "Counts from the next turn on. No key is kept here: keys stay in the configuration.",
    content: fields.map(([, one]) => one.node),
    yes: "Choose",
    other: model ? { label: "Take the choice back", act: () => choose({}) } : null,
    act: () => choose(written(fields)),
  });
}

/** The fields that have something in them. */
function written(fields) {
  const given = fields.map(([key, { input }]) => [key, input.value.trim()]);
  return Object.fromEntries(given.filter(([, value]) => value));
}

function askAnew(feed) {
  const { session } = feed;
  const sessionId = newSessionId();
  const name = field("Title of the new one", { maxlength: TITLE_MOST, placeholder: "None" });
  return asking({
    title: "Begin anew?",
    words:
      "The next message starts without a memory of this. What was said here stays, and can be resumed.",
    content: name.node,
    yes: "Begin anew",
    act: async () => {
      const title = name.input.value.trim();
      const made = await api.beginAnew(session.id, {
        session_id: sessionId,
        ...(title ? { title } : {}),
      });
      go("sessions", made.id);
    },
  });
}

function askBranch(feed, upTo = null) {
  const { session } = feed;
  const sessionId = newSessionId();
  const name = field("Title of the branch", {
    maxlength: TITLE_MOST,
    placeholder: "None",
    "data-first": true,
  });
  const move = el("input", { type: "checkbox" });
  return asking({
    title: upTo === null ? "Branch" : "Branch here",
    words:
      upTo === null
        ? "Copies everything visible into a new session that goes its own way."
        : "Copies everything visible up to this message into a new session that goes its own way.",
    content: [
      name.node,
      session.current
        ? el("label.check", {}, move, "The place goes on in the branch from now on")
        : null,
    ],
    yes: "Branch",
    act: async () => {
      const title = name.input.value.trim();
      const made = await api.branch(session.id, {
        session_id: sessionId,
        then: move.checked ? "move" : "stay",
        ...(title ? { title } : {}),
        ...(upTo === null ? {} : { up_to: upTo }),
      });
      go("sessions", made.id);
    },
  });
}

function askDelete(feed) {
  const { session } = feed;
  return asking({
    title: "Delete for good?",
    words: el(
      "span",
      {},
      el("bdi.quoted", {}, titleOf(session)),
      " goes with every word in it, and nobody can bring it back. Export it first if it may be needed.",
    ),
    content: null,
    yes: "Delete it",
    tone: "danger",
    act: async () => {
      await api.remove(session.id);
      if (location.hash.includes(session.id)) go("sessions");
    },
  });
}
