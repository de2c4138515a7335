// The three dialogs: a question, the list of shortcuts, and a sheet that holds anything. All are
// native <dialog>s: Escape closes, focus stays inside and goes back afterwards.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { keysAreOn, switchKeys } from "./keys.js";

export function openDialog(dialog) {
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks; resolves to whether the person said yes. Cancel has the focus. */
export function confirmed({ title, words, yes }) {
  return new Promise((resolve) => {
    const dialog = el(
      "dialog.dialog",
      { "aria-labelledby": "ask-title", "aria-describedby": "ask-words" },
      el("h2", { id: "ask-title" }, title),
      el("p.lead", { id: "ask-words" }, words),
      el(
        "div.actions",
        {},
        el(
          "button.button",
          { type: "button", autofocus: true, onclick: () => dialog.close() },
          "Cancel",
        ),
        el("button.button.danger", { type: "button", onclick: () => dialog.close("yes") }, yes),
      ),
    );
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
    openDialog(dialog);
  });
}

export function dialogHead(id, title, dialog) {
  return el(
    "div.dialog-head",
    {},
    el("h2", { id }, title),
    el(
      "button.icon-button",
      { type: "button", "aria-label": "Close", onclick: () => dialog().close() },
      icon("close", 18),
    ),
  );
}

/** Shows `content` in a sheet: at the bottom on a phone, in the middle elsewhere. */
export function sheet(title, content) {
  const dialog = el(
    "dialog.dialog.sheet",
    { "aria-labelledby": "sheet-title" },
    dialogHead("sheet-title", title, () => dialog),
    content,
  );
  return openDialog(dialog);
}

const SHORTCUTS = [
  [["/"], "Write, or search everything"],
  [["g", "c"], "Chat"],
  [["g", "s"], "Sessions"],
  [["g", "p"], "Processes"],
  [["g", "a"], "Approvals"],
  [["g", "w"], "Access"],
  [["g", "o"], "Outbox"],
  [["g", "t"], "Status"],
  [["n"], "New conversation"],
  [["Enter"], "Send"],
  [["Shift", "Enter"], "New line"],
  [["↑", "↓"], "Walk through a list"],
  [["Esc"], "Close, or leave the field"],
  [["?"], "These shortcuts"],
];

export function showShortcuts() {
  if (document.querySelector("dialog[open]")) return;
  const rows = SHORTCUTS.map(([keys, words]) => [
    el(
      "dt",
      {},
      keys.map((key, i) => [i ? " " : "", el("kbd", {}, key)]),
    ),
    el("dd", {}, words),
  ]);
  const box = el("input", {
    type: "checkbox",
    checked: keysAreOn(),
    onchange: () => switchKeys(box.checked),
  });
  sheet("Keyboard shortcuts", [
    el("dl.shortcuts", {}, rows),
    el("label.check", {}, box, "Single-key shortcuts are on"),
  ]);
}
