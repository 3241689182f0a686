// What a word game waits for, in a few words: the head of the spymasters' and the operatives' page.

import { el } from "./dom.js";
import { sign } from "./signs.js";
import { t } from "./texts.js";

const OTHER = { red: "blue", blue: "red" };

export function otherTeam(team) {
  return OTHER[team];
}

/** Whose it is to act, and what is awaited: `{team, title, below}`. */
export function headline(view) {
  const team = view.turn;
  if (view.outcome !== null || team === null) return ending(view.outcome);
  const says = (name, of = team) => t(name, { team: t(of) });
  if (view.paused) return { team, title: t("phone-paused"), below: says("phone-turn") };
  switch (view.phase) {
    case "place":
      return {
        team,
        title: says("phone-places"),
        below: view.next_word?.toLocaleUpperCase() ?? t("phone-own-card"),
      };
    case "clue":
      return { team, title: says("phone-clue-awaited"), below: "" };
    case "challenge":
      return {
        team: OTHER[team],
        title: says("phone-judges", OTHER[team]),
        below: t("phone-challenged"),
      };
    case "penalty":
      return { team, title: says("phone-may-cover"), below: t("phone-was-invalid") };
    case "cover":
      return { team, title: says("phone-covers"), below: says("phone-cover-absent", OTHER[team]) };
    default:
      return { team, title: says("phone-guesses"), below: guesses(view.guesses_left) };
  }
}

function guesses(left) {
  return left === null ? t("phone-no-limit") : t("phone-guesses-left", { count: left });
}

function ending(outcome) {
  if (outcome === null || outcome.why === "stopped") {
    return { team: null, title: t("phone-nobody-wins"), below: t("phone-ended") };
  }
  const { winner, losers, score } = outcome;
  if (score !== null) return { team: winner, title: t("phone-score", { score }), below: "" };
  if (winner === null) {
    const title = losers.length > 1 ? t("phone-nobody-wins") : t("phone-group-loses");
    return { team: null, title, below: why(outcome) };
  }
  return { team: winner, title: t("phone-wins", { team: t(winner) }), below: why(outcome) };
}

function why({ why, losers }) {
  return t(`phone-why-${why}`, { team: t(losers[0] ?? "red") });
}

/** The headline, the clue as far as there is one, and beside a button what each team has still to
 * find; without the button neither. */
export function drawnHeadline(view, clock, turn) {
  const { team, title, below } = headline(view);
  const head = el(
    "div",
    { class: `headline ${team ?? ""}` },
    team === null ? null : sign(team),
    el("h2", {}, title),
    below === "" ? null : el("p", {}, below),
    clock,
  );
  const clue = view.clue && el("p", { class: "clue" }, ...clueWords(view.clue));
  return [head, clue, turn && el("div", { class: "score" }, score(view), turn)];
}

/** A clue as it is written; its number stands in a field of its own. */
export function clueWords({ word, number }) {
  return [
    word === null
      ? el("span", { class: "aloud" }, t("phone-clue-spoken"))
      : el("strong", {}, word.toLocaleUpperCase()),
    " ",
    el("span", { class: "number" }, numberWords(number)),
  ];
}

export function numberWords(number) {
  return number === "unlimited" ? "∞" : String(number);
}

function score(view) {
  const label = t(view.profile === "alias-24" ? "phone-assets-left" : "phone-to-find");
  const counts = ["red", "blue"].map((team) =>
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
