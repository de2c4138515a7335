// The small link of a conversation to what runs for it in the background: there while something does.

import { api } from "./api.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { path } from "./router.js";
import { soon } from "./soon.js";
import { on } from "./stream.js";

const MOST = 100;

/** `node` is empty while nothing runs for the session. */
export function liveProcesses(session) {
  const node = el("span.live-processes");
  let stopped = false;

  async function read() {
    const page = await api.processes({ session, state: "live", limit: MOST }).catch(() => null);
    if (page && !stopped) draw(page);
  }

  function draw({ items, next }) {
    const number = next ? `${MOST}+` : String(items.length);
    const noun = items.length === 1 ? "process" : "processes";
    const words = `${number} ${noun} in the background`;
    const href = path("processes", items.length === 1 ? items[0].id : session);
    fill(
      node,
      items.length
        ? el(
            "a.tag.accent.process-link",
            { href, title: words, "aria-label": words },
            icon("processes", 13),
            number,
            el("span.wide-only", {}, noun),
          )
        : null,
    );
  }

  const readSoon = soon(read, 200);
  const stops = [
    on("process", (process) => process.session_id === session && readSoon()),
    on("resync", readSoon),
  ];
  read();
  return {
    node,
    stop: () => {
      stopped = true;
      readSoon.cancel();
      for (const unhear of stops) unhear();
    },
  };
}
