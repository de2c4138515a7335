// What the gateway itself answers in a chat: replies to commands (`/status`, `/new`) and to nobody at
// all. They are no part of what was said, so no transcript has them; the console keeps those it heard of
// for as long as the tab lives. Whatever turns out to stand in the transcript is left to it.

import { tab } from "./storage.js";
import { on } from "./stream.js";

const MOST = 30;
// A message is answered soon; of those that never are, only so many are remembered.
const ASKED_MOST = 100;

/** The asides of one conversation of platform `web`; `changed()` follows them. */
export function openAsides(chat, changed) {
  const key = `asides.${chat}`;
  const asked = new Map();
  let list = tab.get(key, []);
  const isOurs = (data) => data.platform === "web" && data.chat === chat;

  function hearMessage(data) {
    if (!isOurs(data)) return;
    asked.set(data.inbox_id, data.text);
    if (asked.size > ASKED_MOST) asked.delete(asked.keys().next().value);
  }

  function hearDelivery(data) {
    if (!isOurs(data) || data.state !== "sent" || list.some((one) => one.id === data.id)) return;
    const words = data.inbox_ids.map((id) => asked.get(id)).find((text) => text?.startsWith("/"));
    if (!words && data.turn) return;
    const aside = {
      id: data.id,
      turn: data.turn,
      asked: words ?? null,
      text: data.text,
      at: data.at,
    };
    list = [...list, aside].slice(-MOST);
    tab.set(key, list);
    changed();
  }

  const stops = [on("message", hearMessage), on("delivery", hearDelivery)];
  return {
    /** Those since the session of `feed` began that its transcript does not have; none until it is read. */
    beside: (feed) => {
      if (feed && !feed.session) return [];
      const said = new Set([...(feed?.rows.values() ?? [])].map((row) => row.turn));
      const since = feed?.session?.created_at ?? "";
      return list.filter((one) => one.at >= since && (!one.turn || !said.has(one.turn)));
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}
