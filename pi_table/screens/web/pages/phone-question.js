// A plain question before an act that cannot be taken back. It closes by itself when anything
// happens in the game, for a yes might then mean something else.

import { el } from "./dom.js";
import { button } from "./phone-sections.js";
import { t } from "./texts.js";

export class Question {
  #open = null;

  /** Asks. `moment` is anything that differs once the answer would mean something else. */
  ask(words, yes, act, moment) {
    this.#open = { words, yes, act, moment };
  }

  close() {
    this.#open = null;
  }

  /** The question that is open at this moment; null if none is. */
  open(moment) {
    if (this.#open !== null && this.#open.moment !== moment) this.#open = null;
    return this.#open;
  }

  /** The question as elements; `answered` is told the act after a yes, and null after a no. */
  drawn(answered, isSending) {
    const { words, yes, act } = this.#open;
    return [
      el("p", { class: "question", role: "alert" }, words),
      el(
        "div",
        { class: "pair" },
        button("no", () => answered(null), {}, t("phone-no-back")),
        button(
          "yes",
          () => answered(act),
          { className: "main", disabled: isSending },
          isSending ? t("phone-sending") : yes,
        ),
      ),
    ];
  }
}

/** What differs once something has happened in a word game. */
export function momentOf(view, game) {
  const { phase, turn, guesses, corrections, new_keys, paused, clue } = view;
  return JSON.stringify([game, phase, turn, guesses, corrections, new_keys, paused, clue]);
}
