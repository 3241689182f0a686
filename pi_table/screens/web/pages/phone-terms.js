// The names of things in Codex, for the phone of an agent.

import { AGENTS } from "./game.js";
import { t } from "./texts.js";

export const FACTS = ["nickname", "faction", "role", "position", "fragment"];
/** The facts that a message can tell besides the fragment, and that a Profiler can ask. */
export const TELLABLE = ["nickname", "faction", "role", "position"];
/** The facts that the truth machine can reveal. */
export const REVEALABLE = ["faction", "role", "position", "fragment"];
export const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/** The placeholder for a secret while no finger holds. */
export const HIDDEN = "• • •";

export function factName(fact) {
  return t(fact === "nickname" ? "phone-fact-nickname" : `fact-${fact}`);
}

/** The value of a fact in words. */
export function valueWords(fact, value) {
  if (fact === "faction") return t(value);
  return fact === "role" ? t(`role-${value}`) : String(value);
}

/** Known facts in words: `Red, Leader, position 2`. */
export function factsWords(facts) {
  return Object.entries(facts)
    .map(([fact, value]) => {
      if (fact === "position") return t("position", { position: value });
      if (fact === "nickname") return t("phone-fact-named", { nickname: value });
      return valueWords(fact, value);
    })
    .join(", ");
}

/** The name of a fact's icon: each role has its own, once it is known. */
export function iconOf(fact, value) {
  return fact === "role" && value ? `role-${value}` : fact;
}

export function others(seat) {
  return AGENTS.filter((other) => other !== seat);
}
