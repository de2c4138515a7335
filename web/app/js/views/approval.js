// One question as a card: the command, why it is asked about, for whom, and the four answers. A question that
// wants words has a button for each answer that is offered, and a field for any other.

import { api } from "../api.js";
import { asking } from "../asking.js";
import { copyId } from "../copy.js";
import { el } from "../dom.js";
import { icon } from "../icons.js";
import { complain, remark } from "../notices.js";
import { readQuestions } from "../questions.js";
import { path } from "../router.js";
import { ago } from "../time.js";

const STATES = {
  open: ["accent", "Waits for an answer"],
  once: ["good", "Approved once"],
  conversation: ["good", "Approved for its conversation"],
  always: ["good", "Approved for always"],
  denied: ["bad", "Denied"],
  answered: ["good", "Answered"],
  expired: ["", "Expired"],
  withdrawn: ["", "Withdrawn"],
};
const ANSWERS = [
  ["once", "Approve once", "Approved this once.", "button.button.small.primary"],
  ["conversation", "For this conversation", "Approved for the conversation.", "button.button.small"],
  ["always", "Always", "Approved for always.", "button.button.small"],
];
const REASON_CHARS = 280;

/** `place` says where the card stands: in the list with its links, or in its own chat. */
export function questionCard(question, place) {
  const [tone, words] = STATES[question.state] ?? ["", question.state];
  const who = question.user?.name ?? question.user?.id ?? "somebody";
  return el(
    place === "chat" ? "section.question" : "li.question",
    { "aria-label": question.choices ? "A question of the agent" : "A command that needs an approval" },
    el(
      "div.question-top",
      {},
      el("span", { class: `tag ${tone}` }, words),
      el("span.question-who", { dir: "auto" }, `${who} · ${question.platform} · ${question.chat}`),
      el("span.question-when", {}, ago(question.decided_at ?? question.asked_at)),
    ),
    question.choices
      ? el("p.question-words", { dir: "auto" }, question.command)
      : el("pre.question-command", { tabindex: "0" }, question.command),
    question.reasons.length
      ? el("p.question-why", {}, `Asked because: ${question.reasons.join("; ")}.`)
      : null,
    question.reason ? el("p.question-why", { dir: "auto" }, `“${question.reason}”`) : null,
    where(question),
    question.state === "open" ? (question.choices ? choices(question) : answers(question)) : null,
    place === "chat"
      ? null
      : el(
          "div.question-foot",
          {},
          copyId(question.id),
          el("a.faint-link", { href: path("sessions", question.session_id) }, "Session"),
        ),
  );
}

function where({ workdir, backend, choices }) {
  if (choices) return null;
  const parts = [workdir ? `in ${workdir}` : null, backend === "local" ? null : `on ${backend}`];
  const said = parts.filter(Boolean).join(", ");
  return said ? el("p.faint", {}, `It would run ${said}.`) : null;
}

/** Sends answers, one at a time. */
function sender(question) {
  let isUnderWay = false;
  // Not disabled meanwhile: a button that is disabled loses the focus.
  return async (wish, words) => {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      await api.answer(question.id, wish);
      remark(words);
    } catch (error) {
      complain(error);
    }
    isUnderWay = false;
    readQuestions();
  };
}

function choices(question) {
  const send = sender(question);
  const say = (reason) => send({ decision: "answered", reason }, "Answered.");
  const other = el("input.input", {
    name: "answer",
    type: "text",
    placeholder: "Another answer",
    "aria-label": "Another answer",
  });
  const form = el(
    "form.question-other",
    {
      onsubmit: (event) => {
        event.preventDefault();
        if (other.value.trim()) say(other.value.trim());
      },
    },
    other,
    el("button.button.small", { type: "submit" }, "Answer"),
  );
  return el(
    "div.question-answers",
    {},
    question.choices.map((choice) =>
      el("button.button.small", { type: "button", dir: "auto", onclick: () => say(choice) }, choice),
    ),
    form,
  );
}

function answers(question) {
  const send = sender(question);
  const answer = (decision, words) => send({ decision }, words);
  return el(
    "div.question-answers",
    {},
    ANSWERS.map(([decision, label, words, spec]) =>
      el(spec, { type: "button", onclick: () => answer(decision, words) }, label),
    ),
    el(
      "button.button.small",
      { type: "button", onclick: () => deny(question) },
      icon("close", 15),
      "Deny…",
    ),
  );
}

async function deny(question) {
  const reason = el("input.input", {
    name: "reason",
    "data-first": true,
    type: "text",
    maxlength: REASON_CHARS,
    placeholder: "Why, for the agent (may be left empty)",
    "aria-label": "Why, for the agent",
  });
  const denied = await asking({
    title: "Deny this command?",
    words: "The agent is told not to run it, nor to reach the same in another way.",
    content: reason,
    yes: "Deny",
    tone: "danger",
    act: () =>
      api.answer(question.id, { decision: "denied", reason: reason.value.trim() || undefined }),
  });
  if (denied) remark("Denied.");
  readQuestions();
}
