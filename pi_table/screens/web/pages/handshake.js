// The page's end of the handshake of a sealed link: the same for a phone and for a desk.
//
// K is the link's key: it stands in the QR code, and serves to knock. D is this page's own: the page
// draws it and tells it in its first knock. Everything else is sealed with D. A hello is drawn for
// each knock, so that no answer to an earlier one counts. The session is the engine's, from its
// answer. `pi_table/protocols/sealing/handshake.py` is the other end.

import { KEY_BYTES, drawn, fromBase64url, opened, sealed, toBase64url } from "./seal.js";

const HELLO_BYTES = 16;

/** The purpose of each kind of frame: no kind can be mistaken for another. */
export const PHONE = {
  knock: "pi-table/1 knock",
  up: "pi-table/1 up",
  down: "pi-table/1 down",
};
export const DESK = {
  knock: "pi-table/1 desk knock",
  up: "pi-table/1 desk up",
  down: "pi-table/1 desk down",
};

/** The keys in the fragment of an address, `#K` or `#K.D`; null if it holds none. */
export function keysOf(fragment) {
  const [link, device, ...more] = fragment.replace(/^#/, "").split(".");
  const keys = {
    link: fromBase64url(link),
    device: device ? fromBase64url(device) : drawn(KEY_BYTES),
  };
  const areRight = [keys.link, keys.device].every((key) => key !== null && key.length === KEY_BYTES);
  if (more.length > 0 || !areRight) return null;
  return keys;
}

/** The fragment that brings the same page back after a reload. */
export function fragmentOf(keys) {
  return `#${toBase64url(keys.link)}.${toBase64url(keys.device)}`;
}

/** One link. `pack` makes the plain bytes of a frame of an object. */
export class Handshake {
  _keys;
  _uses;
  _pack;
  _hello = "";

  /** The engine's session; null until it has answered the current hello. */
  session = null;

  constructor(keys, uses, pack) {
    this._keys = keys;
    this._uses = uses;
    this._pack = pack;
  }

  /** Draws a new hello. Messages and answers under the last one no longer count. */
  begin() {
    this._hello = toBase64url(drawn(HELLO_BYTES));
    this.session = null;
  }

  /** A knock with the current hello. */
  knock() {
    const said = { k: toBase64url(this._keys.device), h: this._hello };
    return sealed(this._keys.link, this._pack(said), this._uses.knock);
  }

  /** A frame of the current session with these fields. */
  say(fields) {
    const said = { s: this.session, h: this._hello, ...fields };
    return sealed(this._keys.device, this._pack(said), this._uses.up);
  }

  /** The plain bytes of a frame for this page; null if it is for another page, or invalid. */
  opened(frame) {
    return opened(this._keys.device, frame, this._uses.down);
  }

  /** True if this answers the current hello. */
  isOfHello(read) {
    return read.h === this._hello;
  }

  /** True if this answers the current hello in the known session, or in any session while none is
   * known. */
  isCurrent(read) {
    return this.isOfHello(read) && (this.session === null || this.session === read.s);
  }
}
