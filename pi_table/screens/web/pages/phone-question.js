// The question before an act that cannot be undone. It closes by itself when anything happens in the
// game, because the answer yes could then mean something else.

import { el } from "./dom.js";
import { button } from "./phone-sections.js";
import { t } from "./texts.js";

export class Question {
  _open = null;

  /** Asks. `moment` is a value that changes when the answer would mean something else. */
  ask(words, yes, act, moment) {
    this._open = { words, yes, act, moment };
  }

  close() {
    this._open = null;
  }

  /** The question that is open at this moment, or null. */
  open(moment) {
    if (this._open !== null && this._open.moment !== moment) this._open = null;
    return this._open;
  }

  /** The question as elements. `answered` is called with the act after the answer yes, and with null
   * after no. */
  drawn(answered, isSending) {
    const { words, yes, act } = this._open;
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

/** A value that changes when something happens in a word game. */
export function momentOf(view, game) {
  const { phase, turn, guesses, corrections, new_keys, paused, clue } = view;
  return JSON.stringify([game, phase, turn, guesses, corrections, new_keys, paused, clue]);
}
