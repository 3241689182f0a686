// What the board shows, as plain values: made of the public view, the time and a language alone.
//
// `describe(seen, now, t, lang)` has no other way to know anything, and changes nothing. `t(name,
// fields)` gives a text in the viewer's language.

export const CELLS = ["1", "2", "3", "4", "5"].flatMap((row) =>
  ["A", "B", "C", "D", "E"].map((column) => column + row),
);
export const AGENT_CELLS = ["A1", "C1", "E1", "A5", "C5", "E5"];
export const AGENTS = ["agent-1", "agent-2", "agent-3", "agent-4", "agent-5", "agent-6"];
export const TEAMS = ["red", "blue"];
const NUKE_CELL = "C3";
const STEPS = ["send", "act", "discuss", "vote", "machine"];
const OTHER = { red: "blue", blue: "red" };
const HURRY_SECONDS = 10;

/** `seen`: `{ state, shown, caption }`, of live.js and screen.js; `shown` null before any message. */
export function describe({ state, shown, caption }, now, t, lang) {
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
        : { number: caption.number, words: caption.words[lang] ?? caption.words.en },
  };
  if (shown === null)
    return { ...common, page: "connecting", head: head("", t("connecting")), notice: null };
  const { view, at, latest, latestAt } = shown;
  const notice = noticeOf(latest, latestAt, now, t);
  if (view === null || latest.idle === "idle") {
    return { ...common, page: "start", notice: null, start: startOf(view, latest, notice, t) };
  }
  const timer = timerOf(view.timer, now - at, t);
  if (latest.kind === "public-codex" || view.agents) {
    return { ...common, page: "codex", profile: view.profile, notice, timer, ...codex(view, t) };
  }
  return {
    ...common,
    page: "words",
    profile: view.profile,
    form: formOf(view),
    notice,
    timer,
    ...words(view, shown, t),
  };
}

/** The instant after `now` at which the description of the same message is another one. */
export function wakes({ shown }, now) {
  if (shown === null) return Infinity;
  const running = [];
  const { view, at, latest, latestAt } = shown;
  if (view?.timer?.running) running.push(view.timer.left - (now - at));
  if (latest.idle_left !== null) running.push(latest.idle_left - (now - latestAt));
  return Math.min(
    ...running.filter((left) => left > 0).map((left) => now + (left % 1 || 1)),
    Infinity,
  );
}

const head = (team, title, more = "") => ({ team, title, more });
const teamName = (team, t) => t(team);

function noticeOf(latest, latestAt, now, t) {
  if (latest.out_of_order)
    return { kind: "fault", title: t("out-of-order"), more: t("out-of-order-more") };
  if (latest.service)
    return { kind: "service", title: t("in-service"), more: t("in-service-more") };
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
  if (latest.idle === "idle") return { title: t("invite"), more: t("invite-how") };
  return { title: t("invite"), more: t("no-game") };
}

/** The time that is left, `passed` seconds after the view was made; null where there is no timer. */
export function timerOf(timer, passed, t) {
  if (!timer) return null;
  const left = Math.max(0, timer.running ? timer.left - passed : timer.left);
  const whole = Math.ceil(left);
  const clock = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  const up = timer.urging || left <= 0;
  return {
    mode: timer.mode,
    name: t(`time-${timer.mode}`),
    clock,
    more: up ? t("time-up") : timer.running ? "" : t("time-stands"),
    state: up ? "up" : !timer.running ? "still" : left <= HURRY_SECONDS ? "hurry" : "running",
    label: `${t(`time-${timer.mode}`)}: ${up ? t("time-up") : t("time-left", { time: clock })}`,
  };
}

// Word games

function words(view, shown, t) {
  const hostile = view.nuke !== undefined;
  return {
    head: wordHead(view, t),
    teams: TEAMS.map((team) => ({
      team,
      name: teamName(team, t),
      left: view.left[team],
      more: t(hostile ? "assets-left" : "agents-left", { count: view.left[team] }),
      turn: view.turn === team && view.outcome === null,
    })),
    clue: clueOf(view, t),
    cells: CELLS.map((name) => cellOf(view, name, shown, hostile, t)),
    hands: handsOf(view, t),
    end: endOf(view, t),
  };
}

