// Paints the current scene (scenes.js) over the board. Screen readers read the caption instead, which
// says the same.

import { attr, el, show, style } from "./dom.js";
import { emWidth } from "./setting.js";
import { sign } from "./signs.js";

const CONFETTI = 36;
const COLUMNS = 12;
const STEPS = 7; // heights; it shares no divisor with COLUMNS, so no two pieces meet
let painted = "";

/** Show a scene, or remove it. A scene is built once; CSS moves its parts. */
export function paintScene(played) {
  const overlay = document.getElementById("scene");
  const isDeal = played !== null && played.name === "deal";
  attr(document.getElementById("grid"), "data-deal", isDeal); // in this scene the cards themselves move
  const scene = isDeal ? null : played;
  const now = scene === null ? "" : JSON.stringify(scene);
  if (now === painted) return;
  painted = now;
  show(overlay, scene !== null);
  overlay.replaceChildren(...(scene === null ? [] : partsOf(scene)));
  attr(overlay, "data-scene", scene && scene.name);
  attr(overlay, "data-team", (scene && scene.team) || null);
}

function partsOf(scene) {
  if (scene.name === "recap") return recapOf(scene);
  const title = el("p", { class: "scene-title" }, ...titleOf(scene));
  style(title, "--w", (emWidth(scene.title) + (scene.clueNumber ? 1.6 : 0)).toFixed(2));
  return [
    scene.name === "end" && scene.team ? confetti(scene.team) : null,
    scene.sign ? el("div", { class: "scene-sign" }, sign(scene.sign)) : null,
    title,
    scene.more ? el("p", { class: "scene-more" }, scene.more) : null,
    scene.tally ? el("div", { class: "scene-tally" }, ...scene.tally.map(pips)) : null,
  ].filter((part) => part !== null);
}

/** The recap after a game: who found what, tonight's score, and how to begin the next game. */
function recapOf({ title, found, tonight, more }) {
  return [
    el("p", { class: "recap-title" }, title),
    found && el("p", { class: "recap-name" }, found.title),
    found && el("div", { class: "recap-found" }, ...found.teams.map((each) => listOf(each, found))),
    tonight && scoreboard(tonight),
    el("p", { class: "recap-next" }, more),
  ].filter((part) => part !== null);
}

function listOf({ team, clues }, { best }) {
  const each = clues.map(({ word, number, words, isBest }) =>
    el(
      "li",
      { "data-best": isBest },
      el("span", { class: "recap-clue" }, sign(team), `${word} ${number}`),
      el("span", { class: "recap-words" }, words.join(" · ")),
      isBest ? el("span", { class: "recap-best" }, best) : null,
    ),
  );
  return el("ul", { "data-team": team }, ...each);
}

/** The number of games that each team has won tonight: `{ title, teams }`. */
export function scoreboard({ title, teams }) {
  const each = teams.map(({ team, won }) =>
    el("span", { "data-team": team }, sign(team), el("strong", {}, won)),
  );
  return el("p", { class: "scoreboard" }, el("span", {}, title), ...each);
}

function titleOf({ title, clueNumber }) {
  return clueNumber === undefined
    ? [title]
    : [el("span", {}, title), " ", el("span", { class: "scene-number" }, clueNumber)];
}

/** A sign for each cell of a team. The signs of found cells are full. */
function pips({ team, found, all }) {
  const each = Array.from({ length: all }, (_, place) => {
    const mark = sign(team);
    attr(mark, "data-found", place < found);
    return mark;
  });
  return el("p", { "data-team": team }, ...each);
}

/** Signs of the winner that fall over the board. Their places are the same each time. */
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
