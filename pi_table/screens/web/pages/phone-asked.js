// The requests of a phone to the table, and the notice about the latest answer. Only one notice is
// shown at a time.

import { lang, t } from "./texts.js";

export class Asked {
  _conversation;
  _changed;
  /** The act that was requested and is not answered yet, or null. */
  pending = null;
  /** The notice about the last act; "" if there is none. */
  notice = "";

  constructor(conversation, changed) {
    this._conversation = conversation;
    this._changed = changed;
  }

  /** Requests an act, and shows the reason if it is refused. Returns a promise of the table's answer. */
  async act(act, { quietly = false } = {}) {
    this.pending = act.act;
    this.notice = "";
    this._changed();
    const answer = await this._conversation.ask(act);
    this.pending = null;
    if (!quietly && !answer.ok) this.notice = whyNot(answer);
    this._changed();
    return answer;
  }

  forget() {
    this.notice = "";
  }
}

/** The reason why an act failed, as a sentence for people. */
export function whyNot(answer) {
  if (answer.lost) return t("phone-lost");
  const sentence = answer.sentence || {};
  return sentence[lang()] || sentence.en || t("phone-refused");
}
