// The page of an agent's phone: between visits the public state, and during a visit the questions to
// the agent. Nothing on the page depends on a role, except what is visible while a finger is held on
// it.

import { Asked, whyNot } from "./phone-asked.js";
import { FactionCode, OwnCode, fragmentsOf } from "./phone-codes.js";
import { drawnMissing, drawnRoles, drawnTable, headOf } from "./phone-round.js";
import { icon } from "./icons.js";
import { button, section } from "./phone-sections.js";
import { timeWords } from "./phone-time.js";
import { PAGES, SECRET, UNCOVERED } from "./phone-visit.js";
import { el, show, text as write } from "./dom.js";
import { nickname } from "./game.js";
import { lang, t } from "./texts.js";

const MENU = { page: "menu" };

export class AgentScreen {
  _seat;
  _changed;
  _asked;
  _visit = null;
  _pages = [MENU];
  _isAtDoor = false;
  /** Acts that were entered in this visit. `_entered` has those of this page, which knows them first;
   * `_told` has those that the table has reported. */
  _entered = new Set();
  _told = [];
  _refused = new Map();
  _ownCode = new OwnCode();
  _code = new FactionCode();
  _agent = null;
  _view = null;
  _isInside = false;
  /** Parts of the page that are hidden while the agent enters something. */
  _around;
  _clock = el("span", { class: "clock", role: "timer" });
  _title = el("h2", {});
  _drawHead;
  _drawVisit;
  _drawPublic;
  holdWords = "phone-hold";
  acts = null;
  node;

  constructor(seat, conversation, changed) {
    this._seat = seat;
    this._changed = changed;
    this._asked = new Asked(conversation, changed);
    const part = (name) => el("section", { class: name });
    const [below, visit, open] = [el("p", {}), part("visit"), part("public")];
    this._around = [below, open];
    const head = el("section", { class: "head codex" }, this._title, this._clock, below);
    this._drawHead = section(below);
    this._drawVisit = section(visit);
    this._drawPublic = section(open);
    this.node = el("div", { class: "agent" }, head, visit, open);
  }

  /** True if holding a finger on the page shows something. */
  get hasSecrets() {
    return this._isInside && !UNCOVERED.includes(this._page.page);
  }

  /** True while the code of a faction is entered: its tiles need the fragments, which are secret. */
  get needsSecrets() {
    return this._isInside && this._page.page === "code";
  }

  isBegun() {
    return this._ownCode.isBegun() || this._code.isBegun();
  }

  get _page() {
    return this._pages.slice(-1)[0];
  }

  draw({ message, table, at, held, heard }) {
    const { view } = table;
    this._view = view;
    this._agent = message.agent;
    const door = view.paused || view.outcome !== null ? null : message.door;
    this._follow(door, message.game, view);
    const shown = held ? message.agent : null;
    const { title, below } = headOf(view);
    write(this._title, title);
    write(this._clock, timeWords(table, at));
    this._drawHead([lang(), below], () => [below]);
    this._drawDoorOrPage(door, message, shown, held, heard);
    const isAtDoor = door !== null && this._isAtDoor && !view.awaited;
    const isEntering = this._isInside || (isAtDoor && !door.done);
    for (const part of this._around) show(part, !isEntering);
    this._drawPublic(
      [
        lang(),
        view.agents,
        view.votes,
        view.last_votes,
        view.roles,
        view.identikits,
        view.order,
        view.turn,
        view.at_screen,
        view.together,
        view.there,
        view.awaited,
        view.finished,
        view.phones,
      ],
      () => [...drawnTable(view, this._seat), drawnRoles(view)],
    );
  }

  /** Notices that a new visit has begun or that this one is over. Unfinished input is then dropped. */
  _follow(door, game, view) {
    const visit =
      door === null ? null : JSON.stringify([game, view.phase, view.number, view.added]);
    if (visit !== this._visit) {
      this._visit = visit;
      this._isAtDoor = false;
      this._entered = new Set();
      this._refused = new Map();
      this._ownCode.clear();
      this._home();
      this._asked.forget();
    }
    // The public view may be in the next phase while `door` is still in the last one. So the acts in
    // `door` are not kept with the visit, but taken from each message.
    this._told = (door && door.entered) || [];
    const isInside = door !== null && door.code === "open" && !door.done;
    if (this._isInside && !isInside) this._home();
    this._isInside = isInside;
  }

