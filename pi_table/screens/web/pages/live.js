// Receives the table's public state, and reconnects by itself.
//
// `follow(tell)` calls `tell(news)` for every message, and whenever the connection changes. Times are
// in seconds of `performance.now() / 1000`.
//
//   news.state   "connecting" before the first message; "here"; "table-away" if the server has no
//                connection to the table; "server-away" if there is no connection to the server.
//                In the last two cases, the table may be out of date.
//   news.table   the latest public message (`kind` "public" or "public-codex"), or null
//   news.at      time at which the engine sent the message; its own times count from this time
//   news.fresh   true if the message has just arrived; false if only the state has changed

const SILENCE = 12; // seconds; the server sends something every five seconds
const FIRST_WAIT = 0.5;
const MAX_WAIT_SECONDS = 3;

export const seconds = () => performance.now() / 1000;

export function follow(tell, address = "/api/1/events") {
  const news = { state: "connecting", table: null, at: seconds(), fresh: false };
  let source = null;
  let wait = FIRST_WAIT;
  let again = 0;
  let heardAt = seconds();

  function open() {
    clearTimeout(again);
    if (source !== null) source.close();
    const mine = (source = new EventSource(address));
    heardAt = seconds();
    mine.addEventListener("table", (event) => {
      if (mine === source) came(JSON.parse(event.data));
    });
    mine.addEventListener("here", () => (heardAt = seconds()));
    mine.addEventListener("error", () => {
      if (mine === source) lost();
    });
  }

  function came({ here, table, age = 0 }) {
    heardAt = seconds();
    wait = FIRST_WAIT;
    news.state = here ? "here" : "table-away";
    // Without a connection, keep the last message and its time.
    if (table !== null || here) Object.assign(news, { table, at: heardAt - age, fresh: true });
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
    if (source !== null && seconds() - heardAt > SILENCE) lost();
  }

  // The device may have slept, and its clock with it. So only a new message has the right time.
  function woke() {
    if (document.visibilityState === "hidden") return;
    wait = FIRST_WAIT;
    open();
  }

  document.addEventListener("visibilitychange", woke);
  addEventListener("pageshow", (event) => event.persisted && woke());
  addEventListener("online", woke);
  setInterval(look, 2000);
  tell({ ...news });
  open();
}
