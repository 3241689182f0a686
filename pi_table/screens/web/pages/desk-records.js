// The section for finished games: a list of them, and the story of each.

import { el, text } from "./dom.js";
import { lang, t } from "./texts.js";
import { clock } from "./time.js";

const STEP = 30;
/** Maximum number of games that the section lists. */
const MAX_STORIES = 200;

export function records(view, desk) {
  let most = STEP;
  let profile = "";
  void list();
  return undefined;

  async function list() {
    const answer = await desk.ask("games", { most });
    if (answer === null) return;
    if (!answer.ok) {
      view.replaceChildren(el("p", { class: "wrong" }, answer.sentence));
      return;
    }
    const stories = answer.told;
    const titles = new Map(stories.map((each) => [each.profile, each.title]));
    const filter = el(
      "select",
      { id: "records-of", on: { change: () => ((profile = filter.value), draw()) } },
      el("option", { value: "" }, t("desk-all-games")),
      ...[...titles].map(([id, title]) => el("option", { value: id }, title)),
    );
    filter.value = titles.has(profile) ? profile : "";
    const days = el("div", {});
    const more = el(
      "button",
      { type: "button", on: { click: () => ((most += STEP), void list()) } },
      t("desk-records-more"),
    );
    view.replaceChildren(
      el("div", { class: "line" }, el("label", { for: "records-of" }, t("desk-game")), filter),
      days,
      stories.length === most && most < MAX_STORIES ? more : "",
    );
    draw();

    function draw() {
      const shown = stories.filter((each) => filter.value === "" || each.profile === filter.value);
      const byDay = grouped(shown, day);
      days.replaceChildren(
        ...(shown.length === 0 ? [el("p", {}, t("desk-records-none"))] : []),
        ...[...byDay].map(([name, games]) =>
          el(
            "section",
            { class: "group" },
            el("h3", {}, name),
            el("ul", { class: "stories" }, ...games.map((game) => el("li", {}, line(game)))),
          ),
        ),
      );
    }
  }

  function line(game) {
    const time = new Date(game.begun).toLocaleTimeString(lang(), { hour: "2-digit", minute: "2-digit" });
    return el(
      "button",
      { type: "button", class: "story", on: { click: () => void story(game) } },
      el("span", { class: "time" }, time),
      el("span", {}, el("strong", {}, game.title), el("span", { class: "soft" }, game.ended)),
    );
  }

  async function story(game) {
    const answer = await desk.ask("record", { game: game.number });
    if (answer === null) return;
    if (!answer.ok) {
      desk.say(answer.sentence);
      return;
    }
    const heading = el("h3", { tabindex: "-1" });
    const date = new Date(game.begun).toLocaleString(lang(), { dateStyle: "full", timeStyle: "short" });
    text(heading, `${game.title}, ${date}`);
    view.replaceChildren(
      el("div", { class: "row" }, el("button", { type: "button", on: { click: () => void list() } }, t("back"))),
      heading,
      el(
        "ol",
        { class: "told" },
        ...answer.told.lines.map((each) =>
          el(
            "li",
            { class: each.under ? "under" : null },
            el("span", { class: "time" }, clock(each.at)),
            el("span", {}, each.text),
          ),
        ),
      ),
    );
    heading.focus();
  }
}

const day = (game) => new Date(game.begun).toLocaleDateString(lang(), { dateStyle: "full" });

function grouped(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) || []), item]);
  return groups;
}
