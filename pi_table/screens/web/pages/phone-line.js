// The line to the table: a socket that comes back by itself, and the beats.
//
// One message of one length goes out at each beat, whatever there is to say. The page sleeps while
// nobody can see it: the socket is closed then, and opened anew at once when the phone wakes, for a
// socket that slept in a pocket may be dead without anybody knowing.

import { BEAT } from "./sealed.js";

const RETRY = [100, 250, 500, 1000, 2000];
/** Milliseconds without a block after which another socket is tried. */
const SILENT = 5000;
/** Bytes waiting to be sent: more of them are old beats, and the network is gone. */
const MAX_UNSENT_BYTES = 4096;

export class Line {
  _conversation;
  _changed;
  _socket = null;
  _beats = 0;
  _retry = 0;
  _tries = 0;
  _heardAt = 0;

  /** `changed` is called after everything that may change the screen. */
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
  }

  _begin() {
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
    this._changed(); // earlier messages may be out of date by now
  }

  _take(data) {
    if (!(data instanceof ArrayBuffer)) return;
    this._heardAt = now();
    this._tries = 0;
    this._conversation.down(new Uint8Array(data), now());
    this._changed();
  }

  _again() {
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

/** Milliseconds from any origin, unaffected by changes of the phone's clock. */
export function now() {
  return performance.now();
}
