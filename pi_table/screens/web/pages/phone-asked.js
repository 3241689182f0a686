// What a phone asks of the table, and what it says of the answer. One notice stands at a time.

import { lang, t } from "./texts.js";

export class Asked {
  #conversation;
  #changed;
  /** The act that is on its way; null if none is. */
  pending = null;
  /** What is to be told about the last act; "" if nothing. */
  notice = "";

  constructor(conversation, changed) {
    this.#conversation = conversation;
    this.#changed = changed;
  }

  /** Asks for an act, and tells why if it is refused. A promise of the answer. */
  async act(act, { quietly = false } = {}) {
    this.pending = act.act;
    this.notice = "";
    this.#changed();
    const answer = await this.#conversation.ask(act);
    this.pending = null;
    if (!quietly && !answer.ok) this.notice = whyNot(answer);
    this.#changed();
    return answer;
  }

  forget() {
    this.notice = "";
  }
}

/** Why something was not done, as a sentence for people. */
export function whyNot(answer) {
  if (answer.lost) return t("phone-lost");
  return answer.sentence?.[lang()] ?? answer.sentence?.en ?? t("phone-refused");
}
