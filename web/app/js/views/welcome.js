// What a conversation shows before its first message, and the quiet banner while the demo agent
// answers. Both read the status to speak of the agent that is really there.

import { el, fill } from "../dom.js";
import { watchHealth } from "../health.js";
import { icon } from "../icons.js";
import { tab } from "../storage.js";

const DEMO_PROMPTS = [
  ["echo hello", "Says it back"],
  ["stream 40", "Forty words, one by one"],
  ["long 3000", "A long answer with code"],
  ["sleep 3", "Takes its time"],
];

const PROMPTS = [
  ["What can you help me with?", "A first question"],
  ["Which tools can you use?", "What it may do for you"],
];

/** `send(text)` sends a prompt at once: the first reply is one click away. */
export function welcome(send) {
  const prompts = el("ul.prompts", { role: "list" });
  drawPrompts(prompts, send);
  return el(
    "section.welcome",
    { "aria-labelledby": "welcome-title" },
    el("div.welcome-mark", {}, icon("mark", 34)),
    el("h2", { id: "welcome-title" }, "Say something"),
    el(
      "p",
      {},
      "What you write here is stored before it is answered, so nothing is lost if the gateway restarts. ",
      "Every conversation has a memory of its own; begin as many as you like.",
    ),
    prompts,
  );
}

/** The demo agent knows fixed commands; a real one is asked real questions. */
function drawPrompts(list, send) {
  const stop = watchHealth(({ status }) => {
    if (!status) return;
    const isDemo = status.agent?.configured === false;
    fill(
      list,
      (isDemo ? DEMO_PROMPTS : PROMPTS).map(([text, words]) =>
        el(
          "li",
          {},
          el(
            "button.prompt",
            { type: "button", onclick: () => send(text) },
            el(isDemo ? "code" : "strong", {}, text),
            el("span", {}, words),
          ),
        ),
      ),
    );
    queueMicrotask(() => stop());
  });
}

export function demoBanner() {
  const node = el("aside.banner", { "aria-label": "About the agent", hidden: true });
  const close = el(
    "button.icon-button",
    { type: "button", "aria-label": "Hide", onclick: hide },
    icon("close", 16),
  );
  fill(
    node,
    el(
      "p",
      {},
      "The built-in demo agent is answering. Connect your own under ",
      el("code", {}, "[agent]"),
      " in ",
      el("code", {}, "angelia.toml"),
      ".",
    ),
    close,
  );

  function hide() {
    tab.set("demo-banner", "hidden");
    node.hidden = true;
  }

  const stop = watchHealth(({ status }) => {
    node.hidden =
      !status || status.agent?.configured !== false || tab.get("demo-banner") === "hidden";
  });
  return { node, stop };
}
