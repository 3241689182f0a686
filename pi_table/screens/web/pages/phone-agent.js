// An agent's phone: between visits the public state, and during a visit the questions to the agent.
// Nothing on it depends on a role, except what is visible while a finger holds.

import { Asked, whyNot } from "./phone-asked.js";
import { FactionCode, OwnCode, fragmentsOf } from "./phone-codes.js";
import { drawnRoles, drawnTable, headOf } from "./phone-round.js";
import { button, section } from "./phone-sections.js";
import { timeWords } from "./phone-time.js";
import { PAGES, SECRET } from "./phone-visit.js";
import { el, show, text as write } from "./dom.js";
import { nickname } from "./game.js";
import { lang, t } from "./texts.js";

const MENU = { page: "menu" };

export class AgentScreen {
  #seat;
  #changed;
  #asked;
  #visit = null;
  #pages = [MENU];
  #isAtDoor = false;
  /** Acts entered in this visit: those of this page, which knows them first, and those reported
   * by the table. */
  #entered = new Set();
  #told = [];
  #refused = new Map();
  #ownCode = new OwnCode();
  #code = new FactionCode();
  #agent = null;
  #view = null;
  #isInside = false;
  /** Parts that are hidden while something is being entered. */
  #around;
  #clock = el("span", { class: "clock", role: "timer" });
  #title = el("h2", {});
  #drawHead;
  #drawVisit;
  #drawPublic;
  holdWords = "phone-hold";
  acts = null;
  node;

  constructor(seat, conversation, changed) {
    this.#seat = seat;
    this.#changed = changed;
    this.#asked = new Asked(conversation, changed);
    const part = (name) => el("section", { class: name });
    const [below, visit, open] = [el("p", {}), part("visit"), part("public")];
    this.#around = [below, open];
    const head = el("section", { class: "head codex" }, this.#title, this.#clock, below);
    this.#drawHead = section(below);
    this.#drawVisit = section(visit);
    this.#drawPublic = section(open);
    this.node = el("div", { class: "agent" }, head, visit, open);
  }

  /** True if there is something to see while a finger holds. */
  get hasSecrets() {
    return this.#isInside;
  }

  /** The fragments behind the tiles of the code are needed while it is entered. */
  get needsSecrets() {
    return this.#isInside && this.#page.page === "code";
  }

  isBegun() {
    return this.#ownCode.isBegun() || this.#code.isBegun();
  }

  get #page() {
    return this.#pages.at(-1);
  }

