// What things are called in Codex, for the phone of an agent.

import { AGENTS } from "./game.js";
import { t } from "./texts.js";

export const FACTS = ["nickname", "faction", "role", "position", "fragment"];
/** What a message can tell besides the fragment, and what a Profiler can ask. */
export const TELLABLE = ["nickname", "faction", "role", "position"];
/** What the truth machine can bring to light. */
export const REVEALABLE = ["faction", "role", "position", "fragment"];
export const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/** Stands where something is to be read while a finger holds. */
export const HIDDEN = "• • •";

export function factName(fact) {
  return t(fact === "nickname" ? "phone-fact-nickname" : `fact-${fact}`);
}

/** What a fact says. */
export function valueWords(fact, value) {
  if (fact === "faction") return t(value);
  return fact === "role" ? t(`role-${value}`) : String(value);
}

/** What is known of somebody: `Red, Leader, position 2`. */
export function factsWords(facts) {
  return Object.entries(facts)
    .map(([fact, value]) => {
      if (fact === "position") return t("position", { position: value });
      if (fact === "nickname") return t("phone-fact-named", { nickname: value });
      return valueWords(fact, value);
    })
    .join(", ");
}

export function others(seat) {
  return AGENTS.filter((other) => other !== seat);
}
