// The viewer's language, and the texts in it.
//
// In HTML, `data-t="name"` and `data-t-label="name"` mark an element's text and its aria-label. In
// scripts, `t("name", { field: … })` returns a text. If a text depends on a number, the field
// `count` has this number.

export const LANGUAGES = { en: "English", it: "Italiano" };
const KEPT = "pi-table-language";

let language = "en";
let texts = {};
let asked = 0;
const listeners = new Set();

/** The code of the page's language. */
export const lang = () => language;

/** The text with this name, with its fields filled in; the name itself if there is no such text. */
export function t(name, fields = {}) {
  return filled(has(name) ? texts[name] : name, fields);
}

/** True if there is a text of this name. */
export const has = (name) => owns(texts, name);

const owns = (object, name) => Object.prototype.hasOwnProperty.call(object, name);

/** A text with its `{fields}` filled in. If it has two forms, the field `count` decides which one. */
export function filled(text, fields) {
  const chosen = typeof text === "string" ? text : fields.count === 1 ? text.one : text.many;
  return chosen.replace(/\{(\w+)\}/g, (whole, name) =>
    owns(fields, name) ? String(fields[name]) : whole,
  );
}

/** The language for a new page: the one in the address (`?lang=it`), else the one chosen earlier,
 * else the browser's first language that the pages have. */
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

/** Change the language because the viewer has chosen it, and remember it for later visits. */
export function choose(wanted) {
  try {
    localStorage.setItem(KEPT, wanted);
  } catch {
    // Without storage the browser forgets the choice, but the page changes its language.
  }
  return speak(wanted);
}

/** Call `heard(lang)` whenever the language has changed. */
export function onLanguage(heard) {
  listeners.add(heard);
}

/** Write the texts of a part of the page, in the current language. */
export function written(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  }
}

/** Create buttons in `parent`, one for each language. That of the current language is pressed. */
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