  draw({ message, table, at, held, heard }) {
    const { view } = table;
    this.#view = view;
    this.#agent = message.agent;
    const door = view.paused || view.outcome !== null ? null : message.door;
    this.#follow(door, message.game, view);
    const shown = held ? message.agent : null;
    const { title, below } = headOf(view);
    write(this.#title, title);
    write(this.#clock, timeWords(table, at));
    this.#drawHead([lang(), below], () => [below]);
    this.#drawDoorOrPage(door, message, shown, held, heard);
    const isEntering = this.#isInside || (door !== null && this.#isAtDoor && !door.done);
    for (const part of this.#around) show(part, !isEntering);
    this.#drawPublic(
      [
        lang(),
        view.agents,
        view.votes,
        view.roles,
        view.identikits,
        view.order,
        view.turn,
        view.at_screen,
        view.together,
        view.phones,
      ],
      () => [...drawnTable(view, this.#seat), drawnRoles(view)],
    );
  }

  /** Notices that a new visit has begun or this one is over; unfinished input is dropped. */
  #follow(door, game, view) {
    const visit =
      door === null ? null : JSON.stringify([game, view.phase, view.number, view.added]);
    if (visit !== this.#visit) {
      this.#visit = visit;
      this.#isAtDoor = false;
      this.#entered = new Set();
      this.#refused = new Map();
      this.#ownCode.clear();
      this.#home();
      this.#asked.forget();
    }
    // The public view may be a phase ahead of the door, so it is never kept there.
    this.#told = door?.entered ?? [];
    const isInside = door !== null && door.code === "open" && !door.done;
    if (this.#isInside && !isInside) this.#home();
    this.#isInside = isInside;
  }

  #home() {
    this.#pages = [MENU];
    this.#code.clear();
  }

  #drawDoorOrPage(door, message, shown, held, heard) {
    const { pending, notice } = this.#asked;
    const common = [lang(), pending, notice, heard];
    if (door === null) {
      this.#drawVisit([...common, "none", this.#view.paused, this.#view.phones], () => [
        ...this.#noVisit(),
      ]);
    } else if (this.#isInside) {
      const made = PAGES[this.#page.page](this.#context(shown), this.#page);
      this.#drawVisit([...common, held, this.#pages, made, this.#code.code, shown], () => [
        ...this.#notice(),
        ...this.#drawn(made, held, pending !== null || !heard),
      ]);
    } else {
      const mayBegin = message.may.includes("ready");
      const awaited = this.#view.awaited;
      this.#drawVisit(
        [...common, door, mayBegin, awaited, this.#isAtDoor, this.#ownCode.state()],
        () => [
          ...this.#notice(),
          ...this.#drawnDoor(door, mayBegin, awaited, pending !== null || !heard),
        ],
      );
    }
  }

  #notice() {
    const { notice } = this.#asked;
    return notice === "" ? [] : [el("p", { class: "notice", role: "alert" }, notice)];
  }

  #noVisit() {
    const { phones, outcome, phase, paused } = this.#view;
    if (outcome !== null) return [];
    if (paused) return [el("p", { class: "hint" }, t("phone-time-stands"))];
    if (phones === undefined) return [el("p", { class: "hint" }, t("phone-no-phones"))];
    const visits = phase === "send" || phase === "act";
    return visits ? [el("p", { class: "hint" }, t("phone-no-visit"))] : [];
  }

  // The door

  #drawnDoor(door, mayBegin, awaited, isSending) {
    if (door.code === "locked")
      return [
        el(
          "p",
          { class: "notice" },
          t(this.#view.phase === "machine" ? "phone-locked-machine" : "phone-locked"),
        ),
      ];
    if (door.done) return [el("p", { class: "hint" }, t("phone-is-done"))];
    const agent = nickname(this.#view, this.#seat);
    if (awaited && !mayBegin) return [el("p", { class: "hint" }, t("phone-others-awaited"))];
    if (!this.#isAtDoor && (awaited || !this.#ownCode.isBegun())) {
      return [
        el("p", { class: "question" }, t("phone-your-visit")),
        button(
          "begin",
          () => this.#begin(awaited),
          { className: "primary", disabled: isSending },
          t("phone-i-am", { agent }),
        ),
      ];
    }
    const choosing = door.code === "choose";
    const enter = (code) => this.#asked.act({ act: choosing ? "choose-code" : "enter-code", code });
    return this.#ownCode.drawn({
      choosing,
      triesLeft: door.tries_left,
      isSending,
      enter,
      changed: this.#changed,
    });
  }

  async #begin(awaited) {
    if (awaited) {
      const answer = await this.#asked.act({ act: "ready" });
      if (!answer.ok) return;
    }
    this.#isAtDoor = true;
    this.#changed();
  }

  // Inside

  #context(agent) {
    return {
      view: this.#view,
      seat: this.#seat,
      entered: new Set([...this.#entered, ...this.#told]),
      refused: this.#refused,
      agent,
    };
  }

  #drawn(page, held, isSending) {
    const isAsked = page.lines?.some(({ does }) => does?.back);
    const back =
      this.#pages.length > 1 && !isAsked
        ? button("back", () => this.#back(), { className: "quiet" }, t("back"))
        : null;
    const help = page.help === "" ? null : el("p", { class: "hint" }, page.help);
    return [el("h2", {}, page.title), ...this.#body(page, held, isSending), help, back];
  }

  #body(page, held, isSending) {
    switch (page.kind) {
      case "who":
        return drawnPapers(page);
      case "messages":
        return this.#drawnMessages(page);
      case "code":
        return this.#code.drawn({
          held,
          fragments: () => fragmentsOf(this.#agent, this.#view),
          enter: () => this.#go({ page: "code-sure", code: this.#code.code }),
          changed: this.#changed,
        });
      case "code-sure":
        return [this.#code.signs(held), ...this.#drawnLines(page, isSending)];
      default:
        return this.#drawnLines(page, isSending);
    }
  }

  #drawnLines({ lines }, isSending) {
    const one = ({ key, label, does, value }) =>
      button(
        `line-${key}`,
        () => this.#do(does),
        { className: "line", disabled: does === null || (isSending && "act" in does) },
        el("span", {}, label),
        value === "" ? null : el("span", { class: "value" }, value),
      );
    return [el("div", { class: "lines" }, ...lines.map(one))];
  }

  #do({ go, act, back }) {
    if (go) this.#go(go);
    else if (back) this.#back();
    else this.#ask(act);
  }

  #go(page) {
    this.#asked.forget();
    this.#pages.push(page);
    this.#arrive();
  }

  #back() {
    this.#asked.forget();
    this.#pages.pop();
    this.#arrive();
  }

  #arrive() {
    this.#changed();
    scrollTo({ top: 0 });
  }

  async #ask(act) {
    const visit = this.#visit;
    const isSecret = SECRET.includes(act.act);
    this.#home();
    const answer = await this.#asked.act(act, { quietly: isSecret });
    if (visit !== this.#visit || answer.lost) {
      if (answer.lost) this.#asked.notice = whyNot(answer);
    } else if (isSecret) {
      this.#entered.add(act.act);
      if (answer.ok) this.#refused.delete(act.act);
      else this.#refused.set(act.act, whyNot(answer));
    } else if (answer.ok) {
      this.#entered.add(act.act);
    }
    this.#arrive();
  }

  #drawnMessages({ phase, phases, came, blocked }) {
    const tabs = phases.map((each) =>
      button(
        `phase-${each}`,
        () => this.#turnTo(each),
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

  #turnTo(phase) {
    this.#pages.splice(-1, 1, { page: "messages", phase });
    this.#changed();
  }
}

function drawnPapers({ papers, role: [name, power] }) {
  const rows = papers.map(([label, value]) =>
    el("div", {}, el("dt", {}, label), el("dd", {}, value)),
  );
  return [
    el("dl", { class: "papers" }, ...rows),
    el("div", { class: "power" }, el("strong", {}, name), el("p", {}, power)),
  ];
}
