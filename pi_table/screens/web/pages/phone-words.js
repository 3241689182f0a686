// The page of a spymaster's or an operative's phone: the grid, the acts of this seat, and for a
// spymaster the key while a finger is held.

import { Asked } from "./phone-asked.js";
import { ClueForm } from "./phone-clue.js";
import { cellsOf, drawnCells } from "./phone-grid.js";
import { otherTeam } from "./game.js";
import { drawnHeadline } from "./phone-headline.js";
import { timeWords } from "./phone-time.js";
import { Question, momentOf } from "./phone-question.js";
import { el, text as write } from "./dom.js";
import { button, section } from "./phone-sections.js";
import { keepSet } from "./setting.js";
import { lang, t } from "./texts.js";

/** Acts that need confirmation. Each has the names of three texts: the act, the question, and the
 * answer yes. */
const CONFIRMED = {
  challenge: ["phone-challenge", "phone-challenge-sure", "phone-challenge-yes"],
  allow: ["phone-allow", "phone-allow-sure", "phone-allow-yes"],
  uphold: ["phone-uphold", "phone-uphold-sure", "phone-uphold-yes"],
  decline: ["phone-decline", "phone-decline-sure", "phone-decline-yes"],
  reveal: ["phone-reveal", "phone-reveal-sure", "phone-reveal-yes"],
  "new-key": ["phone-new-key", "phone-new-key-sure", "phone-new-key-yes"],
};
/** Acts that need only one press, because they can be undone with one press. */
const DIRECT = { resume: "phone-resume", hourglass: "phone-hourglass", pause: "phone-pause" };
const SELDOM = ["new-key", "pause"];

export class WordsScreen {
  _asked;
  _changed;
  _question = new Question();
  _clue;
  _isWriting = false;
  /** The turn for which a clue can be written. */
  _clueOf = "";
  _turned;
  _isSpymaster;
  _team;
  _sections;
  _writing;
  _clock = el("span", { class: "clock", role: "timer" });
  /** Cells that were tapped and whose marks the table has not confirmed yet. */
  _wished = new Map();
  _isPlaying = false;
  /** The node with the acts. It is above the button to hold, within reach of the thumb. */
  acts;
  holdWords = "phone-hold-key";
  node;

  constructor(seat, conversation, changed) {
    this._changed = changed;
    this._asked = new Asked(conversation, changed);
    [this._team] = seat.split("-");
    this._isSpymaster = seat.endsWith("-spymaster");
    this._turned = this._isSpymaster; // spymasters sit across from the operatives
    this._clue = new ClueForm({
      judge: (clue) => conversation.ask({ act: "judge", ...clue }),
      give: (clue) => this._give(clue),
      changed,
      close: () => this._write(false),
    });
    const part = (name, ...children) => el("section", { class: name }, ...children);
    const [head, acts, grid] = [part("head"), part("acts"), part("table")];
    this._sections = { head: section(head), acts: section(acts), grid: section(grid) };
    const writing = part("writing", this._clue.node);
    this._writing = writing;
    this.node = el("div", { class: "words" }, head, writing, grid);
    this.acts = acts;
  }

  /** True if this seat has secrets. */
  get hasSecrets() {
    return this._isSpymaster && this._isPlaying;
  }

  get needsSecrets() {
    return false;
  }

  isBegun() {
    return this._isWriting && this._clue.isBegun();
  }

  /** Shows the state of the game. `message` is the engine's message to this phone, and `table` is the
   * public message. `key` is present only while a finger is held. */
  draw({ message, table, at, held, heard }) {
    const { view } = table;
    this._isPlaying = view.outcome === null && view.phase !== "place";
    const may = heard ? message.may : [];
    const moment = momentOf(view, message.game);
    const key = held ? message.key : null;
    this._keepWriting(view, message);
    const context = { view, may, moment, message, table, key };
    const shared = [lang(), this._team];
    const turn = button(
      "turn",
      () => this._turn(),
      { className: "quiet" },
      el("span", { "aria-hidden": "true" }, "⟲ "),
      t("phone-turn-grid"),
    );
    this._sections.head([...shared, view, this._isWriting], () =>
      drawnHeadline(view, this._clock, this._isWriting ? null : turn),
    );
    write(this._clock, timeWords(table, at));
    this._drawGrid(shared, context);
    this._drawWriting(message);
    this._drawActs(shared, context);
  }

  // The grid

  _drawGrid(shared, { view, may, moment, table, key }) {
    const wished = Object.fromEntries(this._wished);
    const cells = cellsOf(table, { key, turned: this._turned, wished });
    const covers = may.includes("cover");
    const marks = !this._isSpymaster && may.includes("mark");
    const open = this._question.open(moment);
    const chosen = open !== null && open.act.act === "cover" ? open.act.cell : null;
    const state = [...shared, cells, view.nuke, covers, marks, chosen, moment, this._turned];
    const tap = (cell) => {
      if (cell.covered !== null || cell.isEmpty) return null;
      if (covers) return () => this._cover(cell, moment);
      return marks ? () => this._mark(cell) : null;
    };
    this._sections.grid(state, () => [
      keepSet(
        el(
          "div",
          { class: "grid", role: "list", "aria-label": t("phone-grid") },
          ...drawnCells(cells, view, { tap, chosen }),
        ),
      ),
      this._isSpymaster
        ? null
        : el("p", { class: "hint" }, t(marks ? "phone-mark-hint" : "phone-mark-later")),
    ]);
  }

