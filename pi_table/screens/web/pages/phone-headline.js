// The headline on the phones of spymasters and operatives: in a few words, what the game waits for.

import { el } from "./dom.js";
import { TEAMS, isHostile, numberWords, otherTeam } from "./game.js";
import { sign } from "./signs.js";
import { endOf, turnOf } from "./standing.js";
import { t } from "./texts.js";

/** The team that must act now, and what it must do: `{team, title, below}`. */
export function headline(view) {
  const { what, team } = turnOf(view);
  if (what === "over") return ending(view.outcome);
  const says = (name, of = team) => t(name, { team: t(of) });
  switch (what) {
    case "paused":
      return { team, title: t("phone-paused"), below: says("phone-turn") };
    case "place":
      return {
        team,
        title: says("phone-places"),
        below: view.next_word ? view.next_word.toLocaleUpperCase() : t("phone-own-card"),
      };
    case "clue":
      return { team, title: says("phone-clue-awaited"), below: "" };
    case "challenge":
      return { team, title: says("phone-judges"), below: t("phone-challenged") };
    case "penalty":
      return { team, title: says("phone-may-cover"), below: t("phone-was-invalid") };
    case "cover":
      return {
        team,
        title: says("phone-covers"),
        below: says("phone-cover-absent", otherTeam(team)),
      };
    default:
      return { team, title: says("phone-guesses"), below: guesses(view.guesses_left) };
  }
}

function guesses(left) {
  return left === null ? t("phone-no-limit") : t("phone-guesses-left", { count: left });
}

/** How the game ended, for every family of games: `{team, title, below}`. */
export function ending(outcome) {
  const { winner, losers, score, why } = outcome;
  const end = endOf(outcome);
  if (end === "group-wins") return { team: winner, title: t("phone-score", { score }), below: "" };
  const title = t(end, winner === null ? {} : { team: t(winner) });
  const below = t(`why-${why}`, losers.length === 0 ? {} : { team: t(losers[0]) });
  return { team: winner, title, below };
}

/** The headline, and the clue if there is one. With `turn`, a button to turn the grid, there is also
 * the number of cards that each team must still find. */
export function drawnHeadline(view, clock, turn) {
  const { team, title, below } = headline(view);
  const head = el(
    "div",
    { class: `headline ${team || ""}` },
    team === null ? null : sign(team),
    el("h2", {}, title),
    below === "" ? null : el("p", {}, below),
    clock,
  );
  const clue = view.clue && el("p", { class: "clue" }, ...clueWords(view.clue));
  return [head, clue, turn && el("div", { class: "score" }, score(view), turn)];
}

/** A clue as elements. Its number is in its own field. */
export function clueWords({ word, number }) {
  return [
    word === null
      ? el("span", { class: "aloud" }, t("phone-clue-spoken"))
      : el("strong", {}, word.toLocaleUpperCase()),
    " ",
    el("span", { class: "number" }, numberWords(number)),
  ];
}

function score(view) {
  const label = t(isHostile(view) ? "phone-assets-left" : "phone-to-find");
  const counts = TEAMS.map((team) =>
    el(
      "span",
      { class: team },
      sign(team),
      el("span", { class: "spoken" }, `${t(team)}: `),
      ` ${view.left[team]} ${label}`,
    ),
  );
  return el("p", {}, ...counts);
}
