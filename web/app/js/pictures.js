// Pictures and files: which may be sent, where one is, and how those of a message look. Bringing one to the
// gateway is what the composer does; this draws and decides, and fetches nothing.

import { el } from "./dom.js";

/** What may be chosen; the gateway looks at the bytes itself. */
export const KINDS = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** As many as one message may have. */
export const MOST = 8;

/** Where the bytes of a picture are. */
export function addressOf({ id }) {
  return `/api/v1/media/${encodeURIComponent(id)}`;
}

/** The pictures among the files that somebody pasted, dropped or chose. */
export function picturesAmong(files) {
  return [...(files ?? [])].filter((file) => KINDS.includes(file.type));
}

/** The pictures of a message, each a link to itself in full; nothing without any. */
export function pictureRow(pictures) {
  if (!pictures?.length) return null;
  return el("div.pictures", {}, pictures.map(framed));
}

function framed(picture) {
  const name = picture.name || "Picture";
  return el(
    "a.picture",
    { href: addressOf(picture), target: "_blank", rel: "noopener", title: name },
    image(picture, name),
  );
}

/** The files that an agent sent: pictures to look at, everything else to be downloaded; nothing without any. */
export function fileRow(files) {
  if (!files?.length) return null;
  return el("div.pictures", {}, files.map((file) => (isSeen(file) ? framed(file) : parcel(file))));
}

function isSeen({ type }) {
  return KINDS.includes(type);
}

function parcel(file) {
  return el(
    "a.parcel",
    { href: addressOf(file), download: file.name, title: `Download ${file.name}` },
    el("span.parcel-name", { dir: "auto" }, file.name),
    el("span.faint", {}, inBytes(file.bytes)),
  );
}

/** So many bytes, in words. */
function inBytes(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** The picture itself. Its size is known before its bytes are, so nothing jumps. */
export function image(picture, name) {
  return el("img", {
    src: addressOf(picture),
    alt: name,
    width: picture.width,
    height: picture.height,
    loading: "lazy",
    decoding: "async",
  });
}

/** What changes the look of a message's pictures. */
export function stampOfPictures(pictures) {
  return (pictures ?? []).map(({ id }) => id).join(",");
}
