// A phone's end of the sealed conversation with the engine: bytes in, bytes out, and a time.
//
// At each beat one frame of `UP_BYTES` goes out, whether there is something to say or not, and a
// block of `PLACES` frames of `DOWN_BYTES` comes in, one of which this phone can open at most. Here
// is no socket, no clock and no page: `phone-line.js` and `phone.js` have those.

import { Handshake, PHONE } from "./handshake.js";
import { NONCE_BYTES, TAG_BYTES, bytesOf, drawn, joined, textOf } from "./seal.js";

export const BEAT = 250;
/** Milliseconds from one beat to the next. */
export const PLACES = 6;
export const UP_BYTES = 512;
export const DOWN_BYTES = 1024;
const UP_PLAIN = UP_BYTES - NONCE_BYTES - TAG_BYTES;
const MAX_PARTS = 64;

/** Milliseconds for which the page knocks with one hello before it draws another. */
const KNOCKS_FOR = 1500;
/** The same once the link counts as refused. */
const KNOCKS_SELDOM = 5000;
/** Number of hellos without an answer, while blocks arrive, until it counts as refused. */
const PATIENCE = 2;
/** Milliseconds without a frame for this phone after which the engine's messages are out of date. */
const STALE = 1500;
/** Milliseconds since our last valid frame, after which a frame that is sealed for us but invalid
 * means that the engine has restarted. */
const BEGUN_ANEW = 500;

/** Number of times that another window of the same phone must take over until this one gives up. */
const TAKEN_OVER = 3;
/** Milliseconds after which a hello that is still heard was not taken over. */
const SETTLED = 10000;

/** JSON in a frame of one length: its length in two bytes, then it, then zeros. */
export function padded(value, size) {
  const json = bytesOf(JSON.stringify(value));
  if (json.length > size - 2)
    throw new RangeError(`This is too long to be sent: ${json.length} bytes.`);
  const plain = new Uint8Array(size);
  new DataView(plain.buffer).setUint16(0, json.length);
  plain.set(json, 2);
  return plain;
}

/** The header and the part in the plain bytes of a frame from the engine; null if they are
 * invalid. */
export function headerAndPart(plain) {
  const numbers = new DataView(plain.buffer, plain.byteOffset, plain.length);
  const headerEnd = 2 + numbers.getUint16(0);
  if (headerEnd + 2 > plain.length) return null;
  const partEnd = headerEnd + 2 + numbers.getUint16(headerEnd);
  if (partEnd > plain.length) return null;
  try {
    const header = JSON.parse(textOf(plain.subarray(2, headerEnd)));
    return isHeader(header) ? { header, part: plain.subarray(headerEnd + 2, partEnd) } : null;
  } catch {
    return null;
  }
}

function isHeader(header) {
  if (header === null || typeof header !== "object") return false;
  const counts = [header.n, header.a, header.v, header.p, header.of];
  return (
    typeof header.s === "string" &&
    typeof header.h === "string" &&
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    header.p < header.of &&
    header.of <= MAX_PARTS
  );
}

/** One phone's conversation. `now` is in milliseconds, from any origin. */
export class Conversation {
  _handshake;
  _hold = false;

  _knockedAt = -Infinity;
  /** Blocks that arrived since then. */
  _blocks = 0;
  /** Hellos in a row without an answer: while blocks arrived, and while none did. */
  _unanswered = 0;
  _silent = 0;
  _takenOver = 0;

  _heard = -1;
  _heardAt = -Infinity;
  _said = 0;

  _version = null;
  _parts = new Map();
  _told = null;

  /** Numbers of acts begin at a random value, so that no answer to an act before a reload is
   * taken for a current one. */
  _asked = new DataView(drawn(4).buffer).getUint32(0) >>> 8;
  _asking = null;
  _waiting = [];

  constructor(keys) {
    this._handshake = new Handshake(keys, PHONE, (said) => padded(said, UP_PLAIN));
  }

  /** True while the phone requests secrets. They are forgotten when it ends. */
  get hold() {
    return this._hold;
  }

  set hold(hold) {
    if (hold === this._hold) return;
    this._hold = hold;
    this._told = veiled(this._told);
    // The newest message is collected once more: it still has the secrets if the finger soon holds
    // again.
    this._forgetParts();
  }

  /** The newest complete message; null if there is none, or it is out of date. */
  message(now) {
    return this.isHeard(now) ? this._told : null;
  }

  /** True if the engine and this phone hear each other. */
  isHeard(now) {
    return this._handshake.session !== null && now - this._heardAt < STALE;
  }

