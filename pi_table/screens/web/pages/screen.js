// The timing of a public screen: neither ahead of the lights nor behind them.
//
// The answer of a guess is told after a while of tension, by lights, loudspeaker and screens at once.
// A message has the answer at once, so a screen holds back what would tell it. It is the same that
// pi_table/simulator/public_screen.py does; times are seconds of whatever clock `now` is of.

import { cues, onStage } from "./stage.js";

const AFRESH = new Set(["begins", "new-key", "correction", "stopped"]);
export const CAPTION_SECONDS = 6;
const MAX_SAID = 16;

export class Screen {
  #shown = null; // { message, at }
  #next = null;
  #nextAt = 0;
  #number = null;
  #said = []; // { at, said }

  /** Take a message that the table sent at `at`. */
  take(message, at) {
    this.#shown = this.#at(at);
    this.#next = { message, at };
    const last = this.#number;
    const fresh = last === null ? [] : message.said.filter((each) => each.number > last);
    this.#number = message.said.at(-1)?.number ?? 0;
    if (fresh.some((each) => AFRESH.has(each.what))) {
      this.#said = [];
      this.#nextAt = at;
    }
    this.#said = [...this.#said, ...fresh.map((said) => ({ at: at + said.after, said }))].slice(
      -MAX_SAID,
    );
    const reveals = fresh.some((each) => each.what === "revealing");
    const waits = fresh.map((each) => each.after).filter((after) => after > 0);
    this.#nextAt = reveals ? at + Math.min(...waits, Infinity) : Math.max(at, this.#nextAt);
    if (!Number.isFinite(this.#nextAt)) this.#nextAt = at;
  }

  /** The message whose view is shown, and when it was sent; null before the first. */
  #at(now) {
    return now >= this.#nextAt ? this.#next : (this.#shown ?? null);
  }

  /** The content at `now`: `{ view, at, latest, answer }`. `at` is when the view was made;
   * `latest` is the newest message, for parts that are shown at once (service, idle, marks);
   * `answer` has the names of the cells whose answer is awaited. Null before the first message. */
  shown(now) {
    if (this.#next === null) return null;
    const held = this.#at(now);
    const view = held?.message.view ?? null;
    const at = held?.at ?? this.#next.at;
    return {
      view,
      at,
      latest: this.#next.message,
      latestAt: this.#next.at,
      awaited: this.#awaited(view, now),
    };
  }

  #awaited(view, now) {
    const next = this.#next.message.view;
    if (now >= this.#nextAt || !view?.cells || !next?.cells) return [];
    return Object.keys(next.cells).filter((name) => {
      return next.cells[name].covered !== null && view.cells[name]?.covered === null;
    });
  }

  /** The current caption, as `{ number, what, words, … }`; null if there is none. */
  caption(now) {
    let read = null;
    for (const { at, said } of this.#said) {
      if (said.spoken && at <= now && now < at + CAPTION_SECONDS) read = said;
    }
    return read;
  }

  /** The announcement whose scene plays (stage.js); null if there is none. */
  scene(now) {
    return onStage(this.#said, now);
  }

  /** The instant after `now` at which the content changes; Infinity if it does not. */
  wakes(now) {
    const ends = this.#said.flatMap(({ at }) => [at, at + CAPTION_SECONDS]);
    return Math.min(...[this.#nextAt, ...ends, ...cues(this.#said)].filter((at) => at > now), Infinity);
  }
}
