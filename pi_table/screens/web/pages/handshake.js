// The page's side of the handshake of an encrypted link. It is the same for a phone and for a desk.
//
// K is the link's key, from the QR code. The page seals its knocks (first frames) with it. D is the
// key of this page: the page draws it, and sends it in its knocks. All other frames are sealed with
// D. The page draws a new hello for each attempt to connect, so that no answer to an earlier hello
// is valid. The engine chooses the session, and sends it in its answers. The engine's side is
// `pi_table/protocols/sealing/handshake.py`.

import { KEY_BYTES, drawn, fromBase64url, opened, sealed, toBase64url } from "./seal.js";

const HELLO_BYTES = 16;

/** The purpose of each kind of frame. It is sealed with the frame, so no kind can be mistaken for
 * another. */
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

/** The keys in the fragment of an address, `#K` or `#K.D`; null if the fragment has none. */
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

/** The fragment for the page's address. With it, a reload of the page continues with the same keys. */
export function fragmentOf(keys) {
  return `#${toBase64url(keys.link)}.${toBase64url(keys.device)}`;
}

/** The handshake of one link. `pack` turns an object into the plain bytes of a frame. */
export class Handshake {
  _keys;
  _uses;
  _pack;
  _hello = "";

  /** The engine's session; null until the engine has answered the current hello. */
  session = null;

  constructor(keys, uses, pack) {
    this._keys = keys;
    this._uses = uses;
    this._pack = pack;
  }

  /** Draws a new hello. Messages and answers with the last hello are not valid any more. */
  begin() {
    this._hello = toBase64url(drawn(HELLO_BYTES));
    this.session = null;
  }

  /** Returns a knock with the current hello. */
  knock() {
    const said = { k: toBase64url(this._keys.device), h: this._hello };
    return sealed(this._keys.link, this._pack(said), this._uses.knock);
  }

  /** Returns a frame of the current session with these fields. */
  say(fields) {
    const said = { s: this.session, h: this._hello, ...fields };
    return sealed(this._keys.device, this._pack(said), this._uses.up);
  }

  /** Returns the plain bytes of a frame for this page; null if it is for another page, or invalid. */
  opened(frame) {
    return opened(this._keys.device, frame, this._uses.down);
  }

  /** True if this is an answer to the current hello. */
  isOfHello(read) {
    return read.h === this._hello;
  }

  /** True if this is an answer to the current hello in the known session. While no session is known,
   * any session is right. */
  isCurrent(read) {
    return this.isOfHello(read) && (this.session === null || this.session === read.s);
  }
}
