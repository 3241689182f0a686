// The language of whoever looks at a page, and the texts in it.
//
// A page's own words carry `data-t="name"` (text), `data-t-label="name"` (aria-label); all others are
// `t("name", { field: … })`. Where a text depends on a number, the field `count` decides.

export const LANGUAGES = { en: "English", it: "Italiano" };
const KEPT = "pi-table-language";

let language = "en";
let texts = {};
let asked = 0;
const listeners = new Set();

/** The code of the language that the page is in. */
export const lang = () => language;

/** The text of a name, its fields filled in; the name itself where no such text is known. */
export function t(name, fields = {}) {
  return filled(texts[name] ?? name, fields);
}

/** Is there a text of this name? */
export const has = (name) => Object.hasOwn(texts, name);

/** A text, or the one of two that a number asks for, with its `{fields}` filled in. */
export function filled(text, fields) {
  const chosen = typeof text === "string" ? text : fields.count === 1 ? text.one : text.many;
  return chosen.replace(/\{(\w+)\}/g, (whole, name) =>
    Object.hasOwn(fields, name) ? String(fields[name]) : whole,
  );
}

/** The language to begin with: of the address (`?lang=it`), else the one that was chosen before, else
 *  the first of the browser's that we speak. */
export function preferred(search = location.search, kept = read(), wanted = navigator.languages) {
  const spoken = (code) => Object.hasOwn(LANGUAGES, code);
  const inAddress = new URLSearchParams(search).get("lang");
  return (
    [inAddress, kept, ...(wanted ?? []).map((code) => code.slice(0, 2).toLowerCase())].find(
      (code) => code && spoken(code),
    ) ?? "en"
  );
}

/** Let the page be in a language: fetch its texts, write them, and tell whoever listens. */
export async function speak(wanted) {
  const mine = ++asked;
  const fetched = await textsIn(wanted);
  if (mine !== asked) return;
  [language, texts] = [wanted, fetched];
  document.documentElement.lang = wanted;
  written(document);
  for (const heard of listeners) heard(wanted);
}

/** Somebody chose a language: keep that for the next time, and speak it. */
export function choose(wanted) {
  try {
    localStorage.setItem(KEPT, wanted);
  } catch {
    // A browser that keeps nothing forgets it; the page speaks it all the same.
  }
  return speak(wanted);
}

/** Have `heard(lang)` called whenever the language has changed. */
export function onLanguage(heard) {
  listeners.add(heard);
}

/** Write the texts of a part of the page that names them. */
export function written(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel));
  }
}

/** Buttons in `parent`, one for each language, of which the spoken one is pressed. */
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
      // The table is away, or starts: it is asked again.
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
