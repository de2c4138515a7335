// Light, dark, or as the system says. The colours themselves are in tokens.css; this only sets
// `data-theme` and remembers the choice (as a bare word, because early.js reads it too).

import { el } from "./dom.js";
import { icon } from "./icons.js";

const KEY = "angelia.theme";
const CHOICES = [
  ["auto", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const watchers = new Set();

export function current() {
  return document.documentElement.dataset.theme || "auto";
}

export function choose(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Not remembered, but it holds until the page is closed.
  }
  for (const watcher of watchers) watcher();
}

/** One button that goes round: auto, light, dark. */
export function themeButton() {
  const button = el("button.icon-button", {
    type: "button",
    onclick: () => choose(after(current())),
  });
  return following(button, () => {
    button.replaceChildren(icon(current()));
    const words = `Theme: ${current()}. Change to ${after(current())}`;
    button.setAttribute("aria-label", words);
    button.title = words;
  });
}

/** The three choices side by side, for the status page. */
export function themeSegments() {
  const buttons = CHOICES.map(([theme, label]) =>
    el("button", { type: "button", onclick: () => choose(theme) }, icon(theme, 16), label),
  );
  const group = el("div.segments", { role: "group", "aria-label": "Theme" }, buttons);
  return following(group, () => {
    CHOICES.forEach(([theme], i) =>
      buttons[i].setAttribute("aria-pressed", String(theme === current())),
    );
  });
}

function after(theme) {
  const names = CHOICES.map(([name]) => name);
  return names[(names.indexOf(theme) + 1) % names.length];
}

/** Keeps `node` drawn while it is on the page, and forgets it once it has left. */
function following(node, draw) {
  let shown = false;
  const watcher = () => {
    if (shown && !node.isConnected) return watchers.delete(watcher);
    shown = node.isConnected;
    return draw();
  };
  watchers.add(watcher);
  draw();
  return node;
}
