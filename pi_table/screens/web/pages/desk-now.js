// The section about the present: the current game, the sound, and the machine.

import { attr, el, keyed, show, text } from "./dom.js";
import { lang, t } from "./texts.js";

const POLL = 2000; // milliseconds
const POLL_HIDDEN = 20000;

export function now(view, desk) {
  let timer = 0;
  let left = false;
  let isMuted = false;
  let isPaused = false;
  const title = el("h3", {});
  const turn = el("p", { class: "turn", role: "status" });
  const minutes = el("p", { class: "soft" });
  const phones = el("p", { class: "soft" });
  const pause = button("", () => change(() => (isPaused ? desk.ask("resume") : desk.ask("pause"))));
  const end = button(t("desk-end"), () => void ended(), "danger");
  const sound = el("p", {});
  const mute = button("", () => change(() => desk.ask("house", { set: { muted: !isMuted } })));
  const well = el("p", { class: "right" }, t("desk-well"));
  const faults = el("ul", { class: "faults" });
  const heat = el("dt", {}, t("desk-temperature"));
  const temperature = el("dd", {});
  const uptime = el("dd", {});
  const version = el("dd", {});
  const refused = el("p", { class: "wrong", role: "alert" });
  view.replaceChildren(
    group(title, turn, minutes, phones, el("div", { class: "row" }, pause, end), refused),
    group(el("h3", {}, t("desk-sound")), sound, el("div", { class: "row" }, mute)),
    group(
      el("h3", {}, t("desk-machine")),
      well,
      faults,
      el(
        "dl",
        { class: "facts" },
        heat,
        temperature,
        el("dt", {}, t("desk-uptime")),
        uptime,
        el("dt", {}, t("desk-version")),
        version,
      ),
    ),
  );
  attr(view, "aria-busy", "true");
  void poll();
  return () => {
    left = true;
    clearTimeout(timer);
  };

  async function poll() {
    clearTimeout(timer);
    const answer = await desk.ask("now");
    if (answer === null || left) return;
    if (answer.ok) tell(answer.told);
    else text(refused, answer.sentence);
    clearTimeout(timer);
    timer = setTimeout(() => void poll(), document.hidden ? POLL_HIDDEN : POLL);
  }

  /** Requests a change, which the table may refuse, then shows the new state. */
  async function change(ask) {
    const answer = await ask();
    if (answer === null) return;
    text(refused, answer.ok ? "" : answer.sentence);
    await poll();
  }

  async function ended() {
    if (await desk.confirm(t("desk-end-sure"), t("desk-end"))) await change(() => desk.ask("abandon"));
  }

  function tell(found) {
    attr(view, "aria-busy", null);
    isMuted = found.muted;
    text(title, found.game === null ? t("desk-no-game") : found.game);
    text(turn, found.status);
    show(minutes, found.minutes !== null);
    text(minutes, t("desk-begun", { count: Math.max(1, found.minutes) }));
    show(phones, found.game !== null);
    text(phones, t("desk-phones", { seats: found.phones.map(nameOf).join(", ") || t("desk-none") }));
    isPaused = found.may.includes("resume");
    text(pause, t(isPaused ? "desk-resume" : "desk-pause"));
    show(pause, isPaused || found.may.includes("pause"));
    show(end, found.may.includes("abandon"));
    text(sound, loudness(found));
    text(mute, t(found.muted ? "desk-unmute" : "desk-mute"));
    const wrong = [...found.faults, ...(found.wet ? [t("desk-wipe")] : [])];
    show(well, wrong.length === 0);
    keyed(faults, wrong, (each) => each, () => el("li", { class: "wrong" }), text);
    for (const each of [heat, temperature]) show(each, found.temperature !== null);
    text(temperature, `${Math.round(found.temperature)} °C`);
    text(uptime, duration(found.uptime));
    text(version, found.version);
  }
}

const button = (words, click, kind = null) => el("button", { type: "button", class: kind, on: { click } }, words);

const group = (...children) => el("section", { class: "group" }, ...children);

function nameOf({ seat, nickname }) {
  if (nickname !== null) return nickname;
  const [team, role] = seat.split("-");
  return t(`phone-${role}`, { team: t(team) });
}

function loudness({ volume, muted, quiet }) {
  if (muted) return t("desk-muted");
  return quiet ? t("desk-quiet") : t("desk-volume", { volume });
}

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return t("desk-days", { count: days });
  return hours > 0 ? t("desk-hours", { hours, minutes: minutes % 60 }) : t("desk-short", { count: minutes });
}