  _home() {
    this._pages = [MENU];
    this._code.clear();
  }

  _drawDoorOrPage(door, message, shown, held, heard) {
    const { pending, notice } = this._asked;
    const common = [lang(), pending, notice, heard];
    if (door === null) {
      const { paused, phones, phase, outcome } = this._view;
      this._drawVisit([...common, "none", paused, phones, phase, outcome], () => [
        ...this._noVisit(),
      ]);
    } else if (this._isInside) {
      const made = PAGES[this._page.page](this._context(shown), this._page);
      this._drawVisit([...common, held, this._pages, made, this._code.code, shown], () => [
        ...this._notice(),
        ...this._drawn(made, held, pending !== null || !heard),
      ]);
    } else {
      const mayBegin = message.may.includes("ready");
      const awaited = this._view.awaited;
      // Other agents may arrive while a finger is on the button. The button must stay in its place
      // then.
      const missing = awaited && !mayBegin ? this._view.there : null;
      this._drawVisit(
        [
          ...common,
          door,
          this._view.phase,
          mayBegin,
          awaited,
          missing,
          this._isAtDoor,
          this._ownCode.state(),
        ],
        () => [
          ...this._notice(),
          ...this._drawnDoor(door, mayBegin, awaited, pending !== null || !heard),
        ],
      );
    }
  }

  _notice() {
    const { notice } = this._asked;
    return notice === "" ? [] : [el("p", { class: "notice", role: "alert" }, notice)];
  }

  _noVisit() {
    const { phones, outcome, phase, paused } = this._view;
    if (outcome !== null) return [];
    if (paused) return [el("p", { class: "hint" }, t("phone-time-stands"))];
    if (phones === undefined) return [el("p", { class: "hint" }, t("phone-no-phones"))];
    const visits = phase === "send" || phase === "act";
    return visits ? [el("p", { class: "hint" }, t("phone-no-visit"))] : [];
  }

  // The door

  _drawnDoor(door, mayBegin, awaited, isSending) {
    if (door.code === "locked")
      return [
        el(
          "p",
          { class: "notice" },
          t(this._view.phase === "machine" ? "phone-locked-machine" : "phone-locked"),
        ),
      ];
    if (door.done) return [el("p", { class: "question" }, tick(true), t("phone-is-done"))];
    const agent = nickname(this._view, this._seat);
    if (awaited && !mayBegin) {
      return [
        el("p", { class: "question" }, tick(true), t("phone-is-here", { agent })),
        drawnMissing(this._view),
      ];
    }
    if (!this._isAtDoor && (awaited || !this._ownCode.isBegun())) {
      return [
        el("p", { class: "question" }, t("phone-your-visit")),
        button(
          "begin",
          () => this._begin(awaited),
          { className: "primary", disabled: isSending },
          t("phone-i-am", { agent }),
        ),
      ];
    }
    const choosing = door.code === "choose";
    const enter = (code) => this._asked.act({ act: choosing ? "choose-code" : "enter-code", code });
    return this._ownCode.drawn({
      choosing,
      triesLeft: door.tries_left,
      isSending,
      enter,
      changed: this._changed,
    });
  }

  async _begin(awaited) {
    if (awaited) {
      const answer = await this._asked.act({ act: "ready" });
      if (!answer.ok) return;
    }
    this._isAtDoor = true;
    this._changed();
  }

  // Inside

  _context(agent) {
    return {
      view: this._view,
      seat: this._seat,
      entered: new Set([...this._entered, ...this._told]),
      refused: this._refused,
      agent,
    };
  }

  _drawn(page, held, isSending) {
    const isAsked = page.lines && page.lines.some(({ does }) => does && does.back);
    const back =
      this._pages.length > 1 && !isAsked
        ? button("back", () => this._back(), { className: "quiet" }, t("back"))
        : null;
    const help = page.help === "" ? null : el("p", { class: "hint" }, page.help);
    return [el("h2", {}, page.title), ...this._body(page, held, isSending), help, back];
  }

