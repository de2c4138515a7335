// The keyboard: one listener, a table of single keys and of two-key sequences (`g c`). Keys typed
// into a field, or with a modifier, belong to the browser. Single keys can be switched off, for those
// whose software types letters for them.

import { isTyping } from "./dom.js";
import { kept } from "./storage.js";

const SEQUENCE_MS = 1200;
let first = "";
let timer = 0;

export const keysAreOn = () => kept.get("keys", true);
export const switchKeys = (on) => kept.set("keys", on);

/** `actions` maps "?" or "g c" to what to do. */
export function startKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.isComposing
    )
      return;
    if (isTyping(event.target) || document.querySelector("dialog[open]") || !keysAreOn()) return;
    const action = actions[`${first} ${event.key}`.trim()] ?? actions[event.key];
    remember(first ? "" : event.key, actions);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** A key is worth waiting on only if a sequence begins with it. */
function remember(key, actions) {
  clearTimeout(timer);
  first = key && Object.keys(actions).some((name) => name.startsWith(`${key} `)) ? key : "";
  if (first)
    timer = setTimeout(() => {
      first = "";
    }, SEQUENCE_MS);
}

/** Arrow keys (and j, k) walk through the links of a list. */
export function walkable(list, selector) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...list.querySelectorAll(selector)];
    const next = links[links.indexOf(event.target.closest(selector)) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}
