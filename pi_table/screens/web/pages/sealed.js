// A phone's side of the encrypted conversation with the engine, without input or output.
//
// At each beat the phone sends one frame of `UP_BYTES`, even if it has nothing to say. It receives
// a block of `PLACES` frames of `DOWN_BYTES`, and can open at most one of them. Bytes and times are
// arguments and results. `phone-line.js` has the socket and the clock, and `phone.js` has the page.

import { Handshake, PHONE } from "./handshake.js";
import { NONCE_BYTES, TAG_BYTES, bytesOf, drawn, joined, textOf } from "./seal.js";

/** Milliseconds from one beat to the next. */
export const BEAT = 250;
export const PLACES = 6;
export const UP_BYTES = 512;
export const DOWN_BYTES = 1024;
const UP_PLAIN = UP_BYTES - NONCE_BYTES - TAG_BYTES;
const MAX_PARTS = 64;

/** Milliseconds for which the page repeats knocks with one hello, before it draws a new hello. */
const KNOCKS_FOR = 1500;
/** Milliseconds for which knocks are repeated with one hello once the link counts as refused. */
const KNOCKS_SELDOM = 5000;
/** Number of unanswered hellos, while blocks arrive, after which the link counts as refused. */
const PATIENCE = 2;
/** Milliseconds without a frame for this phone, after which the engine's last message is out of date. */
const STALE = 1500;
/** Milliseconds without a valid frame for this phone. Afterwards, a frame that this phone can open,
 * but that is not valid, means that the engine has restarted. */
const BEGUN_ANEW = 500;

/** Number of times that another window of this phone may take over the seat before this window
 * gives up. */
const TAKEN_OVER = 3;
/** Milliseconds after a knock. A valid frame after them shows that no window has taken over. */
const SETTLED = 10000;

/** Pack a value as JSON in `size` bytes: the length of the JSON in two bytes, the JSON, then zeros. */
export function padded(value, size) {
  const json = bytesOf(JSON.stringify(value));
  if (json.length > size - 2)
    throw new RangeError(`This is too long to be sent: ${json.length} bytes.`);
  const plain = new Uint8Array(size);
  new DataView(plain.buffer).setUint16(0, json.length);
  plain.set(json, 2);
  return plain;
}

/** Return header and part from the plain bytes of a frame from the engine; null if they are invalid. */
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

/** The conversation of one phone. `now` is in milliseconds since an arbitrary moment. */
export class Conversation {
  _handshake;
  _hold = false;

  _knockedAt = -Infinity;
  /** Number of blocks that have arrived since the last hello. */
  _blocks = 0;
  /** Numbers of unanswered hellos in a row: `_unanswered` with blocks, `_silent` without blocks. */
  _unanswered = 0;
  _silent = 0;
  /** True if the current connection has delivered a block. */
  _hasDelivered = false;
  _takenOver = 0;

  _heard = -1;
  _heardAt = -Infinity;
  _said = 0;

  _version = null;
  _parts = new Map();
  _told = null;

  /** The number of the last act. It begins at a random value, so that an answer to an act from before a
   * reload is not taken for a current one. */
  _asked = new DataView(drawn(4).buffer).getUint32(0) >>> 8;
  _asking = null;
  _waiting = [];

  constructor(keys) {
    this._handshake = new Handshake(keys, PHONE, (said) => padded(said, UP_PLAIN));
  }

  /** True while the phone requests secrets. When this becomes false, the phone forgets them. */
  get hold() {
    return this._hold;
  }

  set hold(hold) {
    if (hold === this._hold) return;
    this._hold = hold;
    this._told = veiled(this._told);
    // The parts of the newest message are collected again. Otherwise its secrets would be missing if
    // the finger is held again soon.
    this._forgetParts();
  }

  /** The newest complete message; null if there is none, or if it is out of date. */
  message(now) {
    return this.isHeard(now) ? this._told : null;
  }

  /** True if the engine and this phone receive each other's frames. */
  isHeard(now) {
    return this._handshake.session !== null && now - this._heardAt < STALE;
  }

  /** True if several hellos in a row were not answered, because the link was ended or belongs to
   * another phone. If nobody has a link any more, no blocks arrive. A disconnected table has the
   * same effect, so missing blocks count only if `isTableThere`. A broken network has it, too. It
   * shows late, so missing blocks count only on a new connection that has delivered none. */
  isRefused(isTableThere) {
    return this._unanswered >= PATIENCE || (isTableThere && this._silent >= PATIENCE);
  }

  /** True if the seat is open in another window with the same address. This window must then give up.
   * Otherwise both would take the seat from each other for ever. */
  isTakenOver() {
    return this._takenOver >= TAKEN_OVER;
  }

  /** Starts the conversation again, for example after the phone has slept. */
  begin(now) {
    this._unanswered = this._silent = this._takenOver = 0;
    this.knock(now);
  }

  /** A new connection has opened. Hellos count as unanswered from now on. */
  connect(now) {
    this._hasDelivered = false;
    this._knockedAt = now;
  }

  /** Knocks with a new hello, for example after a new connection. */
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

  /** Requests an act by its name in the rules. Returns a promise of the answer `{ok, reason, sentence,
   * told}`. If the connection breaks, the answer is `{ok: false, lost: true}`: the act may have been
   * carried out or not. */
  ask(act) {
    return new Promise((answered) => {
      this._asked += 1;
      this._waiting.push({ id: this._asked, act, answered });
    });
  }

  /** Returns the frame to send at this beat. It is always `UP_BYTES` long. */
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

  /** Takes a block. Returns true if the block completed a message that is newer than the last one. */
  down(block, now) {
    if (block.length !== PLACES * DOWN_BYTES) return false;
    this._blocks += 1;
    this._hasDelivered = true;
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

  /** Adds a part to the message that is being collected. */
  _collect(header, part) {
    const version = `${header.v} in ${header.of}`;
    if (version !== this._version) {
      this._version = version;
      this._parts = new Map();
    }
    if (this._parts === null) return false; // the message is complete
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
    else if (!this._hasDelivered) this._silent += 1;
    this.knock(now);
  }

  _forgetParts() {
    this._version = null;
    this._parts = new Map();
  }
}

/** Returns a message without its secrets. */
function veiled(message) {
  return message === null ? null : { ...message, key: null, agent: null };
}
