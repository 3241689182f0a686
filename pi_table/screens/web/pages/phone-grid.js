// The grid of a word game on a phone. It shows the key while a finger is held on the phone.

import { el } from "./dom.js";
import { CELLS, NUKE_CELL, identityName, identityOf, isHostile, nukeWords } from "./game.js";
import { button } from "./phone-sections.js";
import { sign } from "./signs.js";
import { t } from "./texts.js";

/** What the grid shows on each cell; the cells are in the order in which they are drawn. `key` is 25
 * letters or null. `wished` has marks that the table has not confirmed: for the name of a cell,
 * whether it is to be marked. */
export function cellsOf(table, { key = null, turned = false, wished = {} } = {}) {
  const { view } = table;
  const open = view.key || null;
  const hostile = isHostile(view);
  const cells = CELLS.map((name, at) => {
    const { word, covered } = view.cells[name];
    const letter = (key && key[at]) || (open && open[at]);
    return {
      name,
      word,
      covered,
      hidden: letter && covered === null ? identityOf(letter, hostile) : null,
      shown: view.shown[name] || null,
      mark: (table.marks && table.marks[name]) || null,
      wished: name in wished ? wished[name] : null,
      isEmpty: hostile && name === NUKE_CELL,
    };
  });
  return turned ? cells.reverse() : cells;
}

/** The cells as elements. A cell is a button if `tap` returns a function for it. */
export function drawnCells(cells, view, { tap = () => null, chosen = null } = {}) {
  return cells.map((cell) =>
    cell.isEmpty
      ? drawnNuke(view.nuke)
      : drawnCell(cell, isHostile(view), tap(cell), chosen === cell.name),
  );
}

/** The cell that has no card in Alias 24. It shows the state of the nuke. */
function drawnNuke(nuke) {
  return el(
    "div",
    { class: `cell empty ${nuke.armed ? "armed" : ""}`, role: "listitem" },
    sign("nuke"),
    el("span", { class: "word" }, t(nukeWords(nuke))),
  );
}

function drawnCell(cell, hostile, does, isChosen) {
  const identity = cell.covered || cell.hidden;
  const classes = ["cell"];
  if (identity !== null) classes.push(identity, cell.covered !== null ? "covered" : "key");
  if (cell.mark !== null) classes.push("marked", `by-${cell.mark}`);
  if (cell.wished !== null) classes.push("wished");
  if (isChosen) classes.push("chosen");
  if (cell.isEmpty) classes.push("empty");
  const children = [
    el("span", { class: "name", "aria-hidden": "true", hidden: cell.word === null }, cell.name),
    identity === null ? null : sign(identity),
    el("span", { class: "word" }, cell.word ? cell.word.toLocaleUpperCase() : cell.name),
    el("span", { class: "spoken" }, spoken(cell, hostile)),
  ];
  const attributes = { className: classes.join(" ") };
  if (does === null)
    return el("div", { class: attributes.className, role: "listitem" }, ...children);
  const pressed = (cell.wished === null ? cell.mark !== null : cell.wished) || isChosen;
  return el(
    "div",
    { role: "listitem" },
    button(cell.name, does, { ...attributes, pressed }, ...children),
  );
}

/** The words that a screen reader says after the word of a cell. */
function spoken(cell, hostile) {
  const said = [cell.name];
  const named = (identity) => identityName(identity, hostile, t);
  if (cell.covered !== null) said.push(t("phone-covered", { identity: named(cell.covered) }));
  if (cell.hidden !== null) said.push(named(cell.hidden));
  if (cell.shown !== null) said.push(t("phone-was-shown", { identity: named(cell.shown) }));
  if (cell.mark !== null) said.push(t("phone-marked"));
  return `, ${said.join(", ")}`;
}
