// The section for the settings of the house. Each setting is changed separately, and the change takes
// effect at once.

import { attr, el, text } from "./dom.js";
import { t } from "./texts.js";

/** The times that a schedule gets when it is switched on for the first time. */
const FIRST_HOURS = ["22:00", "08:00"];
let ids = 0;
const named = () => `setting-${(ids += 1)}`;

export function settings(view, desk) {
  void fill();
  return undefined;

  async function fill() {
    const answer = await desk.ask("settings");
    if (answer === null) return;
    if (!answer.ok) {
      view.replaceChildren(el("p", { class: "wrong" }, answer.sentence));
      return;
    }
    const house = answer.told.filter((group) => group.profile === null);
    const rules = answer.told.filter((group) => group.profile !== null);
    view.replaceChildren(
      el("p", { class: "soft" }, t("desk-settings-help")),
      ...house.map((group) => drawn(group, desk)),
      el("p", { class: "soft" }, t("desk-rules-help")),
      ...rules.map((group) =>
        el("details", { class: "group" }, el("summary", {}, group.title), ...lines(group, desk)),
      ),
      pins(desk),
    );
  }
}

function drawn(group, desk) {
  const [line, ...more] = group.lines;
  const isItsOwn = more.length === 0 && line.label === group.title; // a legend would repeat the title
  if (isItsOwn) return el("div", { class: "group plain" }, ...lines(group, desk));
  return el("fieldset", { class: "group" }, el("legend", {}, group.title), ...lines(group, desk));
}

function lines(group, desk) {
  const drawn = [];
  for (let place = 0; place < group.lines.length; place += 1) {
    const line = group.lines[place];
    const change = changer(group, line, desk);
    if (line.schedule) {
      const until = group.lines[(place += 1)];
      drawn.push(schedule(line, until, change, changer(group, until, desk)));
    } else drawn.push(DRAWN[line.kind](line, change));
  }
  return drawn;
}

/** A switch with two times, which are visible while it is on. The schedule is off if both times are
 * equal. */
function schedule(from, until, changeFrom, changeUntil) {
  const id = named();
  const inTurn = queue();
  const complaint = complaintFor(id);
  const box = el("input", { id, type: "checkbox", role: "switch", "aria-describedby": `${id}-wrong` });
  const times = el("div", { class: "times" });
  const now = [from.value, until.value];
  const isOn = () => now[0] !== now[1];
  let hours = isOn() ? [...now] : FIRST_HOURS;
  const changes = [changeFrom, changeUntil].map((change, which) => async (value, wrong) => {
    const isKept = await change(value, wrong);
    if (isKept) now[which] = value;
    return isKept;
  });
  let newest = 0; // the last switch: the box and the times show what it wanted
  const draw = () => {
    box.checked = isOn();
    times.replaceChildren(
      ...(isOn() ? [from, until] : []).map((line, which) =>
        DRAWN.time({ ...line, value: now[which] }, (value, wrong) => {
          const mine = newest;
          return inTurn(async () => {
            const isKept = await changes[which](value, wrong);
            if (mine === newest) box.checked = isOn();
            return isKept;
          });
        }),
      ),
    );
  };
  const turn = async (wantsOn, mine) => {
    if (!wantsOn) {
      if (isOn()) hours = [...now];
      await changes[1](now[0], complaint);
    } else if (await changes[0](hours[0], complaint)) await changes[1](hours[1], complaint);
    if (mine === newest) draw();
  };
  box.addEventListener("change", () => {
    const wantsOn = box.checked;
    if (!wantsOn) times.replaceChildren(); // a time that is typed now would switch it on again
    const mine = (newest += 1);
    void inTurn(() => turn(wantsOn, mine));
  });
  draw();
  const shown = row({ label: from.schedule }, id, box, complaint);
  attr(shown, "data-switch", true);
  return el("div", {}, shown, times);
}

/** Returns a function that changes one setting. `change(value, complaint)` returns true if the table
 * accepted the value. */
function changer(group, line, desk) {
  return async (value, complaint) => {
    const answer =
      group.profile === null
        ? await desk.ask("house", { set: { [line.field]: value } })
        : await desk.ask("rule", { profile: group.profile, setting: line.field, value });
    if (answer === null) return false;
    text(complaint, answer.ok ? "" : answer.sentence);
    if (answer.ok) desk.say(t("desk-kept", { setting: line.label }));
    return answer.ok;
  };
}

function row(line, id, control, complaint) {
  return el("div", { class: "line" }, el("label", { for: id }, line.label), control, complaint);
}

const complaintFor = (id) => el("p", { id: `${id}-wrong`, class: "wrong", role: "alert" });

/** Returns a function that runs changes one after the other and returns what each returns. A change
 * may begin before an earlier one is answered, but must be computed from that answer. */
function queue() {
  let last = Promise.resolve();
  return (change) => (last = last.then(change, change));
}

