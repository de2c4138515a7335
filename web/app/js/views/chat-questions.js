// The open questions of one conversation, above the field to write in.

import { el } from "../dom.js";
import { keyed } from "../keyed.js";
import { announce } from "../notices.js";
import { watchQuestions } from "../questions.js";
import { questionCard } from "./approval.js";

/**
 * `session()` names the conversation's session, or nothing while it has none; `changed()` follows each drawing.
 * `isAsking()` tells whether something waits for an answer.
 */
export function chatQuestions(session, changed) {
  const node = el("div.chat-questions");
  let told = new Set();
  let all = [];

  function draw(questions = all) {
    all = questions;
    const ours = all.filter((one) => one.session_id === session());
    keyed(
      node,
      ours.map((question) => ({
        key: question.id,
        stamp: JSON.stringify(question),
        build: () => questionCard(question, "chat"),
      })),
    );
    const fresh = ours.find((one) => !told.has(one.id));
    if (fresh)
      announce(fresh.choices ? "The agent asks a question." : "The agent asks for your approval.");
    told = new Set(ours.map((one) => one.id));
    changed();
  }

  const isAsking = () => told.size > 0;
  return { node, draw: () => draw(), isAsking, stop: watchQuestions(draw) };
}
