// The sessions: on one side the list or what a search found, beside it (on a phone: over it) the one
// that was chosen. One box serves both: typing narrows the list, Enter searches everything that was said.
// An address is `#/sessions/ses_…` or, for one message, `#/sessions/ses_…/12`.

import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { platformName } from "../naming.js";
import { go } from "../router.js";
import { openSession } from "./session.js";
import { makeSearch } from "./session-search.js";
import { makeList } from "./session-list.js";

export function mountSessions(page, rest) {
  let chosen = { id: "", seq: null };
  let detail = null;
  let mode = "list";
  // Asked for while the transcript covers it: the box gets the focus once the list is back.
  let isBoxWanted = false;

  const box = el("input.input", {
    type: "search",
    placeholder: "Search everything said",
    "aria-label": "Search sessions and everything said",
    "aria-describedby": "search-help",
    enterkeyhint: "search",
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
    oninput: typed,
    onkeydown: keyed,
  });
  const platforms = el(
    "select.select",
    { "aria-label": "Platform", onchange: narrow },
    el("option", { value: "" }, "All platforms"),
  );
  const known = new Set();
  const list = makeList({ met, searchFor: search, chosen: () => chosen.id });
  const found = makeSearch({ chosen: () => chosen, clear });
  const body = el("div.pick-body");
  const pane = el("section.pane", { "aria-label": "Transcript", tabindex: "-1" });
  const frame = el(
    "div.split",
    {},
    el(
      "section.pick",
      { "aria-label": "Sessions" },
      el("header.page-head", {}, el("h1", {}, "Sessions"), el("span.grow"), platforms),
      el(
        "div.pick-filter",
        { role: "search" },
        el("span.search-box", {}, icon("search", 17), box),
        el(
          "span.visually-hidden",
          { id: "search-help" },
          "Typing narrows the list, Enter searches",
        ),
      ),
      body,
    ),
    pane,
  );
  fill(page, frame);

  /** A platform that was met can be chosen from then on. */
  function met(platform) {
    if (known.has(platform)) return;
    known.add(platform);
    const option = el("option", { value: platform }, platformName(platform));
    const after = [...platforms.options].slice(1).find((one) => one.text > option.text);
    platforms.insertBefore(option, after ?? null);
  }

  function narrow() {
    list.narrow({ platform: platforms.value });
    found.narrow({ platform: platforms.value });
  }

  function show(name) {
    if (mode === name && body.firstChild) return;
    mode = name;
    fill(body, (name === "list" ? list : found).node);
  }

  function typed() {
    show("list");
    list.narrow({ q: box.value.trim() });
  }

  function search() {
    const words = box.value.trim();
    if (!words) return;
    show("found");
    found.look(words);
  }

  function clear() {
    box.value = "";
    typed();
    box.focus();
  }

  function keyed(event) {
    if (event.isComposing) return;
    if (event.key === "Enter") search();
    else if (event.key === "ArrowDown") body.querySelector("a.row")?.focus();
    else if (event.key !== "Escape") return;
    else if (box.value) clear();
    else box.blur();
    event.preventDefault();
  }

  // From the first row up is back in the box.
  body.addEventListener("keydown", (event) => {
    const isFirst = event.target === body.querySelector("a.row");
    if (event.key === "ArrowUp" && isFirst) box.focus();
    else if (event.key === "Escape" && box.value) clear();
    else return;
    event.preventDefault();
  });

  function choose(address) {
    const next = parsed(address);
    const isSame = next.id === chosen.id && detail;
    chosen = next;
    frame.classList.toggle("chosen", Boolean(next.id));
    if (isSame) detail.goTo(next.seq);
    else open(next);
    for (const side of [list, found]) side.point();
  }

  function open({ id, seq }) {
    detail?.leave();
    detail = null;
    document.title = "Sessions · Angelia";
    if (id) detail = openSession(pane, id, seq);
    else fill(pane, noneChosen());
  }

  function focusBox() {
    isBoxWanted = false;
    box.focus();
    box.select();
  }

  /** On a narrow screen the list and the transcript take each other's place, and the focus must follow. */
  function chooseAndFollow(address) {
    const before = chosen.id;
    choose(address);
    if (chosen.id && !box.offsetParent) pane.focus();
    if (chosen.id || document.activeElement === box) return;
    if (isBoxWanted) focusBox();
    else if (before) body.querySelector(`a[data-id="${CSS.escape(before)}"]`)?.focus();
  }

  show("list");
  choose(rest);
  list.start();

  return {
    update: chooseAndFollow,
    focus: () => {
      if (box.offsetParent) return focusBox();
      isBoxWanted = true;
      return go("sessions");
    },
    escape: () => (mode === "found" && box.offsetParent ? clear() : chosen.id && go("sessions")),
    leave: () => {
      list.stop();
      found.stop();
      detail?.leave();
    },
  };
}

/** Pure: the session and the message that an address names. */
function parsed(address) {
  const [id = "", place = ""] = address.split("/");
  return { id, seq: /^\d+$/.test(place) ? Number(place) : null };
}

function noneChosen() {
  const keys = [
    [["/"], "search everything that was said"],
    [["↑", "↓"], "walk through the list"],
    [["Enter"], "open"],
    [["Esc"], "go back"],
  ];
  return el(
    "div.empty",
    {},
    icon("sessions", 28),
    el("h2", {}, "Choose a session"),
    el(
      "p",
      {},
      "Read it as it goes on, on whichever platform; rename it, undo turns, branch it, resume it.",
    ),
    el(
      "dl.shortcuts.wide-only",
      {},
      keys.map(([names, words]) => [
        el(
          "dt",
          {},
          names.map((name, i) => [i ? " " : "", el("kbd", {}, name)]),
        ),
        el("dd", {}, words),
      ]),
    ),
  );
}
