// The public state of a game of Codex, on an agent's phone.

import { el } from "./dom.js";
import { face, icon } from "./icons.js";
import { sign } from "./signs.js";
import { AGENTS, nickname } from "./game.js";
import { ending } from "./phone-headline.js";
import { REVEALABLE, iconOf, valueWords } from "./phone-terms.js";
import { lapOf, missingOf, standOf, votesOf } from "./standing.js";
import { t } from "./texts.js";

/** What happens now, as `{title, below}`. */
export function headOf(view) {
  const { phase, number, outcome, paused } = view;
  if (outcome !== null) return ending(outcome);
  const title = paused ? t("phone-paused") : t(`step-${phase}`);
  return { title, below: `${t("phase", { number })}. ${now(view)}` };
}

function now(view) {
  const { what, seats } = lapOf(view);
  if (what === "discuss") return t("phone-now-discuss");
  if (seats.length === 0) return "";
  const agents = seats.map((seat) => nickname(view, seat)).join(", ");
  switch (what) {
    case "vote":
      return t("phone-now-vote", { agent: agents });
    case "machine":
      return t("phone-now-machine", { agent: agents });
    case "all":
      return t("phone-now-all");
    case "phones":
      return t("phone-now-together", { agents });
    default:
      return (view.phones || []).includes(view.at_screen)
        ? t("phone-now-together", { agents })
        : t("phone-now-screen", { agent: agents });
  }
}

/** The six agents, with the public facts about them. */
export function drawnTable(view, own) {
  const agent = (seat, at) => {
    const { revealed } = view.agents[at];
    const votes = votesOf(view).filter(({ target }) => target === seat).length;
    const vote = votesOf(view).find(({ voter }) => voter === seat);
    const identikit = (view.identikits && view.identikits[at]) || null;
    const stand = standOf(view, seat);
    const isTurn = [view.turn, view.at_screen, ...(view.together || [])].includes(seat);
    const isTicked = ["there", "done", "voted"].includes(stand);
    return el(
      "li",
      {
        class: [isTurn ? "turn" : "", seat === own ? "own" : ""].join(" ").trim() || null,
        "data-stand": stand || null,
      },
      el("span", { class: "portrait" }, face(seat), isTicked ? icon("tick") : null),
      el("strong", {}, view.agents[at].nickname),
      seat === own ? el("span", { class: "you" }, t("phone-you")) : null,
      stand === "" || stand === "later" ? null : el("span", { class: "stand" }, t(`stand-${stand}`)),
      votes > 0 ? el("span", { class: "votes" }, t("votes-for", { count: votes })) : null,
      vote === undefined
        ? null
        : el("span", { class: "hint" }, t("phone-votes-for", { agent: nickname(view, vote.target) })),
      factsOf(identikit || revealed, identikit && identikit.belongs),
    );
  };
  return [el("h2", {}, t("agents")), el("ul", { class: "agents" }, ...AGENTS.map(agent))];
}

/** A sentence with the agents who are still awaited; null if there are none. */
export function drawnMissing(view) {
  const missing = missingOf(view).map((seat) => nickname(view, seat));
  return missing.length === 0
    ? null
    : el("p", { class: "hint" }, t("phone-missing", { agents: missing.join(", ") }));
}

function factsOf(known, belongs) {
  const fact = (name) =>
    el(
      "li",
      {},
      name === "faction" ? sign(belongs || known.faction) : icon(iconOf(name, known[name])),
      el("span", {}, valueWords(name, name === "faction" ? belongs || known.faction : known[name])),
    );
  return el("ul", { class: "facts" }, ...REVEALABLE.filter((name) => name in known).map(fact));
}

/** The three roles of this game, with their explanations. Everybody may read them. */
export function drawnRoles({ roles }) {
  const role = (each) =>
    el("div", {}, el("dt", {}, t(`role-${each}`)), el("dd", {}, t(`phone-power-${each}`)));
  return el(
    "details",
    {},
    el("summary", { "data-key": "roles" }, t("phone-roles")),
    el("dl", { class: "roles" }, ...roles.map(role)),
  );
}
