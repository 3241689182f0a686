// The section of a table without a hidden screen: the next game, the seats' codes, and the operator's
// acts in a game.

import { attr, el, keyed, show, svg, text } from "./dom.js";
import { qrCode } from "./qr.js";
import { t } from "./texts.js";

const POLL = 2000; // milliseconds
const QUIET = 4; // modules: the margin that the standard requires
const GAME_LANGUAGES = { en: "English", it: "Italiano" };

export function play(view, desk) {
  let timer = 0;
  let left = false;
  let isPlayed = null;
  /** The seat whose code is shown, and its state when the desk last asked. */
  let shown = null;
  const next = el("section", { class: "group" });
  const seats = el("div", { class: "seats" });
  const code = el("section", { class: "group code", hidden: true });
  const acts = el("div", { class: "row" });
  const refused = el("p", { class: "wrong", role: "alert" });
  const game = el(
    "section",
    { class: "group" },
    el("h3", {}, t("desk-seats")),
    el("p", { class: "soft" }, t("desk-seats-help")),
    seats,
    acts,
  );
  view.replaceChildren(refused, next, code, game);
  for (const each of [next, game]) show(each, false);
  void poll();
  return () => {
    left = true;
    clearTimeout(timer);
    closeCode();
  };

  async function poll() {
    clearTimeout(timer);
    const found = await desk.ask("seats");
    const now = found === null ? null : await desk.ask("now");
    if (now === null || left) return;
    if (found.ok && now.ok) await tell(found.told, now.told);
    else text(refused, (found.ok ? now : found).sentence);
    clearTimeout(timer);
    if (!left) timer = setTimeout(() => void poll(), POLL);
  }

  /** Requests a change, which the table may refuse, then shows the new state. */
  async function change(ask) {
    const answer = await ask();
    if (answer === null) return null;
    text(refused, answer.ok ? "" : answer.sentence);
    await poll();
    return answer;
  }

  async function tell(found, now) {
    const wasPlayed = isPlayed;
    isPlayed = found.seats.length > 0;
    show(next, !isPlayed);
    show(game, isPlayed || now.may.length > 0);
    if (!isPlayed && wasPlayed !== false) await offer();
    keyed(seats, found.seats, (each) => each.seat, seatLine, patchSeat);
    const known = found.seats.find((each) => shown !== null && each.seat === shown.seat);
    if (shown !== null && (known === undefined || known.state !== "waiting")) closeCode(false);
    const may = found.hand === null ? now.may : [...now.may, "choose"];
    const possible = ACTS.filter((each) => may.includes(each.act));
    keyed(acts, possible, (each) => each.name, actButton, () => {});
  }

  // The next game

  async function offer() {
    const answer = await desk.ask("offer");
    if (answer === null || left || !answer.ok) return;
    const { games, packs, cards, last, may_go_on: mayGoOn, may_swap: maySwap } = answer.told;
    const chosen = select(games.map((each) => [each.profile, each.title]), last);
    const about = el("p", { class: "soft" });
    const language = select(Object.entries(GAME_LANGUAGES));
    const deal = select([["own", t("desk-cards-own")], ["dealt", t("desk-cards-dealt")]], cards); // prettier-ignore
    const pack = el("select", {});
    const explain = el("input", { type: "checkbox" });
    const lines = [deal, pack].map((each, place) =>
      line(t(place === 0 ? "desk-cards" : "desk-words"), each),
    );
    const adapt = (isNewGame) => {
      const found = games.find((each) => each.profile === chosen.value);
      if (isNewGame) {
        language.value = found.lang;
        explain.checked = found.explain;
      }
      text(about, `${found.sentence} ${found.size}`);
      const fitting = packs.filter((each) => each.language === language.value);
      pack.replaceChildren(
        option("", t("desk-words-usual")),
        ...fitting.map((each) => option(each.name, each.title)),
      );
      show(lines[0], found.deals);
      show(lines[1], found.deals && deal.value === "dealt");
    };
    chosen.addEventListener("change", () => adapt(true));
    for (const each of [language, deal]) each.addEventListener("change", () => adapt(false));
    const start = () => {
      const found = games.find((each) => each.profile === chosen.value);
      const fields = { profile: chosen.value, options: { lang: language.value, explain: explain.checked } };
      if (found.deals) fields.cards = deal.value;
      if (found.deals && deal.value === "dealt" && pack.value !== "") fields.pack = pack.value;
      return change(() => desk.ask("start", fields));
    };
    next.replaceChildren(
      el("h3", {}, t("desk-next-game")),
      line(t("desk-game"), chosen),
      about,
      line(t("desk-game-language"), language),
      ...lines,
      line(t("desk-explain"), explain),
      el(
        "div",
        { class: "row" },
        button(t("desk-start"), start, "primary"),
        mayGoOn ? button(t("desk-again"), () => change(() => desk.ask("next"))) : null,
        mayGoOn
          ? button(t("desk-again-phones"), () => change(() => desk.ask("next", { keep_phones: true })))
          : null,
        maySwap ? button(t("desk-again-swapped"), () => change(() => desk.ask("next", { swap: true }))) : null,
      ),
    );
    adapt(true);
  }

  // The seats

  function seatLine({ seat }) {
    const name = el("span", { class: "name" });
    const state = el("span", { class: "soft" });
    const give = button(t("desk-seat-code"), () => openCode(seat));
    const end = button(t("desk-seat-end"), async () => {
      if (await desk.confirm(t("desk-seat-end-sure"), t("desk-seat-end")))
        await change(() => desk.ask("let-go", { for: seat }));
    });
    return el("div", { class: "row seat" }, name, state, give, end);
  }

  function patchSeat(child, seat) {
    const [name, state, give, end] = child.children;
    const tried = seat.tried ? ` ${t("desk-seat-tried")}` : "";
    text(name, nameOf(seat));
    text(state, `${t(`desk-seat-${seat.state === null ? "none" : seat.state}`)}${tried}`);
    show(give, seat.state !== "here");
    show(end, seat.state !== null);
  }

  async function openCode(seat) {
    closeCode();
    const answer = await change(() => desk.ask("phone", { for: seat }));
    if (answer === null || !answer.ok || left) return;
    const found = await desk.ask("seats");
    if (found === null || left) return;
    const base = found.told.address === null ? location.origin : found.told.address;
    const address = base + answer.told.link;
    shown = { seat };
    code.replaceChildren(
      el("h3", {}, nameOf(found.told.seats.find((each) => each.seat === seat))),
      el("p", {}, t("desk-code-help")),
      drawn(address),
      el("p", {}, el("a", { href: address, target: "_blank", rel: "noreferrer" }, t("desk-code-here"))),
      el("p", { class: "address" }, address),
      el("div", { class: "row" }, button(t("desk-code-close"), () => closeCode())),
    );
    show(code, true);
    code.scrollIntoView();
  }

  /** Hides the code. If no phone has opened it, it ends, unless `isWaiting` is false. */
  function closeCode(isWaiting = true) {
    if (shown === null) return;
    const { seat } = shown;
    shown = null;
    code.replaceChildren();
    show(code, false);
    if (isWaiting) void desk.ask("let-go", { for: seat, unused: true });
  }

  // The operator's acts

  function actButton({ name, ask, sure }) {
    return button(t(`desk-do-${name}`), async () => {
      const fields = await ask(desk);
      if (fields === null) return;
      if (!sure || (await desk.confirm(t(sure), t(`desk-do-${name}`)))) await change(fields);
    });
  }
}

