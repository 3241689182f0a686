// The page of a seat's phone. It combines the public state, the secrets of this seat, and the finger
// that is held on it. Secrets are drawn only while the finger is held, and are then removed from the
// page.

import { el, text as write, show } from "./dom.js";
import { fragmentOf, keysOf } from "./handshake.js";
import { follow, seconds } from "./live.js";
import { AgentScreen } from "./phone-agent.js";
import { watchHold } from "./phone-hold.js";
import { Line, now } from "./phone-line.js";
import { button, section } from "./phone-sections.js";
import { WordsScreen } from "./phone-words.js";
import { Screen } from "./screen.js";
import { Conversation } from "./sealed.js";
import { has, lang, languageSwitch, onLanguage, preferred, speak, t } from "./texts.js";

const AGENT = /^agent-[1-6]$/;
const part = (id) => document.getElementById(id);

/** The page when there is no seat to show: a sentence, and what to do. */
function plainly(...names) {
  return names.map((name, place) => el(place === 0 ? "h2" : "p", {}, t(name)));
}

class Phone {
  _conversation;
  _line;
  _news = { state: "connecting", table: null };
  _seen = null;
  _screen = null;
  _seat = null;
  _held = false;
  _letGo;
  _triedIsKnown = false;
  _main = section(part("main"));
  _foot = section(part("acts"));
  _tried = section(part("tried"));
  /** The public state, shown at the same moment as by the lights. */
  _public = new Screen();
  _wakes = 0;
  /** The possible acts to show. While a guess is being answered, these are the acts before the
   * guess. */
  _may = [];
  _isLeaving = false;

  constructor(keys) {
    this._conversation = new Conversation(keys);
    this._line = new Line(this._conversation, () => this.draw());
    this._letGo = watchHold(part("hold"), (held) => this._hold(held));
    addEventListener(
      "beforeunload",
      (event) => this._isBegun() && !this._isLeaving && event.preventDefault(),
    );
    addEventListener("hashchange", () => this._leave());
    onLanguage(() => this.draw());
    follow((news) => this._follow(news));
    this._line.wake();
  }

  /** True if a reload of the page would lose input. */
  _isBegun() {
    return this._screen !== null && this._screen.isBegun();
  }

  /** Another QR code was opened in this page: start again with its link. */
  _leave() {
    this._isLeaving = true;
    location.reload();
  }

  _follow(news) {
    const isBack = news.state === "here" && this._news.state === "table-away";
    this._news = news;
    if (news.fresh && news.table !== null) this._public.take(news.table, news.at);
    if (isBack) this._line.wake();
    this.draw();
  }

  /** The current public state, and the time since which it is shown; null before the first message. */
  _shown() {
    clearTimeout(this._wakes);
    const wait = this._public.wakes(seconds()) - seconds();
    if (Number.isFinite(wait)) this._wakes = setTimeout(() => this.draw(), wait * 1000 + 1);
    const shown = this._news.table === null ? null : this._public.shown(seconds());
    if (shown === null) return null;
    // Screen readers read out only public announcements by themselves, never secrets.
    const caption = this._public.caption(seconds());
    const words = caption === null ? { en: "" } : caption.words;
    write(part("said"), words[lang()] || words.en);
    return { ...shown, table: { ...shown.latest, view: shown.view } };
  }

  _hold(held) {
    this._held = held;
    this._conversation.hold = this._wants();
    this.draw();
  }

  /** True if the page needs secrets now: a finger is held, or the agent enters something that needs
   * them. */
  _wants() {
    return this._held || (this._screen !== null && this._screen.needsSecrets);
  }

  /** Draws the whole page. Does nothing before the texts are loaded. */
  draw() {
    if (!has("phone-hold")) return;
    const message = this._conversation.message(now());
    const shown = this._shown();
    if (message !== null) {
      if (shown === null || shown.awaited.length === 0) this._may = message.may;
      // This copy is shown while there is no connection; it contains no secrets.
      this._seen = { ...message, key: null, agent: null };
    }
    const seat =
      this._isRefused() || this._conversation.isTakenOver() || this._seen === null ? null : this._seen.seat;
    if (seat !== this._seat) this._take(seat);
    const state = this._state(message);
    this._drawState(state);
    const isAsked = seat !== null && Boolean(this._seen.asked);
    const isThere = seat !== null && !isAsked && shown !== null && this._isPlayed(shown.table);
    if (isThere) {
      if (this._screen === null) this._screen = this._screenOf(seat);
      this._main(["screen", seat], () => [this._screen.node]);
      this._foot(["screen", seat], () => [this._screen.acts]);
      this._screen.draw({
        message: { ...(message || this._seen), may: this._may },
        table: shown.table,
        at: shown.at,
        held: this._held,
        heard: message !== null,
      });
    } else {
      this._screen = null;
      this._main([state, lang()], () => this._instead(state));
      this._foot([], () => []);
    }
    this._drawExplanation(isThere ? this._public.explanation(seconds()) : null);
    this._conversation.hold = this._wants();
    this._drawHold(isAsked || (isThere && this._screen.hasSecrets), message);
    this._drawTried(message);
  }

