// The content of the board as plain values.
//
// `describe(seen, now, t, lang)` computes them from the public view, the time and a language only. It
// has no access to anything else, and changes nothing. `t(name, fields)` returns a text in the viewer's
// language.

import {
  AGENTS,
  AGENT_CELLS,
  CELLS,
  NUKE_CELL,
  TEAMS,
  identityName,
  identityOf,
  isHostile,
  nickname,
  nukeWords,
  numberWords,
  otherTeam,
} from "./game.js";
import { HOW_PAGES, attractAt, sceneOf, scoreOf, tallyOf } from "./scenes.js";
import { endOf, lapOf, missingOf, standOf, turnOf, votesOf } from "./standing.js";
import { clock, timeLeft } from "./time.js";

const STEPS = ["send", "act", "discuss", "vote", "machine"];
const HURRY_SECONDS = 10;

/** `seen` comes from live.js, screen.js and the page: `{ state, shown, caption, scene, isAttended }`.
 * `shown` is null before the first message. `scene` is the scene that plays. `isAttended` is true
 * while somebody uses a mouse or keys. */
export function describe({ state, shown, caption, scene = null, isAttended = false }, now, t, lang) {
  const away = {
    "table-away": "table-away",
    "server-away": "server-away",
    connecting: "connecting",
  }[state];
  const common = {
    away: away === undefined ? "" : t(away),
    caption:
      caption === null
        ? null
        : { number: caption.number, words: caption.words[lang] || caption.words.en },
  };
  if (shown === null)
    return { ...common, page: "connecting", head: head("", t("connecting")), notice: null };
  const { view, at, latest, latestAt } = shown;
  const notice = noticeOf(latest, latestAt, now, t);
  if (isStart(shown)) {
    const start = startOf(view, latest, notice, t);
    const attract = start.isOpen ? attractOf(latest, now, isAttended, t) : null;
    return { ...common, page: "start", notice: null, start: { ...start, attract } };
  }
  const timer = timerOf(view.timer, now - at, t);
  const isCodex = latest.kind === "public-codex" || view.agents !== undefined;
  const game = isCodex
    ? { page: "codex", ...codex(view, t) }
    : { page: "words", form: formOf(view), ...words(view, shown, t) };
  if (game.end !== null) {
    Object.assign(game.end, afterOf(view, shown, t));
    if (common.caption === null) common.caption = { number: "next", words: game.end.next };
  }
  return {
    ...common,
    profile: view.profile,
    notice,
    timer,
    scene: notice === null ? sceneOf(scene, view, game.end, t, lang) : null,
    ...game,
  };
}

/** Return the first instant after `now` at which the description changes without a new message. */
export function wakes({ shown, isAttended = false }, now) {
  if (shown === null) return Infinity;
  const running = [];
  const { view, at, latest, latestAt } = shown;
  if (isStart(shown)) return attractAt(now, hasScore(latest), isAttended).ends;
  if (view && view.timer && view.timer.running) running.push(view.timer.left - (now - at));
  if (latest.idle_left !== null) running.push(latest.idle_left - (now - latestAt));
  return Math.min(
    ...running.filter((left) => left > 0).map((left) => now + (left % 1 || 1)),
    Infinity,
  );
}

/** True if the page invites people to play, or says that a game waits. */
const isStart = ({ view, latest }) => view === null || latest.idle === "idle";
const hasScore = ({ tonight = [] }) => tonight.length > 0;

const head = (team, title, more = "") => ({ team, title, more });
const teamName = (team, t) => t(team);

function noticeOf(latest, latestAt, now, t) {
  if (latest.out_of_order)
    return { kind: "fault", title: t("out-of-order"), more: t("out-of-order-more") };
  if (latest.service)
    return { kind: "service", title: t("in-service"), more: t("in-service-more") };
  if (latest.out_of_service && (latest.view === null || latest.view.outcome !== null))
    return { kind: "service", title: t("out-of-service"), more: t("out-of-service-more") };
  if (latest.idle === "asked") {
    const left =
      latest.idle_left === null
        ? null
        : Math.max(0, Math.ceil(latest.idle_left - (now - latestAt)));
    return { kind: "asked", title: t("still-playing"), more: t("touch-to-go-on"), left };
  }
  return null;
}

