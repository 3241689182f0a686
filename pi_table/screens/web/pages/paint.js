// Updates the board's page to match a description (describe.js). It changes only what differs.

import { attr, el, keyed, show, style, text } from "./dom.js";
import { AGENT_CELLS, CELLS, COLUMNS, NUKE_CELL, ROWS } from "./game.js";
import { face, icon } from "./icons.js";
import { scoreboard } from "./scene-paint.js";
import { emWidth, keepSet, setGrid } from "./setting.js";
import { sign } from "./signs.js";
import { lang } from "./texts.js";

const at = (name) => document.getElementById(name);
const seen = (child) => el("span", { "aria-hidden": "true", class: child });

export function paint(description) {
  attr(document.body, "data-page", description.page);
  if (description.page === "words") attr(document.body, "data-turn", description.head.team || null);
  else attr(document.body, "data-turn", null);
  said(at("away"), description.away);
  notice(description.notice);
  caption(description.caption);
  show(at("words"), description.page === "words");
  show(at("codex"), description.page === "codex");
  show(at("start"), description.page === "start");
  timer(description.timer || null);
  if (description.page === "start") return start(description.start);
  headline(description);
  log(description.log || []);
  for (const team of ["red", "blue"]) {
    teamPanel(at(team), (description.teams || []).find((each) => each.team === team) || null);
  }
  if (description.page === "words") {
    cells(description.cells);
    for (const team of ["red", "blue"]) hand(at(`hand-${team}`), description.hands, team);
    attr(at("words"), "data-hands", description.hands !== null);
  } else if (description.page === "codex") {
    codex(description);
  }
}

/** Write a text. Its element is hidden while the text is empty. */
function said(node, words) {
  text(node, words);
  show(node, words !== "");
}

function notice(what) {
  show(at("notice"), what !== null);
  if (what === null) return;
  attr(at("notice"), "data-kind", what.kind);
  text(at("notice-title"), what.title);
  text(at("notice-more"), what.more);
  text(at("notice-left"), what.left); // hidden from screen readers, which would read it out each second
}

function caption(what) {
  text(at("caption"), what === null ? "" : what.words);
}

function timer(what) {
  const node = at("timer");
  show(node, what !== null);
  if (what === null) return;
  if (node.childElementCount === 0)
    node.append(
      seen("time-name"),
      seen("time"),
      seen("time-more"),
      el("span", { class: "spoken" }),
    );
  attr(node, "data-state", what.state);
  attr(node, "data-mode", what.mode);
  const [name, time, more, label] = node.children;
  text(name, what.name);
  text(time, what.clock);
  text(more, what.more);
  text(label, what.label);
}

function headline({ head, clue = null, more = [], end = null }) {
  attr(at("head"), "data-team", head.team || null);
  attr(at("head"), "data-end", end !== null);
  attr(at("head"), "data-clue", clue !== null);
  text(at("title"), head.title);
  const below = [head.more, ...more, ...(end === null ? [] : [end.score, end.open || end.evening])].filter(Boolean).join(" · ");
  said(at("more"), below);
  const node = at("clue");
  show(node, clue !== null);
  if (clue === null) return;
  if (node.childElementCount === 0) {
    node.append(
      seen("clue-word"),
      seen("clue-number"),
      seen("clue-dots"),
      seen("clue-guesses"),
      el("span", { class: "spoken" }),
    );
  }
  const [word, number, dots, guesses, label] = node.children;
  attr(node, "data-team", clue.team);
  text(word, clue.word || clue.name);
  style(node, "--w", emWidth((clue.word || clue.name).toLocaleUpperCase()).toFixed(2));
  guessDots(dots, clue.dots);
  attr(word, "data-unsaid", clue.word === null);
  text(number, clue.number);
  text(guesses, clue.guesses);
  attr(guesses, "hidden", clue.guesses === "");
  text(label, [clue.label, clue.guesses].filter(Boolean).join(". "));
}

function log(clues) {
  show(at("log"), clues.length > 0);
  keyed(
    at("log"),
    clues,
    (clue, place) => `${clues.length - place} ${clue.team} ${clue.word} ${clue.number}`,
    (clue) => el("li", { "data-team": clue.team }, sign(clue.team), `${clue.word} ${clue.number}`),
    () => {},
  );
}

