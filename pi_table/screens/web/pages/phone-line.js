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
  #conversation;
  #changed;
  #socket = null;
  #beats = 0;
  #retry = 0;
  #tries = 0;
  #heardAt = 0;

  /** `changed` is called after everything that may change the screen. */
  constructor(conversation, changed) {
    this.#conversation = conversation;
    this.#changed = changed;
    document.addEventListener("visibilitychange", () =>
      document.hidden ? this.sleep() : this.wake(),
    );
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    addEventListener("pagehide", () => this.sleep());
    addEventListener("online", () => this.wake());
  }

  wake() {
    this.#tries = 0;
    this.#conversation.begin(now());
    this.#open();
    this.#changed();
  }

  sleep() {
    clearTimeout(this.#retry);
    this.#close();
    this.#conversation.begin(now());
    this.#changed();
  }

  #open() {
    clearTimeout(this.#retry);
    this.#close();
    this.#conversation.knock(now());
    this.#heardAt = now();
    const address = new URL("/api/1/phones", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.#begin();
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = () => this.#again();
    this.#socket = socket;
  }

  #begin() {
    this.#beat();
    this.#beats = setInterval(() => this.#beat(), BEAT);
    this.#changed();
  }

  #beat() {
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES || now() - this.#heardAt > SILENT) {
      this.#again();
      return;
    }
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(this.#conversation.up(now()));
    this.#changed(); // earlier messages may be out of date by now
  }

  #take(data) {
    if (!(data instanceof ArrayBuffer)) return;
    this.#heardAt = now();
    this.#tries = 0;
    this.#conversation.down(new Uint8Array(data), now());
    this.#changed();
  }

  #again() {
    this.#close();
    const wait = RETRY[Math.min(this.#tries, RETRY.length - 1)];
    this.#tries += 1;
    this.#retry = setTimeout(() => this.#open(), wait);
    this.#changed();
  }

  #close() {
    clearInterval(this.#beats);
    if (this.#socket === null) return;
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
  }
}

/** Milliseconds from any origin, unaffected by changes of the phone's clock. */
export function now() {
  return performance.now();
}