function wordHead(view, t) {
  if (view.outcome !== null) return endOf(view, t).head;
  const team = teamName(view.turn, t);
  const other = teamName(OTHER[view.turn], t);
  if (view.paused) return head(view.turn, t("paused"), t("turn-of", { team }));
  switch (view.phase) {
    case "place":
      if (view.next_word) return head(view.turn, t("lays-word", { team, word: view.next_word }));
      return head(view.turn, t("lays", { team }));
    case "clue":
      return head(view.turn, t("awaits-clue", { team }));
    case "challenge":
      return head(OTHER[view.turn], t("challenged", { team }));
    case "penalty":
      return head(view.turn, t("may-cover", { team }));
    case "cover":
      return head(view.turn, t("covers", { team, other }));
    default:
      return head(view.turn, t("guesses", { team }));
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
    number: number === "unlimited" ? "∞" : String(number),
    label: word === null ? `${t("clue")}: ${spoken}` : t("clue-told", { word, number: spoken }),
    guesses:
      view.phase !== "guess"
        ? ""
        : left === null
          ? t("guesses-unlimited")
          : t("guesses-left", { count: left }),
  };
}

/** What everybody knows a cell to be, since the key is open: `red` …, or null. */
function inKey(view, place, hostile) {
  const letter = view.key?.[place];
  return (
    { r: "red", b: "blue", n: hostile ? "decoy" : "bystander", a: hostile ? "nuke" : "assassin" }[
      letter
    ] ?? null
  );
}

export function identityName(identity, hostile, t) {
  const asset = hostile && (identity === "red" || identity === "blue");
  return t(asset ? `asset-${identity}` : `identity-${identity}`);
}

function cellOf(view, name, { latest, awaited }, hostile, t) {
  const { word, covered } = view.cells[name];
  const place = CELLS.indexOf(name);
  const nuke = hostile && name === NUKE_CELL;
  const card = nuke ? false : view.placed === undefined || view.placed.includes(name);
  const known = covered === null ? inKey(view, place, hostile) : null;
  const shown = covered === null && known === null ? (view.shown[name] ?? null) : null;
  const mark = covered === null ? (latest.marks?.[name] ?? null) : null;
  const cell = {
    name,
    word: word ?? "",
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
    const [short, long] =
      mode === "basic"
        ? ["nuke-basic", "nuke-basic"]
        : armed
          ? ["armed", "nuke-armed"]
          : ["not-armed", "nuke-safe"];
    return { ...cell, nuke: { armed, words: t(short) }, label: `${name}: ${t(long)}` };
  }
  cell.last = view.placed?.at(-1) === name;
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
    kind === "" ? "" : identityName(cell.covered ?? cell.known ?? cell.shown, hostile, t);
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
  if (view.nuke !== undefined) return view.nuke.mode;
  const group =
    view.phase === "cover" ||
    view.outcome?.why === "absent-team" ||
    (view.outcome?.score ?? null) !== null;
  return group ? "cooperative" : "teams";
}

// Codex

function codex(view, t) {
  const nameOf = (seat) => view.agents[AGENTS.indexOf(seat)].nickname;
  const names = (seats) => seats.map(nameOf).join(", ");
  const together = view.together ?? [];
  const then = view.order.filter(
    (seat) => !together.includes(seat) && seat !== view.at_screen && seat !== view.turn,
  );
  return {
    head: codexHead(view, nameOf, names, t),
    more: [
      view.awaited && view.outcome === null ? t("codex-awaited") : "",
      view.added > 0 && view.outcome === null ? t("codex-added") : "",
      then.length > 0 && view.outcome === null ? t("codex-then", { agents: names(then) }) : "",
    ].filter((line) => line !== ""),
    roles: t(
      "codex-roles",
      Object.fromEntries(
        ["one", "two", "three"].map((at, place) => [at, t(`role-${view.roles[place]}`)]),
      ),
    ),
    number: t("codex-phase", { number: view.number }),
    steps: STEPS.map((step) => ({
      step,
      name: t(`codex-step-${step}`),
      now: step === view.phase,
      done: STEPS.indexOf(step) < STEPS.indexOf(view.phase),
    })),
    agents: view.agents.map((agent, place) => agentOf(view, agent, place, nameOf, t)),
    end: view.outcome === null ? null : endOf(view, t),
  };
}