/** Draw a dot for each guess of the turn. The dots of guesses that were made are hollow. */
function guessDots(node, dots) {
  show(node, dots !== null);
  const all = dots === null ? [] : [...Array(dots.made + dots.left).keys()];
  keyed(
    node,
    all,
    (place) => place,
    () => el("i"),
    (dot, place) => attr(dot, "data-made", place < dots.made),
  );
}

function teamPanel(node, team) {
  show(node, team !== null);
  if (team === null) return;
  if (node.childElementCount === 0) {
    node.append(
      sign(team.team),
      seen("left"),
      seen("team-name"),
      seen("team-more"),
      seen("team-phone"),
      el("span", { class: "spoken" }),
    );
  }
  const [, left, name, more, phone, label] = node.children;
  attr(node, "data-on-turn", team.turn);
  attr(node, "data-result", team.result);
  text(left, team.count);
  text(name, team.name);
  text(more, team.more);
  said(phone, team.phone);
  text(label, [`${team.name}: ${team.label}`, team.phone].filter(Boolean).join(". "));
}

// The grid

function cells(described) {
  const grid = at("grid");
  if (grid.childElementCount === 0) build(grid);
  const changed = described.map((cell, place) => patchCell(cellNodes[place], cell));
  if (changed.includes(true)) setGrid(grid);
}

let cellNodes = [];

function build(grid) {
  const columns = el("div", { role: "row", class: "spoken" }, el("span", { role: "cell" }));
  for (const column of COLUMNS) columns.append(el("span", { role: "columnheader" }, column));
  grid.append(columns);
  for (const row of ROWS) {
    const line = el(
      "div",
      { role: "row", class: "row" },
      el("span", { role: "rowheader", class: "spoken" }, row),
    );
    for (const column of COLUMNS) {
      const node = el(
        "div",
        { role: "cell", class: "cell", "data-name": column + row },
        el(
          "div",
          { class: "face", "aria-hidden": "true" },
          el("span", { class: "place" }, column + row),
          el("span", { class: "signs" }),
          el("span", { class: "word" }),
          el("span", { class: "flag" }),
        ),
        el("span", { class: "spoken" }),
      );
      style(node, "--place", cellNodes.length);
      cellNodes.push(node);
      line.append(node);
    }
    grid.append(line);
  }
  keepSet(grid);
}

/** Update a cell. Return true if its word has changed. */
function patchCell(node, cell) {
  const [face, label] = node.children;
  const [, signs, word, flag] = face.children;
  const what = cell.nuke !== null ? "nuke-place" : cell.covered || cell.known || cell.shown;
  const kind =
    cell.nuke !== null
      ? "nuke"
      : cell.covered !== null
        ? "covered"
        : cell.known !== null
          ? "known"
          : cell.shown !== null
            ? "shown"
            : cell.card
              ? "open"
              : "empty";
  attr(node, "data-kind", kind);
  attr(node, "data-what", cell.nuke !== null ? null : what);
  attr(node, "data-armed", cell.nuke !== null && cell.nuke.armed);
  attr(node, "data-mark", cell.mark);
  attr(node, "data-awaited", cell.awaited);
  attr(node, "data-last", cell.last);
  attr(node, "data-wordless", cell.word === "" && cell.nuke === null);
  const identity = cell.nuke !== null ? "nuke" : what;
  if (signs.dataset.of !== (identity || "")) {
    signs.dataset.of = identity || "";
    signs.replaceChildren(...(identity ? [sign(identity)] : []));
  }
  const written =
    cell.nuke !== null ? cell.nuke.words : cell.word === "" && cell.card ? cell.name : cell.word;
  const isChanged = word.dataset.word !== written;
  if (isChanged) word.dataset.word = word.textContent = written;
  if (flag.dataset.of !== (cell.mark || "")) {
    flag.dataset.of = cell.mark || "";
    flag.replaceChildren(...(cell.mark ? [sign(cell.mark)] : []));
  }
  text(label, cell.label);
  return isChanged;
}

function hand(node, hands, team) {
  const mine = (hands || []).find((each) => each.team === team) || null;
  show(node, mine !== null && mine.words.length > 0);
  if (mine === null) return;
  attr(node, "aria-label", mine.name);
  attr(node, "data-turn", mine.turn);
  attr(node, "data-team", team);
  keyed(
    node,
    mine.words,
    (card) => card.word,
    (card) => el("li", {}, sign(team), el("span", {}, card.word)),
    (child, card) => attr(child, "aria-current", card.next ? "true" : null),
  );
}

