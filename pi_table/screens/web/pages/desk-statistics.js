// The section for statistics of finished games: plots, each with its numbers as a table.

import { el, svg, text } from "./dom.js";
import { LANGUAGES, lang, t } from "./texts.js";

/** Minutes in each step of the plot of game lengths, and seconds in each step of the plot of times to a
 * clue. The last step also has everything longer. */
const LENGTH_STEP = 5;
const CLUE_STEP = 15;
const LAST_STEP = 24;

export function statistics(view, desk) {
  let left = false;
  let profile = "";
  let of = "";
  let counts = 0;
  const state = el("p", { class: "soft", role: "status" });
  const filters = el("div", { class: "row filters" });
  const plots = el("div", { class: "plots" });
  view.replaceChildren(filters, state, plots);
  void count();
  return () => {
    left = true;
  };

  /** Counts all games. A later count, for other filters, ends this one. */
  async function count() {
    counts += 1;
    const mine = counts;
    for (;;) {
      const fields = { ...(profile && { profile }), ...(of && { of }) };
      const answer = await desk.ask("statistics", fields);
      if (answer === null || left || mine !== counts) return;
      if (!answer.ok) {
        text(state, answer.sentence);
        return;
      }
      const { statistics: sums, titles } = answer.told;
      choose(sums.kinds, titles);
      const isWhole = sums.read >= sums.of;
      text(state, isWhole ? whole(sums) : t("desk-stats-counting", { read: sums.read, of: sums.of }));
      if (isWhole) {
        plots.replaceChildren(...drawn(sums));
        return;
      }
    }
  }

  /** Add the kinds that earlier answers did not have. What is selected stays selected. */
  function choose(kinds, titles) {
    if (filters.childElementCount === 0) {
      filters.append(
        select("stats-game", t("desk-game"), t("desk-all-games"), (value) => (profile = value)),
        select("stats-lang", t("language"), t("desk-all-languages"), (value) => (of = value)),
      );
    }
    const [games, langs] = filters.querySelectorAll("select");
    for (const kind of kinds) {
      offer(games, kind.profile, titles[kind.profile]);
      offer(langs, kind.lang, LANGUAGES[kind.lang]);
    }
  }

  /** Add an option, if it is new, in the order of the values. */
  function offer(list, value, name) {
    const options = [...list.options];
    if (options.some((each) => each.value === value)) return;
    list.insertBefore(el("option", { value }, name), options.find((each) => each.value > value) || null);
  }

  function select(id, label, every, chosen) {
    const list = el(
      "select",
      { id, on: { change: () => (chosen(list.value), void count()) } },
      el("option", { value: "" }, every),
    );
    return el("div", { class: "line" }, el("label", { for: id }, label), list);
  }
}

function whole({ games }) {
  return games === 0 ? t("desk-records-none") : t("desk-stats-games", { count: games });
}

function drawn(sums) {
  if (sums.games === 0) return [];
  const evenings = sums.evenings.map((each) => [dayOf(each.day, { day: "numeric", month: "short" }), each.games]);
  const weekdays = sums.weekdays.map((count, day) => [
    dayOf(`2024-01-0${day + 1}`, { weekday: "long" }), // 1 January 2024 was a Monday
    count,
    dayOf(`2024-01-0${day + 1}`, { weekday: "short" }),
  ]);
  const hours = sums.hours.map((bin) => [`${bin.begins}:00`, bin.count, bin.begins]);
  const lengths = sums.lengths.map((bin) => [steps(bin.begins, LENGTH_STEP), bin.count, bin.begins]);
  const clues = sums.clues.map((bin) => [steps(bin.begins, CLUE_STEP), bin.count, bin.begins]);
  const won = ["red", "blue", "nobody", "ended"].map((who) => [t(`desk-won-${who}`), sums.won[who] || 0, who]);
  const guesses = ["right", "nobody", "other", "fatal"].map((was) => [
    t(`desk-guess-${was}`),
    sums.guesses[was] || 0,
    was,
  ]);
  const some = (rows) => rows.some(([, count]) => count > 0);
  return [
    plot(t("desk-plot-evenings"), t("desk-evening"), evenings),
    plot(t("desk-plot-weekdays"), t("desk-weekday"), weekdays),
    plot(t("desk-plot-hours"), t("desk-hour"), hours),
    plot(t("desk-plot-lengths"), t("desk-minutes"), lengths),
    some(clues) ? plot(t("desk-plot-clues"), t("desk-seconds"), clues) : null,
    across(t("desk-plot-won"), won),
    some(guesses) ? across(t("desk-plot-guesses"), guesses) : null,
    words(t("desk-words-found"), sums.found, "desk-found-of"),
    words(t("desk-words-missed"), sums.missed, "desk-missed-of"),
    words(t("desk-words-lost"), sums.lost, "desk-lost-of"),
  ].filter(Boolean);
}

