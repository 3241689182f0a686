// The state of a game as values, which the board and the phones put into words.

import { otherTeam } from "./game.js";

/** The awaited act of a word game and the team that acts: `{ what, team }`. `what` is "over",
 * "paused" or the name of a phase; `team` is null if the game is over. */
export function turnOf(view) {
  if (view.outcome !== null) return { what: "over", team: null };
  if (view.paused) return { what: "paused", team: view.turn };
  const isJudged = view.phase === "challenge";
  return { what: view.phase, team: isJudged ? otherTeam(view.turn) : view.turn };
}

/** The current event in Codex, paused or not, and the seats that act: `{ what, seats }`. `what`
 * is "phones" or "screen" in a lap of visits that has begun, else the name of the phase. */
export function lapOf({ phase, turn, at_screen: atScreen, together }) {
  if (phase === "discuss") return { what: phase, seats: [] };
  if (phase === "vote") return { what: phase, seats: there(turn) };
  if (phase === "machine") return { what: phase, seats: there(atScreen) };
  if (together && together.length > 0) return { what: "phones", seats: together };
  return { what: atScreen === null ? phase : "screen", seats: there(atScreen) };
}

const there = (seat) => (seat === null ? [] : [seat]);

/** The winner of a finished game: the name of a text, which may need `team`. */
export function endOf({ winner, losers, score }) {
  if (winner !== null) return score === null ? "wins" : "group-wins";
  if (losers.length === 0) return "nobody-wins";
  return losers.length > 1 ? "both-lose" : "group-loses";
}
