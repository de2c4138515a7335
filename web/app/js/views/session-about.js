// Everything that is known of a session, in a sheet: its ids, its times, its model, what it has used.

import { copyId } from "../copy.js";
import { sheet } from "../dialogs.js";
import { el } from "../dom.js";
import { count } from "../health.js";
import { platformName } from "../naming.js";
import { full } from "../time.js";

const numbers = new Intl.NumberFormat();

export function showAbout(session) {
  const facts = [
    ["Session", copyId(session.id)],
    ["Key", copyId(session.key)],
    ["Place", placeOf(session)],
    ["With", session.label],
    ["Began", full(session.created_at)],
    ["Last active", full(session.active_at)],
    session.ended_at ? ["Ended", full(session.ended_at)] : null,
    ["Generation", numbers.format(session.generation ?? 1)],
    ["Undone", count(session.rewinds ?? 0, "time", "times")],
    ["Model", modelWords(session.model)],
    ...usageFacts(session),
  ];
  sheet(
    "Details",
    el(
      "dl.about",
      {},
      facts
        .filter(Boolean)
        .map(([name, value]) => [
          el("dt", {}, name),
          el("dd", { dir: typeof value === "string" ? "auto" : null }, value),
        ]),
    ),
  );
}

function placeOf({ platform, chat, thread, chat_type: type }) {
  return [platformName(platform), type, chat, thread].filter(Boolean).join(" · ");
}

function modelWords(model) {
  if (!model) return "As configured";
  return [model.model, model.provider, model.base_url].filter(Boolean).join(" · ");
}

function usageFacts({ usage, prompt_tokens: prompt }) {
  if (!usage?.calls) return [["Used", "Nothing was counted yet"]];
  return [
    ["Calls", numbers.format(usage.calls)],
    ["Last prompt", `${numbers.format(prompt)} tokens`],
    ["Read", `${numbers.format(usage.input_tokens)} tokens`],
    ["Written", `${numbers.format(usage.output_tokens)} tokens`],
    ["From cache", `${numbers.format(usage.cache_read_tokens)} tokens`],
    usage.reasoning_tokens
      ? ["Reasoning", `${numbers.format(usage.reasoning_tokens)} tokens`]
      : null,
    ["Cost", usage.cost_usd === null ? "Unknown" : `$${usage.cost_usd}`],
  ];
}