  _body(page, held, isSending) {
    switch (page.kind) {
      case "who":
        return drawnPapers(page);
      case "menu":
        return [drawnDossier(page), ...this._drawnLines(page, isSending)];
      case "messages":
        return this._drawnMessages(page);
      case "code":
        return this._code.drawn({
          held,
          fragments: () => fragmentsOf(this._agent, this._view),
          enter: () => this._go({ page: "code-sure", code: this._code.code }),
          changed: this._changed,
        });
      case "code-sure":
        return [this._code.signs(held), ...this._drawnLines(page, isSending)];
      default:
        return this._drawnLines(page, isSending);
    }
  }

  _drawnLines(page, isSending) {
    const one = ({ key, label, does, value, isDone }) =>
      button(
        `line-${key}`,
        () => this._do(does),
        { className: "line", disabled: does === null || (isSending && "act" in does) },
        page.kind === "menu" && key !== "done" ? icon(key) : null,
        el("span", {}, label),
        value === "" ? null : el("span", { class: "value" }, value),
        isDone === undefined ? null : tick(isDone),
      );
    return [el("div", { class: page.kind === "menu" ? "lines cards" : "lines" }, ...page.lines.map(one))];
  }

  _do({ go, act, back }) {
    if (go) this._go(go);
    else if (back) this._back();
    else this._ask(act);
  }

  _go(page) {
    this._asked.forget();
    this._pages.push(page);
    this._arrive();
  }

  _back() {
    this._asked.forget();
    this._pages.pop();
    this._arrive();
  }

  _arrive() {
    this._changed();
    scrollTo({ top: 0 });
  }

  async _ask(act) {
    const visit = this._visit;
    const isSecret = SECRET.includes(act.act);
    this._home();
    const answer = await this._asked.act(act, { quietly: isSecret });
    if (visit !== this._visit || answer.lost) {
      if (answer.lost) this._asked.notice = whyNot(answer);
    } else if (isSecret) {
      this._entered.add(act.act);
      if (answer.ok) this._refused.delete(act.act);
      else this._refused.set(act.act, whyNot(answer));
    } else if (answer.ok) {
      this._entered.add(act.act);
    }
    this._arrive();
  }

  _drawnMessages({ phase, phases, came, blocked }) {
    const tabs = phases.map((each) =>
      button(
        `phase-${each}`,
        () => this._turnTo(each),
        { pressed: each === phase },
        t("phase", { number: each }),
      ),
    );
    const slot = ([fragment, facts, learned], at) =>
      el(
        "li",
        {},
        el("span", { class: "place" }, String(at + 1)),
        el("strong", {}, fragment),
        el("span", {}, facts),
        learned === "" ? null : el("em", {}, learned),
      );
    return [
      tabs.length > 1 ? el("div", { class: "tabs" }, ...tabs) : null,
      el("ol", { class: "came" }, ...came.map(slot)),
      el("p", { class: "blocked" }, blocked),
    ];
  }

  _turnTo(phase) {
    this._pages.splice(-1, 1, { page: "messages", phase });
    this._changed();
  }
}

function tick(isDone) {
  return el("span", { class: "tick", "aria-hidden": "true" }, isDone ? "✓" : "○");
}

function drawnRole({ role: [name, power] }) {
  return el("div", { class: "power" }, el("strong", {}, name), el("p", {}, power));
}

/** The agent's role and facts. They are covered unless a finger is held on the page. */
function drawnDossier(page) {
  const fact = ([name, label, value]) =>
    el("div", {}, el("dt", {}, icon(name), el("span", { class: "spoken" }, label)), el("dd", {}, value));
  const facts = el("dl", { class: "own-facts" }, ...page.facts.map(fact));
  return el("div", { class: "dossier" }, icon(page.icon), drawnRole(page), facts);
}

function drawnPapers({ papers, role }) {
  const rows = papers.map(([label, value]) =>
    el("div", {}, el("dt", {}, label), el("dd", {}, value)),
  );
  return [el("dl", { class: "papers" }, ...rows), drawnRole({ role })];
}