function startOf(view, latest, notice, t) {
  if (notice !== null) return { title: notice.title, more: notice.more };
  const waits = view !== null && view.outcome === null;
  if (waits) return { title: t("game-waits"), more: t("touch-to-go-on") };
  const more = latest.idle === "idle" ? t("invite-how") : t("no-game");
  return { title: t("invite"), more, isOpen: true };
}

/** The scene of attract mode, and what its scenes show. */
function attractOf({ tonight = [] }, now, isAttended, t) {
  const score = scoreOf(tonight);
  return {
    name: attractAt(now, score !== null, isAttended).name,
    how: HOW_PAGES.map((page) => {
      const name = `how-codenames-teams-${page}`;
      return {
        name: `how-${page}`,
        title: t(`${name}-title`),
        words: t(`${name}-words`),
        picture: t(`${name}-picture`),
      };
    }),
    tonight: score === null ? null : { title: t("tonight"), teams: score },
  };
}

/** Return the remaining time. `passed` is the number of seconds since the view was made. Null without a
 * timer. */
export function timerOf(timer, passed, t) {
  const left = timeLeft(timer, passed);
  if (left === null) return null;
  const { seconds, isUp } = left;
  const time = clock(seconds);
  return {
    mode: timer.mode,
    name: t(`time-${timer.mode}`),
    clock: time,
    more: isUp ? t("time-up") : timer.running ? "" : t("time-stands"),
    state: isUp ? "up" : !timer.running ? "still" : seconds <= HURRY_SECONDS ? "hurry" : "running",
    label: `${t(`time-${timer.mode}`)}: ${isUp ? t("time-up") : t("time-left", { time })}`,
  };
}

// Word games

function words(view, shown, t) {
  const hostile = isHostile(view);
  return {
    head: wordHead(view, t),
    teams: tallyOf(view).map((tally) => teamOf(view, shown, tally, t)),
    clue: clueOf(view, t),
    log: view.clue === null ? logOf(view, t) : [],
    cells: CELLS.map((name) => cellOf(view, name, shown, hostile, t)),
    hands: handsOf(view, t),
    end: view.outcome === null ? null : ending(view, t),
  };
}

function teamOf(view, { latest }, { team, found, all, hunted }, t) {
  const isOver = view.outcome !== null;
  const left = view.left[team];
  return {
    team,
    name: teamName(team, t),
    count: isOver ? `${found}/${all}` : String(left),
    more: isOver
      ? t("found")
      : t(hunted ? "assets-left" : "agents-left", { count: left }).replace(/^\d+ /, ""),
    label: isOver
      ? t("found-of", { found, all })
      : t(hunted ? "assets-left" : "agents-left", { count: left }),
    turn: view.turn === team && !isOver,
    result: !isOver ? null : view.outcome.winner === team ? "won" : "lost",
    phone: !isOver && latest.seated.includes(`${team}-spymaster`) ? t("key-on-a-phone") : "",
  };
}

function wordHead(view, t) {
  const { what, team: acts } = turnOf(view);
  if (what === "over") return ending(view, t).head;
  const team = teamName(view.turn, t);
  const other = teamName(otherTeam(view.turn), t);
  switch (what) {
    case "paused":
      return head(acts, t("paused"), t("turn-of", { team }));
    case "place":
      if (view.next_word) return head(acts, t("lays-word", { team, word: view.next_word }));
      return head(acts, t("lays", { team }));
    case "clue":
      return head(acts, t("awaits-clue", { team }));
    case "challenge":
      return head(acts, t("challenged", { team }));
    case "penalty":
      return head(acts, t("may-cover", { team }));
    case "cover":
      return head(acts, t("covers", { team, other }));
    default:
      return head(acts, t("guesses", { team }));
  }
}

function clueOf(view, t) {
  if (view.clue === null) return null;
  const { word, number } = view.clue;
  const spoken = number === "unlimited" ? t("unlimited") : String(number);
  const left = view.guesses_left;
  return {
    team: view.turn,
    name: t("clue"),
    word,
    number: numberWords(number),
    dots: view.phase === "guess" && left !== null ? { made: view.guesses, left } : null,
    label: word === null ? `${t("clue")}: ${spoken}` : t("clue-told", { word, number: spoken }),
    guesses:
      view.phase !== "guess"
        ? ""
        : left === null
          ? t("guesses-unlimited")
          : t("guesses-left", { count: left }),
  };
}

