// The gateway in one page: how it is, what it has to do, its loops, and the look of this console.

import { api } from "../api.js";
import { copyId } from "../copy.js";
import { showShortcuts } from "../dialogs.js";
import { el, fill } from "../dom.js";
import { isUnheard, readHealth, verdict, watchHealth } from "../health.js";
import { icon } from "../icons.js";
import { inline } from "../inline.js";
import { keyed } from "../keyed.js";
import { problem } from "../notices.js";
import { themeSegments } from "../theme.js";
import { ago, clock, full, lasted } from "../time.js";
import { usageTable } from "../usage.js";

export function mountStatus(page, rest, { signOut }) {
  const body = el("div");
  const spent = el("div");
  let isHere = true;
  document.title = "Status · Angelia";
  fill(
    page,
    el("header.page-head", {}, el("div.narrow.head-row", {}, el("h1", {}, "Status"))),
    el("div.page-body", { tabindex: "-1" }, el("div.narrow.status", {}, body, spent, settings(signOut))),
  );

  const stop = watchHealth((state) => {
    body.classList.toggle("stale", Boolean(state.error && state.status));
    if (state.status) keyed(body, sections(state));
    else
      keyed(body, [
        {
          key: "nothing",
          stamp: state.error,
          build: () =>
            state.error ? problem(state.error, readHealth) : el("div.loading", {}, "Loading…"),
        },
      ]);
  });
  readHealth();
  readUsage(spent, () => isHere);
  return {
    leave: () => {
      isHere = false;
      stop();
    },
    update: () => {},
  };
}

/** Read once for each visit: what was spent is looked up, not watched. */
async function readUsage(node, isWanted) {
  let drawn = null;
  try {
    drawn = usageTable(await api.usage());
  } catch (error) {
    if (error.status === 401) return;
    drawn = problem(error, () => readUsage(node, isWanted));
  }
  if (isWanted()) fill(node, el("section", {}, el("h2", {}, "Spent on models"), drawn));
}

function sections(state) {
  const { status } = state;
  const { tone, words } = verdict(state);
  const parts = [
    el(
      "section.verdict",
      {},
      el("span", { class: `dot ${tone}` }),
      el(
        "div",
        {},
        el("h2", {}, words),
        el("p", { title: full(status.started_at) }, underVerdict(state)),
      ),
    ),
    el(
      "section",
      { "aria-label": "Counts" },
      el(
        "ul.counts",
        { role: "list" },
        tile(status.waiting, "waiting", "#/sessions"),
        tile(status.running, "running", "#/sessions"),
        tile(status.due, "due", "#/outbox"),
        tile(status.wedged, "wedged", "#/outbox/wedged"),
        tile(status.sessions, "sessions", "#/sessions"),
      ),
    ),
    el("section", {}, el("h2", {}, "Gateway"), facts(status)),
    accounts(status),
    nodes(status),
    el(
      "section",
      {},
      el("h2", {}, "Loops"),
      el("ul.loops.card", { role: "list" }, (status.loops ?? []).map(loop)),
    ),
  ];
  // A part that says the same as before stays, and with it the focus inside.
  return parts.filter(Boolean).map((part, i) => ({ key: i, stamp: part.textContent + tone, build: () => part }));
}

function underVerdict({ status, error, readAt }) {
  if (error) return `Below is what it said last, at ${clock(readAt)}.`;
  return `Version ${status.version}, up for ${lasted(status.started_at, Date.now())}.`;
}

function tile(number, label, href) {
  return el(
    "li",
    {},
    el(
      "a",
      { href, class: `count card ${label === "wedged" && number ? "bad" : ""}` },
      el("strong", {}, String(number)),
      el("span", {}, label),
    ),
  );
}

function facts(status) {
  const { backend, configured } = status.agent ?? {};
  const agent = [
    backend ?? "unknown",
    configured === false
      ? el(
          "span.faint",
          {},
          " until one is configured under ",
          el("code", {}, "[agent]"),
          " in ",
          el("code", {}, "angelia.toml"),
        )
      : null,
  ];
  const rows = [
    ["Agent", agent],
    ["Phase", status.phase],
    ["Node", copyId(status.node)],
    ["Process", String(status.pid)],
    ["Started", full(status.started_at)],
  ];
  return el(
    "dl.facts-table.card",
    {},
    rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** The accounts through which people write, if there are any. */
function accounts({ platforms = [] }) {
  if (!platforms.length) return null;
  const one = (account) => {
    const { account: named, platform, state, name, why, down_since, heard_at } = account;
    const since = down_since ?? heard_at;
    const tone = isUnheard(account) ? "bad" : state === "connecting" ? "warn" : "good";
    return el(
      "li",
      {},
      el("span", { class: `dot ${tone}`, role: "img", "aria-label": state }),
      el(
        "div.loop-words",
        {},
        el("span.loop-name", {}, named === platform ? named : `${named} (${platform})`),
        name ? el("span.faint", {}, name) : null,
        why ? el("span.loop-error", {}, inline(why)) : null,
      ),
      el("span.faint", { title: since ? full(since) : null }, saidOf(state, down_since)),
    );
  };
  return el(
    "section",
    {},
    el("h2", {}, "Accounts"),
    el("ul.loops.card", { role: "list" }, platforms.map(one)),
  );
}

function saidOf(state, since) {
  if (state === "elsewhere") return "another node has it";
  return since ? `${state} for ${lasted(since, Date.now())}` : state;
}

/** The gateways that share the database, if there are several. */
function nodes({ node, nodes: all = [] }) {
  if (all.length < 2) return null;
  const one = ({ id, version, place, started_at }) =>
    el(
      "li",
      {},
      el("span", { class: "dot good", role: "img", "aria-label": "alive" }),
      el(
        "div.loop-words",
        {},
        el("span.loop-name", {}, id === node ? `${place} (this one)` : place),
        el("span.faint", {}, copyId(id)),
      ),
      el("span.faint", { title: full(started_at) }, `version ${version}`),
    );
  return el(
    "section",
    {},
    el("h2", {}, "Nodes"),
    el("ul.loops.card", { role: "list" }, all.map(one)),
  );
}

function loop({ name, last_run_at, last_error }) {
  return el(
    "li",
    {},
    el("span", {
      class: `dot ${last_error ? "warn" : "good"}`,
      role: "img",
      "aria-label": last_error ? "has an error" : "well",
    }),
    el(
      "div.loop-words",
      {},
      el("span.loop-name", {}, name),
      last_error ? el("span.loop-error", {}, inline(last_error)) : null,
    ),
    el("span.faint", {}, last_run_at ? ago(last_run_at) : "not yet"),
  );
}

function settings(signOut) {
  return el(
    "section",
    {},
    el("h2", {}, "This console"),
    el(
      "div.settings.card",
      {},
      el("div", {}, el("span", {}, "Theme"), themeSegments()),
      el(
        "div.wide-only",
        {},
        el("span", {}, "Keyboard"),
        el(
          "button.button.small",
          { type: "button", onclick: showShortcuts },
          icon("keyboard", 16),
          "Shortcuts",
        ),
      ),
      el(
        "div",
        {},
        el("span", {}, "This browser"),
        el(
          "button.button.small",
          { type: "button", onclick: signOut },
          icon("leave", 16),
          "Sign out",
        ),
      ),
    ),
  );
}