function codexHead(view, nameOf, names, t) {
  if (view.outcome !== null) return endOf(view, t).head;
  if (view.paused) return head("", t("paused"));
  switch (view.phase) {
    case "discuss":
      return head("", t("codex-discuss"));
    case "vote":
      return view.turn === null
        ? head("", t("codex-step-vote"))
        : head("", t("codex-votes", { agent: nameOf(view.turn) }));
    case "machine":
      return view.at_screen === null
        ? head("", t("codex-step-machine"))
        : head("", t("codex-machine", { agent: nameOf(view.at_screen) }));
  }
  if ((view.together ?? []).length > 0)
    return head("", t("codex-to-phones", { agents: names(view.together) }));
  if (view.at_screen !== null)
    return head("", t("codex-to-screen", { agent: nameOf(view.at_screen) }));
  return head("", t(`codex-step-${view.phase}`));
}

function agentOf(view, agent, place, nameOf, t) {
  const seat = AGENTS[place];
  const votes = view.votes.filter((vote) => vote.target === seat);
  const open = view.identikits?.[place] ?? null;
  const known = open ?? agent.revealed;
  const facts = [
    { fact: "faction", value: known.faction ?? null, words: known.faction ? t(known.faction) : "" },
    { fact: "role", value: known.role ?? null, words: known.role ? t(`role-${known.role}`) : "" },
    {
      fact: "position",
      value: known.position ?? null,
      words: known.position ? t("codex-position", { position: known.position }) : "",
    },
    { fact: "fragment", value: known.fragment ?? null, words: known.fragment ?? "" },
  ].filter((fact) => fact.value !== null);
  const turned =
    open !== null && open.belongs !== open.faction
      ? t("codex-belongs", { team: teamName(open.belongs, t) })
      : "";
  const called = (view.together ?? []).includes(seat);
  const playing = view.outcome === null;
  const doing =
    playing && view.at_screen === seat
      ? t("codex-at-screen")
      : playing && called
        ? t("codex-on-phone")
        : playing && view.turn === seat
          ? t("codex-voting")
          : "";
  const votesWords = votes.length === 0 ? "" : t("codex-votes-for", { count: votes.length });
  const from =
    votes.length === 0
      ? ""
      : t("codex-votes-from", { agents: votes.map((vote) => nameOf(vote.voter)).join(", ") });
  const faction = (open?.belongs ?? known.faction) || "";
  return {
    seat,
    place: AGENT_CELLS[place],
    name: agent.nickname,
    team: faction,
    facts: facts.map((fact) => ({ ...fact, name: t(`fact-${fact.fact}`) })),
    turned,
    phone: playing && (view.phones ?? []).includes(seat) ? t("codex-has-phone") : "",
    doing,
    votes: votes.length,
    votesWords,
    label: [
      `${AGENT_CELLS[place]}: ${agent.nickname}`,
      doing,
      ...facts.map((fact) => `${t(`fact-${fact.fact}`)}: ${fact.words}`),
      turned,
      from,
    ]
      .filter((part) => part !== "")
      .join("; "),
  };
}

// The end

function endOf(view, t) {
  if (view.outcome === null) return null;
  const { winner, losers, why, score } = view.outcome;
  const group = score !== null || (winner === null && losers.length === 1);
  let title = t("nobody-wins");
  if (winner !== null)
    title = score !== null ? t("group-wins") : t("wins", { team: teamName(winner, t) });
  else if (losers.length === 2) title = t("both-lose");
  else if (group) title = t("group-loses");
  const reason = t(`why-${why}`);
  return {
    head: head(winner ?? "", title, reason.charAt(0).toUpperCase() + reason.slice(1)),
    team: winner ?? "",
    score: score === null ? "" : t("score", { score }),
    open:
      view.key !== undefined ? t("key-open") : view.identikits !== undefined ? t("codex-open") : "",
  };
}
