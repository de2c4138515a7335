// Hash routes: #/chat/name is { view: "chat", rest: "name" }. Parsing is pure; `startRouter` tells
// the one listener about every change. It knows no views.

export function parse(hash) {
  const [view = "", ...rest] = hash.replace(/^#\/?/, "").split("/");
  return { view: view || "chat", rest: decoded(rest.join("/")) };
}

export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function path(view, rest = "") {
  return rest ? `#/${view}/${encodeURIComponent(rest)}` : `#/${view}`;
}

export function go(view, rest = "") {
  location.hash = path(view, rest);
}

export function here() {
  return parse(location.hash);
}

export function startRouter(listener) {
  window.addEventListener("hashchange", () => listener(here()));
}
