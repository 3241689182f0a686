// The signs of the identities. Each has its own shape besides its colour, the same as on the hidden
// screen (pi_table/screens/console/symbols.py). A sign fills a square of 30, and has the colour of the
// text (currentColor).

import { svg } from "./dom.js";

const stroke = (points, thick) =>
  svg("polyline", {
    points,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": thick,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });

function blade(turn) {
  const at = (r, degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(r * Math.cos(angle)).toFixed(2)},${(r * Math.sin(angle)).toFixed(2)}`;
  };
  const steps = [-28, -10, 10, 28].map((step) => turn + step);
  const points = [
    ...steps.map((step) => at(11.5, step)),
    ...steps.reverse().map((step) => at(3.6, step)),
  ];
  return svg("polygon", { points: points.join(" "), fill: "currentColor" });
}

const SHAPES = {
  red: () => [svg("circle", { r: 10, fill: "currentColor" })],
  blue: () => [svg("polygon", { points: "0,-13 7.6,0 0,13 -7.6,0", fill: "currentColor" })],
  bystander: () => [stroke("-6.2,0 6.2,0", 6.2)],
  decoy: () => [stroke("-7.8,5 0,-5 7.8,5", 5)],
  assassin: () => [stroke("-8.2,-8.2 8.2,8.2", 4.6), stroke("-8.2,8.2 8.2,-8.2", 4.6)],
  nuke: () => [...[90, 210, 330].map(blade), svg("circle", { r: 2, fill: "currentColor" })],
};

/** The sign of an identity. Screen readers ignore it: the caller adds words. */
export function sign(identity) {
  return svg(
    "svg",
    {
      class: "sign",
      viewBox: "-15 -15 30 30",
      "data-sign": identity,
      "aria-hidden": "true",
      focusable: "false",
    },
    ...SHAPES[identity](),
  );
}
