// Times in words. `relative` and `day` are pure, with `now` as an argument; `ago` makes a <time>
// that one shared ticker keeps true.

import { el } from "./dom.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clockFormat = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const dateFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const yearFormat = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: "long" });

export const clock = (at) => clockFormat.format(new Date(at));
export const full = (at) => fullFormat.format(new Date(at));

/** "just now", "4 min ago", "in 2 min", "3 h ago", "yesterday", "3 Nov". */
export function relative(at, now) {
  const gap = now - new Date(at).getTime();
  const span = length(Math.abs(gap));
  if (span === null)
    return gap < 0
      ? date(at, now)
      : day(at, now).toLowerCase() === "yesterday"
        ? "yesterday"
        : date(at, now);
  if (span === "") return gap < 0 ? "now" : "just now";
  return gap < 0 ? `in ${span}` : `${span} ago`;
}

function length(ms) {
  if (ms < 10_000) return "";
  if (ms < MINUTE) return `${Math.round(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  if (ms < 20 * HOUR) return `${Math.round(ms / HOUR)} h`;
  return null;
}

/** "93 min" as "1 h 33 min": how long something has lasted. */
export function lasted(since, now) {
  const minutes = Math.max(0, Math.floor((now - new Date(since).getTime()) / MINUTE));
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}

/** "Today", "Yesterday", "Monday", "3 Nov", "3 Nov 2025". */
export function day(at, now) {
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days > 1 && days < 7) return weekdayFormat.format(new Date(at));
  return date(at, now);
}

function date(at, now) {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dateFormat : yearFormat).format(new Date(at));
}

function midnight(at) {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** A <time> element that stays true while it is on the page. */
export function ago(at) {
  return el("time", { datetime: at, title: full(at), "data-ago": at }, relative(at, Date.now()));
}

export function startTicker() {
  setInterval(() => {
    if (document.hidden) return;
    for (const node of document.querySelectorAll("time[data-ago]")) {
      const words = relative(node.dataset.ago, Date.now());
      if (node.textContent !== words) node.textContent = words;
    }
  }, 10_000);
}
