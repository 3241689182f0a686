// The timing of a public screen: it changes at the same moment as the lights.
//
// The answer to a guess is shown after a moment of suspense, by lights, loudspeaker and screens at
// once. But a message has the answer at once. So a screen holds back what would reveal it.
// pi_table/simulator/public_screen.py does the same. Times are in seconds of the clock that `now` uses.

import { cues, sceneAt } from "./scenes.js";

const AFRESH = new Set(["begins", "new-key", "correction", "stopped"]);
export const CAPTION_SECONDS = 6;
const MAX_SAID = 16;

const isExplanation = (said) => said.what === "explain";
/** The step of the game: the phase, the team on turn, and whether it has guessed already. The
 * engine explains each step once. */
const stepOf = (view) => JSON.stringify(view && [view.phase, view.turn, view.guesses > 0]);

export class Screen {
  _shown = null; // { message, at }
  _next = null;
  _nextAt = 0;
  _number = null;
  _said = []; // { at, said }
  _explained = []; // { at, said, step }

  /** Take a message. `at` is the time at which the table sent it. */
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
    // If a page is opened in the middle of a step, the last announcement may be the explanation of
    // the step.
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

  /** The message whose view is shown, and the time at which it was sent; null before the first message. */
  _at(now) {
    return now >= this._nextAt ? this._next : this._shown;
  }

  /** The content at `now`. `view` is the view to show, `at` the time at which it was made, and
   * `tonight` its results. `latest` is the newest message and `latestAt` its time, for parts that are
   * not held back (service, idle, marks). `awaited` has the names of the cells whose answer is
   * awaited. Null before the first message. */
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

  /** The current caption, as `{ number, what, words, … }`; null if there is none. If no other caption
   * is due, it is the explanation. */
  caption(now) {
    let read = null;
    for (const { at, said } of this._said) {
      const isDue = at <= now && now < at + CAPTION_SECONDS;
      if (isDue && said.spoken && !isExplanation(said)) read = said;
    }
    return read || this.explanation(now);
  }

  /** The explanation for a first game, until the step that it explains is over; or null. */
  explanation(now) {
    // An explanation stays until the next one is due. If it ended earlier, that would reveal the answer
    // to a guess.
    const due = this._explained.filter(({ at }) => at <= now).pop();
    const held = this._at(now);
    if (due === undefined || held === null) return null;
    return stepOf(held.message.view) === due.step ? due.said : null;
  }

  /** The scene that plays now (scenes.js), or null. */
  scene(now) {
    return sceneAt(this._said, now);
  }

  /** The first instant after `now` at which the content changes; Infinity if it does not change. */
  wakes(now) {
    const ends = this._said.flatMap(({ at }) => [at, at + CAPTION_SECONDS]);
    return Math.min(...[this._nextAt, ...ends, ...cues(this._said)].filter((at) => at > now), Infinity);
  }
}