/** A control that shows its old value again if the table refuses the new one. */
function kept(control, complaint, read, write, before, change) {
  let now = before;
  let newest = 0;
  control.addEventListener("change", async () => {
    const wanted = read();
    const mine = (newest += 1);
    if (await change(wanted, complaint)) now = wanted;
    else if (mine === newest) write(now); // else the control shows a later value
  });
}

const DRAWN = {
  switch(line, change) {
    const id = named();
    const complaint = complaintFor(id);
    const box = el("input", { id, type: "checkbox", role: "switch", "aria-describedby": `${id}-wrong` });
    box.checked = line.value === true;
    kept(box, complaint, () => box.checked, (value) => (box.checked = value), box.checked, change);
    const shown = row(line, id, box, complaint);
    attr(shown, "data-switch", true);
    return shown;
  },

  percent(line, change) {
    const id = named();
    const complaint = complaintFor(id);
    const said = el("output", { for: id }, `${line.value} %`);
    const range = el("input", {
      id,
      type: "range",
      min: 0,
      max: 100,
      step: 5,
      value: line.value,
      "aria-describedby": `${id}-wrong`,
    });
    const tell = () => {
      text(said, `${range.value} %`);
      range.setAttribute("aria-valuetext", `${range.value} %`);
    };
    range.addEventListener("input", tell);
    const write = (value) => {
      range.value = value;
      tell();
    };
    tell();
    kept(range, complaint, () => Number(range.value), write, line.value, change);
    return row(line, id, el("span", { class: "with-value" }, range, said), complaint);
  },

  time(line, change) {
    const id = named();
    const complaint = complaintFor(id);
    const field = el("input", { id, type: "time", value: line.value, "aria-describedby": `${id}-wrong` });
    const read = () => field.value.slice(0, 5);
    kept(field, complaint, read, (value) => (field.value = value), line.value, change);
    return row(line, id, field, complaint);
  },

  choice(line, change) {
    const id = named();
    const complaint = complaintFor(id);
    const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
    const list = el(
      "select",
      { id, "aria-describedby": `${id}-wrong` },
      ...line.values.map(([value, label], place) =>
        el("option", { value: place }, same(value, line.default) ? `${label} ·` : label),
      ),
    );
    const write = (value) => (list.value = line.values.findIndex(([each]) => same(each, value)));
    write(line.value);
    kept(list, complaint, () => line.values[list.value][0], write, line.value, change);
    return row(line, id, list, complaint);
  },

  several: (line, change) => boxes(line, change, false),
  "all-but": (line, change) => boxes(line, change, true),
};

/** A setting with several values, each of which can be selected or left out. */
function boxes(line, change, isLeftOut) {
  let now = line.value;
  const inTurn = queue();
  const complaint = complaintFor(named());
  return el(
    "fieldset",
    { class: "boxes" },
    el("legend", {}, line.label),
    ...line.values.map(([value, label]) => {
      const id = named();
      const box = el("input", { id, type: "checkbox" });
      const isChecked = () => now.includes(value) !== isLeftOut;
      box.checked = isChecked();
      const set = async (isWanted) => {
        const others = now.filter((each) => each !== value);
        const wanted = isWanted !== isLeftOut ? [...others, value] : others;
        if (await change(wanted, complaint)) now = wanted;
        box.checked = isChecked();
      };
      box.addEventListener("change", () => {
        const isWanted = box.checked;
        void inTurn(() => set(isWanted));
      });
      return el("div", { class: "box" }, box, el("label", { for: id }, label));
    }),
    complaint,
  );
}

/** The fields for a new PIN. The current PIN must be entered too. */
function pins(desk) {
  const complaint = el("p", { class: "wrong", role: "alert" });
  const field = (name, label) => {
    const input = el("input", {
      id: name,
      type: "password",
      inputmode: "numeric",
      autocomplete: "off",
      pattern: "[0-9]{4,8}",
      maxlength: "8",
      required: true,
    });
    return [input, el("div", { class: "line" }, el("label", { for: name }, label), input)];
  };
  const [old, oldRow] = field("pin-old", t("desk-pin-old"));
  const [one, oneRow] = field("pin-new", t("desk-pin-new"));
  const [two, twoRow] = field("pin-again", t("desk-pin-again"));

  async function change(event) {
    event.preventDefault();
    if (one.value !== two.value) {
      text(complaint, t("desk-pins-differ"));
      one.focus();
      return;
    }
    const answer = await desk.ask("change-pin", { pin: old.value, new: one.value });
    for (const each of [old, one, two]) each.value = "";
    if (answer === null) return;
    text(complaint, answer.ok ? "" : answer.sentence);
    if (answer.ok) {
      desk.say(t("desk-pin-changed"));
      void desk.ask("settings"); // the new PIN has locked the desk: ask for this PIN
    }
  }

  return el(
    "form",
    { class: "group", on: { submit: change } },
    el("h3", {}, t("desk-change-pin")),
    oldRow,
    oneRow,
    twoRow,
    complaint,
    el("button", {}, t("desk-change-pin")),
  );
}
