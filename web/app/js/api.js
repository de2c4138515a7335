// Speaks HTTP with the gateway. Every answer that is not a success becomes an `ApiError` in words;
// a 401 also tells `onSignedOut`. It keeps no state, retries nothing and draws nothing.

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
  const answer = await ask(method, path, body);
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const error = new ApiError(answer.status, await described(answer));
  if (answer.status === 401 && path !== "/sign-in") signedOut();
  throw error;
}

async function ask(method, path, body) {
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
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
  inbox: (message) => request("POST", "/inbox", message),
  sessions: (page = {}) => request("GET", `/sessions${query(page)}`),
  session: (id) => request("GET", `/sessions/${part(id)}`),
  transcript: (id, page = {}) => request("GET", `/sessions/${part(id)}/transcript${query(page)}`),
  outbox: (page = {}) => request("GET", `/outbox${query(page)}`),
  retry: (id) => request("POST", `/outbox/${part(id)}/retry`),
  drop: (id) => request("POST", `/outbox/${part(id)}/drop`),
};
