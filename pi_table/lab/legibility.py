"""``pi-table legibility``: how large the texts on each surface look to their readers."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.resources import files
from itertools import groupby
from math import atan, degrees
from operator import attrgetter
from typing import Any, Final, NamedTuple

from pi_table.common.errors import InputError
from pi_table.common.language import LANGUAGES, Lang, say, to_json
from pi_table.devices.hal.contracts import Input
from pi_table.games.cards.pdf import smallest_capitals
from pi_table.games.cards.sheet import CARDS
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.words.pack import pack_named
from pi_table.lab.recording import Recording
from pi_table.lab.scenario_lines import (
    ATTEMPTED,
    TURN_SECONDS,
    Line,
    act,
    codex_messages,
)
from pi_table.lab.surfaces import CONSOLE, ENDED, HANDS, PAGES, PHONES, Moment
from pi_table.lab.walks import walks
from pi_table.screens.console import style
from pi_table.screens.console.painter import measure
from pi_table.screens.console.scene import scene
from pi_table.screens.console.text_setting import groups_of, set_group
from pi_table.screens.web.texts import texts_in

MIN_MINUTES: Final = 16.0
"""Minutes of arc: minimum height of capitals that people read without effort (ISO 9241-303)."""
PACKS: Final[dict[Lang, str]] = {"en": "english", "it": "italiano"}
"""For each language, the pack whose longest words are measured."""
CARD_DISTANCE: Final = 700.0
"""Millimetres from a player's eye to a card on the table."""
OTHERS: Final = "other texts"
"""Name of the texts that belong to no group."""

_LONGEST: Final = "longest words"
"""Name of the words that are too long for the size of the other words."""
_SHOW: Final = {
    "board": """
async (given) => {
    const { messages, at, lang, pressed } = JSON.parse(given);
    const { describe } = await import("/static/describe.js");
    const { listGames } = await import("/static/how-to-play.js");
    const { paint } = await import("/static/paint.js");
    const { Screen } = await import("/static/screen.js");
    const { paintScene } = await import("/static/scene-paint.js");
    const { languageSwitch, speak, t } = await import("/static/texts.js");
    await speak(lang);
    document.body.dataset.unattended = "";
    languageSwitch(document.getElementById("languages"));
    listGames(document.getElementById("games"));
    for (const node of document.querySelectorAll("[data-address]"))
        node.textContent = "http://192.168.178.100:8080";
    const screen = new Screen();
    for (const [sent, message] of messages) screen.take(message, sent);
    const [shown, caption, scene] = [screen.shown(at), screen.caption(at), screen.scene(at)];
    const described = describe({ state: "here", shown, caption, scene }, at, t, lang);
    paint(described);
    paintScene(described.scene || null);
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    for (const node of pressed.map((selector) => document.querySelector(selector)))
        if (node.showModal) node.showModal();
        else node.click();
}""",
    "phone": """
async (given) => {
    const { messages, at, lang, seat, own, pressed, holds } = JSON.parse(given);
    const { AgentScreen } = await import("/static/phone-agent.js");
    const { WordsScreen } = await import("/static/phone-words.js");
    const { Screen } = await import("/static/screen.js");
    const { languageSwitch, speak, t } = await import("/static/texts.js");
    const part = (id) => document.getElementById(id);
    await speak(lang);
    languageSwitch(part("languages"));
    const heard = new Screen();
    for (const [sent, message] of messages) heard.take(message, sent);
    const shown = heard.shown(at);
    const table = { ...shown.latest, view: shown.view };
    const draw = () => screen.draw({ message: own, table, at: shown.at, held: holds, heard: true });
    const isAgent = seat.startsWith("agent");
    const screen = new (isAgent ? AgentScreen : WordsScreen)(seat, {}, draw);
    part("main").replaceChildren(screen.node);
    part("acts").replaceChildren(...(screen.acts === null ? [] : [screen.acts]));
    const [team, role] = seat.split("-");
    part("seat").textContent = isAgent
        ? table.view.agents[Number(role) - 1].nickname
        : t(`phone-${role}`, { team: t(team) });
    const explained = heard.explanation(at);
    part("explained").hidden = explained === null;
    part("explained").textContent = explained === null ? "" : explained.words[lang];
    draw();
    for (const key of pressed) document.querySelector(`[data-key="${key}"]`).click();
    part("hold").hidden = !screen.hasSecrets;
    part("hold-words").textContent = t(holds ? "phone-let-go" : screen.holdWords);
}""",
}
_CAPITALS: Final = """
async ([groups, others]) => {
    await document.fonts.ready;
    const frame = () => new Promise(requestAnimationFrame);
    await frame().then(frame);
    const canvas = document.createElement("canvas").getContext("2d");
    const capitals = (node) => {
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(node);
        canvas.font = `${fontWeight} 100px ${fontFamily}`;
        return parseFloat(fontSize) * canvas.measureText("H").actualBoundingBoxAscent / 100;
    };
    const isSeen = (node) =>
        node.closest(".spoken") === null
        && node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const found = {};
    const seen = document.querySelector("dialog[open]") || document.body;
    const texts = document.createTreeWalker(seen, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        if (texts.currentNode.data.trim() === "" || !isSeen(node)) continue;
        const [name] = groups.find(([, selector]) => node.closest(selector)) || [others];
        found[name] = Math.min(found[name] || Infinity, capitals(node));
    }
    return found;
}"""


