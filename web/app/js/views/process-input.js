// The way into a process: a line that is sent with Enter, the keys that a line cannot have, and, for one
// on a terminal, every key as it is pressed. What is sent goes one call after the other, in the order it was
// typed in.

import { api } from "../api.js";
import { el, mark } from "../dom.js";
import { icon } from "../icons.js";
import { complain, remark } from "../notices.js";
import { bytesOf } from "../terminal/keys.js";

const KEYS = [
  ["Ctrl C", "\x03", "Interrupt"],
  ["Ctrl D", "\x04", "End of input"],
  ["Esc", "\x1b", "Escape"],
  ["Tab", "\t", "Tab"],
  ["↑", "\x1b[A", "Arrow up"],
  ["↓", "\x1b[B", "Arrow down"],
];

/** `box` is the terminal, which takes the keys where every key goes to the process. */
export function makeInput(process, { box, fit }) {
  const isTerminal = process.mode === "pty";
  let waiting = "";
  let sending = null;

  const line = el("input.term-entry", {
    type: "text",
    "aria-label": "Line for the process",
    placeholder: isTerminal ? "Type a line, Enter sends it" : "A line for its input",
    autocomplete: "off",
    autocapitalize: "off",
    autocorrect: "off",
    spellcheck: "false",
    enterkeyhint: "send",
    onkeydown: leave,
  });
  const direct = el(
    "button.button.small.wide-only",
    {
      type: "button",
      "aria-pressed": "false",
      title: "Send every key as it is pressed; Ctrl-] ends that",
      onclick: () => setDirect(direct.getAttribute("aria-pressed") !== "true"),
    },
    icon("keyboard", 15),
    "Every key",
  );

  function send(text) {
    waiting += text;
    sending ??= flush();
  }

  async function flush() {
    try {
      while (waiting) {
        const text = waiting;
        waiting = "";
        await api.writeTo(process.id, text);
      }
    } catch (error) {
      waiting = "";
      complain(error);
    }
    sending = null;
  }

  function submit(event) {
    event.preventDefault();
    send(`${line.value}${isTerminal ? "\r" : "\n"}`);
    line.value = "";
    line.focus();
  }

  function leave(event) {
    if (event.key === "Escape" && !event.isComposing) line.blur();
  }

  async function endInput() {
    try {
      await api.closeInput(process.id);
      remark("Its input has ended.");
    } catch (error) {
      complain(error);
    }
  }

  /** While it is on, the terminal has the focus and the keys; clicking elsewhere ends it too. */
  function setDirect(isOn) {
    mark(direct, "aria-pressed", isOn ? "true" : "false");
    box.classList.toggle("direct", isOn);
    if (isOn) box.focus();
    else line.focus();
  }

  function pressed(event) {
    if (!box.classList.contains("direct") || event.isComposing) return;
    const bytes = event.ctrlKey && event.key === "]" ? "" : bytesOf(event);
    if (bytes === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (bytes) send(bytes);
    else setDirect(false);
  }

  function pasted(event) {
    if (!box.classList.contains("direct")) return;
    event.preventDefault();
    send(event.clipboardData.getData("text").replace(/\r?\n/g, "\r"));
  }

  if (isTerminal) {
    box.addEventListener("keydown", pressed);
    box.addEventListener("paste", pasted);
    box.addEventListener("blur", () => {
      mark(direct, "aria-pressed", "false");
      box.classList.remove("direct");
    });
  }

  const keys = KEYS.map(([label, bytes, words]) =>
    el(
      "button.button.small.key",
      { type: "button", "aria-label": words, title: words, onclick: () => send(bytes) },
      label,
    ),
  );
  const others = isTerminal
    ? [
        direct,
        keys,
        el(
          "button.button.small",
          { type: "button", title: "Give it the size of this window", onclick: fit },
          "Fit",
        ),
      ]
    : el("button.button.small", { type: "button", onclick: endInput }, "End its input");

  const node = el(
    "div.term-input",
    {},
    el(
      "form.term-line-form",
      { onsubmit: submit },
      line,
      el("button.send", { type: "submit", "aria-label": "Send the line" }, icon("send")),
    ),
    el("div.term-keys", { role: "group", "aria-label": "Keys" }, others),
  );
  return { node, focus: () => line.focus() };
}
