// Speaks HTTP with the gateway. Every answer that is not a success becomes an `ApiError` in words;
// a 401 also tells `onSignedOut`. It retries nothing and draws nothing.

export class ApiError extends Error {
  constructor(status, { code, message, hint } = {}) {
    super(sentence(message || "The gateway answered in a way the console does not understand."));
    this.status = status;
    this.code = code || "unknown";
    this.hint = hint ? sentence(hint) : "";
  }

  /** No answer came: the gateway may or may not have seen the request. */
  get isUnanswered() {
    return this.status === 0;
  }
}

let signedOut = () => {};
export function onSignedOut(listener) {
  signedOut = listener;
}

async function request(method, path, body) {
  const answer = await answered(method, path, body);
  return answer.status === 204 ? null : answer.json();
}

const underWay = new Set();

/** Resolves once nothing is under way any more: what is asked after a sign-out could only be refused. */
export async function quiet() {
  while (underWay.size) await Promise.allSettled(underWay);
}

async function answered(method, path, body) {
  const asked = ask(method, path, body);
  underWay.add(asked);
  const answer = await asked.finally(() => underWay.delete(asked));
  if (answer.ok) return answer;
  const error = new ApiError(answer.status, await described(answer));
  if (answer.status === 401 && path !== "/sign-in") signedOut();
  throw error;
}

/** A document as a file: its bytes, and the name that the gateway gave it. */
async function download(path) {
  const answer = await answered("GET", path);
  const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "");
  return { blob: await answer.blob(), name: named?.[1] ?? "session" };
}

async function ask(method, path, body) {
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      ...sent(body),
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    throw new ApiError(0, {
      code: "unreachable",
      message: "The gateway does not answer.",
      hint: "Check that it is running (`angelia status`) and that this device can reach it.",
    });
  }
}

/** Files go as they are, everything else as JSON. */
function sent(body) {
  if (body === undefined) return {};
  if (body instanceof Blob) return { body };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function described(answer) {
  try {
    return (await answer.json()).error;
  } catch {
    return { message: `The gateway answered ${answer.status}.`, hint: "Its log says more." };
  }
}

function sentence(text) {
  const full = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…`)]$/.test(full) ? full : `${full}.`;
}

function query(parameters) {
  const given = Object.entries(parameters).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

const part = encodeURIComponent;

export const api = {
  me: () => request("GET", "/me"),
  signIn: (token) => request("POST", "/sign-in", { token }),
  signOut: () => request("POST", "/sign-out"),
  status: () => request("GET", "/status"),
  commands: () => request("GET", "/commands"),
  usage: (page = {}) => request("GET", `/usage${query(page)}`),
  inbox: (message) => request("POST", "/inbox", message),
  bringPicture: (file, name) => request("POST", `/media${query({ name })}`, file),
  sessions: (page = {}) => request("GET", `/sessions${query(page)}`),
  session: (id) => request("GET", `/sessions/${part(id)}`),
  transcript: (id, page = {}) => request("GET", `/sessions/${part(id)}/transcript${query(page)}`),
  steps: (turn, page = {}) => request("GET", `/turns/${part(turn)}/steps${query(page)}`),
  search: (page) => request("GET", `/search${query(page)}`),
  beginAnew: (id, body) => request("POST", `/sessions/${part(id)}/new`, body),
  resume: (id, target) => request("POST", `/sessions/${part(id)}/resume`, { target }),
  whatRewindHides: (id, turns) => request("GET", `/sessions/${part(id)}/rewind${query({ turns })}`),
  rewind: (id, body) => request("POST", `/sessions/${part(id)}/rewind`, body),
  branch: (id, body) => request("POST", `/sessions/${part(id)}/branch`, body),
  stop: (id) => request("POST", `/sessions/${part(id)}/stop`),
  rename: (id, title) => request("POST", `/sessions/${part(id)}/title`, { title }),
  chooseModel: (id, model) => request("POST", `/sessions/${part(id)}/model`, model),
  remove: (id) => request("DELETE", `/sessions/${part(id)}`),
  exported: (id, format) => download(`/sessions/${part(id)}/export${query({ format })}`),
  processes: (page = {}) => request("GET", `/processes${query(page)}`),
  process: (id) => request("GET", `/processes/${part(id)}`),
  logAddress: (id, page) => `/api/v1/processes/${part(id)}/log${query(page)}`,
  writeTo: (id, text) => request("POST", `/processes/${part(id)}/write`, { text }),
  closeInput: (id) => request("POST", `/processes/${part(id)}/close`),
  resize: (id, size) => request("POST", `/processes/${part(id)}/resize`, size),
  kill: (id) => request("POST", `/processes/${part(id)}/kill`),
  approvals: (page = {}) => request("GET", `/approvals${query(page)}`),
  answer: (id, body) => request("POST", `/approvals/${part(id)}`, body),
  strangers: (page = {}) => request("GET", `/access/knocks${query(page)}`),
  grants: (page = {}) => request("GET", `/access/grants${query(page)}`),
  letIn: (body) => request("POST", "/access/approve", body),
  takeBack: (id, body) => request("POST", `/access/grants/${part(id)}/revoke`, body),
  outbox: (page = {}) => request("GET", `/outbox${query(page)}`),
  retry: (id) => request("POST", `/outbox/${part(id)}/retry`),
  drop: (id) => request("POST", `/outbox/${part(id)}/drop`),
};
