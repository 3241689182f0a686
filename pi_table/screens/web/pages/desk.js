// The operator's desk: opening the link, entering the PIN, and showing a section.

import { DeskLine, LinkOver } from "./desk-line.js";
import { backup } from "./desk-backup.js";
import { doctor } from "./desk-doctor.js";
import { now } from "./desk-now.js";
import { play } from "./desk-play.js";
import { packs } from "./desk-packs.js";
import { records } from "./desk-records.js";
import { settings } from "./desk-settings.js";
import { statistics } from "./desk-statistics.js";
import { el, show, text } from "./dom.js";
import { fragmentOf, keysOf } from "./handshake.js";
import { lang, languageSwitch, onLanguage, preferred, speak, t } from "./texts.js";

const SECTIONS = { play, now, settings, packs, records, statistics, doctor, backup };
const TICK = 5000; // milliseconds
const SAID_FOR = 6000;

const at = (id) => document.getElementById(id);
const main = at("main");

let line = null;
let isOpen = false;
let locksAt = 0;
let section = "now";
/** True if the table has a hidden screen. Only without one has the desk the section "play". */
let hasScreen = true;
let leave = () => {};
let hushes = 0;
/** The number of the current view. Answers to requests of an earlier view are dropped. */
let shown = 0;
const isNothingBegun = () => false;

const desk = {
  /** Asks the engine. Returns null if the answer is not needed any more, because the desk was
   * locked or another view was opened. */
  async ask(act, fields = {}) {
    const mine = shown;
    let answer;
    try {
      answer = await line.call(act, { lang: lang(), ...fields });
    } catch (error) {
      if (!(error instanceof LinkOver)) throw error;
      over();
      return null;
    }
    stands(answer);
    if (mine !== shown) return null;
    if (answer.ok === false && answer.reason === "locked") {
      pin();
      return null;
    }
    return answer;
  },
  say,
  confirm,
  /** Returns true if leaving the view would lose input. A view replaces it. */
  isBegun: isNothingBegun,
  /** True if the view may be left: nothing would be lost, or the operator says so. */
  async mayLeave() {
    return !desk.isBegun() || confirm(t("desk-pack-unsaved"), t("desk-pack-leave"));
  },
};

/** Remembers whether the desk is unlocked, and for how long. */
function stands(answer) {
  isOpen = answer.open === true;
  locksAt = performance.now() + 1000 * (answer.left || 0);
  tick();
}

function tick() {
  const seconds = (locksAt - performance.now()) / 1000;
  show(at("left"), isOpen);
  show(at("lock"), isOpen);
  show(at("sections"), isOpen);
  if (isOpen) text(at("left"), t("desk-locks-in", { count: Math.max(1, Math.ceil(seconds / 60)) }));
  if (isOpen && seconds <= 0) {
    isOpen = false;
    pin();
  }
}

/** Shows a short message. */
function say(words) {
  text(at("said"), words);
  show(at("said"), true);
  clearTimeout(hushes);
  hushes = setTimeout(() => show(at("said"), false), SAID_FOR);
}

/** Asks for confirmation. */
function confirm(question, yes, more = []) {
  return new Promise((answered) => {
    const close = (value) => () => {
      dialog.close();
      dialog.remove();
      answered(value);
    };
    const no = el("button", { type: "button", on: { click: close(false) } }, t("cancel"));
    const sure = el("button", { type: "button", class: "danger", on: { click: close(true) } }, yes);
    const dialog = el(
      "dialog",
      { class: "sure", "aria-labelledby": "question", on: { cancel: close(false) } },
      el("h2", { id: "question" }, question),
      ...more.map((each) => el("p", {}, each)),
      el("div", { class: "row" }, no, sure),
    );
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}

function cleared(title) {
  leave();
  leave = () => {};
  desk.isBegun = isNothingBegun;
  shown += 1;
  const heading = el("h2", { tabindex: "-1" }, title);
  main.replaceChildren(heading);
  return heading;
}

/** Shows that this page has no valid link to the table. */
function over() {
  isOpen = false;
  tick();
  cleared(t("desk-no-link"));
  main.append(el("p", {}, t("desk-no-link-help")));
}

/** Asks for the PIN. */
async function pin() {
  cleared(t("desk-pin"));
  tick();
  const mine = shown;
  const field = el("input", {
    id: "pin",
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: "8",
    pattern: "[0-9]{4,8}",
    required: true,
    "aria-describedby": "pin-wrong",
  });
  const wrong = el("p", { id: "pin-wrong", class: "wrong", role: "alert" });
  const open = el("button", { class: "primary" }, t("desk-open"));
  const form = el(
    "form",
    { class: "pin", on: { submit: enter } },
    el("label", { for: "pin" }, t("desk-pin-label")),
    el("div", { class: "row" }, field, open),
    wrong,
  );
  main.append(form, el("p", { class: "soft" }, t("desk-pin-help")));
  field.focus();

  async function enter(event) {
    event.preventDefault();
    open.disabled = true;
    const entered = field.value;
    field.value = "";
    const answer = await desk.ask("unlock", { pin: entered });
    open.disabled = false;
    if (answer === null) return;
    if (answer.ok) {
      enterSection(section);
      return;
    }
    text(wrong, answer.sentence);
    field.focus();
  }

  const answer = await desk.ask("state");
  if (answer === null || mine !== shown) return;
  if (hasScreen && answer.told && answer.told.screen === false) {
    hasScreen = false;
    section = "play";
  }
  if (answer.told && answer.told.pin === false) {
    form.replaceChildren(el("p", { class: "wrong" }, t("desk-no-pin")));
  } else if (answer.open) enterSection(section);
}

/** Opens a section. */
function enterSection(name, focus = true) {
  section = name;
  const heading = cleared(t(`desk-${name}`));
  navigation();
  tick();
  const view = el("div", { class: `view ${name}` });
  main.append(view);
  leave = SECTIONS[name](view, desk) || (() => {});
  if (focus) heading.focus();
}

function navigation() {
  at("sections").replaceChildren(
    ...Object.keys(SECTIONS).filter((name) => name !== "play" || !hasScreen).map((name) =>
      el(
        "button",
        {
          type: "button",
          "aria-current": name === section ? "page" : null,
          on: { click: async () => (await desk.mayLeave()) && enterSection(name) },
        },
        t(`desk-${name}`),
      ),
    ),
  );
}

async function begin() {
  languageSwitch(at("languages"));
  await speak(preferred());
  const keys = keysOf(location.hash);
  if (keys === null) {
    over();
    return;
  }
  history.replaceState(null, "", fragmentOf(keys));
  line = new DeskLine(keys, {
    tell(there) {
      text(at("away"), t("desk-away"));
      show(at("away"), !there);
    },
  });
  at("lock").addEventListener("click", async () => {
    if (!(await desk.mayLeave())) return;
    await desk.ask("lock");
    pin();
  });
  onLanguage(() => {
    document.title = `pi-table · ${t("desk-title")}`;
    if (line === null) over();
    else if (isOpen && desk.isBegun()) navigation(); // the view keeps its language and its input
    else if (isOpen) enterSection(section, false);
    else pin();
  });
  document.title = `pi-table · ${t("desk-title")}`;
  addEventListener("hashchange", () => location.reload());
  addEventListener("beforeunload", (event) => {
    if (!desk.isBegun()) return;
    event.preventDefault();
    event.returnValue = ""; // before Chromium 119
  });
  setInterval(tick, TICK);
  pin();
}

void begin();
