// What a session is called on the page, and the words for how it stands. Pure but for `nameOf`, which
// asks the gateway for the name of a session of which only the id is known.

import { api } from "./api.js";
import { on } from "./stream.js";

/** Its title; without one, who it is with. In the console everyone is "You": there, the chat's name. */
export function titleOf({ title, platform, chat, label }) {
  return title || (platform === "web" ? chat : label || chat);
}

const PLATFORMS = {
  api: "API",
  api_server: "API server",
  dingtalk: "DingTalk",
  google_chat: "Google Chat",
  homeassistant: "Home Assistant",
  irc: "IRC",
  local: "Terminal",
  msgraph_webhook: "Microsoft Graph",
  sms: "SMS",
  web: "Console",
  wecom: "WeCom",
  whatsapp: "WhatsApp",
  whatsapp_cloud: "WhatsApp Cloud",
};

/** The name of a platform as people write it. */
export function platformName(platform) {
  return (
    PLATFORMS[platform] ??
    (platform.charAt(0).toUpperCase() + platform.slice(1)).replaceAll("_", " ")
  );
}

const ENDINGS = {
  session_reset: "its place began anew",
  new_session: "its place began anew",
  session_switch: "its place goes on in another session",
  resumed_other: "its place goes on in another session",
  branched: "its place goes on in a branch",
  compression: "it goes on in a shorter one",
  orphaned_compression: "it was never used",
  idle: "nothing was said for long",
  idle_timeout: "nothing was said for long",
  daily: "a new day began",
  suspended: "it was suspended",
  resume_pending_expired: "it waited too long to be resumed",
  cron_complete: "its job is done",
  agent_close: "the agent was closed",
  cli_close: "the terminal was closed",
  lru_evict: "it made room for another",
};

/** Why a session ended, in words. */
export function endingOf({ end_reason: reason }) {
  return ENDINGS[reason] ?? (reason ? reason.replaceAll("_", " ") : "nobody said why");
}

const names = new Map();
on("session", ({ session_id: id }) => names.delete(id));

/** The name of a session by its id; the id itself where it cannot be read. */
export function nameOf(id) {
  if (!names.has(id))
    names.set(
      id,
      api.session(id).then(titleOf, () => id),
    );
  return names.get(id);
}
