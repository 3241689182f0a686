// Giving the clue: the word, or none if it is only spoken; its number; the referee's opinion.

import { el } from "./dom.js";
import { numberWords } from "./game.js";
import { button, section } from "./phone-sections.js";
import { lang, t } from "./texts.js";

const MAX_LENGTH = 40;
const MAX_NUMBER = 25;
/** Milliseconds without a key until the referee is asked. */
const PAUSE = 450;

/** The form. It keeps its input while the page lives, and nowhere else. `judge` asks the referee,
 * `give` gives the clue; both get `{word, number}`, and return the table's answer. */
export class ClueForm {
  #judge;
  #give;
  #changed;
  #input;
  #numbers;
  #below;
  #number = null;
  #opinion = null;
  #judged = null;
  #judging = false;
  #timer = 0;
  #sure = false;
  #canJudge = false;
  #rules = { zero: false, unlimited: true, players: "teams" };
  node;

  constructor({ judge, give, changed, close }) {
    this.#judge = judge;
    this.#give = give;
    this.#changed = changed;
    this.#input = el("input", {
      id: "clue-word",
      type: "text",
      maxlength: String(MAX_LENGTH),
      autocomplete: "off",
      autocapitalize: "none",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "done",
      on: {
        input: () => this.#typed(),
        keydown: (event) => event.key === "Enter" && this.#input.blur(),
      },
    });
    const numbers = el("div", { class: "numbers", role: "group" });
    const below = el("div", { class: "below" });
    const label = el("label", { for: "clue-word" });
    const hint = el("p", { class: "hint" });
    this.#numbers = section(numbers);
    this.#below = section(below);
    this.close = close;
    this.labels = { label, hint, numbers };
    this.node = el("div", { class: "clue-form" }, label, this.#input, hint, numbers, below);
  }

  /** True if a reload would lose input. */
  isBegun() {
    return this.#word() !== null || this.#number !== null;
  }

  clear() {
    clearTimeout(this.#timer);
    this.#input.value = "";
    this.#number = null;
    this.#opinion = null;
    this.#judged = null;
    this.#sure = false;
  }

  focus() {
    this.#input.focus({ preventScroll: true });
  }

  /** `rules` are the game's settings that the table sends to a phone. Without `canJudge` there is
   * no referee, because it does not know the words. */
  draw({ rules, canJudge, isSending, notice }) {
    this.#canJudge = canJudge;
    this.#rules = rules;
    const { label, hint, numbers } = this.labels;
    label.textContent = t("phone-clue-word");
    hint.textContent = t("phone-clue-aloud");
    numbers.setAttribute("aria-label", t("phone-how-many"));
    this.#numbers([lang(), this.#number, this.#rules], () => this.#drawnNumbers());
    const asks = this.#asksTwice();
    const state = [
      lang(),
      this.#word(),
      this.#number,
      this.#opinionOfWord(),
      this.#isThinking(),
      this.#sure,
      asks,
      isSending,
      notice,
    ];
    this.#below(state, () => [
      ...this.#drawnOpinion(),
      notice === "" ? null : el("p", { class: "notice", role: "alert" }, notice),
      ...(this.#sure ? this.#drawnQuestion(isSending) : this.#drawnGive(isSending)),
    ]);
  }

  #word() {
    return this.#input.value.trim() || null;
  }

  #drawnNumbers() {
    const { zero, unlimited } = this.#rules;
    const choose = (number, label) =>
      button(
        `n${number}`,
        () => this.#pick(number),
        { pressed: this.#number === number, label },
        numberWords(number),
      );
    const count = typeof this.#number === "number" ? this.#number : 0;
    const step = (by, label, sign) =>
      button(
        label,
        () => this.#pick(Math.min(MAX_NUMBER, Math.max(1, count + by))),
        { className: "step", label: t(label) },
        sign,
      );
    return [
      zero ? choose(0, "0") : null,
      step(-1, "phone-fewer", "−"),
      el(
        "output",
        { "aria-live": "polite" },
        this.#number === null ? "?" : numberWords(this.#number),
      ),
      step(1, "phone-more-words", "+"),
      unlimited ? choose("unlimited", t("unlimited")) : null,
    ];
  }

  #pick(number) {
    this.#number = number;
    this.#sure = false;
    this.#changed();
  }

  #typed() {
    this.#sure = false;
    this.#soon();
    this.#changed();
  }

  /** Asks the referee after a pause in typing. */
  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#askReferee(), PAUSE);
  }

  async #askReferee() {
    const word = this.#word();
    if (!this.#canJudge || this.#judging || word === null || word === this.#judged) return;
    this.#judging = true;
    this.#changed();
    const answer = await this.#judge({ word, number: this.#number ?? 1 });
    this.#judging = false;
    this.#judged = word;
    this.#opinion = answer.ok ? answer.told : null;
    this.#askReferee(); // again, if the input has changed meanwhile
    this.#changed();
  }

  #isThinking() {
    return this.#canJudge && this.#word() !== null && this.#judged !== this.#word();
  }

  /** The referee's opinion of the current word; null if unknown. */
  #opinionOfWord() {
    return this.#judged === this.#word() ? this.#opinion : null;
  }

  #asksTwice() {
    const opinion = this.#opinionOfWord();
    return opinion !== null && opinion.verdict !== "fine";
  }

  #drawnOpinion() {
    if (this.#word() === null) return [];
    if (this.#isThinking())
      return [el("p", { class: "opinion", role: "status" }, t("phone-referee-thinks"))];
    const opinion = this.#opinionOfWord();
    if (opinion === null) return [];
    const { verdict, rule, reason } = opinion;
    const known = rule === null || rule === undefined ? "none" : rule.toLowerCase();
    const why = reason?.[lang()] ?? t(`phone-rule-${known}`);
    const decides = this.#rules.players === "cooperative"
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

  #drawnGive(isSending) {
    const clue = this.#word()?.toLocaleUpperCase() ?? t("phone-aloud");
    const isReady = this.#number !== null && !isSending && !this.#isThinking();
    const label = isSending
      ? t("phone-sending")
      : this.#number === null
        ? t("phone-number-first")
        : t("phone-give", { clue: `${clue} ${numberWords(this.#number)}` });
    return [
      el(
        "div",
        { class: "pair" },
        button("close", this.close, {}, t("back")),
        button("give", () => this.#pressed(), { className: "main", disabled: !isReady }, label),
      ),
    ];
  }

  #drawnQuestion(isSending) {
    return [
      el("p", { class: "question" }, t(`phone-give-${this.#opinionOfWord().verdict}`)),
      el(
        "div",
        { class: "pair" },
        button("give-no", () => this.#unsure(), {}, t("phone-no-back")),
        button(
          "give-yes",
          () => this.#give(this.#clue()),
          { className: "main", disabled: isSending },
          t(isSending ? "phone-sending" : "phone-give-all-the-same"),
        ),
      ),
    ];
  }

  #pressed() {
    if (!this.#asksTwice()) {
      this.#give(this.#clue());
      return;
    }
    this.#sure = true;
    this.#changed();
  }

  #unsure() {
    this.#sure = false;
    this.#changed();
  }

  #clue() {
    return { word: this.#word(), number: this.#number };
  }
}
