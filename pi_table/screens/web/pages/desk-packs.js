// The section for word packs: a list of them, and an editor that checks each line.

import { bring } from "./desk-list.js";
import { putUp } from "./desk-upload.js";
import { el, style, text } from "./dom.js";
import { bytesOf } from "./seal.js";
import { LANGUAGES, lang, t } from "./texts.js";

const CHECK_AFTER = 700; // milliseconds without a key
const MAX_BYTES = 256 * 1024;

export function packs(view, desk) {
  let leave = () => {};
  let isEditing = false;
  view.addEventListener("dragover", (event) => event.preventDefault());
  view.addEventListener("drop", (event) => {
    const file = event.dataTransfer.files[0];
    if (!file && event.target.matches("textarea")) return;
    event.preventDefault();
    if (isEditing) return;
    const words = event.dataTransfer.getData("text/plain");
    if (file) void take(file);
    else if (words) read({ source: t("desk-list-source"), bytes: bytesOf(words) });
  });
  void list();
  return () => leave();

  async function list() {
    isEditing = false;
    leave();
    leave = () => {};
    const answer = await desk.ask("packs");
    if (answer === null) return;
    if (!answer.ok) {
      view.replaceChildren(el("p", { class: "wrong" }, answer.sentence));
      return;
    }
    const file = el("input", { id: "pack-file", type: "file", class: "spoken" });
    file.addEventListener("change", () => {
      const [chosen] = file.files;
      file.value = ""; // or the same file, chosen again, would be no change
      void take(chosen);
    });
    view.replaceChildren(
      el("p", { class: "soft" }, t("desk-packs-help")),
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", on: { click: () => edit(template(), null) } }, t("desk-pack-new")),
        file,
        el("label", { class: "button", for: "pack-file" }, t("desk-pack-upload")),
        el("button", { type: "button", on: { click: () => read({}) } }, t("desk-list-paste")),
      ),
      el("ul", { class: "cards" }, ...answer.told.map(card)),
    );
  }

  function card(pack) {
    const kind = [
      LANGUAGES[pack.language],
      pack.faults > 0 ? null : t("desk-pack-words", { count: pack.words }),
      pack.adults ? t("desk-pack-adults") : null,
      pack.own ? t("desk-pack-own") : t("desk-pack-shipped"),
      pack.few ? t("desk-pack-few") : null,
    ].filter(Boolean);
    const button = (name, what, more = {}) =>
      el(
        "button",
        { type: "button", "aria-label": `${t(name)}: ${pack.title}`, ...more, on: { click: what } },
        t(name),
      );
    return el(
      "li",
      { class: "card" },
      el("h3", {}, pack.title),
      el("p", { class: "soft" }, kind.join(" · ")),
      pack.faults > 0
        ? el("p", { class: "wrong" }, t("desk-pack-faults", { count: pack.faults }), el("br"), pack.why)
        : null,
      el(
        "div",
        { class: "row" },
        button(pack.own ? "desk-pack-edit" : "desk-pack-read", () => void open(pack)),
        pack.own ? button("desk-pack-remove", () => void remove(pack), { class: "danger" }) : null,
      ),
    );
  }

  async function open(pack) {
    const answer = await desk.ask("pack", { name: pack.name });
    if (answer === null) return;
    if (answer.ok) edit(answer.told.text, pack.own ? pack.name : null, !pack.own);
    else if (pack.own) read({ of: pack.name, why: answer.sentence });
    else desk.say(answer.sentence);
  }

  async function remove(pack) {
    if (!(await desk.confirm(t("desk-pack-sure", { title: pack.title }), t("desk-pack-remove")))) return;
    const answer = await desk.ask("remove-pack", { name: pack.name });
    if (answer === null) return;
    desk.say(answer.ok ? t("desk-pack-gone", { title: pack.title }) : answer.sentence);
    void list();
  }

  async function take(file) {
    if (!file) return;
    if (file.size > MAX_BYTES) {
      desk.say(t("desk-pack-too-long"));
      return;
    }
    read({ source: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }

  /** Opens the view that makes a pack from a list of words. */
  function read(given) {
    isEditing = false;
    leave();
    leave = bring(view, desk, given, (words) => edit(words, given.of || null, false, true), () => void list());
  }

  function edit(words, was, isRead = false, isNew = false) {
    isEditing = true;
    leave();
    const asList = (list) => read({ of: was || undefined, bytes: bytesOf(list) });
    leave = editor(view, desk, { words, was, isRead, isNew }, asList, () => void list());
  }
}

function template() {
  return `name: \ntitle: \nlanguage: ${lang()}\naudience: everybody\nsource: \nlicence: \n\n`;
}

/** The text of a pack with line numbers. Faults are shown beside their lines. */
function editor(view, desk, { words, was, isRead, isNew }, asList, back) {
  const numbers = el("div", { class: "numbers", "aria-hidden": "true" });
  const beside = el("div", { class: "beside", "aria-hidden": "true" });
  const area = el("textarea", {
    id: "pack-text",
    class: "words",
    spellcheck: "false",
    autocapitalize: "off",
    wrap: "off",
    readonly: isRead,
    "aria-describedby": "pack-state",
  });
  area.value = words;
  const state = el("p", { id: "pack-state", role: "status" });
  const make = el(
    "button",
    { type: "button", hidden: true, on: { click: () => asList(area.value) } },
    t("desk-list-make"),
  );
  const complaints = el("ul", { class: "complaints" });
  const figures = el("ul", { class: "figures" });
  const save = el("button", { type: "button", class: "primary", on: { click: keep } }, t("desk-pack-save"));
  save.disabled = true;

  let timer = 0;
  let number = 0;
  let left = false;
  let isSaved = !isNew;

  area.addEventListener("input", () => {
    count();
    isSaved = false;
    mark([]);
    save.disabled = true;
    text(state, t("desk-pack-checks"));
    clearTimeout(timer);
    timer = setTimeout(() => void check(), CHECK_AFTER);
  });
  area.addEventListener("scroll", () => {
    style(numbers, "--top", `${-area.scrollTop}px`);
    style(beside, "--top", `${-area.scrollTop}px`);
  });

  view.replaceChildren(
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", on: { click: async () => (await desk.mayLeave()) && back() } }, t("back")),
      isRead ? null : save,
    ),
    el("label", { for: "pack-text" }, isRead ? t("desk-pack-is-shipped") : t("desk-pack-text")),
    el("div", { class: "paper" }, el("div", { class: "gutter" }, numbers), area, el("div", { class: "margin" }, beside)),
    state,
    make,
    figures,
    complaints,
  );
  count();
  if (!isRead || words) void check();
  area.setSelectionRange(0, 0);
  area.focus();
  desk.isBegun = () => !left && !isSaved;
  return () => {
    left = true;
    clearTimeout(timer);
  };

  function count() {
    const lines = area.value.split("\n").length;
    text(numbers, Array.from({ length: lines }, (_, place) => place + 1).join("\n"));
  }

  async function check() {
    const mine = (number += 1);
    const refused = await putUp(desk, "text", bytesOf(area.value));
    if (left || mine !== number) return;
    const answer = refused || (await desk.ask("check-pack"));
    if (answer === null || answer.lost || left || mine !== number) return;
    if (!answer.ok) {
      text(state, answer.sentence);
      return;
    }
    tell(answer.told);
  }

  function tell(found) {
    text(
      state,
      found.ok
        ? t("desk-pack-in-order", { count: found.words })
        : t("desk-pack-faults", { count: found.complaints.length }),
    );
    state.className = found.ok ? "right" : "wrong";
    save.disabled = !found.ok;
    make.hidden = !found.is_list;
    mark(found.complaints);
    figures.replaceChildren(...(found.ok ? figuresOf(found) : []));
  }

  function mark(found) {
    complaints.replaceChildren(
      ...found.map((each) =>
        el(
          "li",
          {},
          each.line === null
            ? null
            : el(
                "button",
                { type: "button", class: "line-number", on: { click: () => jump(each.line) } },
                t("desk-pack-line", { count: each.line }),
              ),
          el("span", {}, each.what),
        ),
      ),
    );
    const byLine = new Map();
    for (const each of found) {
      if (each.line !== null) byLine.set(each.line, `${byLine.get(each.line) || ""} ${each.what}`.trim());
    }
    beside.replaceChildren(
      ...[...byLine].map(([line, what]) => {
        const note = el("p", { class: "note", title: what }, what);
        style(note, "--line", line - 1);
        return note;
      }),
    );
  }

  function jump(line) {
    const before = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = area.value.indexOf("\n", before);
    area.focus();
    area.setSelectionRange(before, end < 0 ? area.value.length : end);
    const height = area.scrollHeight / area.value.split("\n").length;
    area.scrollTop = Math.max(0, (line - 4) * height);
  }

  async function keep() {
    save.disabled = area.readOnly = true; // or an edit would be lost
    clearTimeout(timer);
    number += 1;
    const refused = await putUp(desk, "text", bytesOf(area.value));
    const answer = refused || (await desk.ask("save-pack", { was }));
    if (answer === null || answer.lost) return;
    area.readOnly = false;
    if (!answer.ok) {
      text(state, answer.sentence);
      state.className = "wrong";
      save.disabled = false;
      return;
    }
    if (!answer.told.ok) {
      tell(answer.told);
      return;
    }
    isSaved = true;
    desk.say(t("desk-pack-kept", { title: answer.told.title }));
    back();
  }
}

function figuresOf(found) {
  const lines = [t("desk-pack-many", { count: found.many })];
  if (found.kin.length > 0) {
    lines.push(t("desk-pack-kin", { pairs: found.kin.map((pair) => pair.join(" – ")).join(", ") }));
  }
  for (const [title, count] of found.shared) lines.push(t("desk-pack-shared", { count, title }));
  return lines.map((line) => el("li", {}, line));
}
