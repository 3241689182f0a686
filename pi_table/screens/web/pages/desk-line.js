// The desk's side of the encrypted conversation with the engine: one question at a time, and its
// answer.
//
// An answer is valid only if it has the current hello and the number of the question. Data that is too
// long for one answer comes in several pieces.

import { DESK, Handshake } from "./handshake.js";
import { bytesOf, joined, textOf } from "./seal.js";

/** Bytes in one piece of a file or text, before they are encoded as base64. */
export const PIECE = 24 * 1024;
const FIRST_WAIT = 400;
const MAX_WAIT_MS = 4000;
/** Milliseconds without an answer, after which a question is asked again. The server itself waits
 * at most 10 seconds for the table (`DESK_SECONDS`). */
const TIMEOUT_MS = 15000;
/** Number of times that a long answer is requested, if it breaks off. */
const MAX_TRIES = 3;

/** The link cannot be used any more: it was ended or replaced, or it belongs to another device. */
export class LinkOver extends Error {}

export class DeskLine {
  _handshake;
  _post;
  _tell;
  _wait;
  _count = 0;
  _last = Promise.resolve();

  /** `post(bytes)` sends bytes and returns the bytes of the answer, or null if there was no answer.
   * `tell` is called with true when the table connects, and with false when it disconnects. */
  constructor(keys, { post = posted, tell = () => {}, wait = slept } = {}) {
    this._handshake = new Handshake(keys, DESK, (said) => bytesOf(JSON.stringify(said)));
    this._post = post;
    this._tell = tell;
    this._wait = wait;
  }

  /** Requests an act and returns its answer: `{ok, reason, sentence, told, open, left}`. Waits as long
   * as the table is not connected. Throws LinkOver. */
  call(act, fields = {}) {
    const mine = this._last.then(() => this._called({ act, ...fields }));
    this._last = mine.catch(() => {});
    return mine;
  }

  async _called(act) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const answer = await this._answered({ do: act });
      if (answer.of === undefined) return answer;
      const whole = await this._whole(answer);
      if (whole !== null) return JSON.parse(textOf(whole));
    }
    throw new LinkOver(); // another page of this link begins again and again
  }

  /** Requests the other pieces of a long answer. Returns its bytes; null if the engine has restarted,
   * or another page has begun, and the rest is lost. */
  async _whole(first) {
    const pieces = [];
    for (let answer = first, have = 0; ; answer = await this._answered({ rest: have })) {
      if (answer === null) return null;
      const piece = bytesIn(answer.piece);
      pieces.push(piece);
      have += piece.length;
      if (have >= answer.of) return joined(pieces);
      if (piece.length === 0) return null;
    }
  }

  /** Asks, and returns the answer; null if the rest of an answer is asked for, and is lost. */
  async _answered(question) {
    for (;;) {
      if (this._handshake.session === null) await this._knock();
      this._count += 1;
      const n = this._count;
      const answer = await this._until(
        () => this._handshake.say({ n, ...question }),
        (read) => read.n === n && this._isAnswer(read),
      );
      if (!answer.anew) return answer;
      this._handshake.session = null;
      if (question.rest !== undefined) return null;
    }
  }

  /** True if this is an answer in the engine's current session, or a message that the engine has
   * restarted. */
  _isAnswer(read) {
    if (read.anew === true) return this._handshake.isOfHello(read);
    return this._handshake.isCurrent(read) && !read.wait;
  }

  async _knock() {
    this._handshake.begin();
    const answer = await this._until(
      () => this._handshake.knock(),
      (read) => this._handshake.isOfHello(read) && typeof read.s === "string",
    );
    this._handshake.session = answer.s;
    this._count = 0;
  }

  /** Repeats the question until a valid answer arrives, and returns it. */
  async _until(frame, isRight) {
    let refused = 0;
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
      const bytes = await this._post(frame());
      this._tell(bytes !== null);
      if (bytes !== null) {
        const plain = this._handshake.opened(bytes);
        const read = plain === null ? null : JSON.parse(textOf(plain));
        if (read !== null && isRight(read)) return read;
        // The engine could not decrypt the question. The first time, it may have restarted meanwhile.
        // The second time, the link is over.
        if (read === null && (refused += 1) > 1) throw new LinkOver();
        if (read !== null && read.wait) wait = FIRST_WAIT;
      }
      await this._wait(wait);
    }
  }
}

async function posted(bytes) {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  try {
    const answer = await fetch("/api/1/desk", {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: bytes,
      cache: "no-store",
      signal: timeout.signal,
    });
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const slept = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

/** Decode bytes from base64. */
export function bytesIn(base64) {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}

/** Encode bytes as base64. */
export function base64Of(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return btoa(text);
}
