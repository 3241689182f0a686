// A list of words in any format. This view shows what the table has understood of the list, and what
// the operator must decide before it becomes a word pack.

import { putUp } from "./desk-upload.js";
import { el, show, text } from "./dom.js";
import { bytesOf } from "./seal.js";
import { LANGUAGES, t } from "./texts.js";

const READ_AFTER = 500; // milliseconds without a key

/** Fills the view. `given` is a file (`bytes`, and the file's name `source`), or a pack of the
 * house that cannot be edited (its name `of`, and the reason `why`). If `given` is neither, a list
 * can be pasted into a field. `edit(words)` opens the editor with the text of a pack. */
export function bring(view, desk, given, edit, back) {
  const source = given.source || null;
  const how = { encoding: null, separator: null, column: null };
  const state = el("p", { id: "list-state", role: "status" });
  const area = el("textarea", { id: "list-text", class: "words pasted", spellcheck: "false", autocapitalize: "off" });
  const encodings = el("fieldset", { class: "boxes", hidden: true });
  const between = selectOf("list-separator", "separator", (value) => value);
  const columns = selectOf("list-column", "column", Number);
  const title = el("input", {
    id: "list-title",
    type: "text",
    required: true,
    maxlength: "60",
    autocomplete: "off",
    value: source === null ? "" : source.replace(/\.[^.]*$/, ""),
  });
  const language = el(
    "select",
    { id: "list-language", required: true, on: { change: () => void read() } },
    el("option", { value: "" }, t("desk-list-choose")),
    ...Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code }, name)),
  );
  const adults = el("input", { id: "list-adults", type: "checkbox" });
  const make = el("button", { class: "primary" }, t("desk-list-make"));
  const form = el(
    "form",
    { class: "group", hidden: true, on: { submit: (event) => void made(event) } },
    line("desk-list-separator", between),
    line("desk-list-column", columns),
    line("desk-list-title", title),
    line("desk-list-language", language),
    el("div", { class: "box" }, adults, el("label", { for: "list-adults" }, t("desk-list-adults"))),
    make,
  );
  const said = el("ul", { class: "figures" });
  const doubts = el("div");
  const words = el("div");
  const leftOut = el("div");

  let timer = 0;
  let number = 0;
  /** True until the table has the whole list, so that nothing is read or made from an older one. */
  let isDue = false;
  let left = false;
  let isHeadTaken = false;

  const pasted = given.bytes === undefined && given.of === undefined;
  view.replaceChildren(
    el("div", { class: "row" }, el("button", { type: "button", on: { click: async () => (await desk.mayLeave()) && back() } }, t("back"))),
    ...(pasted ? [el("label", { for: "list-text" }, t("desk-list-text")), area] : []),
    ...(given.why ? [el("p", { class: "wrong" }, given.why)] : []),
    state,
    encodings,
    said,
    doubts,
    form,
    leftOut,
    words,
  );
  area.addEventListener("input", () => {
    clearTimeout(timer);
    number += 1;
    isDue = make.disabled = true;
    Object.assign(how, { encoding: null, separator: null, column: null });
    timer = setTimeout(() => void send(bytesOf(area.value)), READ_AFTER);
  });
  if (pasted) area.focus();
  else void send(given.bytes);
  desk.isBegun = () => !left && area.value !== "";
  return () => {
    left = true;
    clearTimeout(timer);
  };

  function line(name, field) {
    return el("div", { class: "line" }, el("label", { for: field.id }, t(name)), field);
  }

  function selectOf(id, name, valueOf) {
    const select = el("select", { id });
    select.addEventListener("change", () => {
      how[name] = valueOf(select.value);
      if (name === "separator") how.column = null;
      void read();
    });
    return select;
  }

  /** Uploads the list, unless the table has it already, and asks the table to read it. */
  async function send(bytes) {
    const mine = (number += 1);
    isDue = true;
    text(state, t("desk-list-reads"));
    state.className = "";
    const refused = bytes === undefined ? null : await putUp(desk, "text", bytes);
    if (left || mine !== number) return;
    isDue = false;
    if (refused === null) await read();
    else if (!refused.lost) wrong(refused.sentence);
  }

  async function read(more = {}) {
    if (isDue) return null; // `send` will read
    const mine = (number += 1);
    const answer = await desk.ask("read-list", {
      of: given.bytes === undefined ? given.of || null : null,
      source: source || given.of || t("desk-list-source"),
      language: language.value || null,
      ...how,
      ...more,
    });
    if (answer === null || left || mine !== number) return null;
    if (!answer.ok) {
      wrong(answer.sentence);
      return null;
    }
    if (answer.told.as_it_is) edit(answer.told.as_it_is);
    else tell(answer.told);
    return answer.told;
  }

  function wrong(sentence) {
    text(state, sentence);
    state.className = "wrong";
    show(form, false);
    for (const each of [said, doubts, words, leftOut]) each.replaceChildren();
  }

  function tell(found) {
    make.disabled = false;
    choose(found);
    const isRead = found.encoding !== null;
    show(form, isRead && found.words > 0);
    state.className = isRead ? "right" : "wrong";
    text(state, isRead ? found.said[0] : t("desk-list-encoding"));
    said.replaceChildren(...found.said.slice(1).map((each) => el("li", {}, each)));
    doubts.replaceChildren(...told(t("desk-list-doubts"), found.doubts));
    leftOut.replaceChildren(
      ...told(t("desk-list-left-out", { count: found.many_left_out }), found.left_out, found.many_left_out),
    );
    words.replaceChildren(...shown(found));
    fill(between, found.separators.map(([value, name, count]) => [value, t("desk-list-by", { name, words: count })]), found.separator);
    const ofColumns = found.columns.map((each) => [each, t("desk-list-one-column", { number: each })]);
    fill(columns, ofColumns.length < 2 ? [] : [[0, t("desk-list-columns")], ...ofColumns], found.column);
    if (isRead && !isHeadTaken) {
      isHeadTaken = true;
      if (found.title) title.value = found.title;
      if (found.language) language.value = found.language;
      adults.checked = found.adults;
    }
  }

  /** Offers the possible encodings. Beside each are some words as it would read them. */
  function choose(found) {
    if (found.encoding === null) show(encodings, true);
    if (encodings.hidden || encodings.childElementCount > 0) return;
    encodings.replaceChildren(
      el("legend", {}, t("desk-list-reads-right")),
      ...found.encodings.map((each, place) => {
        const id = `list-encoding-${place}`;
        const change = () => {
          how.encoding = each.encoding;
          void read();
        };
        return el(
          "div",
          { class: "box" },
          el("input", { id, type: "radio", name: "encoding", on: { change } }),
          el("label", { for: id }, each.samples.join(", "), el("span", { class: "soft" }, ` (${each.label})`)),
        );
      }),
    );
  }

  async function made(event) {
    event.preventDefault();
    make.disabled = true;
    const found = await read({ make: true, title: title.value.trim(), adults: adults.checked });
    if (found && found.text) edit(found.text);
  }
}

/** Offers the choices in a select element. Without choices, the line with the select is hidden. */
function fill(select, choices, chosen) {
  show(select.parentElement, choices.length > 1);
  select.replaceChildren(...choices.map(([value, name]) => el("option", { value: String(value) }, name)));
  select.value = String(chosen);
}

function told(title, lines, count = lines.length) {
  if (count === 0) return [];
  return [
    el("h3", { class: "over" }, title),
    el(
      "ul",
      { class: "complaints" },
      ...lines.map((each) =>
        el("li", {}, el("strong", { class: "line-number" }, t("desk-pack-line", { count: each.line })), el("span", {}, each.what)),
      ),
      count > lines.length ? el("li", {}, t("desk-list-more", { count: count - lines.length })) : null,
    ),
  ];
}

function shown(found) {
  if (found.words === 0) return [];
  const rest = found.words - found.first.length;
  return [
    el("h3", { class: "over" }, t("desk-list-words")),
    el(
      "ul",
      { class: "found" },
      ...found.first.map((word) => el("li", {}, word)),
      rest > 0 ? el("li", { class: "soft" }, t("desk-list-more", { count: rest })) : null,
    ),
  ];
}
