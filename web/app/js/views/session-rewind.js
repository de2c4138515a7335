// Undoing turns: how many, or from which message on; says what would be hidden before it is.

import { api } from "../api.js";
import { asking, spoken } from "../asking.js";
import { el, fill } from "../dom.js";
import { count } from "../health.js";
import { soon } from "../soon.js";

const TURNS_MOST = 1000;
const KEPT =
  "Hidden messages are not deleted: they can be shown in grey, but the agent no longer sees them.";

/** Resolves to what was hidden, or null. `from` is a message to begin with; null asks for a number. */
export function askRewind(feed, from) {
  return from === null ? askTurns(feed) : askFrom(feed, from);
}

function askFrom(feed, from) {
  const later = [...feed.rows.values()].filter(
    (row) => row.seq >= from && (row.visibility ?? "visible") === "visible",
  );
  const first = feed.rows.get(from);
  return asking({
    title: "Undo from here?",
    words: KEPT,
    content: hides({ rows: later.length, text: first?.text ?? "" }),
    yes: "Undo",
    tone: "danger",
    act: () => api.rewind(feed.id, { from }),
  });
}

function askTurns(feed) {
  const number = el("input.input.number", {
    type: "number",
    min: 1,
    max: TURNS_MOST,
    value: 1,
    inputmode: "numeric",
    "data-first": true,
    "aria-label": "How many turns",
    oninput: () => lookSoon(),
  });
  const unit = el("span", {}, "turn");
  const preview = el("div.preview", { "aria-live": "polite" });
  let shown = null;

  async function look() {
    const turns = wished(number);
    unit.textContent = turns === 1 ? "turn" : "turns";
    if (!turns) return fill(preview, el("p.faint", {}, `A number from 1 to ${TURNS_MOST}.`));
    try {
      shown = await api.whatRewindHides(feed.id, turns);
      return fill(preview, hides(shown));
    } catch (error) {
      shown = null;
      return fill(preview, spoken(error));
    }
  }

  const lookSoon = soon(look, 150);
  look();
  return asking({
    title: "Undo turns",
    words: KEPT,
    content: [el("div.stepper", {}, "The last", number, unit), preview],
    yes: "Undo",
    tone: "danger",
    // What was shown is what is hidden: asked by its first entry, asking twice goes no further back.
    act: () =>
      api.rewind(feed.id, shown?.from ? { from: shown.from } : { turns: wished(number) ?? 1 }),
  });
}

function wished(input) {
  const turns = Number(input.value);
  return Number.isInteger(turns) && turns >= 1 && turns <= TURNS_MOST ? turns : null;
}

function hides({ rows, text }) {
  if (!rows) return el("p.faint", {}, "There is nothing to undo.");
  return el(
    "div.hides",
    {},
    el("strong", {}, `Hides ${count(rows, "message", "messages")}, from this one on:`),
    text ? el("blockquote", { dir: "auto" }, text) : null,
  );
}
