// The words for facts and roles of Codex, on an agent's phone.

import { AGENTS } from "./game.js";
import { t } from "./texts.js";

export const FACTS = ["nickname", "faction", "role", "position", "fragment"];
/** The facts, besides the fragment, that a message can contain and that a Profiler can ask for. */
export const TELLABLE = ["nickname", "faction", "role", "position"];
/** The facts that the truth machine can reveal. */
export const REVEALABLE = ["faction", "role", "position", "fragment"];
export const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/** What is shown in place of a secret while no finger is held. */
export const HIDDEN = "• • •";

export function factName(fact) {
  return t(fact === "nickname" ? "phone-fact-nickname" : `fact-${fact}`);
}

/** The value of a fact in words. */
export function valueWords(fact, value) {
  if (fact === "faction") return t(value);
  return fact === "role" ? t(`role-${value}`) : String(value);
}

/** Known facts in words, as `Red, Leader, position 2`. */
export function factsWords(facts) {
  return Object.entries(facts)
    .map(([fact, value]) => {
      if (fact === "position") return t("position", { position: value });
      if (fact === "nickname") return t("phone-fact-named", { nickname: value });
      return valueWords(fact, value);
    })
    .join(", ");
}

/** The name of a fact's icon. A known role has its own icon. */
export function iconOf(fact, value) {
  return fact === "role" && value ? `role-${value}` : fact;
}

export function others(seat) {
  return AGENTS.filter((other) => other !== seat);
}
