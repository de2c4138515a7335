// Dialogs that do something: a form whose answer runs a call. While the call is under way the form
// waits; where it fails, the error and its hint stand in the form, next to what was asked, and nothing
// that was typed is lost. It knows no call by itself.

import { dialogHead, openDialog } from "./dialogs.js";
import { el, fill, mark } from "./dom.js";
import { inline } from "./inline.js";

/**
 * Asks. `act(form)` runs on yes and closes the dialog when it succeeds; `other` is a second way out:
 * `{ label, act }`. `content` are the fields. Resolves to what the call answered, or null.
 */
export function asking({ title, words, content, yes, tone = "primary", other, act }) {
  return new Promise((resolve) => {
    let result = null;
    let isUnderWay = false;
    const trouble = el("div.form-trouble", { role: "alert" });
    const yesButton = el(`button.button.${tone}`, { type: "submit" }, yes);
    const form = el(
      "form.form",
      { onsubmit: submit, novalidate: true },
      dialogHead("asking-title", title, () => dialog),
      words ? el("p.lead", { id: "asking-words" }, words) : null,
      content,
      trouble,
      el(
        "div.actions",
        {},
        other
          ? el(
              "button.button.first",
              { type: "button", onclick: () => run(other.act) },
              other.label,
            )
          : null,
        el("button.button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
        yesButton,
      ),
    );
    const dialog = el(
      "dialog.dialog.sheet",
      {
        "aria-labelledby": "asking-title",
        "aria-describedby": words ? "asking-words" : null,
      },
      form,
    );
    dialog.addEventListener("close", () => resolve(result));

    function submit(event) {
      event.preventDefault();
      run(act);
    }

    async function run(call) {
      if (isUnderWay) return;
      isUnderWay = true;
      mark(form, "aria-busy", "true");
      try {
        result = (await call(form)) ?? true;
        dialog.close();
      } catch (error) {
        fill(trouble, spoken(error));
      }
      mark(form, "aria-busy", null);
      isUnderWay = false;
    }

    openDialog(dialog);
    (form.querySelector("[data-first]") ?? yesButton).focus();
    form.querySelector("input[data-first]")?.select?.();
  });
}

/** An error's words and its hint, for wherever there is room. */
export function spoken(error) {
  return el(
    "div.trouble",
    {},
    el("strong", {}, inline(error.message)),
    error.hint ? el("div.hint", {}, inline(error.hint)) : null,
  );
}

/** A labelled field of one line. `help` stands below it. */
export function field(label, attributes, help) {
  const input = el("input.input", {
    type: "text",
    autocomplete: "off",
    dir: "auto",
    ...attributes,
  });
  const node = el(
    "label.field",
    {},
    el("span", {}, label),
    input,
    help ? el("small.help", {}, help) : null,
  );
  return { node, input };
}