  _turn() {
    this._turned = !this._turned;
    this._changed();
  }

  /** Marks a cell, or removes its mark. While an answer is awaited, a further tap only replaces the
   * wish. The last wish is requested after the answer has come. */
  async _mark({ name, mark }) {
    const isAsking = this._wished.has(name);
    this._wished.set(name, !(isAsking ? this._wished.get(name) : mark !== null));
    if (isAsking) {
      this._changed();
      return;
    }
    let asked, answer;
    do {
      asked = this._wished.get(name);
      answer = await this._asked.act({ act: "mark", cell: name });
    } while (answer.ok && this._wished.get(name) !== asked);
    this._wished.delete(name);
    this._changed();
  }

  _cover(cell, moment) {
    const name = cell.word === null ? cell.name : `${cell.name} ${cell.word.toLocaleUpperCase()}`;
    this._asked.forget();
    const words = t("phone-cover-sure", { team: t(this._team), cell: name });
    this._question.ask(words, t("phone-cover-yes"), { act: "cover", cell: cell.name }, moment);
    this._changed();
  }

  // The clue

  _drawWriting(message) {
    this._writing.hidden = !this._isWriting;
    const isSending = this._asked.pending === "clue";
    if (!this._isWriting) return;
    const canJudge = message.may.includes("judge");
    this._clue.draw({
      rules: message.rules,
      canJudge,
      isSending,
      notice: this._asked.notice,
    });
  }

  _write(writing) {
    this._isWriting = writing;
    this._asked.forget();
    this._changed();
    if (!writing) return;
    scrollTo({ top: 0 });
    this._clue.focus();
  }

  /** Closes the clue's form while no clue can be given, as in a pause. Its input stays for this turn.
   * `view` and `message` come by two ways, so either may be a little older. */
  _keepWriting(view, message) {
    const { phase, turn, corrections, new_keys } = view;
    const turned = JSON.stringify([message.game, phase, turn, corrections, new_keys]);
    if (turned !== this._clueOf) this._endWriting();
    else if (!message.may.includes("clue")) this._isWriting = false;
    this._clueOf = turned;
  }

  _endWriting() {
    if (!this._isWriting && !this._clue.isBegun()) return;
    this._isWriting = false;
    this._clue.clear();
  }

  async _give(clue) {
    const answer = await this._asked.act({ act: "clue", ...clue });
    if (answer.ok) this._endWriting();
    this._changed();
  }

  // The other acts of this seat

  _drawActs(shared, { view, may, moment, message }) {
    const open = this._question.open(moment);
    const { pending, notice } = this._asked;
    const state = [
      ...shared,
      may,
      moment, // the buttons ask about this moment
      view.phase,
      view.turn,
      this._isWriting,
      open,
      pending,
      notice,
      message.rules,
    ];
    this._sections.acts(state, () => {
      if (this._isWriting) return [];
      const told = notice === "" ? null : el("p", { class: "notice", role: "alert" }, notice);
      if (open !== null)
        return [told, ...this._question.drawn((act) => this._answer(act), pending !== null)];
      return [told, ...this._offered(may, moment, message)];
    });
  }

  _offered(may, moment, message) {
    const known = [...Object.keys(CONFIRMED), ...Object.keys(DIRECT)].filter((act) =>
      may.includes(act),
    );
    const often = known.filter((act) => !SELDOM.includes(act));
    const seldom = known.filter((act) => SELDOM.includes(act));
    const offer = (act) => (act in DIRECT ? this._direct(act) : this._offer(act, moment, message));
    return [
      may.includes("clue")
        ? button("clue", () => this._write(true), { className: "main" }, t("phone-write-clue"))
        : null,
      may.includes("cover") ? el("p", { class: "hint" }, t("phone-cover-hint")) : null,
      ...often.map(offer),
      seldom.length === 0
        ? null
        : el(
            "details",
            {},
            el("summary", { "data-key": "more" }, t("phone-more")),
            ...seldom.map(offer),
          ),
    ];
  }

  _direct(act) {
    return button(act, () => this._asked.act({ act }), {}, t(DIRECT[act]));
  }

  _offer(act, moment, message) {
    const [label, question, yes] = CONFIRMED[act];
    const names = { team: t(this._team), other: t(otherTeam(this._team)) };
    const sure =
      act === "uphold" && !message.rules.penalty ? "phone-uphold-sure-plain" : question;
    const ask = () => {
      this._asked.forget();
      this._question.ask(t(sure, names), t(yes), { act }, moment);
      this._changed();
    };
    return button(act, ask, {}, t(label, names));
  }

  async _answer(act) {
    if (act === null) {
      this._question.close();
      this._changed();
      return;
    }
    await this._asked.act(act);
    this._question.close();
    this._changed();
  }
}
