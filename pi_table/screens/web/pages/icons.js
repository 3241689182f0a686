// Drawings for Codex: the six agents' faces, their facts, roles and tasks.
// As in signs.js, each drawing fills a square of 30 and has the colour of the text. A face belongs to a
// seat, and tells nothing about the agent's secrets.

import { AGENTS } from "./game.js";
import { svg } from "./dom.js";

const filled = (d) => svg("path", { d, fill: "currentColor" });
const drawn = (d, thick = 2.2) =>
  svg("path", {
    d,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": thick,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
const disc = (x, y, r) =>
  filled(`M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`);
const ring = (x, y, r, thick) =>
  drawn(`M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`, thick);

const SHAPES = {
  // Facts
  faction: () => [ring(0, 0, 10.5), filled("M0 -10.5A10.5 10.5 0 0 1 0 10.5z")],
  role: () => [drawn("M-10 -7H10V3C10 9 5 11.5 0 11.5S-10 9 -10 3z"), disc(-4.4, -1, 2), disc(4.4, -1, 2)],
  position: () => [drawn("M-9 10V1M0 10V-4M9 10V-10", 5)],
  fragment: () => [drawn("M-11 -7H-3a3 3 0 1 1 6 0H11V9H3a3 3 0 1 0 -6 0H-11z")],
  // Roles
  "role-hacker": () => [drawn("M-11 -9H11V9H-11z"), drawn("M-6 -3L-2 0L-6 3M1 4H6")],
  "role-infiltrator": () => [
    filled("M-12 -4Q0 -9 12 -4Q12 6 6 6Q2 6 0 2Q-2 6 -6 6Q-12 6 -12 -4z"),
  ],
  "role-informer": () => [drawn("M-10 -9H10V4H0L-6 10V4H-10z"), drawn("M-5 -2.5H5")],
  "role-inquisitor": () => [drawn("M-12 0Q0 -12 12 0Q0 12 -12 0z"), disc(0, 0, 4)],
  "role-leader": () => [filled("M-11 8L-12 -7L-5 -1L0 -10L5 -1L12 -7L11 8z")],
  "role-profiler": () => [ring(-2.5, -2.5, 7.5), drawn("M3.2 3.2L11 11", 3.4)],
  // Tasks
  send: () => [drawn("M-12 -8H12V8H-12zM-12 -8L0 2L12 -8")],
  hack: () => [ring(0, 0, 8), drawn("M0 -13V-4M0 13V4M-13 0H-4M13 0H4")],
  ask: () => [ring(0, 0, 11), drawn("M-3.6 -3a3.7 3.7 0 1 1 5 3.4Q0 1.3 0 3"), disc(0, 6.6, 1.5)],
  extort: () => [ring(0, 0, 11), drawn("M0 -6V2", 3), disc(0, 6.4, 1.7)],
  attempt: () => [drawn("M-9 -1H9V11H-9z"), drawn("M-5.5 -1V-5a5.5 5.5 0 0 1 11 0V-1"), disc(0, 5, 1.8)],
  reveal: () => [drawn("M-12 0Q0 -11 12 0Q0 11 -12 0z"), disc(0, 0, 3.6)],
  who: () => [drawn("M-12 10V-9H-4L-1 -5H12V10z"), drawn("M-6 3H6")],
  messages: () => [drawn("M-12 -2H-6L-4 3H4L6 -2H12V10H-12zM-12 -2L-8 -10H8L12 -2")],
  phone: () => [drawn("M-6 -12H6V12H-6z"), disc(0, 8, 1.3)],
  tick: () => [drawn("M-9 0.5L-2.5 7L9 -7", 4)],
};

const FACES = [
  () => [filled("M-11 -5Q0 -9 11 -5L6.5 -7Q6 -14 0 -12.4Q-6 -14 -6.5 -7z")], // a hat
  () => [drawn("M-6.4 -3Q-8.5 4 -6 6.5M6.4 -3Q8.5 4 6 6.5", 4)], // long hair
  () => [filled("M-7.5 -6Q-5 -13.5 3 -11.5Q9 -10 8 -5.5z"), disc(1.5, -12.4, 1.4)], // a beret
  () => [disc(0, -11, 3.6)], // a bun
  () => [filled("M-7 -5.5Q-7 -12 0 -12T7 -5.5L12.5 -4Q9 -7.5 6 -6z")], // a cap
  () => [drawn("M-5 -9.5L-6.5 -13.5M-1.8 -10L-2.2 -14M1.8 -10L2.2 -14M5 -9.5L6.5 -13.5", 2.6)], // spikes
];

function square(name, shapes) {
  return svg(
    "svg",
    {
      class: "icon",
      viewBox: "-15 -15 30 30",
      "data-icon": name,
      "aria-hidden": "true",
      focusable: "false",
    },
    ...shapes,
  );
}

/** The drawing of a fact, a role or a task. Screen readers ignore it: the caller adds words. */
export function icon(name) {
  return square(name, SHAPES[name]());
}

/** The face of the agent in a seat. Screen readers ignore it: the caller adds words. */
export function face(seat) {
  const shoulders = filled("M-12 15Q-12 6 -3.5 5.5H3.5Q12 6 12 15z");
  return square("face", [shoulders, disc(0, -2, 6.5), ...FACES[AGENTS.indexOf(seat)]()]);
}