class Row(NamedTuple):
    """A group of texts on a surface, with the height of the smallest capitals among them."""

    surface: str
    group: str
    pixels: float | None
    millimetres: float
    distance: float
    needless: str = ""
    """Why nobody needs to read the texts in order to play; "" if they must be read."""

    @property
    def minutes(self) -> float:
        return 60 * degrees(atan(self.millimetres / self.distance))

    @property
    def is_too_small(self) -> bool:
        return not self.needless and self.minutes < MIN_MINUTES


def rows(playwright: Any) -> Iterator[Row]:
    """Yield a row for each group of texts on each surface, in the language whose texts are
    smaller."""
    found: dict[tuple[str, str], Row] = {}
    for lang in LANGUAGES:
        for row in (*_pages(playwright, lang), *_console(lang), _cards(lang)):
            known = found.get((row.surface, row.group))
            if known is None or row.minutes < known.minutes:
                found[row.surface, row.group] = row
    yield from sorted(found.values(), key=lambda row: row.surface)


def table(found: list[Row]) -> str:
    head = f"{'surface':<30}{'text':<22}{'pixels':>7}{'mm':>7}{'minutes':>9}  must be read"
    lines = (
        f"{row.surface:<30}{row.group:<22}{_pixels(row):>7}{row.millimetres:>7.1f}"
        f"{row.minutes:>9.1f}  {f'no: {row.needless}' if row.needless else 'yes'}"
        f"{f', below {MIN_MINUTES:.0f}' if row.is_too_small else ''}"
        for row in found
    )
    return "\n".join(("Height of the smallest capitals, in minutes of arc", head, *lines))


def _pixels(row: Row) -> str:
    return "" if row.pixels is None else f"{row.pixels:.1f}"


def longest_words(lang: Lang) -> list[str]:
    """Return the 25 longest words of the language's pack."""
    return sorted(pack_named(PACKS[lang], None).words, key=len)[-25:]


_DEAL: Final = [
    {"nickname": name, "faction": team, "role": role, "position": at + 1, "fragment": fragment}
    for team, agents in (
        ("red", (("Cappuccino", "WMNH"), ("Chinchilla", "MWMW"), ("Incognito", "WWMM"))),
        ("blue", (("Macchiato", "MMWW"), ("Orchestra", "WMMW"), ("Panorama", "MWWM"))),
    )
    for at, (role, (name, fragment)) in enumerate(
        zip(("leader", "inquisitor", "infiltrator"), agents, strict=True)
    )
]
"""Agents with the longest nicknames, roles and fragments."""


def _lines(game: str, lang: Lang) -> Iterator[Line]:
    """Yield the walk through a game, with the longest words and the explanations of a first game;
    nothing for no game."""
    if game == "":
        return
    words, seats = longest_words(lang), [seat.value for seat in AGENTS]
    games: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "codenames": ({"words": words}, {"timer": "clock"}),
        "alias-24": ({"words": [*words[:12], None, *words[13:]]}, {}),
        "deep-undercover": ({"starts": "red"}, {}),
        HANDS: ({"starts": "red", "hands": {"red": words[:13], "blue": words[13:]}}, {}),
        "codex": ({"deal": _DEAL}, {}),
        PHONES: ({"deal": _DEAL, "phones": seats}, {"screens": "phones"}),
        ENDED: ({"deal": _DEAL}, {}),
    }
    given, options = games[game]
    first, *walk = walks(lang)[game.partition(",")[0]]
    start = first["game"]
    options = {**start["options"], **options, "explain": True}
    yield {"game": {**start, **given, "options": options}}
    if game == "alias-24":
        yield {"at": 0.0, "phone": "red-spymaster"}
    played = {PHONES: _visits(seats), ENDED: _attempt()}.get(game, walk)
    for line in played:
        if line.get("act", {}).get("act") == "clue":
            line["act"]["word"] = "telescope"
        yield line


def _visits(seats: list[str]) -> Iterator[Line]:
    """Yield the first visit of each agent on the agent's phone, then the start of their second
    visits."""
    acts: list[tuple[float, str, dict[str, Any]]] = [
        (1.0, "choose-code", {"code": "1234"}),
        (2.0, "send", {"facts": ["role", "position"]}),
        (3.0, "done", {}),
        (TURN_SECONDS + 1.0, "enter-code", {"code": "1234"}),
    ]
    for at, name, fields in acts:
        for number, seat in enumerate(seats):
            to = {"to": seats[number - 1]} if name == "send" else {}
            yield act(at, seat, name, **fields, **to)


