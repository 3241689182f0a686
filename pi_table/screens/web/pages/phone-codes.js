// The two codes that an agent enters: the personal code at the start of a visit, and the code of a
// faction. The input is shown as dots. The signs of a faction's code are visible while a finger is held
// on the page.

import { el } from "./dom.js";
import { button } from "./phone-sections.js";
import { ALPHABET } from "./phone-terms.js";
import { t } from "./texts.js";

const OWN = 4;
const CODE = 12;
const FRAGMENT = 4;
/** Number of tiles: one for the agent's own fragment, and one for each other agent. */
const TILES = 6;

/** The input of an agent's personal code of four digits. A new code is entered twice, because its
 * digits are not visible. */
export class OwnCode {
  _digits = "";
  _first = "";
  _differed = false;

  /** True if a reload of the page would lose input. */
  isBegun() {
    return this._digits !== "" || this._first !== "";
  }

  clear() {
    this._digits = this._first = "";
    this._differed = false;
  }

  /** The values on which the drawing depends. */
  state() {
    return [this._digits.length, this._first !== "", this._differed];
  }

  /** Draws the input. `enter` is called with the complete code, `changed` after each key. */
  drawn({ choosing, triesLeft, isSending, enter, changed }) {
    const type = (sign) => {
      const code = this._type(sign, choosing);
      if (code !== null) enter(code);
      changed();
    };
    const title = !choosing
      ? "phone-own-code"
      : this._first === ""
        ? "phone-choose-code"
        : "phone-code-again";
    const help = this._differed
      ? "phone-codes-differ"
      : choosing
        ? "phone-choose-code-help"
        : "phone-own-code-help";
    const key = (sign, label, named = null) =>
      button(`digit-${sign}`, () => type(sign), { disabled: isSending, label: named }, label);
    return [
      el("h2", {}, t(title)),
      el("p", { class: this._differed ? "notice" : "hint" }, t(help)),
      fields(OWN, this._digits.length, () => ""),
      triesLeft < 3 && !choosing
        ? el(
            "p",
            { class: "notice", role: "alert" },
            t("phone-wrong-own-code", { count: triesLeft }),
          )
        : null,
      el(
        "div",
        { class: "digits" },
        ...[..."123456789"].map((digit) => key(digit, digit)),
        key("erase", "⌫", t("phone-erase")),
        key("0", "0"),
      ),
    ];
  }

  /** Adds or erases a digit. When the code is complete, submits it. */
  _type(sign, choosing) {
    this._differed = false;
    if (sign === "erase") {
      this._digits = this._digits.slice(0, -1);
      return null;
    }
    this._digits += sign;
    if (this._digits.length < OWN) return null;
    const [code, first] = [this._digits, this._first];
    this._digits = "";
    if (!choosing) return code;
    this._first = first === "" ? code : "";
    this._differed = first !== "" && first !== code;
    return first === code ? code : null;
  }
}

/** The input of a faction's code of twelve signs, entered one by one or as fragments of four. */
export class FactionCode {
  _code = "";

  clear() {
    this._code = "";
  }

  isBegun() {
    return this._code !== "";
  }

  get code() {
    return this._code;
  }

  /** Draws the input. `fragments` returns the fragments that the agent knows, or null before the table
   * has sent them. `held` returns whether they may be visible. A tile without a fragment enters four
   * blanks. */
  drawn({ held, fragments, enter, changed }) {
    const add = (more) => {
      this._code = (this._code + more).slice(0, CODE);
      changed();
    };
    const known = held ? fragments() || [] : [];
    const tile = (at) => {
      const label =
        known[at] ||
        (at === 0 ? t("phone-own-fragment") : t("phone-fragment-number", { number: at }));
      const add_it = () => {
        const all = fragments();
        if (all !== null) add(all[at] || "_".repeat(FRAGMENT));
      };
      return button(`tile-${at}`, add_it, {}, label);
    };
    const erase = () => {
      this._code = this._code.slice(0, -1);
      changed();
    };
    return [
      this.signs(held),
      el("div", { class: "tiles" }, ...Array.from({ length: TILES }, (_, at) => tile(at))),
      el(
        "div",
        { class: "letters" },
        ...[...ALPHABET].map((sign) => button(`sign-${sign}`, () => add(sign), {}, sign)),
      ),
      el(
        "div",
        { class: "pair" },
        button("erase", erase, { label: t("phone-erase") }, "⌫"),
        button(
          "enter",
          enter,
          { className: "primary", disabled: this._code.length < CODE },
          t("phone-enter"),
        ),
      ),
    ];
  }

  signs(held) {
    return fields(CODE, this._code.length, (at) => (held ? this._code[at] : ""));
  }
}

/** The fragments that an agent knows: the agent's own first, then the others in order. Null if the
 * table has not sent them. */
export function fragmentsOf(agent, view) {
  if (agent === null) return null;
  const own = agent.identikit.fragment;
  const found = new Set(
    agent.received.flatMap(({ messages }) => messages.map(({ fragment }) => fragment)),
  );
  for (const { revealed } of view.agents) if (revealed.fragment) found.add(revealed.fragment);
  found.delete(own);
  return [own, ...[...found].sort()];
}

/** A field for each sign. An entered sign is a dot, unless it is to be visible. */
function fields(count, filled, shown) {
  const label = t("phone-signs-entered", { filled, count });
  const place = (at) =>
    el("span", { class: at < filled ? "filled" : null }, at < filled ? shown(at) || "•" : "");
  return el(
    "div",
    { class: `fields of-${count}`, role: "img", "aria-label": label },
    ...Array.from({ length: count }, (_, at) => place(at)),
  );
}
