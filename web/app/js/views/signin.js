// The sign-in: one field for the token, which is sent once and never stored by the page.

import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { inline } from "../inline.js";
import { themeButton } from "../theme.js";

export function mountSignIn(app, { error, signedIn }) {
  const token = el("input.input", {
    type: "password",
    name: "token",
    autocomplete: "current-password",
    spellcheck: "false",
    autocapitalize: "off",
    required: true,
    "aria-describedby": "token-help token-error",
  });
  const button = el("button.button.primary", {}, "Sign in");
  const words = el("div.signin-error", { id: "token-error", role: "alert" });

  const form = el(
    "form.signin",
    { onsubmit: submit },
    el("div.signin-mark", {}, icon("mark", 30)),
    el("h1", {}, "Sign in to Angelia"),
    el(
      "p.signin-lead",
      { id: "token-help" },
      "The token is in the file ",
      el("code", {}, "api-token"),
      " in the gateway’s home. ",
      el("code", {}, "angelia serve"),
      " prints an address that signs you in by itself.",
    ),
    // Password managers want a name to file the token under.
    el("input", {
      type: "text",
      name: "username",
      value: "operator",
      autocomplete: "username",
      hidden: true,
    }),
    el("label.field", {}, el("span", {}, "Token"), token),
    words,
    button,
  );

  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    fill(words);
    try {
      await api.signIn(token.value.trim());
      signedIn();
    } catch (failure) {
      explain(failure);
      token.select();
    }
    button.disabled = false;
  }

  function explain(failure) {
    fill(
      words,
      el("strong", {}, inline(failure.message)),
      failure.hint ? el("div", {}, inline(failure.hint)) : null,
    );
  }

  fill(app, el("main.signin-page", {}, form, el("div.signin-theme", {}, themeButton())));
  if (error) explain(error);
  token.focus();
}
