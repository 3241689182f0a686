// The phone's connection to the table: a WebSocket that reconnects by itself.
//
// At each beat (every 250 ms) the phone sends one frame of a fixed length, even if it has nothing
// to say. While the page is not visible, the socket is closed. When the page becomes visible again,
// a new socket is opened at once: an old socket may have died unnoticed while the phone slept.

import { BEAT } from "./sealed.js";

const RETRY = [100, 250, 500, 1000, 2000];
/** Milliseconds without a connection or a block, after which a new socket is opened. */
const SILENT = 5000;
/** Maximum number of bytes that wait to be sent. More bytes would be frames of old beats, because
 * the network has stopped. */
const MAX_UNSENT_BYTES = 4096;

export class Line {
  _conversation;
  _changed;
  _socket = null;
  _beats = 0;
  _retry = 0;
  _tries = 0;
  _heardAt = 0;

  /** `changed` is called after everything that may change what the page shows. */
  constructor(conversation, changed) {
    this._conversation = conversation;
    this._changed = changed;
    document.addEventListener("visibilitychange", () =>
      document.hidden ? this.sleep() : this.wake(),
    );
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    addEventListener("pagehide", () => this.sleep());
    addEventListener("online", () => this.wake());
  }

  wake() {
    if (document.hidden) return;
    this._tries = 0;
    this._conversation.begin(now());
    this._open();
    this._changed();
  }

  sleep() {
    clearTimeout(this._retry);
    this._close();
    this._conversation.begin(now());
    this._changed();
  }

  _open() {
    clearTimeout(this._retry);
    this._close();
    this._conversation.knock(now());
    this._heardAt = now();
    const address = new URL("/api/1/phones", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this._begin();
    socket.onmessage = ({ data }) => this._take(data);
    socket.onclose = () => this._again();
    this._socket = socket;
    this._retry = setTimeout(() => this._again(), SILENT);
  }

  _begin() {
    clearTimeout(this._retry);
    this._heardAt = now();
    this._conversation.connect(now());
    this._beat();
    this._beats = setInterval(() => this._beat(), BEAT);
    this._changed();
  }

  _beat() {
    if (this._socket.bufferedAmount > MAX_UNSENT_BYTES || now() - this._heardAt > SILENT) {
      this._again();
      return;
    }
    if (this._socket.readyState === WebSocket.OPEN) this._socket.send(this._conversation.up(now()));
    this._changed(); // the last message may be out of date by now
  }

  _take(data) {
    if (!(data instanceof ArrayBuffer)) return;
    this._heardAt = now();
    this._tries = 0;
    this._conversation.down(new Uint8Array(data), now());
    this._changed();
  }

  _again() {
    clearTimeout(this._retry);
    this._close();
    const wait = RETRY[Math.min(this._tries, RETRY.length - 1)];
    this._tries += 1;
    this._retry = setTimeout(() => this._open(), wait);
    this._changed();
  }

  _close() {
    clearInterval(this._beats);
    if (this._socket === null) return;
    this._socket.onopen = this._socket.onmessage = this._socket.onclose = null;
    this._socket.close();
    this._socket = null;
  }
}

/** Milliseconds since an arbitrary moment. Changes of the phone's clock do not affect them. */
export function now() {
  return performance.now();
}
