// Sets the words of a grid as one group: all have one typeface and one size, which the longest word
// decides.

import { style } from "./dom.js";

/** Minimum width of a squeezed word, as a share of its natural width. */
const MIN_SQUEEZE = 0.85;
/** Pixels: minimum size that people can read on a phone in the hand (see `pi-table legibility`).
 * Words are squeezed before they get smaller than this. */
const READABLE = 14.2;
/** Pixels: minimum common size. Only a word that does not fit at this size becomes smaller. */
const LEAST = 12;
/** Maximum width of a word, as a share of its cell's width. */
const WIDTH_SHARE = 0.88;
const FACE = '600 100px "Barlow Condensed", "Arial Narrow", "Roboto Condensed", sans-serif';
const CARDS = ".cell:not(.empty):not([data-kind=nuke]) .word";

const canvas = document.createElement("canvas").getContext("2d");
const widths = new Map();

/** The width of a word, in ems of the typeface of cards. */
export function emWidth(word) {
  if (!widths.has(word)) {
    canvas.font = FACE;
    widths.set(word, Math.max(0.5, canvas.measureText(word).width / 100));
  }
  return widths.get(word);
}

/** The smallest width (ems) in which the parts of a text fit on at most `lines` lines. */
function emsInLines(parts, lines) {
  if (lines === 1 || parts.length === 1) return emWidth(parts.join(" "));
  const ways = parts.slice(1).map((_, at) => {
    const first = emWidth(parts.slice(0, at + 1).join(" "));
    return Math.max(first, emsInLines(parts.slice(at + 1), lines - 1));
  });
  return Math.min(...ways, emWidth(parts.join(" ")));
}

/** Set words into equal boxes of `width` by `height` pixels, at a size of at most `largest` pixels.
 * Words are broken into lines only at spaces. Returns for each word its `size` in pixels and its
 * `squeeze`, the share of its natural width. */
export function setGroup(words, { width, height, largest }) {
  const texts = words.map((word) => {
    const parts = word.split(" ");
    return parts.map((_, at) => ({ lines: at + 1, ems: emsInLines(parts, at + 1) }));
  });
  const sizesIn = (room) =>
    texts.map((ways) =>
      Math.min(largest, Math.max(...ways.map((way) => Math.min(room / way.ems, height / way.lines)))),
    );
  const squeezed = sizesIn(width / MIN_SQUEEZE);
  const least = Math.max(LEAST, Math.min(READABLE, ...squeezed));
  const common = Math.max(least, Math.min(...sizesIn(width)));
  return texts.map((ways, at) => {
    const size = Math.min(common, squeezed[at]);
    const fitting = ways.filter((way) => way.lines * size <= height + 0.01);
    return { size, squeeze: Math.min(1, Math.max(...fitting.map((way) => width / (way.ems * size)))) };
  });
}

/** Set the words of a grid into its cells. */
export function setGrid(grid) {
  const words = [...grid.querySelectorAll(CARDS)];
  if (words.length === 0) return;
  const cell = words[0].closest(".cell");
  const { paddingTop, paddingBottom } = getComputedStyle(cell);
  const width = WIDTH_SHARE * cell.offsetWidth;
  const settings = setGroup(
    words.map((word) => word.textContent),
    {
      width,
      height: 0.84 * (cell.offsetHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)),
      largest: 0.47 * cell.offsetHeight,
    },
  );
  style(grid, "--room", `${width.toFixed(1)}px`);
  words.forEach((word, at) => {
    style(word, "--size", `${settings[at].size.toFixed(1)}px`);
    style(word, "--squeeze", settings[at].squeeze.toFixed(3));
  });
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.isConnected) setGrid(target);
    else resized.unobserve(target);
  }
});

/** Set the words of a grid now, and again whenever the size of the grid changes. Returns the grid. */
export function keepSet(grid) {
  resized.observe(grid);
  return grid;
}

document.fonts.load('600 20px "Barlow Condensed"').then(
  () => {
    widths.clear();
    document.querySelectorAll(".grid").forEach(setGrid);
  },
  () => {},
);
