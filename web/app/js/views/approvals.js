// Approvals: commands that agents want to run and that need somebody's yes, and what became of the
// earlier ones. The open ones are also shown in their own chats.

import { api } from "../api.js";
import { questionCard } from "./approval.js";
import { mountCards } from "./card-list.js";

const TABS = [
  ["open", "Open"],
  ["all", "All"],
];
const EMPTY = {
  open: [
    "Nothing waits for you",
    "Before an agent runs a command that can do harm, it asks. Its questions stand here and in the chat.",
  ],
  all: ["Nobody was asked yet", "Questions of agents about commands stay here with their answers."],
};

export function mountApprovals(page, rest) {
  return mountCards(page, rest, {
    title: "Approvals",
    place: "approvals",
    icon: "approvals",
    which: "Which questions",
    list: "questions",
    tabs: TABS,
    empty: EMPTY,
    read: api.approvals,
    card: (question) => questionCard(question, "list"),
    events: ["approval", "resync"],
    pause: 200,
  });
}
