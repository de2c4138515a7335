// Going on in another session of the same place: choosing an older one.

import { api } from "../api.js";
import { spoken } from "../asking.js";
import { sheet } from "../dialogs.js";
import { el, fill } from "../dom.js";
import { plain } from "../inline.js";
import { walkable } from "../keys.js";
import { titleOf } from "../naming.js";
import { remark } from "../notices.js";
import { go } from "../router.js";
import { ago } from "../time.js";

const PAGE = 100;

/** Shows the other sessions of this place; choosing one goes on in it. */
export async function chooseOlder(session) {
  const list = el("ul.rows.older", { role: "list" });
  const trouble = el("div.form-trouble", { role: "alert" });
  const dialog = sheet("Resume an older one", [
    el("p.lead", {}, "The place goes on in the one you choose; this one ends and stays readable."),
    trouble,
    list,
  ]);
  walkable(list, "button");

  async function take(target) {
    fill(trouble);
    try {
      await api.resume(session.id, target.id);
      dialog.close();
      remark("Resumed.");
      go("sessions", target.id);
    } catch (error) {
      fill(trouble, spoken(error));
    }
  }

  try {
    const { platform, chat, key } = session;
    const { items } = await api.sessions({ platform, chat, limit: PAGE });
    const others = items.filter((one) => one.key === key && one.id !== session.id);
    fill(list, others.length ? others.map((one) => row(one, take)) : none());
    list.querySelector("button")?.focus();
  } catch (error) {
    fill(trouble, spoken(error));
  }
}

function row(session, take) {
  return el(
    "li",
    {},
    el(
      "button.row",
      { type: "button", onclick: () => take(session) },
      el(
        "span.row-top",
        {},
        el("strong.row-title", { dir: "auto" }, titleOf(session)),
        el("span.row-when", {}, ago(session.active_at)),
      ),
      el("span.row-text", { dir: "auto" }, plain(session.preview) || "Nothing said yet"),
    ),
  );
}

function none() {
  return el(
    "li.faint",
    {},
    "This place has no other session yet. Beginning anew makes one, and this one can then be resumed.",
  );
}
