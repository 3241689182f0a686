// Starts a page if the browser can show it; otherwise says that it is too old. This script uses old
// JavaScript itself: a browser without modules would show an empty page without any message.

const PAGES = {
  board: () => import("./board.js"),
  phone: () => import("./phone.js"),
  desk: () => import("./desk.js"),
};
/** The newest features that the pages need; KIOSK.md names the browsers. */
const canShow = "hasOwn" in Object && "at" in Array.prototype && CSS.supports("width", "1cqw");
const begin = canShow
  ? PAGES[document.body.getAttribute("data-begins")]
  : () => import("./too-old.js");
begin();
