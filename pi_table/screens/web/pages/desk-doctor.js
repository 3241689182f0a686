// The section about the condition of the table: the engine's own report, the readings of the pads, and
// the button that switches the machine off.

import { attr, el, style, text } from "./dom.js";
import { t } from "./texts.js";

const POLL = 300; // milliseconds between two readings of the pads
const RIM = ["far", "left", "right", "near"];

export function doctor(view, desk) {
  let stop = () => {};
  const health = el("div", {});
  const pads = el("section", { class: "group" });
  view.replaceChildren(health, pads, machine(desk));
  void tell();
  idle();
  return () => stop();

  async function tell() {
    const answer = await desk.ask("doctor");
    if (answer === null) return;
    if (!answer.ok) {
      health.replaceChildren(el("p", { class: "wrong" }, answer.sentence));
      return;
    }
    const found = answer.told;
    const yes = (is) => (is ? t("desk-yes") : t("desk-no"));
    health.replaceChildren(
      found.faults.length === 0
        ? el("p", { class: "right" }, t("desk-well"))
        : el("ul", { class: "faults" }, ...found.faults.map((each) => el("li", { class: "wrong" }, each))),
      el(
        "dl",
        { class: "facts group" },
        ...fact(t("desk-version"), found.version),
        ...fact(t("desk-stores"), yes(found.can_store)),
        ...fact(t("desk-wet"), yes(found.wet)),
        ...fact(t("desk-deaf"), found.deaf.join(", ") || t("desk-none")),
      ),
      el(
        "section",
        { class: "group" },
        el("h3", {}, t("desk-counts")),
        el("p", { class: "soft" }, t("desk-counts-help")),
        el("ul", { class: "counts" }, ...found.counts.map(countLine)),
      ),
    );
  }

  function idle(sentence = "") {
    stop();
    const refused = el("p", { class: "wrong", role: "alert" }, sentence);
    const click = () => void begin(test, refused);
    const test = el("button", { type: "button", on: { click } }, t("desk-pads-try"));
    pads.replaceChildren(
      el("h3", {}, t("desk-pads")),
      el("p", { class: "soft" }, t("desk-pads-help")),
      test,
      refused,
    );
  }

  async function begin(test, refused) {
    test.disabled = true;
    let runs = true;
    // The section may be left before the answer. The service must end then, too.
    stop = () => {
      runs = false;
      stop = () => {};
      void desk.ask("leave-service");
    };
    const answer = await desk.ask("service");
    if (answer === null) return;
    if (!answer.ok) {
      stop = () => {};
      test.disabled = false;
      text(refused, answer.sentence);
      return;
    }
    const heat = heatMap();
    pads.replaceChildren(
      el("h3", {}, t("desk-pads")),
      el("button", { type: "button", class: "primary", on: { click: () => void end() } }, t("desk-pads-stop")),
      heat.node,
      el("p", { class: "soft" }, t("desk-pads-legend")),
    );
    while (runs) {
      const read = await desk.ask("pads");
      if (read === null || !runs) return;
      if (!read.ok) {
        stop = () => {};
        idle(read.sentence);
        return;
      }
      if (read.told) heat.tell(read.told);
      await new Promise((go) => setTimeout(go, document.hidden ? 10 * POLL : POLL));
    }
  }

  async function end() {
    stop();
    idle();
    void tell();
  }
}

const fact = (name, value) => [el("dt", {}, name), el("dd", {}, value)];

function countLine(each) {
  return el(
    "li",
    { class: each.count > 0 ? "some" : "none" },
    el("strong", {}, `${each.label}: ${each.count}`),
    el("span", { class: "soft" }, each.meaning),
  );
}

/** The pads, placed as the operatives see them. Each shows how close its reading is to a touch. */
function heatMap() {
  const cells = [];
  const node = el("div", { class: "heat", role: "group", "aria-label": t("desk-pads") });

  function made(names) {
    const labels = [...names, ...RIM.map((side) => t(`desk-rim-${side}`))];
    labels.forEach((name, place) => {
      const said = place === 25 || place === 26 ? t(`desk-pad-${name}`) : name;
      const value = el("span", { class: "value" });
      const cell = el("div", { class: `pad pad-${place}` }, el("span", { class: "name" }, said), value);
      cells.push([cell, value]);
      node.append(cell);
    });
  }

  const orDash = (count) => (count === undefined || count === null ? "–" : count);

  function tell(read) {
    if (cells.length === 0) made(read.names);
    cells.forEach(([cell, value], place) => {
      const delta = read.deltas[place];
      const threshold = read.thresholds[place] || 12;
      style(cell, "--heat", delta === null || delta === undefined ? 0 : Math.min(1, Math.max(0, delta / (2 * threshold))));
      const state = read.deaf.includes(place) || delta === null
        ? "deaf"
        : read.noisy.includes(place)
          ? "noisy"
          : read.touched.includes(place)
            ? "touched"
            : "";
      attr(cell, "data-state", state || null);
      text(value, delta === null || delta === undefined ? "–" : `${delta}${state === "touched" ? " ●" : state === "noisy" ? " ~" : ""}`);
      attr(cell, "title", `${t("desk-pad-most")} ${orDash(read.most[place])} · ${t("desk-pad-from")} ${orDash(read.thresholds[place])}`);
    });
  }

  return { node, tell };
}

function machine(desk) {
  const refused = el("p", { class: "wrong", role: "alert" });
  async function off() {
    if (!(await desk.confirm(t("desk-off-sure"), t("desk-off"), [t("desk-off-help")]))) return;
    const answer = await desk.ask("shutdown");
    if (answer === null) return;
    text(refused, answer.ok ? "" : answer.sentence);
    if (answer.ok) desk.say(t("desk-off-begun"));
  }
  return el(
    "section",
    { class: "group" },
    el("h3", {}, t("desk-off")),
    el("p", { class: "soft" }, t("desk-off-help")),
    el("button", { type: "button", class: "danger", on: { click: () => void off() } }, t("desk-off")),
    refused,
  );
}
