// Brings the children of a node in line with a list of items, keeping the nodes of items that did
// not change, so that focus, selection and scroll positions survive an update.
//
// An item is { key, stamp, build(), update?(node) }: the same key with the same stamp keeps its node;
// with another stamp it is updated in place where the item can, and built anew where it cannot.

const held = new WeakMap();

export function keyed(parent, items) {
  const before = held.get(parent) ?? new Map();
  const after = new Map();
  for (const item of items) after.set(item.key, current(item, before.get(item.key)));
  for (const [key, entry] of before) {
    if (after.get(key)?.node !== entry.node) entry.node.remove();
  }
  let place = parent.firstChild;
  for (const { node } of after.values()) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  held.set(parent, after);
}

function current(item, old) {
  if (!old) return { stamp: item.stamp, node: item.build() };
  if (old.stamp === item.stamp) return old;
  if (!item.update) return { stamp: item.stamp, node: item.build() };
  item.update(old.node);
  return { stamp: item.stamp, node: old.node };
}