/** The clues of this game; the latest is first. */
function logOf(view, t) {
  return [...(view.clues || [])].reverse().map(({ team, word, number }) => ({
    team,
    word: word === null ? t("clue") : word,
    number: numberWords(number),
  }));
}

function cellOf(view, name, { latest, awaited }, hostile, t) {
  const { word, covered } = view.cells[name];
  const place = CELLS.indexOf(name);
  const nuke = hostile && name === NUKE_CELL;
  const card = nuke ? false : view.placed === undefined || view.placed.includes(name);
  // The public identity of a cell, once the key is revealed.
  const known = covered === null && view.key ? identityOf(view.key[place], hostile) : null;
  const shown = covered === null && known === null ? view.shown[name] || null : null;
  const mark = (covered === null && latest.marks && latest.marks[name]) || null;
  const cell = {
    name,
    word: word || "",
    card,
    covered,
    known,
    shown,
    mark,
    awaited: awaited.includes(name),
    nuke: null,
  };
  if (nuke) {
    const { armed, mode } = view.nuke;
    const short = nukeWords(view.nuke);
    const long = mode === "basic" ? short : armed ? "nuke-armed" : "nuke-safe";
    return { ...cell, nuke: { armed, words: t(short) }, label: `${name}: ${t(long)}` };
  }
  cell.last = view.placed !== undefined && view.placed.slice(-1)[0] === name;
  return { ...cell, label: labelOf(cell, hostile, t) };
}

function labelOf(cell, hostile, t) {
  if (!cell.card) return t("cell-empty", { place: cell.name });
  const kind =
    cell.covered !== null
      ? "covered"
      : cell.known !== null
        ? "known"
        : cell.shown !== null
          ? "shown"
          : "";
  const what =
    kind === "" ? "" : identityName(cell.covered || cell.known || cell.shown, hostile, t);
  const base = cell.word === "" ? "cell-card" : "cell";
  const label = t(kind === "" ? base : `${base}-${kind}`, {
    place: cell.name,
    word: cell.word,
    what,
  });
  return cell.mark === null
    ? label
    : t("cell-marked", { cell: label, team: teamName(cell.mark, t) });
}

function handsOf(view, t) {
  if (view.hands === undefined) return null;
  return TEAMS.map((team) => ({
    team,
    name: t("hand", { team: teamName(team, t) }),
    turn: view.turn === team,
    words: view.hands[team].map((word) => ({
      word,
      next: view.turn === team && word === view.next_word,
    })),
  }));
}

function formOf(view) {
  if (isHostile(view)) return view.nuke.mode;
  const { why, score = null } = view.outcome || {};
  const group = view.phase === "cover" || why === "absent-team" || score !== null;
  return group ? "cooperative" : "teams";
}

// Codex

function codex(view, t) {
  const nameOf = (seat) => nickname(view, seat);
  const names = (seats) => seats.map(nameOf).join(", ");
  const together = view.together || [];
  const then = view.order.filter(
    (seat) => !together.includes(seat) && seat !== view.at_screen && seat !== view.turn,
  );
  return {
    head: codexHead(view, names, t),
    more: [
      view.awaited && view.outcome === null ? awaitedWords(view, names, t) : "",
      lacksPhone(view) ? t("codex-no-phone") : "",
      view.added > 0 && view.outcome === null ? t("codex-added") : "",
      then.length > 0 && view.outcome === null ? t("codex-then", { agents: names(then) }) : "",
    ].filter((line) => line !== ""),
    roles: t(
      "codex-roles",
      Object.fromEntries(
        ["one", "two", "three"].map((at, place) => [at, t(`role-${view.roles[place]}`)]),
      ),
    ),
    number: t("phase", { number: view.number }),
    steps: STEPS.map((step) => ({
      step,
      name: t(`step-${step}`),
      now: step === view.phase,
      done: STEPS.indexOf(step) < STEPS.indexOf(view.phase),
    })),
    agents: view.agents.map((agent, place) => agentOf(view, agent, place, nameOf, t)),
    end: view.outcome === null ? null : ending(view, t),
  };
}

/** True if the agent in turn could have a phone, and has none. */
const lacksPhone = ({ at_screen: atScreen, phones }) =>
  atScreen !== null && phones !== undefined && !phones.includes(atScreen);

