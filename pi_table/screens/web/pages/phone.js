// The phone of a seat: it combines the public state, the secrets of this seat, and the finger that
// holds. Secrets are drawn while the finger holds, and are nowhere afterwards.

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

/** The view without a seat: a sentence, and what to do. */
function plainly(...names) {
  return names.map((name, place) => el(place === 0 ? "h2" : "p", {}, t(name)));
}

class Phone {
  #conversation;
  #line;
  #news = { state: "connecting", table: null };
  #seen = null;
  #screen = null;
  #seat = null;
  #held = false;
  #letGo;
  #triedIsKnown = false;
  #main = section(part("main"));
  #foot = section(part("acts"));
  #tried = section(part("tried"));
  /** The public state, neither ahead of the lights nor behind them. */
  #public = new Screen();
  #wakes = 0;
  /** The possible acts, as they were before the awaited answer. */
  #may = [];
  #isLeaving = false;

  constructor(keys) {
    this.#conversation = new Conversation(keys);
    this.#line = new Line(this.#conversation, () => this.draw());
    this.#letGo = watchHold(part("hold"), (held) => this.#hold(held));
    addEventListener(
      "beforeunload",
      (event) => this.#screen?.isBegun() && !this.#isLeaving && event.preventDefault(),
    );
    addEventListener("hashchange", () => this.#leave());
    onLanguage(() => this.draw());
    follow((news) => this.#follow(news));
    this.#line.wake();
  }

  /** Another code was scanned into this page: start with its link. */
  #leave() {
    this.#isLeaving = true;
    location.reload();
  }

  #follow(news) {
    const isBack = news.state === "here" && this.#news.state === "table-away";
    this.#news = news;
    if (news.fresh && news.table !== null) this.#public.take(news.table, news.at);
    if (isBack) this.#line.wake();
    this.draw();
  }

  /** The current public state, and since when; null before anything is known. */
  #shown() {
    clearTimeout(this.#wakes);
    const wait = this.#public.wakes(seconds()) - seconds();
    if (Number.isFinite(wait)) this.#wakes = setTimeout(() => this.draw(), wait * 1000 + 1);
    const shown = this.#news.table === null ? null : this.#public.shown(seconds());
    if (shown === null) return null;
    // Only public announcements are read out to screen readers by themselves.
    const caption = this.#public.caption(seconds());
    write(part("said"), caption?.words[lang()] ?? caption?.words.en ?? "");
    return { ...shown, table: { ...shown.latest, view: shown.view } };
  }

  #hold(held) {
    this.#held = held;
    this.#conversation.hold = this.#wants();
    this.draw();
  }

  /** True if secrets are needed now: a finger holds, or an entry is made of them. */
  #wants() {
    return this.#held || (this.#screen?.needsSecrets ?? false);
  }

  /** Shows everything; nothing before the texts are loaded. */
  draw() {
    if (!has("phone-hold")) return;
    const message = this.#conversation.message(now());
    const shown = this.#shown();
    if (message !== null) {
      if (!shown?.awaited.length) this.#may = message.may;
      // Secrets are not kept while the connection is silent.
      this.#seen = { ...message, key: null, agent: null };
    }
    const seat =
      this.#isRefused() || this.#conversation.isTakenOver() ? null : (this.#seen?.seat ?? null);
    if (seat !== this.#seat) this.#take(seat);
    const state = this.#state(message);
    this.#drawState(state);
    const isAsked = seat !== null && (this.#seen?.asked ?? false);
    const isThere = seat !== null && !isAsked && shown !== null && this.#isPlayed(shown.table);
    if (isThere) {
      this.#screen ??= this.#screenOf(seat);
      this.#main(["screen", seat], () => [this.#screen.node]);
      this.#foot(["screen", seat], () => [this.#screen.acts]);
      this.#screen.draw({
        message: { ...(message ?? this.#seen), may: this.#may },
        table: shown.table,
        at: shown.at,
        held: this.#held,
        heard: message !== null,
      });
    } else {
      this.#screen = null;
      this.#main([state, lang()], () => this.#instead(state));
      this.#foot([], () => []);
    }
    this.#conversation.hold = this.#wants();
    this.#drawHold(isAsked || (isThere && this.#screen.hasSecrets), message);
    this.#drawTried(message);
  }

  #take(seat) {
    this.#seat = seat;
    this.#screen = null;
    if (seat === null) this.#seen = null;
  }

  #screenOf(seat) {
    const Seat = AGENT.test(seat) ? AgentScreen : WordsScreen;
    return new Seat(seat, this.#conversation, () => this.draw());
  }

  /** The reason why this page cannot reach its seat; "" if there is none. */
  #state(message) {
    if (this.#conversation.isTakenOver()) return "taken-over";
    if (this.#isRefused()) return "refused";
    const { state, table } = this.#news;
    if (state === "table-away" || state === "server-away") return state;
    if (message?.asked) return "asked";
    if (message !== null && table !== null && !this.#isPlayed(table)) return "nothing";
    if (message === null || table === null) return "connecting";
    return table.service ? "service" : table.out_of_order ? "out-of-order" : "";
  }

  #isRefused() {
    return this.#conversation.isRefused(this.#news.state === "here");
  }

  /** True if the current game has this seat. */
  #isPlayed({ view }) {
    if (view === null || this.#seen?.game === null) return false;
    return "agents" in view === AGENT.test(this.#seen?.seat);
  }

  #drawState(state) {
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
    write(part("seat"), this.#seat === null ? "pi-table" : this.#seatName());
  }

  #seatName() {
    const { table } = this.#news;
    const agents = table?.kind === "public-codex" ? table.view.agents : null;
    if (AGENT.test(this.#seat))
      return agents?.[Number(this.#seat.at(-1)) - 1].nickname ?? "pi-table";
    const [team, role] = this.#seat.split("-");
    return t(`phone-${role}`, { team: t(team) });
  }

  #instead(state) {
    const again = (name) => button("again", () => this.#line.wake(), {}, t(name));
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

  #drawHold(hasSecrets, message) {
    show(part("hold"), hasSecrets);
    if (!hasSecrets) {
      if (this.#held) this.#letGo();
      return;
    }
    const shows = message !== null && (message.key !== null || message.agent !== null);
    const calls = this.#screen?.holdWords ?? "phone-hold-to-stay";
    const name = !this.#held ? calls : shows ? "phone-let-go" : "phone-opens";
    write(part("hold-words"), t(name));
  }

  #drawTried(message) {
    const tried = message?.tried ?? false;
    const isTold = tried && !this.#triedIsKnown;
    show(part("tried"), isTold);
    if (!isTold) return;
    this.#tried([lang()], () => [
      el("p", {}, t("phone-tried")),
      button("known", () => ((this.#triedIsKnown = true), this.draw()), {}, t("close")),
    ]);
  }
}

async function begin() {
  const keys = keysOf(location.hash);
  // A reload brings the same phone back: the fragment then has its own key in place of the link's.
  if (keys !== null)
    history.replaceState(null, "", location.pathname + location.search + fragmentOf(keys));
  languageSwitch(part("languages"));
  if (keys !== null) new Phone(keys); // it knocks while the texts are being fetched
  await speak(preferred());
  if (keys !== null) return;
  const words = section(part("main"));
  const draw = () => words([lang()], () => plainly("phone-no-link", "phone-fresh-code"));
  onLanguage(draw);
  addEventListener("hashchange", () => location.reload());
  draw();
}

begin();