const SURE = "desk-do-sure";
/**
 * The acts of the operator that have a button. `ask` returns a function that requests the act; `sure` is
 * the question before it.
 */
const ACTS = [
  { act: "ready", name: "ready", ask: (desk) => () => desk.ask("ready"), sure: SURE },
  { act: "hourglass", name: "hourglass", ask: (desk) => () => desk.ask("hourglass") },
  { act: "end-discussion", name: "vote", ask: (desk) => () => desk.ask("end-discussion"), sure: SURE },
  { act: "correct", name: "correct", ask: (desk) => () => desk.ask("correct"), sure: SURE },
  {
    act: "correct",
    name: "number",
    ask: async (desk) => {
      const number = await chosenOf(desk, "number", [...Array(10).keys()].map((each) => [each, each]));
      return number === null ? null : () => desk.ask("correct", { number: Number(number) });
    },
  },
  { act: "new-key", name: "new-key", ask: (desk) => () => desk.ask("new-key"), sure: SURE },
  {
    act: "new-code",
    name: "new-code",
    ask: async (desk) => {
      const target = await chosenOf(desk, "new-code", await agents(desk));
      return target === null ? null : () => desk.ask("new-code", { target });
    },
  },
  {
    act: "choose",
    name: "choose",
    ask: async (desk) => {
      const found = await desk.ask("seats");
      const hand = found === null ? null : found.told.hand;
      if (hand === null) return null;
      const word = await chosenOf(desk, "choose", hand.words.map((each) => [each, each]), hand.next);
      return word === null ? null : () => desk.ask("choose", { word });
    },
  },
  { act: "try-again", name: "try-again", ask: (desk) => () => desk.ask("try-again") },
  {
    act: "set-aside",
    name: "set-aside",
    ask: (desk) => () => desk.ask("set-aside"),
    sure: "desk-do-set-aside-sure",
  },
  { act: "reveal", name: "reveal", ask: (desk) => () => desk.ask("reveal"), sure: SURE },
];

async function agents(desk) {
  const found = await desk.ask("seats");
  return found === null ? [] : found.told.seats.map((each) => [each.seat, nameOf(each)]);
}

/** Asks for one of several values; returns null if nothing was chosen. */
async function chosenOf(desk, name, values, first = null) {
  const choice = select(values, first);
  attr(choice, "aria-label", t(`desk-do-${name}`));
  const isSure = await desk.confirm(t(`desk-do-${name}`), t("desk-do-it"), [choice]);
  return isSure ? choice.value : null;
}

function drawn(address) {
  const rows = qrCode(address);
  const side = rows.length + 2 * QUIET;
  const path = rows
    .map((row, y) => row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")).join(""))
    .join("");
  return svg(
    "svg",
    { class: "qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": t("desk-code-alt") },
    svg("rect", { width: side, height: side, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}

const button = (words, click, kind = null) =>
  el("button", { type: "button", class: kind, on: { click: () => void click() } }, words);

const option = (value, words) => el("option", { value }, words);

function select(values, chosen = null) {
  const made = el("select", {}, ...values.map(([value, words]) => option(value, String(words))));
  if (chosen !== null) made.value = chosen;
  return made;
}

const line = (words, field) => el("label", { class: "line" }, el("span", {}, words), field);

function nameOf({ seat, nickname }) {
  if (nickname !== null) return nickname;
  const [team, role] = seat.split("-");
  return t(`phone-${role}`, { team: t(team) });
}
