// The pictures that wait in the composer to be sent: each is brought to the gateway as soon as it is
// pasted, dropped or chosen, and shown as the gateway has it. What was brought stays for as long as the
// tab lives; a picture that cannot be taken says why and can be put away.

import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { announce } from "../notices.js";
import { image, KINDS, MOST, picturesAmong } from "../pictures.js";
import { tab } from "../storage.js";

/** `changed()` follows every change. */
export function makeTray(chat, changed) {
  const key = `pictures.${chat}`;
  let list = tab.get(key, []).map((picture) => ({ picture, name: picture.name, error: null }));
  const node = el("ul.tray", { role: "list", "aria-label": "Pictures to send" });
  const input = el("input.visually-hidden", {
    type: "file",
    accept: KINDS.join(","),
    multiple: true,
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: () => {
      take(input.files);
      input.value = "";
    },
  });
  const choose = el(
    "button.attach",
    {
      type: "button",
      "aria-label": "Add a picture",
      title: "Add a picture",
      onclick: () => input.click(),
    },
    icon("picture"),
    input,
  );

  /** Brings the pictures among these files; tells whether there were any. */
  function take(files) {
    const found = picturesAmong(files);
    for (const file of found.slice(0, Math.max(0, MOST - list.length))) bring(file);
    return found.length > 0;
  }

  async function bring(file) {
    const one = { picture: null, name: file.name, error: null };
    list.push(one);
    draw();
    try {
      one.picture = await api.bringPicture(file, file.name);
      announce("Picture added");
    } catch (error) {
      one.error = [error.message, error.hint].filter(Boolean).join(" ");
    }
    draw();
  }

  function putAway(one) {
    list = list.filter((other) => other !== one);
    draw();
  }

  function draw() {
    tab.set(
      key,
      list.filter(({ picture }) => picture).map(({ picture }) => picture),
    );
    fill(node, list.map(drawn));
    node.hidden = !list.length;
    changed();
  }

  function drawn(one) {
    const name = one.name || "Picture";
    return el(
      `li.tray-item${one.error ? ".failed" : ""}`,
      { title: name },
      one.picture ? image(one.picture, name) : el("span.tray-note", {}, one.error ?? "Sending…"),
      el(
        "button.tray-away",
        { type: "button", "aria-label": `Remove ${name}`, onclick: () => putAway(one) },
        icon("close", 14),
      ),
    );
  }

  /** What is here, and the tray is empty again. */
  function empty() {
    const here = list.filter(({ picture }) => picture).map(({ picture }) => picture);
    list = [];
    draw();
    return here;
  }

  fill(node, list.map(drawn));
  node.hidden = !list.length;
  return {
    node,
    choose,
    take,
    empty,
    has: () => list.some(({ picture }) => picture),
    isBusy: () => list.some(({ picture, error }) => !picture && !error),
  };
}
