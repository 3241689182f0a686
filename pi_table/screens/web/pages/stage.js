// The stage director of the board: the scene that plays over the game, as plain values.
//
// It knows what the lights know, and no more: the announcements that are due, the state that is
// shown, and the time. A scene therefore begins when the lights begin theirs, and no scene of a
// guess depends on its answer before the answer is due.

import { TEAMS, isHostile, numberWords } from "./game.js";

const FLOOD_SECONDS = 4; // until the end is announced

/** Seconds that the scene of an announcement lasts. 0: it plays none, and ends the one before. */
const SECONDS = {
  begins: 3,
  clue: 2.6,
  revealing: 0,
  assassin: FLOOD_SECONDS,
  nuke: FLOOD_SECONDS,
  revealed: 0,
  win: 9,
  loss: 9,
};

/** Return the announcement whose scene plays at `now`, of `heard` (`{ at, said }`, in the order in
 * which they are due); null if none plays. */
export function onStage(heard, now) {
  const due = heard.filter(({ at, said }) => at <= now && said.what in SECONDS).pop();
  return due !== undefined && now < due.at + SECONDS[due.said.what] ? due.said : null;
}

/** Return the instants at which scenes begin and end. */
export function cues(heard) {
  return heard
    .filter(({ said }) => said.what in SECONDS)
    .flatMap(({ at, said }) => [at, at + SECONDS[said.what]]);
}

/** Return the scene of an announcement: `{ number, name, team, title, more, … }`. A clue has its
 * `clueNumber`, a flood its `sign`, an end its `tally`. Null if the view has no such scene. */
export function sceneOf(said, view, end, t, lang) {
  if (said === null || view === null) return null;
  const scene = { number: said.number, name: said.what, team: "", title: "", more: "" };
  switch (said.what) {
    case "begins": {
      const starts = TEAMS.includes(view.turn);
      return {
        ...scene,
        team: starts ? view.turn : "",
        title: t(`profile-${view.profile}`),
        more: starts ? t("starts", { team: t(view.turn) }) : "",
      };
    }
    case "clue":
      if (!view.clue) return null;
      return {
        ...scene,
        team: view.turn,
        title: view.clue.word || t("clue"),
        clueNumber: numberWords(view.clue.number),
      };
    case "assassin":
    case "nuke":
      return { ...scene, name: "flood", sign: said.what, title: said.words[lang] || said.words.en };
    default:
      if (end === null) return null;
      return {
        ...scene,
        name: "end",
        team: end.team,
        title: end.head.title,
        more: [end.head.more, end.score].filter(Boolean).join(" · "),
        tally: tallyOf(view),
      };
  }
}

/** Return how many cells of each team were found, and how many there are; null in Codex. */
export function tallyOf(view) {
  if (!view.cells) return null;
  const covered = Object.values(view.cells).map((cell) => cell.covered);
  return TEAMS.map((team) => {
    const found = covered.filter((what) => what === team).length;
    return { team, found, all: found + view.left[team], hunted: isHostile(view) };
  });
}
