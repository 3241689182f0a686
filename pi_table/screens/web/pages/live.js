// Follows the table's public state. Reconnects by itself.
//
// `follow(tell)` calls `tell(news)` with every message, and whenever the connection changes. Times are
// seconds of `performance.now() / 1000`.
//
//   news.state   "connecting" before the first message; "here"; "table-away" while the engine is not
//                there; "server-away" while nobody answers. In the last two, the table may be old.
//   news.table   the public message that came last (`kind` "public" or "public-codex"), or null
//   news.at      when the engine sent it: its times count from then
//   news.fresh   did it come just now? False where only the state has changed.

const SILENCE = 12; // seconds: the server says something every five
const PATIENCE = 6; // seconds of silence after which a page that becomes visible reconnects
const FIRST_WAIT = 0.5;
const MAX_WAIT_SECONDS = 3;

export const seconds = () => performance.now() / 1000;

export function follow(tell, address = "/api/1/events") {
  const news = { state: "connecting", table: null, at: seconds(), fresh: false };
  let source = null;
  let wait = FIRST_WAIT;
  let again = 0;
  let heardAt = seconds();
  let isTold = false;

  function open() {
    clearTimeout(again);
    if (source !== null) source.close();
    const mine = (source = new EventSource(address));
    heardAt = seconds();
    mine.addEventListener("table", (event) => {
      if (mine === source) came(JSON.parse(event.data));
    });
    mine.addEventListener("here", () => {
      isTold = true;
      heardAt = seconds();
    });
    mine.addEventListener("error", () => {
      if (mine === source) lost();
    });
  }

  function came({ here, table, age = 0 }) {
    heardAt = seconds();
    wait = FIRST_WAIT;
    Object.assign(news, { state: here ? "here" : "table-away", at: heardAt - age, fresh: true });
    if (table !== null || here) news.table = table; // while away there is no newer message to show
    tell({ ...news });
    news.fresh = false;
  }

  function lost() {
    if (source !== null) source.close();
    source = null;
    if (news.state !== "connecting") news.state = "server-away";
    tell({ ...news });
    clearTimeout(again);
    again = setTimeout(open, wait * 1000);
    wait = Math.min(2 * wait, MAX_WAIT_SECONDS);
  }

  function look() {
    if (isTold && source !== null && seconds() - heardAt > SILENCE) lost();
  }

  function woke() {
    if (document.visibilityState === "hidden") return;
    if (source === null || seconds() - heardAt > PATIENCE) {
      wait = FIRST_WAIT;
      open();
    }
  }

  document.addEventListener("visibilitychange", woke);
  addEventListener("pageshow", woke);
  addEventListener("online", woke);
  setInterval(look, 2000);
  tell({ ...news });
  open();
}
