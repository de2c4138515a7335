// Access: strangers who were given a code and wait, and people who were let in, by whom, when and why. A code can be
// written into the field above; those who wait can also be let in from their card.

import { api } from "../api.js";
import { el } from "../dom.js";
import { complain, remark } from "../notices.js";
import { readStrangers, watchStrangers } from "../strangers.js";
import { called, grantCard, strangerCard } from "./access-card.js";
import { mountCards } from "./card-list.js";

const TABS = [
  ["waiting", "Waiting"],
  ["held", "Let in"],
  ["all", "All"],
];
const EMPTY = {
  waiting: [
    "Nobody waits",
    "A stranger who writes to one of your bots gets a code and nothing else. They stand here for an hour.",
  ],
  held: [
    "Nobody was let in",
    "People named in the configuration may speak without a grant. Those you let in stand here.",
  ],
  all: ["Nobody was let in yet", "Grants stay here, also those that were taken back."],
};
const CODE_CHARS = 8;

export function mountAccess(page, rest) {
  let again = () => {};
  const mounted = mountCards(page, rest, {
    title: "Access",
    place: "access",
    icon: "access",
    which: "Which people",
    list: "people",
    tabs: TABS,
    empty: EMPTY,
    above: codeForm(() => again()),
    read: ({ state, ...rows }) =>
      state === "waiting" ? api.strangers(rows) : api.grants({ state, ...rows }),
    card: (person, reread) => (person.asked_at ? strangerCard : grantCard)(person, reread),
    events: ["resync"],
    pause: 200,
  });
  again = mounted.again;
  const unwatch = watchStrangers(() => again());
  readStrangers();
  return {
    ...mounted,
    leave: () => {
      unwatch();
      mounted.leave();
    },
  };
}

/** The field for a code that somebody was told. */
function codeForm(done) {
  const code = el("input.input.code-input", {
    name: "code",
    type: "text",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: CODE_CHARS + 4,
    placeholder: "Code of a stranger",
    "aria-label": "Code of a stranger",
  });
  let isUnderWay = false;
  const submit = async (event) => {
    event.preventDefault();
    if (isUnderWay || !code.value.trim()) return code.focus();
    isUnderWay = true;
    try {
      const grant = await api.letIn({ code: code.value.trim() });
      code.value = "";
      remark(`${called(grant)} may speak now.`);
    } catch (error) {
      complain(error);
    }
    isUnderWay = false;
    readStrangers();
    return done();
  };
  return el(
    "form.code-form",
    { onsubmit: submit },
    code,
    el("button.button.primary", { type: "submit" }, "Let in"),
  );
}
