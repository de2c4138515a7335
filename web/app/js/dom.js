// Builds DOM nodes. Text always becomes a text node, never markup, so nothing a person or an
// agent wrote can become an element or an attribute. It does not track or update what it built.

/** el("a.link.big", { href, onclick, disabled: true }, "text", node, [nodes], null) */
export function el(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  // Children first: under dir="auto" every later child would make the browser look at all of them again.
  node.append(...kept(children));
  for (const [name, value] of Object.entries(attributes)) set(node, name, value);
  return node;
}

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "value") node.value = value;
  else node.setAttribute(name, value === true ? "" : String(value));
}

/** Replaces everything inside `node`. */
export function fill(node, ...children) {
  node.replaceChildren(...kept(children));
  return node;
}

function kept(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false);
}

/** Sets or removes an attribute. */
export function mark(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

/** Marks those of the links whose data say that they are what is open now. */
export function pointAt(links, isOpen) {
  for (const link of links) mark(link, "aria-current", isOpen(link.dataset) ? "true" : null);
}

/** True where keys belong to the text being written. */
export function isTyping(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
