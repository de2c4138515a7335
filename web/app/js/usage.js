// What was spent on models: a table by day, with today's people below it, and what is left of the caps.
// It draws what it is given and asks for nothing.

import { el } from "./dom.js";

const COUNT = new Intl.NumberFormat("en");

/** Money as people write it: cents, and more places only where cents would say nothing. */
export function dollars(amount) {
  if (amount === null || amount === undefined) return "unknown";
  return `$${amount.toFixed(amount > 0 && amount < 0.01 ? 4 : 2)}`;
}

export function usageTable(report) {
  if (!report.items.length)
    return el("p.card.usage-empty.faint", {}, "No model was asked yet.");
  return el(
    "div.card.usage-card",
    {},
    el(
      "table.usage",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Day"),
          el("th.number", { scope: "col" }, "Calls"),
          el("th.number", { scope: "col" }, "Tokens"),
          el("th.number", { scope: "col" }, "Cost"),
        ),
      ),
      report.items.map((day) => body(day, report)),
    ),
    el("p.usage-note.faint", {}, notes(report).join(" ")),
  );
}

function body(day, report) {
  const isToday = day.day === report.today;
  const people = isToday && day.people.length > 1 ? day.people.slice(0, 5) : [];
  return el(
    "tbody",
    {},
    row(isToday ? "Today" : day.day, day, isToday ? left(day, report.caps.per_day) : null),
    people.map((one) => row(one.user_id, one, null, "tr.usage-person")),
  );
}

function row(name, used, share, spec = "tr") {
  return el(
    spec,
    {},
    el("th", { scope: "row" }, name, share),
    el("td.number", {}, COUNT.format(used.calls)),
    el("td.number", {}, COUNT.format(used.tokens)),
    el("td.number", {}, dollars(used.cost_usd)),
  );
}

/** How much of the day's cap is used, as a bar with words. */
function left(day, cap) {
  const [used, most, words] =
    cap.usd === null || cap.usd === undefined
      ? [day.tokens, cap.tokens, `of ${COUNT.format(cap.tokens ?? 0)} tokens`]
      : [day.cost_usd ?? 0, cap.usd, `of ${dollars(cap.usd)}`];
  if (!most) return null;
  const part = Math.min(1, used / most);
  const text = `${Math.round(part * 100)} % ${words}`;
  return el(
    "span.usage-share",
    {},
    el("progress", { max: "1", value: String(part), "aria-label": text }),
    el("span.faint", {}, text),
  );
}

function notes({ reserved, prices_as_of }) {
  const said = [`Costs are estimates; prices as of ${prices_as_of}.`];
  if (reserved.tokens)
    said.unshift(
      `Up to ${reserved.cost_usd === null ? `${COUNT.format(reserved.tokens)} tokens` : dollars(reserved.cost_usd)} more is set aside for calls that are under way or were cut off.`,
    );
  return said;
}
