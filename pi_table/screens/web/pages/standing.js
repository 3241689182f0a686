// The state of a game as plain values. The board and the phones put them into words.

import { AGENTS, otherTeam } from "./game.js";

/** The act that a word game waits for, and the team that must act: `{ what, team }`. `what` is "over",
 * "paused" or the name of a phase. `team` is null if the game is over. */
export function turnOf(view) {
  if (view.outcome !== null) return { what: "over", team: null };
  if (view.paused) return { what: "paused", team: view.turn };
  const isJudged = view.phase === "challenge";
  return { what: view.phase, team: isJudged ? otherTeam(view.turn) : view.turn };
}

/** What happens now in Codex, even during a pause, and the seats that act: `{ what, seats }`.
 * During visits, `what` is "all" (all agents on phones), "phones" or "screen"; otherwise it is the
 * phase. */
export function lapOf({ phase, turn, at_screen: atScreen, together }) {
  if (phase === "discuss") return { what: phase, seats: [] };
  if (phase === "vote") return { what: phase, seats: oneOf(turn) };
  if (phase === "machine") return { what: phase, seats: oneOf(atScreen) };
  if (together && together.length === AGENTS.length) return { what: "all", seats: together };
  if (together && together.length > 0) return { what: "phones", seats: together };
  return { what: atScreen === null ? phase : "screen", seats: oneOf(atScreen) };
}

const oneOf = (seat) => (seat === null ? [] : [seat]);

/** The public state of an agent in this phase of Codex. It is "later" before the agent's visit,
 * choice or vote; "phone", "screen" or "vote" during it; then "done" or "voted". While agents are
 * awaited on phones, it is "there" or "missing". It is "" in a discussion and after the end. On
 * phones, nobody can see who is done. */
export function standOf(view, seat) {
  if (view.outcome !== null) return "";
  if ((view.together || []).includes(seat)) {
    if (!view.awaited) return "phone";
    return (view.there || []).includes(seat) ? "there" : "missing";
  }
  if (view.at_screen === seat) return view.place === "phones" ? "phone" : "screen";
  if (view.turn === seat) return "vote";
  if ((view.finished || []).includes(seat)) return view.phase === "vote" ? "voted" : "done";
  return view.order.includes(seat) ? "later" : "";
}

/** The agents who are awaited on their phones and have not come yet. */
export function missingOf(view) {
  return (view.together || []).filter((seat) => standOf(view, seat) === "missing");
}

/** The votes to show: those of this phase. If nobody went to the truth machine in the previous phase,
 * its votes are shown during the first visits, because the last one came with the new phase. */
export function votesOf(view) {
  return view.votes.length > 0 ? view.votes : view.last_votes || [];
}

/** The result of a finished game, as the name of a text. The text may need the field `team`. */
export function endOf({ winner, losers, score }) {
  if (winner !== null) return score === null ? "wins" : "group-wins";
  if (losers.length === 0) return "nobody-wins";
  return losers.length > 1 ? "both-lose" : "group-loses";
}
