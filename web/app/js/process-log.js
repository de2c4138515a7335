// What a process says, as it says it: a connection of its own, found again by itself. It begins near the
// end of a long output. Each piece comes once and in order: after a gap the next connection begins behind
// the last byte that was told. It draws nothing.

import { api } from "./api.js";

const TAIL_BYTES = 256 * 1024;
const WAIT_FIRST_MS = 300;
const WAIT_MOST_MS = 10_000;

/**
 * `piece(text, { isTorn, cut })` for each; `ended(process)` at the end; `failed(error)` where there is
 * nothing to follow. `isTorn`: bytes before it are not shown.
 */
export function followLog(id, { form, piece, ended, failed }) {
  let place = null;
  let source = null;
  let timer = 0;
  let failures = 0;
  let closed = false;

  function connect() {
    if (closed) return;
    const from = place === null ? { tail: TAIL_BYTES } : { after: place };
    const mine = new EventSource(api.logAddress(id, { follow: true, form, ...from }));
    source = mine;
    mine.addEventListener("output", (event) => {
      const page = JSON.parse(event.data);
      const isFirst = place === null;
      failures = 0;
      place = page.next;
      piece(page.text, { isTorn: isFirst && page.from > 0, cut: isFirst ? 0 : page.cut });
    });
    mine.addEventListener("end", (event) => {
      close();
      ended(JSON.parse(event.data));
    });
    mine.onerror = () => mine === source && lost();
  }

  async function lost() {
    source.close();
    source = null;
    // An EventSource cannot say why it failed; asking tells a process that is gone from a gateway that is.
    const gone = await api.process(id).then(
      () => null,
      (error) => (error.status === 404 ? error : null),
    );
    if (closed) return;
    if (gone) {
      close();
      failed(gone);
      return;
    }
    const wait = Math.min(WAIT_MOST_MS, WAIT_FIRST_MS * 2 ** failures);
    failures += 1;
    timer = setTimeout(connect, wait);
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  connect();
  return { close };
}
