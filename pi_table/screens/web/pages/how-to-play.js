// The rules of the games, page by page. The names of their texts are how-GAME-FORM-NUMBER-….

import { el, keyed, show, text } from "./dom.js";
import { identityName } from "./game.js";
import { sign } from "./signs.js";
import { has, lang, onLanguage, t } from "./texts.js";

const GAMES = {
  codenames: ["teams", "cooperative", "shared-operative"],
  "nome-in-codice": ["teams", "cooperative", "shared-operative"],
  "deep-undercover": ["teams", "cooperative", "shared-operative"],
  "alias-24": ["basic", "mad"],
  codex: ["all"],
};
const at = (name) => document.getElementById(name);
const shown = { game: "codenames", form: "teams", page: 1 };

/** Open the rules of the current game; without a game, those of the first one. */
export function openHowToPlay(described, asked = "") {
  const current = described || {};
  const game = asked || current.profile;
  shown.game = game in GAMES ? game : "codenames";
  const form = game === current.profile ? current.form : undefined;
  shown.form = GAMES[shown.game].includes(form) ? form : GAMES[shown.game][0];
  shown.page = 1;
  write();
  if (!at("how-dialog").open) at("how-dialog").showModal();
  at("how-next").focus();
}

/** List the games. Each is a button that opens its rules. */
export function listGames(parent) {
  keyed(
    parent,
    Object.keys(GAMES),
    (game) => game,
    (game) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", on: { click: () => openHowToPlay(null, game) } },
          el("img", { src: `/static/how/${game}.svg`, width: 96, height: 96, alt: "" }),
          el("strong"),
          el("span", { class: "size" }),
          el("span", { class: "sentence" }),
        ),
      ),
    (child, game) => {
      const [, name, size, sentence] = child.firstElementChild.children;
      text(name, t(`profile-${game}`));
      text(size, t(`offer-size-${game}`));
      text(sentence, t(`offer-${game}`));
    },
  );
}

function pages() {
  let count = 0;
  while (has(name(count + 1, "title"))) count += 1;
  return count;
}

const name = (page, part) => `how-${shown.game}-${shown.form}-${page}-${part}`;

function write() {
  const count = pages();
  text(at("how-game"), t(`profile-${shown.game}`));
  text(at("how-title"), t(name(shown.page, "title")));
  text(at("how-words"), t(name(shown.page, "words")));
  const picture = `/static/how/${lang()}/${t(name(shown.page, "picture"))}`;
  if (at("how-picture").getAttribute("src") !== picture) at("how-picture").src = picture;
  text(at("how-place"), t("how-page", { page: shown.page, pages: count }));
  at("how-back").disabled = shown.page === 1;
  text(at("how-next"), t(shown.page === count ? "close" : "next"));
  forms();
  legend();
}

function forms() {
  const options = Object.keys(GAMES).flatMap((game) => GAMES[game].map((form) => ({ game, form })));
  const select = at("how-form");
  keyed(
    select,
    options,
    ({ game, form }) => `${game}/${form}`,
    ({ game, form }) => el("option", { value: `${game}/${form}` }),
    (child, { game, form }) => {
      const named = GAMES[game].length > 1;
      text(child, named ? `${t(`profile-${game}`)}: ${t(`form-${form}`)}` : t(`profile-${game}`));
    },
  );
  select.value = `${shown.game}/${shown.form}`;
}

function legend() {
  const hostile = shown.game === "alias-24";
  const identities = hostile
    ? ["red", "blue", "decoy", "nuke"]
    : ["red", "blue", "bystander", "assassin"];
  const node = at("legend");
  show(node, shown.game !== "codex");
  keyed(
    node,
    identities,
    (identity) => identity,
    (identity) => el("li", { "data-what": identity }, sign(identity), el("span")),
    (child, identity) => text(child.lastElementChild, identityName(identity, hostile, t)),
  );
}

function turn(by) {
  const to = shown.page + by;
  if (to > pages()) at("how-dialog").close();
  else if (to >= 1) {
    shown.page = to;
    write();
  }
}

at("how-back").addEventListener("click", () => turn(-1));
at("how-next").addEventListener("click", () => turn(1));
at("how-close").addEventListener("click", () => at("how-dialog").close());
at("how-form").addEventListener("change", (event) => {
  [shown.game, shown.form] = event.target.value.split("/");
  shown.page = 1;
  write();
});
at("how-dialog").addEventListener("keydown", (event) => {
  if (event.target === at("how-form")) return;
  if (event.key === "ArrowRight" && shown.page < pages()) turn(1);
  if (event.key === "ArrowLeft") turn(-1);
});
onLanguage(() => {
  if (at("how-dialog").open) write();
});
