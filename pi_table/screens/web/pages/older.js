// Replacements, in simple JavaScript, for features that browsers from before 2022 lack.
// begin.js loads this script before the page, only in such browsers. KIOSK.md names the oldest
// browsers.

import { style } from "./dom.js";

/** The elements with `container-type`: sizes inside them are measured in shares of their own size. */
const CONTAINERS = ".cell, .agents > li, .head";

const fill = (thing, name, value) => name in thing || Object.defineProperty(thing, name, value);

function fillElements() {
  function replaceChildren(...nodes) {
    while (this.lastChild !== null) this.removeChild(this.lastChild);
    this.append(...nodes);
  }
  fill(Element.prototype, "replaceChildren", { value: replaceChildren });

  const dialog = Object.getPrototypeOf(document.createElement("dialog"));
  fill(dialog, "open", {
    get() {
      return this.hasAttribute("open");
    },
  });
  fill(dialog, "close", {
    value() {
      this.removeAttribute("open");
      if (this.before) this.before.focus();
    },
  });
  fill(dialog, "showModal", {
    value() {
      this.before = document.activeElement;
      this.setAttribute("open", "");
      this.setAttribute("role", "dialog");
      this.setAttribute("aria-modal", "true");
    },
  });
  addEventListener("keydown", ({ key }) => {
    const shown = document.querySelector("dialog[open][aria-modal]");
    if (key !== "Escape" || shown === null) return;
    shown.dispatchEvent(new Event("cancel"));
    shown.close();
  });
}

/** Keep the variables `--cqw` and `--cqh` of each container: a hundredth of its width, and of its
 * height. */
function fillContainerUnits() {
  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      style(target, "--cqw", `${contentRect.width / 100}px`);
      style(target, "--cqh", `${contentRect.height / 100}px`);
    }
  });
  const watched = new WeakSet();
  const watch = () => {
    for (const node of document.querySelectorAll(CONTAINERS)) {
      if (!watched.has(node)) sizes.observe(node);
      watched.add(node);
    }
  };
  new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
  watch();
}

function hasFlexGap() {
  const box = document.createElement("div");
  style(box, "display", "flex");
  style(box, "flex-direction", "column");
  style(box, "row-gap", "1px");
  box.append(document.createElement("i"), document.createElement("i"));
  document.body.append(box);
  const has = box.scrollHeight === 1;
  box.remove();
  return has;
}

/** Give the children of flexible boxes margins instead of gaps, for each rule of each style sheet.
 * The new rules come before all other rules. So the margins of the other rules still apply. */
function fillFlexGaps(sheet) {
  const flows = new Map(); // by selector: the properties outside of @media
  const insert = (rule, around) => sheet.insertRule(around(rule), sheet.cssRules.length);

  /** The properties from earlier rules for this selector, or for a part of it: `.a` in `.a.b`. */
  function flowBefore(selector) {
    const [end] = selector.split(/[ >+~]+/).slice(-1);
    const isPart = ([known]) =>
      known === selector || (end.startsWith(known) && /^[.:#[]/.test(end.slice(known.length)));
    return Object.assign({}, ...[...flows].filter(isPart).map(([, flow]) => flow));
  }

  function fillRule(selector, own, around, isMedia) {
    const before = flowBefore(selector);
    const flow = { ...before };
    for (const name of ["display", "flexDirection", "flexWrap", "rowGap", "columnGap"])
      if (own[name]) flow[name] = own[name];
    if (!isMedia) flows.set(selector, flow);
    if (JSON.stringify(flow) === JSON.stringify(before)) return;
    const isFlex = /flex/.test(flow.display);
    if (!isFlex && !/flex/.test(before.display)) return;
    const later = `${selector} > :not([hidden]) ~ *`;
    const { rowGap = "0px", columnGap = "0px" } = isFlex ? flow : {};
    if (/column/.test(flow.flexDirection))
      insert(`${later} { margin: ${rowGap} 0 0 0 }`, around);
    else if (/wrap/.test(flow.flexWrap) && flow.flexWrap !== "nowrap")
      insert(`${selector} > * { margin: calc(${rowGap} / 2) calc(${columnGap} / 2) }`, around);
    else insert(`${later} { margin: 0 0 0 ${columnGap} }`, around);
  }

  function fillRules(rules, around, isMedia) {
    for (const rule of rules) {
      if (rule.type === CSSRule.MEDIA_RULE)
        fillRules(rule.cssRules, (text) => `@media ${rule.media.mediaText} { ${text} }`, true);
      else if (rule.type === CSSRule.STYLE_RULE)
        for (const selector of rule.selectorText.split(","))
          fillRule(selector.trim(), rule.style, around, isMedia);
    }
  }
  for (const each of [...document.styleSheets].filter((other) => other !== sheet))
    fillRules(each.cssRules, (text) => text, false);
}

/** Add everything that this browser lacks. */
export async function fillIn() {
  fillElements();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "/static/older.css";
  await new Promise((loaded) => {
    link.addEventListener("load", loaded);
    link.addEventListener("error", loaded);
    document.head.prepend(link);
  });
  if (!hasFlexGap() && link.sheet !== null) fillFlexGaps(link.sheet);
  fillContainerUnits();
}
