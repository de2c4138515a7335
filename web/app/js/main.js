// Starts the console: takes a token from the address if there is one, shows the sign-in or the
// shell, and puts the view of the current address into it. Being signed out is not an address: the
// person comes back to where they were.

import { api, onSignedOut, quiet } from "./api.js";
import { readConversations, startConversations } from "./conversations.js";
import { showShortcuts } from "./dialogs.js";
import { startHealth, stopHealth } from "./health.js";
import { startKeys } from "./keys.js";
import { complain, showConnection } from "./notices.js";
import { startQuestions, stopQuestions } from "./questions.js";
import { decoded, go, here, startRouter } from "./router.js";
import { makeShell } from "./shell.js";
import { startStrangers, stopStrangers } from "./strangers.js";
import { tab } from "./storage.js";
import * as stream from "./stream.js";
import { newConversation } from "./talks.js";
import { startTicker } from "./time.js";
import { fitViewport } from "./viewport.js";
import { mountAccess } from "./views/access.js";
import { mountApprovals } from "./views/approvals.js";
import { mountChat } from "./views/chat.js";
import { mountOutbox } from "./views/outbox.js";
import { mountProcesses } from "./views/processes.js";
import { mountSessions } from "./views/sessions.js";
import { mountSignIn } from "./views/signin.js";
import { mountStatus } from "./views/status.js";

const MOUNT = {
  chat: mountChat,
  sessions: mountSessions,
  processes: mountProcesses,
  approvals: mountApprovals,
  access: mountAccess,
  outbox: mountOutbox,
  status: mountStatus,
};
const app = document.getElementById("app");
let shell = null;
let shown = null;

/** Reads `#token=…` and removes it from the address and its history at once. */
function takeToken() {
  const found = /^#token=(.+)$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  return decoded(found[1]);
}

async function begin() {
  const token = takeToken();
  try {
    await (token ? api.signIn(token) : api.me());
    showApp();
  } catch (error) {
    showSignIn(token || error.status !== 401 ? error : null);
  }
}

function leaveView() {
  shown?.mounted.leave?.();
  shown = null;
}

/** Ends every reading: asked without a sign-in, the gateway could only refuse. */
function fallSilent() {
  leaveView();
  stream.stop();
  stopHealth();
  stopQuestions();
  stopStrangers();
  readConversations.cancel();
}

function showApp() {
  if (shell) return;
  shell = makeShell(signOut);
  app.replaceChildren(shell.node);
  listen();
}

function listen() {
  readConversations();
  stream.start();
  startHealth();
  startQuestions();
  startStrangers();
  route(here());
}

function showSignIn(error = null) {
  fallSilent();
  shell?.stop();
  shell = null;
  document.querySelector("dialog[open]")?.close();
  document.title = "Sign in · Angelia";
  mountSignIn(app, { error, signedIn: showApp });
}

/** Leaves nothing behind: unsent words go, and the reload empties the page's memory. */
async function signOut() {
  fallSilent();
  await quiet();
  try {
    await api.signOut();
  } catch (error) {
    if (error.status !== 401) {
      listen();
      return complain(error);
    }
  }
  tab.clear();
  return location.reload();
}

function route(address) {
  if (location.hash.startsWith("#token=")) return begin();
  if (!shell) return undefined;
  const mount = MOUNT[address.view];
  if (!mount) return go("chat");
  shell.point(address.view);
  if (shown?.view === address.view && shown.mounted.update)
    return shown.mounted.update(address.rest);
  leaveView();
  shell.page.replaceChildren();
  shown = { view: address.view, mounted: mount(shell.page, address.rest, { signOut }) };
  // What had the focus may be gone with the last view; reading goes on at the new one.
  if (document.activeElement === document.body) shell.page.focus({ preventScroll: true });
  return undefined;
}

onSignedOut(() => shell && showSignIn());
stream.on("state", showConnection);
startConversations();
startRouter(route);
startTicker();
fitViewport();
startKeys({
  "/": () => shown?.mounted.focus?.(),
  "g c": () => go("chat"),
  "g s": () => go("sessions"),
  "g p": () => go("processes"),
  "g a": () => go("approvals"),
  "g w": () => go("access"),
  "g o": () => go("outbox"),
  "g t": () => go("status"),
  n: () => shell && newConversation(),
  "?": showShortcuts,
  Escape: () => shown?.mounted.escape?.(),
});
begin();
