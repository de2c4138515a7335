// What the browser remembers for us. Storage may be full or forbidden; the console then works on
// with what it holds in memory, so every failure here is silent on purpose.
//
// `tab` lasts as long as the tab (unsent words), `kept` stays (theme, names of conversations).

function box(open) {
  const memory = new Map();
  return {
    get(key, otherwise = null) {
      if (memory.has(key)) return memory.get(key);
      try {
        const text = open().getItem(`angelia.${key}`);
        return text === null ? otherwise : JSON.parse(text);
      } catch {
        return otherwise;
      }
    },
    set(key, value) {
      memory.set(key, value);
      try {
        open().setItem(`angelia.${key}`, JSON.stringify(value));
      } catch {
        // Kept in memory above.
      }
    },
    remove(key) {
      memory.delete(key);
      try {
        open().removeItem(`angelia.${key}`);
      } catch {
        // Nothing was stored, then.
      }
    },
    clear() {
      memory.clear();
      try {
        open().clear();
      } catch {
        // Nothing was stored, then.
      }
    },
  };
}

export const tab = box(() => sessionStorage);
export const kept = box(() => localStorage);
