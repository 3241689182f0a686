// Decides which scene plays over the board, as plain values.
//
// It knows only what the lights know: the announcements that are due, the state that is shown, and the
// time. So a scene begins at the same moment as that of the lights, and no scene reveals the answer to
// a guess before it is due.

import { TEAMS, isHostile, numberWords, otherTeam } from "./game.js";

const FLOOD_SECONDS = 4; // from the fatal card to the announcement of the end
const END = [
  ["end", 9],
  ["recap", 16],
];

/** The scenes that follow an announcement, in order, each with its length in seconds. An announcement
 * without scenes ends the scene that plays. */
const SCENES = {
  begins: [
    ["begins", 3],
    ["deal", 2],
  ],
  clue: [["clue", 2.6]],
  revealing: [],
  assassin: [["flood", FLOOD_SECONDS]],
  nuke: [["flood", FLOOD_SECONDS]],
  revealed: [],
  win: END,
  loss: END,
};

/** The scenes while nobody plays, each with its length in seconds. After the last, the first one plays
 * again. `how-N` is page N of how to play the first game. */
const ATTRACT = [
  ["table", 12],
  ["how-3", 8],
  ["how-4", 8],
  ["how-5", 8],
  ["tonight", 8],
  ["games", 14],
];
export const HOW_PAGES = ATTRACT.map(([name]) => /^how-(\d)$/.exec(name))
  .filter((found) => found !== null)
  .map((found) => Number(found[1]));

/** Return the scene that plays at `now`, as `{ name, said }`; null if none plays. `heard` are the
 * announcements (`{ at, said }`), in the order in which they came. A later one may be due earlier. */
export function sceneAt(heard, now) {
  const due = heard
    .filter(({ at, said }) => at <= now && said.what in SCENES)
    .sort((one, other) => one.at - other.at)
    .pop();
  if (due === undefined) return null;
  let ends = due.at;
  for (const [name, lasts] of SCENES[due.said.what]) {
    ends += lasts;
    if (now < ends) return { name, said: due.said };
  }
  return null;
}

/** Return the instants at which scenes begin and end. */
export function cues(heard) {
  return heard
    .filter(({ said }) => said.what in SCENES)
    .flatMap(({ at, said }) => {
      let ends = at;
      return [at, ...SCENES[said.what].map(([, lasts]) => (ends += lasts))];
    });
}

/** Return the scene of attract mode at `now`, and the time at which it ends: `{ name, ends }`. There is
 * a scene with the score only if a game has finished tonight. If people are there (`isAttended`), it
 * is the scene with the games. */
export function attractAt(now, hasScore, isAttended) {
  if (isAttended) return { name: "games", ends: Infinity };
  const scenes = ATTRACT.filter(([name]) => hasScore || name !== "tonight");
  const round = scenes.reduce((sum, [, lasts]) => sum + lasts, 0);
  let ends = Math.floor(now / round) * round;
  for (const [name, lasts] of scenes) {
    ends += lasts;
    if (now < ends) return { name, ends };
  }
  return { name: scenes[0][0], ends };
}

/** Return the values to paint a scene: `{ number, name, team, title, more, … }`. A clue also has
 * `clueNumber`, a flood `sign`, an end `tally`, and a recap `found` and `tonight`. Null if the view
 * has no such scene. */
export function sceneOf(plays, view, end, t, lang) {
  if (plays === null || view === null) return null;
  const { name, said } = plays;
  const scene = { number: said.number, name, team: "", title: "", more: "" };
  switch (name) {
    case "begins": {
      const starts = TEAMS.includes(view.turn);
      return {
        ...scene,
        team: starts ? view.turn : "",
        title: t(`profile-${view.profile}`),
        more: starts ? t("starts", { team: t(view.turn) }) : "",
      };
    }
    case "deal": // no scene for cards that people lay themselves
      return view.cells && view.placed === undefined && view.clue === null ? scene : null;
    case "clue":
      if (!view.clue) return null;
      return {
        ...scene,
        team: view.turn,
        title: view.clue.word || t("clue"),
        clueNumber: numberWords(view.clue.number),
      };
    case "flood":
      return { ...scene, sign: said.what, title: said.words[lang] || said.words.en };
    case "recap":
      if (end === null) return null;
      return {
        ...scene,
        team: end.team,
        title: end.head.title,
        found: foundOf(view, t),
        tonight: end.tonight,
        more: end.next,
      };
    default:
      if (end === null) return null;
      return {
        ...scene,
        team: end.team,
        title: end.head.title,
        more: [end.head.more, end.score].filter(Boolean).join(" · "),
        tally: tallyOf(view),
      };
  }
}

const MAX_FOUND_CLUES = 5;

/** Return what each team found by its clues: `{ title, best, teams: [{ team, clues }] }`. A clue is
 * `{ word, number, words, isBest }`. With the best clue, most words were found; if that is only one
 * word, there is no best clue. The list of a team has the `MAX_FOUND_CLUES` clues with which most
 * was found, but no clue with which nothing was found. Null if nothing was found. */
export function foundOf(view, t) {
  const clues = (view.clues || []).map(({ team, word, number, cells = [] }) => {
    const sought = isHostile(view) ? otherTeam(team) : team;
    const found = cells.filter((name) => view.cells[name].covered === sought);
    return {
      team,
      word: word || t("clue"),
      number: numberWords(number),
      words: found.map((name) => view.cells[name].word || name),
    };
  });
  const most = Math.max(0, ...clues.map(({ words }) => words.length));
  if (most === 0) return null;
  const best = most > 1 ? clues.find(({ words }) => words.length === most) : null;
  const lists = TEAMS.map((team) => {
    const own = clues.filter((clue) => clue.team === team && clue.words.length > 0);
    const kept = [...own]
      .sort((one, other) => other.words.length - one.words.length)
      .slice(0, MAX_FOUND_CLUES);
    return {
      team,
      clues: own
        .filter((clue) => kept.includes(clue))
        .map((clue) => ({ ...clue, isBest: clue === best })),
    };
  });
  return { title: t("who-found-what"), best: t("best-clue"), teams: lists };
}

/** Return the games that each team has won tonight: `[{ team, won }]`; null before a game is over. */
export function scoreOf(tonight) {
  if (tonight.length === 0) return null;
  return TEAMS.map((team) => ({
    team,
    won: tonight.reduce((sum, each) => sum + each[team], 0),
  }));
}

/** Return for each team how many of its cells were found, and how many it has; null in Codex. */
export function tallyOf(view) {
  if (!view.cells) return null;
  const covered = Object.values(view.cells).map((cell) => cell.covered);
  return TEAMS.map((team) => {
    const found = covered.filter((what) => what === team).length;
    return { team, found, all: found + view.left[team], hunted: isHostile(view) };
  });
}
