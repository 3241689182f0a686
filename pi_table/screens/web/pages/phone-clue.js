// The form that gives a clue: its word (empty if it is only spoken), its number, and the referee's
// opinion.

import { el } from "./dom.js";
import { numberWords } from "./game.js";
import { button, section } from "./phone-sections.js";
import { lang, t } from "./texts.js";

const MAX_LENGTH = 40;
const MAX_NUMBER = 25;
/** Milliseconds after the last key press, before the referee is asked. */
const PAUSE = 450;

/** The form. Its input is kept only as long as the page is open. `judge` asks the referee, and `give`
 * gives the clue. Both are called with `{word, number}` and return the table's answer. */
export class ClueForm {
  _judge;
  _give;
  _changed;
  _input;
  _numbers;
  _below;
  _number = null;
  _opinion = null;
  _judged = null;
  _judging = false;
  _timer = 0;
  _sure = false;
  _canJudge = false;
  _rules = { zero: false, unlimited: true, players: "teams" };
  node;

  constructor({ judge, give, changed, close }) {
    this._judge = judge;
    this._give = give;
    this._changed = changed;
    this._input = el("input", {
      id: "clue-word",
      type: "text",
      maxlength: String(MAX_LENGTH),
      autocomplete: "off",
      autocapitalize: "none",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "done",
      on: {
        input: () => this._typed(),
        keydown: (event) => event.key === "Enter" && this._input.blur(),
      },
    });
    const numbers = el("div", { class: "numbers", role: "group" });
    const below = el("div", { class: "below" });
    const label = el("label", { for: "clue-word" });
    const hint = el("p", { class: "hint" });
    this._numbers = section(numbers);
    this._below = section(below);
    this.close = close;
    this.labels = { label, hint, numbers };
    this.node = el("div", { class: "clue-form" }, label, this._input, hint, numbers, below);
  }

  /** True if a reload of the page would lose input. */
  isBegun() {
    return this._word() !== null || this._number !== null;
  }

  clear() {
    clearTimeout(this._timer);
    this._input.value = "";
    this._number = null;
    this._opinion = null;
    this._judged = null;
    this._sure = false;
  }

  focus() {
    this._input.focus({ preventScroll: true });
  }

  /** `rules` are the settings of the game that the table sends to a phone. If `canJudge` is false, the
   * referee is not asked, because the table does not know the words of the cards. */
  draw({ rules, canJudge, isSending, notice }) {
    this._canJudge = canJudge;
    this._rules = rules;
    const { label, hint, numbers } = this.labels;
    label.textContent = t("phone-clue-word");
    hint.textContent = t("phone-clue-aloud");
    numbers.setAttribute("aria-label", t("phone-how-many"));
    this._numbers([lang(), this._number, this._rules], () => this._drawnNumbers());
    const asks = this._asksTwice();
    const state = [
      lang(),
      this._word(),
      this._number,
      this._opinionOfWord(),
      this._isThinking(),
      this._sure,
      asks,
      isSending,
      notice,
    ];
    this._below(state, () => [
      ...this._drawnOpinion(),
      notice === "" ? null : el("p", { class: "notice", role: "alert" }, notice),
      ...(this._sure ? this._drawnQuestion(isSending) : this._drawnGive(isSending)),
    ]);
  }

  _word() {
    return this._input.value.trim() || null;
  }

  _drawnNumbers() {
    const { zero, unlimited } = this._rules;
    const choose = (number, label) =>
      button(
        `n${number}`,
        () => this._pick(number),
        { pressed: this._number === number, label },
        numberWords(number),
      );
    const count = typeof this._number === "number" ? this._number : 0;
    const step = (by, label, sign) =>
      button(
        label,
        () => this._pick(Math.min(MAX_NUMBER, Math.max(1, count + by))),
        { className: "step", label: t(label) },
        sign,
      );
    return [
      zero ? choose(0, "0") : null,
      step(-1, "phone-fewer", "−"),
      el(
        "output",
        { "aria-live": "polite" },
        this._number === null ? "?" : numberWords(this._number),
      ),
      step(1, "phone-more-words", "+"),
      unlimited ? choose("unlimited", t("unlimited")) : null,
    ];
  }

