// One person as a card: a stranger who waits, or somebody who was let in; who did that, when and why.

import { api } from "../api.js";
import { asking, field } from "../asking.js";
import { copyId } from "../copy.js";
import { el } from "../dom.js";
import { icon } from "../icons.js";
import { remark } from "../notices.js";
import { readStrangers } from "../strangers.js";
import { ago } from "../time.js";

const ROLES = [
  ["member", "Member: may speak and use tools"],
  ["guest", "Guest: may speak, without tools that reach the machine"],
  ["operator", "Operator: may do everything, and let others in"],
];
const WHY_CHARS = 280;

/** What people know them as. */
export function called({ name, user_id: id }) {
  return name ?? id;
}

export function strangerCard(stranger, again) {
  return card({
    tag: ["accent", "Waits"],
    person: stranger,
    when: stranger.asked_at,
    details: [`Has a code, which holds until ${clock(stranger.ends_at)}.`],
    foot: [
      copyId(stranger.id),
      el(
        "button.button.small.primary",
        { type: "button", onclick: () => letIn(stranger, again) },
        icon("check", 15),
        "Let in…",
      ),
    ],
  });
}

export function grantCard(grant, again) {
  const isHeld = !grant.revoked_at;
  const by = (who) => (who === "token" ? "the console or the command line" : who);
  return card({
    tag: isHeld ? ["good", title(grant.role)] : ["", "Taken back"],
    person: grant,
    when: grant.revoked_at ?? grant.granted_at,
    details: [
      `Let in ${said(grant.granted_at)} by ${by(grant.granted_by)}${because(grant.why)}`,
      isHeld
        ? null
        : `Taken back ${said(grant.revoked_at)} by ${by(grant.revoked_by)}${because(grant.revoked_why)}`,
    ],
    foot: [
      copyId(grant.id),
      isHeld
        ? el(
            "button.button.small",
            { type: "button", onclick: () => takeBack(grant, again) },
            icon("close", 15),
            "Take back…",
          )
        : null,
    ],
  });
}

function card({ tag: [tone, words], person, when, details, foot }) {
  return el(
    "li.visitor",
    {},
    el(
      "div.visitor-top",
      {},
      el("span", { class: `tag ${tone}` }, words),
      el("span.visitor-who", { dir: "auto" }, called(person)),
      el("span.visitor-when", {}, ago(when)),
    ),
    el("p.visitor-where", { dir: "auto" }, `${person.account} · ${person.user_id}`),
    details.filter(Boolean).map((line) => el("p.visitor-why", { dir: "auto" }, line)),
    el("div.visitor-foot", {}, foot),
  );
}

function title(role) {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

function because(why) {
  return why ? `: “${why}”` : ".";
}

function clock(at) {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function said(at) {
  return new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

function reason() {
  return field("Why", { name: "why", maxlength: WHY_CHARS, placeholder: "May be left empty" });
}

async function letIn(stranger, again) {
  const why = reason();
  const role = el(
    "select.input",
    { name: "role" },
    ROLES.map(([value, label]) => el("option", { value }, label)),
  );
  const grant = await asking({
    title: `Let ${called(stranger)} in?`,
    words: `${stranger.account} · ${stranger.user_id}. They are told, and may write from then on.`,
    content: [el("label.field", {}, el("span", {}, "As"), role), why.node],
    yes: "Let in",
    act: () =>
      api.letIn({ knock: stranger.id, role: role.value, why: why.input.value.trim() || undefined }),
  });
  if (grant) remark(`${called(stranger)} may speak now.`);
  readStrangers();
  again();
}

async function takeBack(grant, again) {
  const why = reason();
  const taken = await asking({
    title: `Let ${called(grant)} in no more?`,
    words: "Their next message is not answered. What was said stays.",
    content: why.node,
    yes: "Take back",
    tone: "danger",
    act: () => api.takeBack(grant.id, { why: why.input.value.trim() || undefined }),
  });
  if (taken) remark(`${called(grant)} may speak no more.`);
  again();
}
