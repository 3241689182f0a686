// The parts of the phone's pages: buttons, and sections that change only where necessary.

import { el } from "./dom.js";

/** A button. Its `key` identifies it. When its section is rebuilt, the button with the same key gets
 * the focus back. */
export function button(
  key,
  does,
  { className = null, pressed = null, disabled = false, label = null } = {},
  ...children
) {
  const said = { "aria-label": label, "aria-pressed": pressed === null ? null : String(pressed) };
  return el(
    "button",
    { type: "button", class: className, "data-key": key, disabled, ...said, on: { click: does } },
    ...children,
  );
}

/** Returns a function that fills a node. The node is filled again only if its content has changed, so
 * that a finger or the focus on it is not disturbed. */
export function section(node) {
  let shown = null;
  return (madeOf, children) => {
    const now = JSON.stringify(madeOf);
    if (now === shown) return;
    shown = now;
    const focus = node.contains(document.activeElement)
      ? document.activeElement.dataset.key
      : undefined;
    node.replaceChildren(...children().filter((child) => child !== null));
    if (focus === undefined) return;
    const again = [...node.querySelectorAll("[data-key]")].find(
      (each) => each.dataset.key === focus,
    );
    if (again !== undefined) again.focus({ preventScroll: true });
  };
}