def _attempt() -> Iterator[Line]:
    """Yield the first turns of all agents, then the turn in which agent 1 enters the code of its
    faction, and the identikits after the game."""
    yield from codex_messages()
    yield act(ATTEMPTED - 3.0, "agent-1", "enter-code", code="1234")
    code = "".join(str(agent["fragment"]) for agent in _DEAL[:3])
    yield act(ATTEMPTED, "agent-1", "attempt", code=code)
    yield act(ATTEMPTED + 30.0, "operator", "reveal")


def play_moments(moments: Iterable[Moment], lang: Lang) -> Iterator[tuple[Moment, Recording]]:
    """Play each moment's game until that moment, and yield the moment with the table."""
    for game, of_game in groupby(sorted(moments), attrgetter("game")):
        at = [*of_game]
        lines = [line for line in _lines(game, lang) if "picture" not in line]
        lines += ({"at": moment.at, "picture": f"{n}.png"} for n, moment in enumerate(at))
        with Recording() as stage:
            for picture in stage.play(sorted(lines, key=lambda line: line.get("at", 0.0))):
                yield at[int(picture.removesuffix(".png"))], stage


def _moments_as_json(moments: Iterable[Moment], lang: Lang) -> Iterator[str]:
    """Yield what a page needs in order to show each moment, as JSON."""
    for moment, stage in play_moments(moments, lang):
        own = stage.phone_message(Seat(moment.seat), moment.holds) if moment.seat else None
        shown = {**moment._asdict(), "lang": lang, "messages": stage.messages, "own": own}
        yield to_json(shown).decode()


def _console(lang: Lang) -> Iterator[Row]:
    for shown, moment in CONSOLE.items():
        for _, stage in play_moments([moment], lang):
            stage.console.speak(lang)
            for pressed in moment.pressed:
                stage.console.happen(Input(pressed), stage.now)
            shapes = scene(stage.console.model, stage.now)
        for group in groups_of(shapes):
            sizes = [setting.size for setting in set_group(group, measure)]
            for size in sizes:
                is_long = group[0].group == "words" and size < max(sizes)
                yield Row(
                    "hidden screen, 7 inches",
                    _LONGEST if is_long else shown,
                    style.CAPITAL * size,
                    style.CAPITAL * size * style.UNIT,
                    style.FROM,
                    "printed on the cards" if is_long else "",
                )


def _cards(lang: Lang) -> Row:
    height = min(smallest_capitals(longest_words(lang), card) for card in CARDS.values())
    return Row("card on the table", "words", None, height, CARD_DISTANCE)


def open_playwright() -> AbstractContextManager[Any]:
    """Return Playwright's context manager, which starts browsers. Raises InputError if Playwright
    or the browser is missing."""
    try:
        running = import_module("playwright.sync_api").sync_playwright()
    except ImportError:
        running = None
    if running is None or shutil.which("chromium") is None:
        raise InputError(
            say(
                "This needs a browser: run '.ci/setup.sh pages', then "
                "'.venv-pages/bin/python -m pi_table legibility'."
            )
        )
    return running  # type: ignore[no-any-return]


def _pages(playwright: Any, lang: Lang) -> Iterator[Row]:
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
    for reader, page, moments, groups, devices in PAGES:
        selectors = [(name, group.selector) for name, group in groups.items()]
        shown = [*_moments_as_json(moments, lang)]
        for device in devices:
            width, height = device.size
            size = {"width": width, "height": height}
            tab = browser.new_page(viewport=size, reduced_motion="reduce")
            tab.route("**", _server(page))
            tab.goto("http://table.local/")
            for moment in shown:
                tab.evaluate(_SHOW[page], moment)
                found = tab.evaluate(_CAPITALS, [selectors, OTHERS])
                for name, pixels in found.items():
                    needless = groups[name].needless if name in groups else ""
                    tall = pixels * device.width / width
                    surface = f"{reader}: {device.name}"
                    yield Row(surface, name, pixels, tall, device.distance, needless)
            tab.close()
    browser.close()


def _server(page: str) -> Callable[[Any], None]:
    """Return a handler that answers a browser's requests for one page, its files and its texts. The
    page's start script is empty, so the page does not connect to a table."""
    folder = files("pi_table") / "screens" / "web" / "pages"
    types = {
        "js": "text/javascript",
        "css": "text/css",
        "html": "text/html",
        "svg": "image/svg+xml",
    }

    def serve(route: Any) -> None:
        path = route.request.url.partition("://table.local/")[2].partition("?")[0]
        if path.startswith("texts/"):
            lang = path.removeprefix("texts/").removesuffix(".json")
            route.fulfill(body=to_json(texts_in(lang)), content_type="application/json")
        elif path == "static/begin.js" or (not path.startswith("static/") and path):
            route.fulfill(body="", content_type="text/javascript")
        else:
            file = folder.joinpath(path.removeprefix("static/") or f"{page}.html")
            kind = types.get(file.name.rpartition(".")[2], "application/octet-stream")
            route.fulfill(body=file.read_bytes(), content_type=kind)

    return serve
