// The public board: follows the table and shows the state of the game.

import { attr, show, text } from "./dom.js";
import { describe, wakes } from "./describe.js";
import { openHowToPlay, listGames } from "./how-to-play.js";
import { follow, seconds } from "./live.js";
import { paint } from "./paint.js";
import { paintScene } from "./scene-paint.js";
import { Screen } from "./screen.js";
import { lang, languageSwitch, onLanguage, preferred, speak, t } from "./texts.js";

const UNATTENDED_SECONDS = 10;
const screen = new Screen();
let state = "connecting";
let timer = 0;
let described = null;
let isAttended = true;

/** Show the current state, and schedule the next change that comes without a message. */
function refresh() {
  clearTimeout(timer);
  const now = seconds();
  const seen = {
    state,
    shown: screen.shown(now),
    caption: screen.caption(now),
    scene: screen.scene(now),
    isAttended,
  };
  described = describe(seen, now, t, lang());
  paint(described);
  paintScene(described.scene || null);
  document.title = `${(described.head || described.start).title} · pi-table`;
  const next = Math.min(screen.wakes(now), wakes(seen, now));
  if (Number.isFinite(next)) timer = setTimeout(refresh, Math.max(0, (next - now) * 1000) + 1);
}

function heard(news) {
  state = news.state;
  if (news.fresh && news.table !== null) screen.take(news.table, news.at);
  refresh();
}

async function tellAddress() {
  try {
    const about = await (await fetch("/api/1/about")).json();
    for (const node of document.querySelectorAll("[data-address]")) text(node, about.address);
    for (const image of document.querySelectorAll(".scan img"))
      image.alt = t("qr", { address: about.address });
  } catch {
    // Without the text, the QR code still has the address.
  }
}

function fullScreen() {
  const button = document.getElementById("full");
  show(button, document.fullscreenEnabled === true);
  button.addEventListener("click", () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen();
  });
}

/** Ask a person who has scanned the board's QR code what the phone is for. */
function join() {
  if (location.hash !== "#join") return;
  history.replaceState(null, "", location.pathname + location.search); // so that a reload does not ask again
  const dialog = document.getElementById("join");
  const how = document.querySelector("#join-how span");
  document.getElementById("join-watch").addEventListener("click", () => dialog.close());
  document.getElementById("join-key").addEventListener("click", () => show(how, true));
  dialog.showModal();
}

/** Mark the page when nobody has moved a mouse or pressed a key for a while. */
function attend() {
  let timer = 0;
  const mark = (attended) => {
    attr(document.body, "data-unattended", !attended);
    if (isAttended === attended) return;
    isAttended = attended;
    refresh();
  };
  const attended = () => {
    clearTimeout(timer);
    timer = setTimeout(() => mark(false), UNATTENDED_SECONDS * 1000);
    mark(true);
  };
  for (const sign of ["pointermove", "pointerdown", "keydown", "focusin"])
    addEventListener(sign, attended, { passive: true });
  attended();
}

/** Keep the screen switched on while the page is visible. Browsers can do this only at https addresses,
 * and for pages of the same machine. */
async function stayAwake() {
  if (document.hidden || !("wakeLock" in navigator)) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // The browser may refuse, for example to save its battery.
  }
}

onLanguage(() => {
  refresh();
  listGames(document.getElementById("games"));
  void tellAddress();
});
languageSwitch(document.getElementById("languages"));
fullScreen();
attend();
document.addEventListener("visibilitychange", stayAwake);
void stayAwake();
document.getElementById("how").addEventListener("click", () => openHowToPlay(described));
void speak(preferred()).then(() => {
  follow(heard);
  join();
});
