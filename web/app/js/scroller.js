// The scrolling of a conversation: stays at the end while the reader is there, stays put while they
// read further up, keeps the place when earlier messages appear above, and offers the way back down.

import { el } from "./dom.js";
import { icon } from "./icons.js";

const NEAR_PX = 80;
const EARLY_PX = 400;

/** `earlier()` loads what comes before; it is called when the reader nears the beginning. */
export function makeScroller(list, earlier) {
  let pinned = true;
  let loading = false;
  let size = "";
  const jump = el(
    "button.jump",
    {
      type: "button",
      hidden: true,
      "aria-label": "Go to the latest message",
      title: "Latest",
      onclick: toEnd,
    },
    icon("down", 18),
  );
  const box = el("div.scroller", { tabindex: "0", role: "region", "aria-label": "Messages" }, list);
  const node = el("div.scroll-frame", {}, el("h2.visually-hidden", {}, "Messages"), box, jump);

  box.addEventListener(
    "scroll",
    () => {
      if (!noteSize()) pinned = fromEnd() < NEAR_PX;
      jump.hidden = pinned;
      if (box.scrollTop < EARLY_PX) loadEarlier();
    },
    { passive: true },
  );

  // What the reader opens stays under their eyes, also at the end.
  box.addEventListener("click", ({ target }) => {
    if (!target.closest("summary, [aria-expanded]")) return;
    pinned = false;
    requestAnimationFrame(() => requestAnimationFrame(() => (pinned = fromEnd() < NEAR_PX)));
  });

  // Fonts, images and the keyboard change heights after the fact.
  const watch = new ResizeObserver(() => {
    noteSize();
    if (pinned) end();
  });
  watch.observe(box);
  watch.observe(list);

  /** Notes the size; tells whether it is another than before, for then it was not the reader who moved it. */
  function noteSize() {
    const before = size;
    size = `${box.clientHeight} ${box.scrollHeight}`;
    return size !== before;
  }

  function fromEnd() {
    return box.scrollHeight - box.scrollTop - box.clientHeight;
  }

  /** Without a message there is no end to be at: what welcomes the reader is read from its beginning. */
  function end() {
    box.scrollTop = list.querySelector(".msg") ? box.scrollHeight : 0;
  }

  function toEnd() {
    pinned = true;
    jump.hidden = true;
    end();
  }

  /** Goes to one message and stays there. */
  function toNode(one) {
    const spare = Math.max(0, box.clientHeight - one.offsetHeight) / 2;
    const offset = one.getBoundingClientRect().top - box.getBoundingClientRect().top;
    pinned = false;
    box.scrollTop += offset - spare;
  }

  async function loadEarlier() {
    if (loading) return;
    loading = true;
    try {
      await earlier();
    } finally {
      loading = false;
    }
  }

  /** Runs a change of the list and leaves the reader where they were. */
  function around(change) {
    const below = box.scrollHeight - box.scrollTop;
    // A message, not a day above it: days move up as earlier messages come in.
    const first = list.querySelector(".msg");
    const top = first?.offsetTop ?? 0;
    change();
    if (pinned) return end();
    const grewAbove = first?.isConnected && first.offsetTop > top;
    if (grewAbove) box.scrollTop = box.scrollHeight - below;
    jump.hidden = false;
    return undefined;
  }

  return { node, box, around, toEnd, toNode, stop: () => watch.disconnect() };
}