  /** True if hello after hello stayed unanswered. Then the link belongs to another phone, or it
   * was ended. If nobody has a link any more, no blocks arrive, just as while the table is away;
   * the page knows which of the two it is. */
  isRefused(isTableThere) {
    return this._unanswered >= PATIENCE || (isTableThere && this._silent >= PATIENCE);
  }

  /** True if the seat is open in another window with the same address. Each would take it from
   * the other for ever. */
  isTakenOver() {
    return this._takenOver >= TAKEN_OVER;
  }

  /** Starts again, as after a sleep. */
  begin(now) {
    this._unanswered = this._silent = this._takenOver = 0;
    this.knock(now);
  }

  /** Knocks with another hello, as on another connection. */
  knock(now) {
    this._handshake.begin();
    this._knockedAt = now;
    this._blocks = 0;
    this._heard = -1;
    this._told = null;
    this._forgetParts();
    const lost = this._asking === null ? this._waiting : [this._asking, ...this._waiting];
    this._asking = null;
    this._waiting = [];
    for (const { answered } of lost) answered({ ok: false, lost: true });
  }

  /** Requests an act by its name in the rules. Returns a promise of its answer, `{ok, reason,
   * sentence, told}`; or `{ok: false, lost: true}` if the connection broke, and it is unknown
   * whether the act was done. */
  ask(act) {
    return new Promise((answered) => {
      this._asked += 1;
      this._waiting.push({ id: this._asked, act, answered });
    });
  }

  /** The frame of this beat, always `UP_BYTES` long. */
  up(now) {
    if (this._handshake.session !== null && now - this._heardAt >= STALE) this.knock(now);
    if (this.isTakenOver()) return drawn(UP_BYTES);
    if (this._handshake.session === null) {
      if (now - this._knockedAt >= (this.isRefused(false) ? KNOCKS_SELDOM : KNOCKS_FOR))
        this._knockAgain(now);
      return this._handshake.knock();
    }
    if (this._asking === null) this._asking = this._waiting.shift() || null;
    this._said += 1;
    const say = { n: this._said, b: this._heard, hold: this._hold };
    if (this._asking !== null) Object.assign(say, { id: this._asking.id, do: this._asking.act });
    return this._handshake.say(say);
  }

  /** Takes a block. Returns true if it completed a message that is newer than the last. */
  down(block, now) {
    if (block.length !== PLACES * DOWN_BYTES) return false;
    this._blocks += 1;
    for (let place = 0; place < PLACES; place += 1) {
      const frame = block.subarray(place * DOWN_BYTES, (place + 1) * DOWN_BYTES);
      const plain = this._handshake.opened(frame);
      if (plain !== null) return this._take(headerAndPart(plain), now);
    }
    return false;
  }

  _take(read, now) {
    if (read === null) return false;
    const { header, part } = read;
    const { session } = this._handshake;
    if (!this._handshake.isCurrent(header) || header.n <= this._heard) {
      if (session !== null && now - this._heardAt >= BEGUN_ANEW) {
        if (header.s === session && header.h !== "") this._takenOver += 1;
        this.knock(now);
      }
      return false;
    }
    this._handshake.session = header.s;
    this._heard = header.n;
    this._heardAt = now;
    this._unanswered = this._silent = 0;
    if (now - this._knockedAt >= SETTLED) this._takenOver = 0;
    return this._collect(header, part);
  }

  /** Adds a part to its message. */
  _collect(header, part) {
    const version = `${header.v} in ${header.of}`;
    if (version !== this._version) {
      this._version = version;
      this._parts = new Map();
    }
    if (this._parts === null) return false; // it is complete
    this._parts.set(header.p, part.slice());
    if (this._parts.size < header.of) return false;
    const whole = joined([...Array(header.of).keys()].map((place) => this._parts.get(place)));
    this._parts = null;
    return this._tell(whole);
  }

  _tell(whole) {
    let told;
    try {
      told = JSON.parse(textOf(whole));
    } catch {
      return false;
    }
    this._told = this._hold ? told : veiled(told);
    if (told.answer && this._asking !== null && told.answer.id === this._asking.id) {
      const { answered } = this._asking;
      this._asking = null;
      answered(told.answer);
    }
    return true;
  }

  _knockAgain(now) {
    if (this._blocks > 0) this._unanswered += 1;
    else this._silent += 1;
    this.knock(now);
  }

  _forgetParts() {
    this._version = null;
    this._parts = new Map();
  }
}

/** A message without its secrets. */
function veiled(message) {
  return message === null ? null : { ...message, key: null, agent: null };
}
