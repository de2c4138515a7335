// Where a message is written, and pictures are added to it. Keeps what is unsent per conversation for as
// long as the tab lives. Enter sends, Shift+Enter begins a line, Escape leaves; `/` opens the list of commands.

import { el } from "../dom.js";
import { icon } from "../icons.js";
import { tab } from "../storage.js";
import { makeCommandList } from "./command-list.js";
import { makeTray } from "./picture-tray.js";

const BYTES_MOST = 64 * 1024;

/** `send(text, pictures)` gets what was written, trimmed at the end, and what goes with it: never neither. */
export function makeComposer(chat, send) {
  const key = `draft.${chat}`;
  const area = el("textarea", {
    rows: "1",
    placeholder: "Write a message",
    "aria-label": `Message in ${chat}`,
    enterkeyhint: "send",
    dir: "auto",
    "aria-describedby": "composer-help",
    value: tab.get(key, ""),
  });
  const button = el(
    "button.send",
    { type: "submit", "aria-label": "Send", title: "Send (Enter)" },
    icon("send"),
  );
  const help = el(
    "span",
    { id: "composer-help" },
    el("kbd", {}, "Enter"),
    " sends, ",
    el("kbd", {}, "Shift"),
    " ",
    el("kbd", {}, "Enter"),
    " begins a line",
  );
  const limit = el("span.too-long", { role: "alert" });
  const tray = makeTray(chat, () => fit());
  const commands = makeCommandList(area, (text) => {
    area.value = text;
    tab.set(key, text);
    fit();
  });
  const form = el(
    "form.composer",
    { onsubmit: submit },
    tray.node,
    commands.node,
    el("div.composer-box", {}, tray.choose, area, button),
    el("div.composer-foot", {}, el("span.wide-only", {}, help), limit),
  );

  // The button must not take the focus: on a phone that would fold the keyboard under the finger.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  area.addEventListener("input", () => {
    tab.set(key, area.value);
    fit();
    commands.follow();
  });
  area.addEventListener("paste", (event) => {
    if (tray.take(event.clipboardData?.files)) event.preventDefault();
  });
  form.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  form.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    tray.take(event.dataTransfer.files);
  });
  area.addEventListener("keydown", (event) => {
    if (commands.key(event)) return;
    if (event.key === "Escape") area.blur();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit(event);
  });

  function submit(event) {
    event.preventDefault();
    const text = area.value.trimEnd();
    if (!isReady()) return;
    area.value = "";
    commands.follow();
    tab.remove(key);
    send(text, tray.empty());
    fit();
  }

  /** There is something to send, and all of it is here. */
  function isReady() {
    const text = area.value;
    return !tray.isBusy() && !isTooLong(text) && (Boolean(text.trim()) || tray.has());
  }

  /** Grows with its text (where the style sheet cannot do it) and says when there is too much. */
  function fit() {
    const tooLong = isTooLong(area.value);
    limit.textContent = tooLong
      ? "A message holds at most 64 KiB; shorten it or send it in parts."
      : "";
    button.disabled = !isReady();
    if (CSS.supports("field-sizing", "content")) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }

  fit();
  return { node: form, focus: () => area.focus(), isEmpty: () => !area.value.trim() && !tray.has() };
}

function isTooLong(text) {
  return text.length * 3 > BYTES_MOST && new TextEncoder().encode(text).length > BYTES_MOST;
}
