// The viewer's language, and the texts in it.
//
// A page's own words carry `data-t="name"` (text), `data-t-label="name"` (aria-label); all others are
// `t("name", { field: … })`. Where a text depends on a number, the field `count` decides.

export const LANGUAGES = { en: "English", it: "Italiano" };
const KEPT = "pi-table-language";

let language = "en";
let texts = {};
let asked = 0;
const listeners = new Set();

/** The code of the page's language. */
export const lang = () => language;

/** The text of a name with its fields filled in; the name itself if there is no such text. */
export function t(name, fields = {}) {
  return filled(has(name) ? texts[name] : name, fields);
}

/** True if there is a text of this name. */
export const has = (name) => owns(texts, name);

const owns = (object, name) => Object.prototype.hasOwnProperty.call(object, name);

/** A text, or the one of two that fits a number, with its `{fields}` filled in. */
export function filled(text, fields) {
  const chosen = typeof text === "string" ? text : fields.count === 1 ? text.one : text.many;
  return chosen.replace(/\{(\w+)\}/g, (whole, name) =>
    owns(fields, name) ? String(fields[name]) : whole,
  );
}

/** The first language: that of the address (`?lang=it`), else the one chosen before, else the
 * first supported one of the browser's. */
export function preferred(search = location.search, kept = read(), wanted = navigator.languages) {
  const spoken = (code) => owns(LANGUAGES, code);
  const inAddress = new URLSearchParams(search).get("lang");
  return (
    [inAddress, kept, ...(wanted || []).map((code) => code.slice(0, 2).toLowerCase())].find(
      (code) => code && spoken(code),
    ) || "en"
  );
}

/** Change the page's language: fetch its texts, write them, and call the listeners. */
export async function speak(wanted) {
  const mine = ++asked;
  const fetched = await textsIn(wanted);
  if (mine !== asked) return;
  [language, texts] = [wanted, fetched];
  document.documentElement.lang = wanted;
  written(document);
  for (const heard of listeners) heard(wanted);
}

/** Change the language on request, and remember it for the next time. */
export function choose(wanted) {
  try {
    localStorage.setItem(KEPT, wanted);
  } catch {
    // Without storage the browser forgets it, but the page changes all the same.
  }
  return speak(wanted);
}

/** Call `heard(lang)` whenever the language has changed. */
export function onLanguage(heard) {
  listeners.add(heard);
}

/** Write the texts of a part of the page. */
export function written(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  }
}

/** Buttons in `parent`, one for each language; the current one is pressed. */
export function languageSwitch(parent) {
  const buttons = Object.entries(LANGUAGES).map(([code, name]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.lang = code;
    button.className = "language";
    button.textContent = name;
    button.addEventListener("click", () => void choose(code));
    return [code, button];
  });
  const mark = () => {
    for (const [code, button] of buttons) button.setAttribute("aria-pressed", code === language);
  };
  parent.replaceChildren(...buttons.map(([, button]) => button));
  onLanguage(mark);
  mark();
}

async function textsIn(wanted) {
  for (let wait = 250; ; wait = Math.min(2 * wait, 4000)) {
    try {
      const answer = await fetch(`/texts/${wanted}.json`);
      if (answer.ok) return await answer.json();
    } catch {
      // The table is away, or starting: ask again.
    }
    await new Promise((go) => setTimeout(go, wait));
  }
}

function read() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