  _pick(number) {
    this._number = number;
    this._sure = false;
    this._changed();
  }

  _typed() {
    this._sure = false;
    this._soon();
    this._changed();
  }

  /** Asks the referee as soon as typing pauses. */
  _soon() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this._askReferee(), PAUSE);
  }

  async _askReferee() {
    const word = this._word();
    if (!this._canJudge || this._judging || word === null || word === this._judged) return;
    this._judging = true;
    this._changed();
    let answer;
    try {
      answer = await this._judge({ word, number: this._number === null ? 1 : this._number });
    } finally {
      this._judging = false;
    }
    // An opinion of an earlier word must not replace that of the current word.
    if (word === this._word()) {
      this._judged = word;
      this._opinion = answer.ok ? answer.told : null;
    }
    this._askReferee(); // again, if the input has changed meanwhile
    this._changed();
  }

  _isThinking() {
    return this._canJudge && this._word() !== null && this._judged !== this._word();
  }

  /** The referee's opinion of the current word; null if it is not known. */
  _opinionOfWord() {
    return this._judged === this._word() ? this._opinion : null;
  }

  _asksTwice() {
    const opinion = this._opinionOfWord();
    return opinion !== null && opinion.verdict !== "fine";
  }

  _drawnOpinion() {
    if (this._word() === null) return [];
    if (this._isThinking())
      return [el("p", { class: "opinion", role: "status" }, t("phone-referee-thinks"))];
    const opinion = this._opinionOfWord();
    if (opinion === null) return [];
    const { verdict, rule, reason } = opinion;
    const known = rule === null || rule === undefined ? "none" : rule.toLowerCase();
    const why = (reason && reason[lang()]) || t(`phone-rule-${known}`);
    const decides = this._rules.players === "cooperative"
      ? "phone-group-decides"
      : verdict === "fine"
        ? "phone-other-decides"
        : "phone-ask-other";
    return [
      el(
        "div",
        { class: `opinion ${verdict}`, role: "status" },
        el("strong", {}, t(`phone-verdict-${verdict}`)),
        el("span", {}, why),
        el("span", { class: "who" }, t(decides)),
      ),
    ];
  }

  _drawnGive(isSending) {
    const word = this._word();
    const clue = word === null ? t("phone-aloud") : word.toLocaleUpperCase();
    const isReady = this._number !== null && !isSending && !this._isThinking();
    const label = isSending
      ? t("phone-sending")
      : this._number === null
        ? t("phone-number-first")
        : t("phone-give", { clue: `${clue} ${numberWords(this._number)}` });
    return [
      el(
        "div",
        { class: "pair" },
        button("close", this.close, {}, t("back")),
        button("give", () => this._pressed(), { className: "main", disabled: !isReady }, label),
      ),
    ];
  }

  _drawnQuestion(isSending) {
    return [
      el("p", { class: "question" }, t(`phone-give-${this._opinionOfWord().verdict}`)),
      el(
        "div",
        { class: "pair" },
        button("give-no", () => this._unsure(), {}, t("phone-no-back")),
        button(
          "give-yes",
          () => this._give(this._clue()),
          { className: "main", disabled: isSending },
          t(isSending ? "phone-sending" : "phone-give-all-the-same"),
        ),
      ),
    ];
  }

  _pressed() {
    if (!this._asksTwice()) {
      this._give(this._clue());
      return;
    }
    this._sure = true;
    this._changed();
  }

  _unsure() {
    this._sure = false;
    this._changed();
  }

  _clue() {
    return { word: this._word(), number: this._number };
  }
}
