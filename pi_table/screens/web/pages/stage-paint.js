// Paints the scene of the stage director (stage.js) over the board. A screen reader reads the
// caption instead, which says the same.

import { attr, el, show, style } from "./dom.js";
import { emWidth } from "./paint.js";
import { sign } from "./signs.js";

const CONFETTI = 36;
const COLUMNS = 12;
const STEPS = 7; // of the way down; they share no divisor with COLUMNS, so no two pieces meet
let painted = "";

/** Show a scene, or none. A scene is built once: its motion is CSS and needs no more of us. */
export function paintScene(scene) {
  const stage = document.getElementById("stage");
  const now = scene === null ? "" : JSON.stringify(scene);
  if (now === painted) return;
  painted = now;
  show(stage, scene !== null);
  stage.replaceChildren(...(scene === null ? [] : partsOf(scene)));
  attr(stage, "data-scene", scene && scene.name);
  attr(stage, "data-team", (scene && scene.team) || null);
}

function partsOf(scene) {
  const title = el("p", { class: "stage-title" }, ...titleOf(scene));
  style(title, "--w", (emWidth(scene.title) + (scene.clueNumber ? 1.6 : 0)).toFixed(2));
  return [
    scene.name === "end" && scene.team ? confetti(scene.team) : null,
    scene.sign ? el("div", { class: "stage-sign" }, sign(scene.sign)) : null,
    title,
    scene.more ? el("p", { class: "stage-more" }, scene.more) : null,
    scene.tally ? el("div", { class: "stage-tally" }, ...scene.tally.map(pips)) : null,
  ].filter((part) => part !== null);
}

function titleOf({ title, clueNumber }) {
  return clueNumber === undefined
    ? [title]
    : [el("span", {}, title), " ", el("span", { class: "stage-number" }, clueNumber)];
}

/** A sign for each cell of a team: full if it was found. */
function pips({ team, found, all }) {
  const each = Array.from({ length: all }, (_, place) => {
    const mark = sign(team);
    attr(mark, "data-found", place < found);
    return mark;
  });
  return el("p", { "data-team": team }, ...each);
}

/** Signs of the winner that fall, the same ones each time. */
function confetti(team) {
  const each = Array.from({ length: CONFETTI }, (_, place) => {
    const piece = el("span", {}, sign(team));
    style(piece, "--x", (((place * 5) % COLUMNS) + 0.5) / COLUMNS);
    style(piece, "--y", ((place * 4) % STEPS) / STEPS);
    style(piece, "--size", 2 + ((place * 3) % 4));
    return piece;
  });
  return el("div", { class: "confetti" }, ...each);
}
