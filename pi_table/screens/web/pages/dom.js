// Helpers that build pages without innerHTML, and that change only what differs.

const SVG = "http://www.w3.org/2000/svg";

/** Create an element: `el("p", { class: "said", role: "status" }, "text", child)`. Attributes that are
 * null, undefined or false are left out. `on` has event listeners, by the names of the events. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Create an SVG element, with the same arguments as `el`. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) attr(node, name, value);
  for (const [name, heard] of Object.entries(on)) node.addEventListener(name, heard);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Set an attribute, but only if it differs. */
export function attr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const said = value === true ? "" : String(value);
    if (node.getAttribute(name) !== said) node.setAttribute(name, said);
  }
}

/** Set the text, but only if it differs. */
export function text(node, words) {
  const said = words === null || words === undefined ? "" : String(words);
  if (node.textContent !== said) node.textContent = said;
}

/** Set a custom property of CSS. */
export function style(node, name, value) {
  const said = String(value);
  if (node.style.getPropertyValue(name) !== said) node.style.setProperty(name, said);
}

/** Show or hide a node. */
export function show(node, visible) {
  if (node.hidden === Boolean(visible)) node.hidden = !visible;
}

/** Give `parent` one child for each item, in the order of the items. A child is kept as long as there
 * is an item with its key. `make(item)` creates a child, `patch(child, item)` updates it. */
export function keyed(parent, items, key, make, patch) {
  const before = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  items.forEach((item, place) => {
    const name = String(key(item, place));
    let child = before.get(name);
    if (child === undefined) {
      child = make(item);
      child.dataset.key = name;
    }
    before.delete(name);
    if (parent.children[place] !== child)
      parent.insertBefore(child, parent.children[place] || null);
    patch(child, item, place);
  });
  for (const child of before.values()) child.remove();
}
