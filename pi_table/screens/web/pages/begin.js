// Begins a page where the browser can show it, and else says that it is too old. What stands here is
// old itself: a browser that cannot read a module would show an empty page, and say nothing.

const PAGES = {
  board: () => import("./board.js"),
  phone: () => import("./phone.js"),
  desk: () => import("./desk.js"),
};
/** What the pages need and came last; KIOSK.md names the browsers. */
const canShow = "hasOwn" in Object && "at" in Array.prototype && CSS.supports("width", "1cqw");
const begin = canShow
  ? PAGES[document.body.getAttribute("data-begins")]
  : () => import("./too-old.js");
begin();
