// A spymaster's phone, and an operative's: the grid, the acts of this seat, and for a spymaster the
// key while a finger holds.

import { Asked } from "./phone-asked.js";
import { ClueForm } from "./phone-clue.js";
import { cellsOf, drawnCells } from "./phone-grid.js";
import { otherTeam } from "./game.js";
import { drawnHeadline } from "./phone-headline.js";
import { timeWords } from "./phone-time.js";
import { Question, momentOf } from "./phone-question.js";
import { el, text as write } from "./dom.js";
import { button, section } from "./phone-sections.js";
import { lang, t } from "./texts.js";

/** Acts that need confirmation: their names, the question, and the yes. */
const CONFIRMED = {
  challenge: ["phone-challenge", "phone-challenge-sure", "phone-challenge-yes"],
  allow: ["phone-allow", "phone-allow-sure", "phone-allow-yes"],
  uphold: ["phone-uphold", "phone-uphold-sure", "phone-uphold-yes"],
  decline: ["phone-decline", "phone-decline-sure", "phone-decline-yes"],
  reveal: ["phone-reveal", "phone-reveal-sure", "phone-reveal-yes"],
  "new-key": ["phone-new-key", "phone-new-key-sure", "phone-new-key-yes"],
};
/** Acts that need one press, and can be undone as easily. */
const DIRECT = { resume: "phone-resume", hourglass: "phone-hourglass", pause: "phone-pause" };
const SELDOM = ["new-key", "pause"];

export class WordsScreen {
  #asked;
  #changed;
  #question = new Question();
  #clue;
  #isWriting = false;
  #turned;
  #isSpymaster;
  #team;
  #sections;
  #writing;
  #clock = el("span", { class: "clock", role: "timer" });
  /** Tapped cells whose marks the table has not confirmed yet. */
  #wished = new Map();
  #isPlaying = false;
  /** The text above the button that is held, within reach of the thumb. */
  acts;
  holdWords = "phone-hold-key";
  node;

