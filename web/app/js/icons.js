// The icons: strokes on a 24 by 24 grid, built as DOM nodes. They are decoration; the label is
// always in the element that holds them.

const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  mark: [
    "M4 5.500c7.500-.4 13 2.700 16.500 13",
    "M5 11.500c5-.2 8.700 1.700 11 6.500",
    "M7 17c2.200 0 3.600.5 5 2.300",
  ],
  chat: [
    "M4 6.500A2.500 2.500 0 0 1 6.500 4h11A2.500 2.500 0 0 1 20 6.500v7a2.500 2.500 0 0 1-2.500 2.500H11l-4.500 4v-4A2.500 2.500 0 0 1 4 13.500z",
  ],
  sessions: ["M4 6h16", "M4 12h16", "M4 18h10"],
  processes: ["M4 5.500h16v13H4z", "M7.500 9.500l3 2.500-3 2.500", "M12.500 15h4"],
  approvals: ["M12 3.500l7.500 3v5c0 4.500-3 7.500-7.500 9-4.500-1.500-7.500-4.500-7.500-9v-5z", "M8.500 11.500l2.500 2.500 4.500-4.500"],
  outbox: [
    "M4 13.500V17a2.500 2.500 0 0 0 2.500 2.500h11A2.500 2.500 0 0 0 20 17v-3.500",
    "M12 15V4.500",
    "M7.500 9 12 4.500 16.500 9",
  ],
  status: ["M3 12.500h4l2.500-7 4.500 13 2.500-6H21"],
  plus: ["M12 5v14", "M5 12h14"],
  send: ["M12 19.500v-15", "M5.500 11 12 4.500l6.500 6.500"],
  down: ["M12 4.500v15", "M5.500 13l6.500 6.500 6.500-6.500"],
  chevron: ["M7 10l5 5 5-5"],
  back: ["M14.500 5.500 8 12l6.500 6.500"],
  close: ["M6 6l12 12", "M18 6 6 18"],
  copy: ["M9 9h10.500v10.500H9z", "M5.500 15H4.500V4.500H15v1"],
  check: ["M5 12.500l4.500 4.500L19 7.500"],
  retry: ["M19.500 12a7.500 7.500 0 1 1-2.300-5.400", "M19.500 3.500v4h-4"],
  repeat: [
    "M4 11V9.500A3.500 3.500 0 0 1 7.500 6H19",
    "M16 3l3 3-3 3",
    "M20 13v1.500a3.500 3.500 0 0 1-3.500 3.500H5",
    "M8 21l-3-3 3-3",
  ],
  trash: ["M4.500 7h15", "M9.500 7V4.500h5V7", "M6.500 7l1 12.500h9l1-12.500"],
  keyboard: [
    "M3.500 6.500h17v11h-17z",
    "M7 10h.01",
    "M10.300 10h.01",
    "M13.700 10h.01",
    "M17 10h.01",
    "M8 14h8",
  ],
  leave: ["M14 4.500H6.500v15H14", "M11 12h9.500", "M17 8.500l3.500 3.500-3.500 3.500"],
  auto: ["M12 4a8 8 0 1 0 0 16z", "M12 4a8 8 0 0 1 0 16"],
  light: [
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
    "M12 2.500v2",
    "M12 19.500v2",
    "M2.500 12h2",
    "M19.500 12h2",
    "M5.300 5.300l1.400 1.400",
    "M17.300 17.300l1.400 1.400",
    "M5.300 18.700l1.400-1.400",
    "M17.300 6.700l1.400-1.400",
  ],
  dark: ["M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10"],
  search: ["M11 4.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13", "M15.800 15.800 20 20"],
  more: ["M5.500 12h.01", "M12 12h.01", "M18.500 12h.01"],
  pen: ["M5 19l.8-3.600L16 5.200l2.800 2.800L8.600 18.200z", "M13.800 7.400l2.800 2.800"],
  stop: ["M7 7h10v10H7z"],
  undo: ["M8.500 5 4.500 9l4 4", "M4.500 9h9a5.500 5.500 0 0 1 0 11H8"],
  branch: ["M7 4.500v15", "M7 13.500c0-4 10-2 10-7.500", "M14 8.500l3-3.500 3 3.500"],
  resume: ["M7.500 5v14l11-7z"],
  model: [
    "M7 7h10v10H7z",
    "M10 3.500V7",
    "M14 3.500V7",
    "M10 17v3.500",
    "M14 17v3.500",
    "M3.500 10H7",
    "M3.500 14H7",
    "M17 10h3.500",
    "M17 14h3.500",
  ],
  save: ["M12 4.500V15", "M7.500 10.500 12 15l4.500-4.500", "M4.500 19.500h15"],
  eye: [
    "M3 12c2.400-4.400 5.400-6.500 9-6.500s6.600 2.100 9 6.500c-2.400 4.400-5.400 6.500-9 6.500S5.400 16.400 3 12",
    "M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5",
  ],
  info: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16", "M12 11v5", "M12 8h.01"],
  clock: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16", "M12 8v4.500l3 1.500"],
};

export function icon(name, size = 20) {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = {
    viewBox: "0 0 24 24",
    width: size,
    height: size,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": { mark: 2.4, more: 2.6 }[name] ?? 1.7,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
    class: `icon icon-${name}`,
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    if (name === "auto" && d === PATHS.auto[0]) path.setAttribute("fill", "currentColor");
    svg.append(path);
  }
  return svg;
}
