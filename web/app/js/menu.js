// A button with a menu: native popover, so a click elsewhere closes it; arrows walk, letters are the
// browser's, Escape goes back to the button. What the items do is the caller's.

import { el, fill } from "./dom.js";
import { icon } from "./icons.js";

const GAP_PX = 6;

/** `items()` is asked on each opening: [{ icon, label, act, tone?, isOn? }], null between groups. */
export function menuButton(label, items) {
  const list = el("div.menu", { popover: "auto", role: "menu", "aria-label": label });
  const button = el(
    "button.icon-button",
    {
      type: "button",
      "aria-label": label,
      title: label,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      onclick: open,
    },
    icon("more"),
  );
  list.addEventListener("keydown", walk);
  list.addEventListener("toggle", ({ newState }) =>
    button.setAttribute("aria-expanded", String(newState === "open")),
  );

  function open() {
    fill(list, items().map(drawn));
    list.showPopover();
    place();
    list.querySelector("button")?.focus();
  }

  function drawn(item) {
    if (!item) return el("hr");
    const isCheck = item.isOn !== undefined;
    return el(
      "button.menu-item",
      {
        type: "button",
        role: isCheck ? "menuitemcheckbox" : "menuitem",
        "aria-checked": isCheck ? String(item.isOn) : null,
        class: `menu-item ${item.tone ?? ""}`.trim(),
        tabindex: "-1",
        onclick: () => {
          close();
          item.act();
        },
      },
      icon(item.icon, 18),
      el("span", {}, item.label),
      item.isOn ? icon("check", 16) : null,
    );
  }

  function close() {
    list.hidePopover();
    button.focus();
  }

  /** Below the button, its end on the button's end, and never off the screen. */
  function place() {
    const at = button.getBoundingClientRect();
    const below = at.bottom + GAP_PX;
    const room = innerHeight - list.offsetHeight - GAP_PX;
    list.style.top = `${Math.max(GAP_PX, Math.min(below, room))}px`;
    list.style.left = `${Math.max(GAP_PX, at.right - list.offsetWidth)}px`;
  }

  function walk(event) {
    const all = [...list.querySelectorAll("button")];
    const now = all.indexOf(document.activeElement);
    const to = {
      ArrowDown: (now + 1) % all.length,
      ArrowUp: (now - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (to === undefined) return;
    else all[to].focus();
    event.preventDefault();
  }

  return { node: el("span.menu-frame", {}, button, list), button };
}