  constructor(seat, conversation, changed) {
    this.#changed = changed;
    this.#asked = new Asked(conversation, changed);
    [this.#team] = seat.split("-");
    this.#isSpymaster = seat.endsWith("-spymaster");
    this.#turned = this.#isSpymaster; // spymasters sit across from the operatives
    this.#clue = new ClueForm({
      judge: (clue) => conversation.ask({ act: "judge", ...clue }),
      give: (clue) => this.#give(clue),
      changed,
      close: () => this.#write(false),
    });
    const part = (name, ...children) => el("section", { class: name }, ...children);
    const [head, acts, grid] = [part("head"), part("acts"), part("table")];
    this.#sections = { head: section(head), acts: section(acts), grid: section(grid) };
    const writing = part("writing", this.#clue.node);
    this.#writing = writing;
    this.node = el(
      "div",
      { class: this.#isSpymaster ? "words" : "words operatives" },
      head,
      writing,
      grid,
    );
    this.acts = acts;
  }

  /** True if this seat has secrets. */
  get hasSecrets() {
    return this.#isSpymaster && this.#isPlaying;
  }

  get needsSecrets() {
    return false;
  }

  isBegun() {
    return this.#isWriting && this.#clue.isBegun();
  }

  /** Shows the state of the game. `message` is the engine's message to this phone, `table` the
   * public one; `key` is present only while a finger holds. */
  draw({ message, table, at, held, heard }) {
    const { view } = table;
    this.#isPlaying = view.outcome === null && view.phase !== "place";
    const may = heard ? message.may : [];
    const moment = momentOf(view, message.game);
    const key = held ? message.key : null;
    if (!message.may.includes("clue")) this.#endWriting();
    const context = { view, may, moment, message, table, key };
    const shared = [lang(), this.#team];
    const turn = button(
      "turn",
      () => this.#turn(),
      { className: "quiet", label: t("phone-turn-grid") },
      "⟲",
    );
    this.#sections.head([...shared, view, this.#isWriting], () =>
      drawnHeadline(view, this.#clock, this.#isWriting ? null : turn),
    );
    write(this.#clock, timeWords(table, at));
    this.#drawGrid(shared, context);
    this.#drawWriting(message);
    this.#drawActs(shared, context);
  }

  // The grid

  #drawGrid(shared, { view, may, moment, table, key }) {
    const wished = Object.fromEntries(this.#wished);
    const cells = cellsOf(table, { key, turned: this.#turned, wished });
    const covers = may.includes("cover");
    const marks = !this.#isSpymaster && may.includes("mark");
    const open = this.#question.open(moment);
    const chosen = open?.act.act === "cover" ? open.act.cell : null;
    const state = [...shared, cells, view.nuke, covers, marks, chosen, moment, this.#turned];
    const tap = (cell) => {
      if (cell.covered !== null || cell.isEmpty) return null;
      if (covers) return () => this.#cover(cell, moment);
      return marks ? () => this.#mark(cell) : null;
    };
    this.#sections.grid(state, () => [
      el(
        "div",
        { class: "grid", role: "list", "aria-label": t("phone-grid") },
        ...drawnCells(cells, view, { tap, chosen }),
      ),
      this.#isSpymaster
        ? null
        : el("p", { class: "hint" }, t(marks ? "phone-mark-hint" : "phone-mark-later")),
    ]);
  }

  #turn() {
    this.#turned = !this.#turned;
    this.#changed();
  }

  /** Marks a cell, or removes its mark. A tap before the table has answered another replaces it:
   * the last wish is requested once the answer is here. */
  async #mark({ name, mark }) {
    const isAsking = this.#wished.has(name);
    this.#wished.set(name, !(this.#wished.get(name) ?? mark !== null));
    if (isAsking) {
      this.#changed();
      return;
    }
    let asked, answer;
    do {
      asked = this.#wished.get(name);
      answer = await this.#asked.act({ act: "mark", cell: name });
    } while (answer.ok && this.#wished.get(name) !== asked);
    this.#wished.delete(name);
    this.#changed();
  }

  #cover(cell, moment) {
    const name = cell.word === null ? cell.name : `${cell.name} ${cell.word.toLocaleUpperCase()}`;
    this.#asked.forget();
    const words = t("phone-cover-sure", { team: t(this.#team), cell: name });
    this.#question.ask(words, t("phone-cover-yes"), { act: "cover", cell: cell.name }, moment);
    this.#changed();
  }

  // The clue

  #drawWriting(message) {
    this.#writing.hidden = !this.#isWriting;
    const isSending = this.#asked.pending === "clue";
    if (!this.#isWriting) return;
    const canJudge = message.may.includes("judge");
    this.#clue.draw({
      rules: message.rules,
      canJudge,
      isSending,
      notice: this.#asked.notice,
    });
  }

  #write(writing) {
    this.#isWriting = writing;
    this.#asked.forget();
    this.#changed();
    if (!writing) return;
    scrollTo({ top: 0 });
    this.#clue.focus();
  }

  #endWriting() {
    if (!this.#isWriting && !this.#clue.isBegun()) return;
    this.#isWriting = false;
    this.#clue.clear();
  }

  async #give(clue) {
    const answer = await this.#asked.act({ act: "clue", ...clue });
    if (answer.ok) this.#endWriting();
    this.#changed();
  }

  // The other acts of this seat

  #drawActs(shared, { view, may, moment, message }) {
    const open = this.#question.open(moment);
    const { pending, notice } = this.#asked;
    const state = [
      ...shared,
      may,
      view.phase,
      view.turn,
      this.#isWriting,
      open,
      pending,
      notice,
      message.rules,
    ];
    this.#sections.acts(state, () => {
      if (this.#isWriting) return [];
      const told = notice === "" ? null : el("p", { class: "notice", role: "alert" }, notice);
      if (open !== null)
        return [told, ...this.#question.drawn((act) => this.#answer(act), pending !== null)];
      return [told, ...this.#offered(may, moment, message)];
    });
  }

  #offered(may, moment, message) {
    const known = [...Object.keys(CONFIRMED), ...Object.keys(DIRECT)].filter((act) =>
      may.includes(act),
    );
    const often = known.filter((act) => !SELDOM.includes(act));
    const seldom = known.filter((act) => SELDOM.includes(act));
    const offer = (act) => (act in DIRECT ? this.#direct(act) : this.#offer(act, moment, message));
    return [
      may.includes("clue")
        ? button("clue", () => this.#write(true), { className: "main" }, t("phone-write-clue"))
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

  #direct(act) {
    return button(act, () => this.#asked.act({ act }), {}, t(DIRECT[act]));
  }

  #offer(act, moment, message) {
    const [label, question, yes] = CONFIRMED[act];
    const names = { team: t(this.#team), other: t(otherTeam(this.#team)) };
    const sure =
      act === "uphold" && !message.rules.penalty ? "phone-uphold-sure-plain" : question;
    const ask = () => {
      this.#asked.forget();
      this.#question.ask(t(sure, names), t(yes), { act }, moment);
      this.#changed();
    };
    return button(act, ask, {}, t(label, names));
  }

  async #answer(act) {
    if (act === null) {
      this.#question.close();
      this.#changed();
      return;
    }
    await this.#asked.act(act);
    this.#question.close();
    this.#changed();
  }
}
