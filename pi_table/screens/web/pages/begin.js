// Starts a page if the browser can show it; otherwise says that the browser is too old.
// This script is written in old JavaScript. Otherwise a browser without modules would show an empty
// page, without any message. KIOSK.md names the oldest browsers: Chromium 79, Safari 14 and Firefox 78.

const PAGES = {
  board: () => import("./board.js"),
  phone: () => import("./phone.js"),
  desk: () => import("./desk.js"),
};
const sayTooOld = () => import("./too-old.js");
/** Browsers that have this unit of CSS have all that the pages need: Chromium 105, Safari 16,
 * Firefox 110 and newer. For older browsers, older.js adds what is missing. */
const fillIn = CSS.supports("width", "1cqw")
  ? () => Promise.resolve()
  : () => import("./older.js").then((older) => older.fillIn());
const begin = () => fillIn().then(PAGES[document.body.getAttribute("data-begins")]);
if (CSS.supports("width", "clamp(1px, 2px, 3px)"))
  begin().catch((error) => {
    if (!(error instanceof SyntaxError)) throw error;
    sayTooOld();
  });
else sayTooOld();
