// The list of commands that opens above the composer on a `/`: what begins with what is written, walked by
// arrows, taken by Tab, Enter or a tap. The gateway says which commands there are; asked once, on the first `/`.

import { api } from "../api.js";
import { el, fill, mark } from "../dom.js";

let asked = null;

/** All commands; none while the gateway does not answer, and then it is asked again. */
function commands() {
  asked ??= api.commands().then(
    ({ items }) => items,
    () => {
      asked = null;
      return [];
    },
  );
  return asked;
}

/** `take(text)` puts a chosen command into `area`. */
export function makeCommandList(area, take) {
  const list = el("div.command-list", {
    id: "command-list",
    role: "listbox",
    "aria-label": "Commands",
    hidden: true,
  });
  let found = [];
  let at = 0;
  area.setAttribute("aria-controls", "command-list");
  area.setAttribute("aria-autocomplete", "list");
  area.addEventListener("blur", close);

  /** Opens, narrows or closes with what is written. */
  async function follow() {
    const written = nameIn(area.value);
    if (written === null) return close();
    const all = await commands();
    // Somebody may have written on meanwhile.
    if (nameIn(area.value) !== written) return;
    found = all.filter((one) => [one.name, ...one.aliases].some((name) => name.startsWith(written)));
    at = 0;
    draw();
  }

  function draw() {
    list.hidden = found.length === 0;
    fill(list, found.map(line));
    point();
  }

  function line(one, place) {
    const node = el(
      "div.command-line",
      { id: `command-${one.name}`, role: "option" },
      el("span.command-name", {}, `/${one.name}`, " ", el("i", {}, one.arguments)),
      el("span.command-help", {}, one.help),
    );
    // The area keeps the focus: on a phone the keyboard would fold under the finger.
    node.addEventListener("pointerdown", (event) => event.preventDefault());
    node.addEventListener("click", () => choose(place));
    return node;
  }

  function point() {
    [...list.children].forEach((node, place) => mark(node, "aria-selected", String(place === at)));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    mark(area, "aria-activedescendant", isOpen() ? list.children[at].id : null);
  }

  function choose(place) {
    take(`/${found[place].name}${found[place].arguments ? " " : ""}`);
    close();
  }

  function close() {
    found = [];
    draw();
  }

  const isOpen = () => !list.hidden;

  /** Whether a key was for the list. */
  function key(event) {
    if (!isOpen() || event.isComposing) return false;
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps) {
      at = (at + steps + found.length) % found.length;
      point();
    } else if (event.key === "Escape") close();
    else if (event.key === "Tab" || (event.key === "Enter" && isUnfinished())) choose(at);
    else return false;
    event.preventDefault();
    return true;
  }

  /** Enter sends a command that is written in full. */
  function isUnfinished() {
    const written = nameIn(area.value);
    return !found.some((one) => one.name === written || one.aliases.includes(written));
  }

  return { node: list, follow, key };
}

/** The beginning of a command's name, where nothing else is written. */
function nameIn(text) {
  return /^\/([a-z_-]*)$/i.exec(text)?.[1].toLowerCase() ?? null;
}
