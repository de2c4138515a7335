// A conversation on the page, for the chat and for the sessions alike: the scrolling list of messages,
// what stands above them, and drawing at most once per frame however fast a draft grows. What there is
// to show comes from `source`; this fetches nothing but earlier messages and steps.

import { el } from "./dom.js";
import { keyed } from "./keyed.js";
import { arrange, items } from "./messages.js";
import { complain } from "./notices.js";
import { makeScroller } from "./scroller.js";

/**
 * `source`: { label, feed(), sends(), asides?(feed), isReady(), isAsking(), welcome(), drawn(), retry, names, acts },
 * where `welcome` builds what an empty conversation shows and `drawn` runs after each drawing.
 */
export function makeTranscript(source) {
  let drawing = 0;
  const list = el("ol.messages", { role: "list", "aria-label": source.label });
  const above = el("div.above");
  const loadEarlier = async () => source.feed()?.loadEarlier().catch(complain);
  const scroller = makeScroller(el("div.column", {}, above, list), loadEarlier);

  // Steps of long ago are read when somebody comes near them.
  const unread = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        unread.unobserve(target);
        if (target.dataset.unread) source.feed()?.steps.read(target.dataset.unread);
      }
    },
    { rootMargin: "300px" },
  );

  function draw() {
    if (!drawing) drawing = requestAnimationFrame(drawNow);
  }

  function drawNow() {
    drawing = 0;
    const feed = source.feed();
    const isAsking = source.isAsking();
    const beside = { sends: source.sends(), asides: source.asides?.(feed), isAsking };
    const lines = arrange(feed, beside, Date.now());
    scroller.around(() => {
      if (source.isReady() || lines.length) keyed(above, top(lines));
      keyed(list, items(lines, source));
    });
    for (const node of list.querySelectorAll("[data-unread]")) unread.observe(node);
    source.drawn();
  }

  function top(lines) {
    if (source.feed()?.earlier) return [{ key: "earlier", stamp: "", build: earlierButton }];
    return lines.length ? [] : [{ key: "welcome", stamp: "", build: source.welcome }];
  }

  function earlierButton() {
    const attributes = { type: "button", onclick: loadEarlier };
    return el("div.more", {}, el("button.button.small", attributes, "Show earlier messages"));
  }

  /** One thing above the messages, in place of whatever was there: "Loading", or what went wrong. */
  function say(node) {
    keyed(above, [{ key: "said", stamp: performance.now(), build: () => node }]);
  }

  function stop() {
    cancelAnimationFrame(drawing);
    unread.disconnect();
    scroller.stop();
  }

  /** Brings the entry `seq`, which the feed holds, into the middle and marks it for a while. */
  function show(seq) {
    cancelAnimationFrame(drawing);
    drawNow();
    const row = list.querySelector(`[data-seq="${seq}"]`);
    if (!row) return;
    row.querySelector("details")?.setAttribute("open", "");
    scroller.toNode(row);
    row.classList.remove("sought");
    // Read between removing and adding, so that being sought twice is seen twice.
    void row.offsetWidth;
    row.classList.add("sought");
  }

  return { node: scroller.node, draw, say, stop, show, toEnd: scroller.toEnd };
}
