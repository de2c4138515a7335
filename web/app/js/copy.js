// Copies text, and says so. The clipboard interface is missing on plain-http addresses other than
// loopback, where the old command still works.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { announce } from "./notices.js";

async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = el("textarea.visually-hidden", { value: text });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("the browser refused to copy");
  return undefined;
}

function copier(button, text, symbol, size) {
  button.addEventListener("click", async () => {
    const done = await copyText(text()).then(
      () => true,
      () => false,
    );
    symbol.replaceChildren(icon(done ? "check" : "close", size));
    announce(done ? "Copied" : "The browser refused to copy");
    setTimeout(() => symbol.replaceChildren(icon("copy", size)), 1600);
  });
  return button;
}

/** A small button that copies `text()`. */
export function copyButton(label, text) {
  const button = el(
    "button.icon-button",
    { type: "button", "aria-label": label, title: label },
    icon("copy", 16),
  );
  return copier(button, text, button, 16);
}

/** An id that copies itself when pressed. */
export function copyId(id) {
  const symbol = el("i", {}, icon("copy", 13));
  const button = el(
    "button.id",
    { type: "button", title: `Copy ${id}`, "aria-label": `Copy ${id}` },
    el("span", {}, id),
    symbol,
  );
  return copier(button, () => id, symbol, 13);
}
