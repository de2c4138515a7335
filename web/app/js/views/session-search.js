// What a search over everything said has found: the words in their place, with what was said before and
// after. Following a hit opens its session at that message. It is read once per question, not live.

import { api } from "../api.js";
import { spoken } from "../asking.js";
import { el, fill, pointAt } from "../dom.js";
import { walkable } from "../keys.js";
import { platformName, titleOf } from "../naming.js";
import { announce, complain } from "../notices.js";
import { path } from "../router.js";
import { ago } from "../time.js";

const PAGE = 30;
const SORTS = [
  ["relevance", "Best"],
  ["newest", "Newest"],
  ["oldest", "Oldest"],
];

/** `chosen()` is what is open now, `clear()` goes back to the list. */
export function makeSearch({ chosen, clear }) {
  let wish = { q: "", sort: "relevance", platform: "" };
  let wishes = 0;
  let hits = [];
  let next = null;

  const list = el("ul.rows.hits", { role: "list" });
  const state = el("div", { "aria-live": "polite" });
  const more = el("div.more");
  const sorts = SORTS.map(([sort, label]) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(sort === wish.sort),
        onclick: () => narrow({ sort }),
      },
      label,
    ),
  );
  const head = el("div.found-head");
  const node = el(
    "div.pick-scroll",
    {},
    el("div.segments.lives", { role: "group", "aria-label": "Which first" }, sorts),
    head,
    state,
    list,
    more,
  );
  walkable(list, "a");

  async function read(after = null) {
    const mine = wishes;
    const { q, sort, platform } = wish;
    const page = await api.search({
      q,
      sort: sort === "relevance" ? null : sort,
      platform: platform || null,
      limit: PAGE,
      after,
    });
    if (mine !== wishes) return;
    hits = [...hits, ...page.items];
    next = page.next;
    draw();
  }

  async function look(q) {
    wish = { ...wish, q };
    wishes += 1;
    hits = [];
    const mine = wishes;
    fill(list);
    fill(more);
    fill(head);
    fill(state, el("div.loading", {}, "Searching…"));
    try {
      await read();
      if (mine === wishes) announce(found());
    } catch (error) {
      if (mine === wishes) fill(state, el("div.problem", { role: "alert" }, spoken(error)));
    }
  }

  function found() {
    if (!hits.length) return "Nothing found";
    return `${hits.length}${next ? " or more" : ""} found`;
  }

  function draw() {
    fill(head, el("span", {}, found()), backButton(clear));
    fill(state, hits.length ? null : nothing(wish.q));
    fill(list, hits.map(row));
    fill(
      more,
      next
        ? el(
            "button.button.small",
            { type: "button", onclick: () => read(next).catch(complain) },
            "More",
          )
        : null,
    );
    point();
  }

  function narrow(change) {
    wish = { ...wish, ...change };
    SORTS.forEach(([sort], i) => sorts[i].setAttribute("aria-pressed", String(sort === wish.sort)));
    if (wish.q) look(wish.q);
  }

  const point = () =>
    pointAt(
      list.querySelectorAll("a"),
      ({ id, seq }) => id === chosen().id && Number(seq) === chosen().seq,
    );

  return {
    node,
    look,
    narrow,
    point,
    stop: () => {
      wishes += 1;
    },
  };
}

function backButton(clear) {
  return el("button.link-button", { type: "button", onclick: clear }, "All sessions");
}

function row(hit) {
  const { session_id: id, seq } = hit;
  return el(
    "li",
    {},
    el(
      "a.row.hit",
      { href: path("sessions", `${id}/${seq}`), "data-id": id, "data-seq": seq },
      el(
        "span.row-top",
        {},
        el("strong.row-title", { dir: "auto" }, titleOf(hit)),
        el("span.row-when", {}, ago(hit.at)),
      ),
      beside(hit, (one) => one.seq < seq),
      el("span.hit-words", { dir: "auto" }, who(hit), " ", hit.snippet.map(piece)),
      beside(hit, (one) => one.seq > seq),
      el("span.row-under", {}, el("span.tag", {}, platformName(hit.platform))),
    ),
  );
}

function piece({ text, hit }) {
  return hit ? el("mark", {}, text) : text;
}

const WHO = { user: "", assistant: "Agent", tool: "Tool", system: "System", notice: "Notice" };

function who({ role, tool, label, platform }) {
  const name = role === "user" ? (platform === "web" ? "You" : label) : (tool ?? WHO[role]);
  return name ? el("bdi.hit-who", {}, `${name}:`) : null;
}

/** What was said just before or after. */
function beside(hit, test) {
  const one = hit.context.find(test);
  if (!one) return null;
  const speaker = who({ ...hit, role: one.role, tool: null });
  return el("span.hit-beside", { dir: "auto" }, speaker, " ", one.text);
}

function nothing(q) {
  const ways = [
    [`"${q.replaceAll('"', "").split(/\s+/).slice(0, 2).join(" ")}"`, "these words in this order"],
    ["trip OR journey", "either of two"],
    ["trav*", "words that begin so"],
    ["trip NOT work", "one without the other"],
  ];
  return el(
    "div.empty.small",
    {},
    el("h2", {}, "Nothing found"),
    el(
      "p",
      {},
      "All words must occur in one message; what was undone is not searched. Try fewer words, or:",
    ),
    el(
      "dl.shortcuts.ways",
      {},
      ways.map(([way, words]) => [
        el("dt", {}, el("code", { dir: "auto" }, way)),
        el("dd", {}, words),
      ]),
    ),
  );
}