const steps = (begins, step) =>
  begins >= LAST_STEP * step ? `${begins}+` : `${begins}–${begins + step}`;

const dayOf = (iso, how) => new Date(`${iso}T12:00`).toLocaleDateString(lang(), how);

const WIDTH = 480;
const HEIGHT = 180;
const GROUND = 150;
const LEFT = 34;

/** The values of a plot's grid lines: 0, a top that is at least `most`, and half of the top. All are
 * round numbers. */
function gridFor(most) {
  let step = 1;
  for (let power = 1; 2 * step < most; power *= 10) {
    step = [1, 2, 5, 10].map((each) => each * power).find((each) => 2 * each >= most) || 10 * power;
  }
  return [0, step, 2 * step];
}

/** A plot of bars side by side. A row has a name and a number. It also has a label for below the bar,
 * if that differs from the name. */
function plot(title, axis, rows) {
  const grid = gridFor(Math.max(...rows.map(([, count]) => count)));
  const wide = (WIDTH - LEFT) / Math.max(rows.length, 6);
  const every = rows.length <= 7 ? 1 : Math.ceil(rows.length / 6);
  const y = (count) => GROUND - (GROUND - 14) * (count / grid[2]);
  return figure(
    title,
    axis,
    rows,
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": title },
      ...grid.map((count) =>
        svg(
          "g",
          { class: "grid" },
          svg("line", { x1: LEFT, x2: WIDTH, y1: y(count), y2: y(count) }),
          svg("text", { x: LEFT - 6, y: y(count) + 4, "text-anchor": "end" }, String(count)),
        ),
      ),
      ...rows.map(([name, count, below = name], place) =>
        svg(
          "g",
          {},
          svg("rect", {
            class: "bar",
            x: LEFT + place * wide + wide * 0.12,
            width: wide * 0.76,
            y: y(count),
            height: GROUND - y(count),
          }),
          place % every === 0
            ? svg("text", { class: "name", x: LEFT + (place + 0.5) * wide, y: GROUND + 20, "text-anchor": "middle" }, String(below))
            : null,
        ),
      ),
    ),
  );
}

const NAMES = 150;
const HIGH = 34;
const FULL = WIDTH - NAMES - 110;

/** A plot of bars one above the other. Each bar shows a share of the total; its row has a name, a
 * number and a kind. */
function across(title, rows) {
  const total = Math.max(1, rows.reduce((sum, [, count]) => sum + count, 0));
  const bottom = rows.length * HIGH;
  return figure(
    title,
    "",
    rows,
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${bottom + 22}`, class: "plot", role: "img", "aria-label": title },
      ...[0, 50, 100].map((percent) => {
        const x = NAMES + (FULL * percent) / 100;
        return svg(
          "g",
          { class: "grid" },
          svg("line", { x1: x, x2: x, y1: 0, y2: bottom }),
          svg("text", { x, y: bottom + 17, "text-anchor": "middle" }, `${percent} %`),
        );
      }),
      ...rows.map(([name, count, kind], place) =>
        svg(
          "g",
          {},
          svg("text", { x: 0, y: place * HIGH + 21 }, name),
          svg("rect", {
            class: `bar ${kind}`,
            x: NAMES,
            y: place * HIGH + 6,
            width: (FULL * count) / total,
            height: HIGH - 12,
          }),
          svg(
            "text",
            { x: WIDTH, y: place * HIGH + 21, "text-anchor": "end" },
            `${count} (${Math.round((100 * count) / total)} %)`,
          ),
        ),
      ),
    ),
  );
}

function figure(title, axis, rows, picture) {
  return el(
    "figure",
    { class: "group" },
    el("figcaption", {}, el("h3", {}, title)),
    picture,
    axis ? el("p", { class: "soft axis" }, axis) : null,
    el("details", {}, el("summary", {}, t("desk-as-table")), table([axis || title, t("desk-count")], rows.map((row) => row.slice(0, 2)))),
  );
}

function words(title, found, rate) {
  if (found.length === 0) return null;
  return el(
    "section",
    { class: "group" },
    el("h3", {}, title),
    table(
      [t("desk-word"), t("desk-rate")],
      found.map((each) => [each.word, t(rate, { times: each.times, dealt: each.dealt })]),
    ),
  );
}

export function table(heads, rows) {
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el(
      "tbody",
      {},
      ...rows.map(([name, ...cells]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, name),
          ...cells.map((cell) => el("td", {}, String(cell))),
        ),
      ),
    ),
  );
}