// Codex

function codex(description) {
  text(at("phase-number"), description.number);
  text(at("roles"), description.roles);
  keyed(
    at("steps"),
    description.steps,
    (step) => step.step,
    () => el("li"),
    (child, step) => {
      text(child, step.name);
      attr(child, "aria-current", step.now ? "step" : null);
      attr(child, "data-done", step.done);
    },
  );
  keyed(at("agents"), description.agents, (agent) => agent.seat, newAgent, patchAgent);
}

function newAgent(agent) {
  const fact = ({ fact: name }) =>
    el("li", { "data-fact": name }, el("span", { class: "drawing" }, icon(name)), el("span", { class: "value" }));
  const card = el(
    "div",
    { class: "agent", "aria-hidden": "true" },
    el("span", { class: "place" }, agent.place),
    el("span", { class: "has-phone" }, icon("phone")),
    el("div", { class: "portrait" }, face(agent.seat), el("span", { class: "signs" })),
    el("strong", { class: "nickname" }, el("span")),
    el("span", { class: "doing" }, icon("tick"), el("span")),
    el("span", { class: "votes" }),
    el("ul", { class: "facts" }, ...agent.facts.map(fact)),
    el("span", { class: "turned" }),
  );
  return el("li", {}, card, el("span", { class: "spoken" }));
}

function patchAgent(node, agent) {
  const [card, label] = node.children;
  const [, phone, portrait, nickname, doing, votes, facts, turned] = card.children;
  const signs = portrait.lastChild;
  attr(node, "data-team", agent.team || null);
  attr(node, "data-stand", agent.stand || null);
  attr(node, "data-doing", agent.doing !== "");
  show(phone, agent.hasPhone);
  if (signs.dataset.of !== agent.team) {
    signs.dataset.of = agent.team;
    signs.replaceChildren(...(agent.team ? [sign(agent.team)] : []));
  }
  text(nickname.firstChild, agent.name);
  style(nickname, "--w", emWidth(agent.name).toFixed(2));
  text(doing.lastChild, agent.doing);
  show(doing, agent.doing !== "");
  agent.facts.forEach((fact, place) => {
    const [drawing, value] = facts.children[place].children;
    attr(facts.children[place], "data-known", fact.words !== "");
    text(value, fact.fact === "position" && fact.value !== null ? fact.value : fact.words || "?");
    const name = fact.fact === "role" && fact.value !== null ? `role-${fact.value}` : fact.fact;
    if (drawing.firstChild.dataset.icon !== name) drawing.replaceChildren(icon(name));
  });
  said(turned, agent.turned);
  said(votes, agent.votesWords);
  text(label, agent.label);
}

// The start

function start({ title, more, attract }) {
  text(at("title"), title);
  attr(at("head"), "data-team", null);
  text(at("start-title"), title);
  text(at("start-more"), more);
  show(at("clue"), false);
  for (const team of ["red", "blue"]) show(at(team), false);
  attr(at("start"), "data-scene", attract === null ? "dots" : attract.name);
  if (attract !== null) attractScenes(attract);
  const dots = at("dots");
  if (dots.childElementCount === 0) {
    for (const name of CELLS)
      dots.append(
        el("span", { "data-lit": name === NUKE_CELL || AGENT_CELLS.includes(name) ? name : null }),
      );
  }
}

/** Fill in the contents of all scenes of attract mode. CSS shows the scene that plays. */
function attractScenes({ how, tonight }) {
  picture(at("attract-table"), "table.png");
  keyed(
    at("attract-how"),
    how,
    (page) => page.name,
    (page) => el("figure", { "data-scene": page.name }, el("img", { alt: "" }), el("h2"), el("p")),
    (child, page) => {
      const [image, title, words] = child.children;
      picture(image, page.picture);
      text(title, page.title);
      text(words, page.words);
    },
  );
  const score = at("attract-score");
  const made = JSON.stringify(tonight);
  if (score.dataset.of === made) return;
  score.dataset.of = made;
  score.replaceChildren(...(tonight === null ? [] : [scoreboard(tonight)]));
}

function picture(image, name) {
  const source = `/static/how/${lang()}/${name}`;
  if (image.getAttribute("src") !== source) image.setAttribute("src", source);
}
