// Words for where a background process stands, who started it and where. Pure.

import { platformName } from "./naming.js";

const SIGNALS = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

export const isLive = ({ state }) => state === "starting" || state === "running";

function signalName(number) {
  return SIGNALS[number] ?? `signal ${number}`;
}

/** { tone, words } in as few words as a tag has room for. */
export function standing({ state, exit_code: code, signal }) {
  const how = code !== null ? String(code) : signal !== null ? signalName(signal) : "";
  return (
    {
      starting: { tone: "accent", words: "starting" },
      running: { tone: "accent", words: "running" },
      exited: { tone: code === 0 ? "good" : "bad", words: `exited ${how}` },
      signalled: { tone: "bad", words: `ended by ${how}` },
      killed: { tone: "", words: "stopped" },
      failed: { tone: "bad", words: "not started" },
      lost: { tone: "warn", words: "lost" },
    }[state] ?? { tone: "", words: state }
  );
}

/** How it ended, as a sentence; null while it lives. */
export function ending({ state, exit_code: code, signal, why }) {
  const how =
    code !== null ? `with code ${code}` : signal !== null ? `by ${signalName(signal)}` : "";
  return (
    {
      exited: `It exited ${how}.`,
      signalled: `It was ended ${how}.`,
      killed: `It was asked to end, and did so ${how}.`,
      failed: `It could not be started: ${why ?? "nobody said why"}.`,
      lost: "It is lost: what held it died, so how it ended nobody knows. What it had left running was ended.",
    }[state] ?? null
  );
}

/** Who asked for it. */
export function startedBy({ user, platform }) {
  if (platform === "web") return "you";
  return `${user?.name || user?.id || "someone"} on ${platformName(platform)}`;
}
