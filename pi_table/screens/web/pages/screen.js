// The timing of a public screen: neither ahead of the lights nor behind them.
//
// The answer of a guess is told after a while of tension, by lights, loudspeaker and screens at once.
// A message has the answer at once, so a screen holds back what would tell it. It is the same that
// pi_table/simulator/public_screen.py does; times are seconds of whatever clock `now` is of.

import { cues, onStage } from "./stage.js";

const AFRESH = new Set(["begins", "new-key", "correction", "stopped"]);
export const CAPTION_SECONDS = 6;
const MAX_SAID = 16;

const isExplanation = (said) => said.what === "explain";
/** What the engine explains once: a team's turn and its phase; the first guess, and further ones. */
const stepOf = (view) => JSON.stringify(view && [view.phase, view.turn, view.guesses > 0]);

export class Screen {
  _shown = null; // { message, at }
  _next = null;
  _nextAt = 0;
  _number = null;
  _said = []; // { at, said }
  _explained = []; // { at, said, step }

  /** Take a message that the table sent at `at`. */
  take(message, at) {
    this._shown = this._at(at);
    this._next = { message, at };
    const last = this._number;
    const fresh = last === null ? [] : message.said.filter((each) => each.number > last);
    this._number = message.said.length === 0 ? 0 : message.said.slice(-1)[0].number;
    if (fresh.some((each) => AFRESH.has(each.what))) {
      this._said = [];
      this._explained = [];
      this._nextAt = at;
    }
    // A page that is opened in the middle of a step knows its explanation if nothing came after it.
    const explained = (last === null ? message.said.slice(-1) : fresh).filter(isExplanation).pop();
    if (explained !== undefined) {
      const begins = at + (last === null ? 0 : explained.after);
      const step = stepOf(message.view);
      this._explained = [...this._explained, { at: begins, said: explained, step }].slice(-2);
    }
    this._said = [...this._said, ...fresh.map((said) => ({ at: at + said.after, said }))].slice(
      -MAX_SAID,
    );
    const reveals = fresh.some((each) => each.what === "revealing");
    const waits = fresh.map((each) => each.after).filter((after) => after > 0);
    this._nextAt = reveals ? at + Math.min(...waits, Infinity) : Math.max(at, this._nextAt);
    if (!Number.isFinite(this._nextAt)) this._nextAt = at;
  }

  /** The message whose view is shown, and when it was sent; null before the first. */
  _at(now) {
    return now >= this._nextAt ? this._next : this._shown;
  }

  /** The content at `now`: `{ view, at, latest, answer }`. `at` is when the view was made;
   * `latest` is the newest message, for parts that are shown at once (service, idle, marks);
   * `answer` has the names of the cells whose answer is awaited. Null before the first message. */
  shown(now) {
    if (this._next === null) return null;
    const held = this._at(now);
    const view = held === null ? null : held.message.view;
    return {
      view,
      tonight: (held === null ? null : held.message.tonight) || [],
      at: (held || this._next).at,
      latest: this._next.message,
      latestAt: this._next.at,
      awaited: this._awaited(view, now),
    };
  }

  _awaited(view, now) {
    const next = this._next.message.view;
    if (now >= this._nextAt || !view || !view.cells || !next || !next.cells) return [];
    return Object.keys(next.cells).filter((name) => {
      return next.cells[name].covered !== null && name in view.cells && view.cells[name].covered === null;
    });
  }

  /** The current caption, as `{ number, what, words, … }`; null if there is none. Between other
   * captions it is the explanation. */
  caption(now) {
    let read = null;
    for (const { at, said } of this._said) {
      const isDue = at <= now && now < at + CAPTION_SECONDS;
      if (isDue && said.spoken && !isExplanation(said)) read = said;
    }
    return read || this.explanation(now);
  }

  /** The explanation of a first game, until its step is over; null if there is none. */
  explanation(now) {
    // The one before stays until the next is due: its end must not announce the answer of a guess.
    const due = this._explained.filter(({ at }) => at <= now).pop();
    const held = this._at(now);
    if (due === undefined || held === null) return null;
    return stepOf(held.message.view) === due.step ? due.said : null;
  }

  /** The scene that plays (stage.js); null if there is none. */
  scene(now) {
    return onStage(this._said, now);
  }

  /** The instant after `now` at which the content changes; Infinity if it does not. */
  wakes(now) {
    const ends = this._said.flatMap(({ at }) => [at, at + CAPTION_SECONDS]);
    return Math.min(...[this._nextAt, ...ends, ...cues(this._said)].filter((at) => at > now), Infinity);
  }
}