  _take(seat) {
    this._seat = seat;
    this._screen = null;
    if (seat === null) this._seen = null;
  }

  _screenOf(seat) {
    const Seat = AGENT.test(seat) ? AgentScreen : WordsScreen;
    return new Seat(seat, this._conversation, () => this.draw());
  }

  /** The reason why this page has no connection to its seat; "" if it has one. */
  _state(message) {
    if (this._conversation.isTakenOver()) return "taken-over";
    if (this._isRefused()) return "refused";
    const { state, table } = this._news;
    if (state === "table-away" || state === "server-away") return state;
    if (message !== null && message.asked) return "asked";
    if (message !== null && table !== null && !this._isPlayed(table)) return "nothing";
    if (message === null || table === null) return "connecting";
    return table.service ? "service" : table.out_of_order ? "out-of-order" : "";
  }

  _isRefused() {
    return this._conversation.isRefused(this._news.state === "here");
  }

  /** True if the current game has the seat of this phone. */
  _isPlayed({ view }) {
    const { game, seat } = this._seen || {};
    if (view === null || game === null) return false;
    return "agents" in view === AGENT.test(seat);
  }

  _drawState(state) {
    const said = {
      "table-away": "table-away",
      "server-away": "server-away",
      connecting: "connecting",
      service: "phone-service",
      "out-of-order": "phone-out-of-order",
    };
    const name = said[state];
    show(part("state"), name !== undefined);
    write(part("state"), name === undefined ? "" : t(name));
    part("state").className = state === "connecting" ? "connecting" : "away";
    write(part("seat"), this._seat === null ? "pi-table" : this._seatName());
  }

  _seatName() {
    const { table } = this._news;
    const agents = table !== null && table.kind === "public-codex" ? table.view.agents : null;
    if (AGENT.test(this._seat))
      return (agents && agents[Number(this._seat.slice(-1)) - 1].nickname) || "pi-table";
    const [team, role] = this._seat.split("-");
    return t(`phone-${role}`, { team: t(team) });
  }

  _instead(state) {
    const again = (name) => button("again", () => this._line.wake(), {}, t(name));
    if (state === "taken-over") return [...plainly("phone-taken-over"), again("phone-show-here")];
    if (state === "refused") {
      return [
        ...plainly("phone-refused-link", "phone-refused-link-why", "phone-fresh-code"),
        again("phone-try-again"),
      ];
    }
    if (state === "asked") return plainly("phone-stay", "phone-stay-why");
    if (state === "nothing") return plainly("phone-nothing", "phone-nothing-why");
    return [];
  }

  /** In a first game, explains what to do now. */
  _drawExplanation(said) {
    show(part("explained"), said !== null);
    if (said === null) return;
    const own = this._may.includes("clue") ? t("phone-first-clue") : "";
    write(part("explained"), own || said.words[lang()] || said.words.en);
  }

  _drawHold(hasSecrets, message) {
    show(part("hold"), hasSecrets);
    if (!hasSecrets) {
      if (this._held) this._letGo();
      return;
    }
    const shows = message !== null && (message.key !== null || message.agent !== null);
    const calls = this._screen === null ? "phone-hold-to-stay" : this._screen.holdWords;
    const name = !this._held ? calls : shows ? "phone-let-go" : "phone-opens";
    write(part("hold-words"), t(name));
  }

  _drawTried(message) {
    const tried = message !== null && message.tried;
    const isTold = tried && !this._triedIsKnown;
    show(part("tried"), isTold);
    if (!isTold) return;
    this._tried([lang()], () => [
      el("p", {}, t("phone-tried")),
      button("known", () => ((this._triedIsKnown = true), this.draw()), {}, t("close")),
    ]);
  }
}

async function begin() {
  const keys = keysOf(location.hash);
  // After a reload the table must recognise this phone. So the fragment also gets the phone's own
  // key.
  if (keys !== null)
    history.replaceState(null, "", location.pathname + location.search + fragmentOf(keys));
  languageSwitch(part("languages"));
  if (keys !== null) new Phone(keys); // it begins to knock while the texts are being fetched
  await speak(preferred());
  if (keys !== null) return;
  const words = section(part("main"));
  const draw = () => words([lang()], () => plainly("phone-no-link", "phone-fresh-code"));
  onLanguage(draw);
  addEventListener("hashchange", () => location.reload());
  draw();
}

begin();
