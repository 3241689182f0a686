// How a game stands, as values: what the board and the phones put into words, each in its own.

import { otherTeam } from "./game.js";

/** What a word game waits for, and whose it is to act: `{ what, team }`. `what` is "over", "paused" or
 *  the name of a phase; `team` is null where the game is over. */
export function turnOf(view) {
  if (view.outcome !== null) return { what: "over", team: null };
  if (view.paused) return { what: "paused", team: view.turn };
  const isJudged = view.phase === "challenge";
  return { what: view.phase, team: isJudged ? otherTeam(view.turn) : view.turn };
}

/** What happens in Codex, paused or not, and who is to act: `{ what, seats }`. `what` is "phones" or
 *  "screen" in a lap of visits that has begun, else the name of the phase. */
export function lapOf({ phase, turn, at_screen: atScreen, together }) {
  if (phase === "discuss") return { what: phase, seats: [] };
  if (phase === "vote") return { what: phase, seats: there(turn) };
  if (phase === "machine") return { what: phase, seats: there(atScreen) };
  if (together?.length > 0) return { what: "phones", seats: together };
  return { what: atScreen === null ? phase : "screen", seats: there(atScreen) };
}

const there = (seat) => (seat === null ? [] : [seat]);

/** Who won a game that is over: the name of a text, which may ask for `team`. */
export function endOf({ winner, losers, score }) {
  if (winner !== null) return score === null ? "wins" : "group-wins";
  if (losers.length === 0) return "nobody-wins";
  return losers.length > 1 ? "both-lose" : "group-loses";
}