function awaitedWords(view, names, t) {
  const missing = missingOf(view);
  return missing.length > 0 && view.there.length > 0
    ? t("codex-missing", { agents: names(missing) })
    : t("codex-awaited");
}

function codexHead(view, names, t) {
  if (view.outcome !== null) return ending(view, t).head;
  if (view.paused) return head("", t("paused"));
  const { what, seats } = lapOf(view);
  if (what === "discuss") return head("", t("codex-discuss"));
  if (seats.length === 0) return head("", t(`step-${view.phase}`));
  const agents = names(seats);
  switch (what) {
    case "vote":
      return head("", t("codex-votes", { agent: agents }));
    case "machine":
      return head("", t("codex-machine", { agent: agents }));
    case "all":
      return head("", t("codex-all-to-phones"));
    case "phones":
      return head("", t("codex-to-phones", { agents }));
    default:
      return head("", t("codex-to-screen", { agent: agents }));
  }
}

const FACTS = ["faction", "role", "position", "fragment"];
function factWords(fact, value, t) {
  if (fact === "faction") return t(value);
  if (fact === "role") return t(`role-${value}`);
  return fact === "position" ? t("position", { position: value }) : value;
}

function agentOf(view, agent, place, nameOf, t) {
  const seat = AGENTS[place];
  const votes = votesOf(view).filter((vote) => vote.target === seat);
  const open = (view.identikits && view.identikits[place]) || null;
  const known = open || agent.revealed;
  const facts = FACTS.map((fact) => {
    const value = known[fact] || null;
    return { fact, value, name: t(`fact-${fact}`), words: value === null ? "" : factWords(fact, value, t) };
  });
  const turned =
    open !== null && open.belongs !== open.faction
      ? t("codex-belongs", { team: teamName(open.belongs, t) })
      : "";
  const hasPhone = view.outcome === null && (view.phones || []).includes(seat);
  const stand = standOf(view, seat);
  const doing = stand === "" || stand === "later" ? "" : t(`stand-${stand}`);
  const votesWords = votes.length === 0 ? "" : t("votes-for", { count: votes.length });
  const from =
    votes.length === 0
      ? ""
      : t("codex-votes-from", { agents: votes.map((vote) => nameOf(vote.voter)).join(", ") });
  const faction = (open && open.belongs) || known.faction || "";
  return {
    seat,
    place: AGENT_CELLS[place],
    name: agent.nickname,
    team: faction,
    facts,
    turned,
    stand,
    hasPhone,
    doing,
    votes: votes.length,
    votesWords,
    label: [
      `${AGENT_CELLS[place]}: ${agent.nickname}`,
      doing,
      hasPhone ? t("codex-has-phone") : "",
      ...facts.filter((fact) => fact.words !== "").map((fact) => `${fact.name}: ${fact.words}`),
      turned,
      from,
    ]
      .filter((part) => part !== "")
      .join("; "),
  };
}

// The end

function scoreFields([red, blue], t) {
  return { red: t("red"), count: red.won, blue: t("blue"), other: blue.won };
}

/** What the board shows after a game: tonight's score (also as a text), and how to begin the next game. */
function afterOf(view, { tonight = [] }, t) {
  const teams = scoreOf(tonight);
  const evening = teams === null ? "" : t("tonight-score", scoreFields(teams, t));
  const asks = view.cells ? "key-on-request" : "codex-on-request";
  const canSwap = view.cells && view.outcome.winner !== null && view.outcome.score === null;
  const isHidden = view.key === undefined && view.identikits === undefined;
  return {
    tonight: teams === null ? null : { title: t("tonight"), teams },
    evening,
    next: [t(canSwap ? "rematch" : "play-again"), isHidden ? t(asks) : evening].filter(Boolean).join(" "),
  };
}

function ending(view, t) {
  const { winner, losers, why, score } = view.outcome;
  const title = t(endOf(view.outcome), winner === null ? {} : { team: teamName(winner, t) });
  const reason = t(`why-${why}`, losers.length === 0 ? {} : { team: teamName(losers[0], t) });
  return {
    head: head(winner || "", title, reason),
    team: winner || "",
    score: score === null ? "" : t("score", { score }),
    open:
      view.key !== undefined ? t("key-open") : view.identikits !== undefined ? t("codex-open") : "",
  };
}
