"""``pi-table legibility``: how large the texts on each surface look to their readers."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.resources import files
from math import atan, degrees
from typing import Any, Final, NamedTuple

from pi_table.common.errors import InputError
from pi_table.common.language import LANGUAGES, Lang, say, to_json
from pi_table.games.cards.pdf import smallest_capitals
from pi_table.games.cards.sheet import CARDS
from pi_table.games.words.pack import pack_named
from pi_table.lab.scenario_lines import KEY, act
from pi_table.protocols.ipc.messages import PublicMessage, line
from pi_table.screens.console import style
from pi_table.screens.console.painter import measure
from pi_table.screens.console.scene import scene
from pi_table.screens.console.shapes import in_language
from pi_table.screens.console.text_setting import groups_of, set_group
from pi_table.screens.web.texts import texts_in
from pi_table.simulator.scenario import read_scenario
from pi_table.simulator.stage import Stage

MIN_MINUTES: Final = 16.0
"""Minutes of arc: the least height of capitals that people read without effort (ISO 9241-303)."""
PACKS: Final[dict[Lang, str]] = {"en": "english", "it": "italiano"}
"""For each language, the pack whose longest words are measured."""
CARD_DISTANCE: Final = 700.0
"""Millimetres from a player's eye to a card on the table."""

_LONGEST: Final = "longest words"
"""Name of the group of words that are too long for the size of the other words. Players can also
read them on the cards of the table."""


class Row(NamedTuple):
    """A group of texts on a surface, with the height of the smallest capitals among them."""

    surface: str
    group: str
    pixels: float | None
    millimetres: float
    distance: float
    must_be_read: bool

    @property
    def minutes(self) -> float:
        return 60 * degrees(atan(self.millimetres / self.distance))

    @property
    def is_too_small(self) -> bool:
        return self.must_be_read and self.minutes < MIN_MINUTES


class Page(NamedTuple):
    """A page on a device. ``size`` is in pixels, ``width`` and ``distance`` are in millimetres.

    ``groups`` has the CSS selector of each group of texts, and True if the group must be read to
    play.
    """

    surface: str
    shown: str
    size: tuple[int, int]
    width: float
    distance: float
    groups: dict[str, tuple[str, bool]]


_BOARD: Final = {
    "words": (".cell[data-kind=open] .word", True),
    "words that are found": (".cell[data-kind=covered] .word", False),
    "clue": (".clue-word", True),
    "clue's number": (".clue-number", True),
    "whose turn": ("#title", True),
    "number left": (".team .left", True),
    "team": (".team-name", False),
    "what is left": (".team-more", False),
    "cell names": (".cell .place", False),
    "buttons": (".tools button", False),
}
_PHONE: Final = {
    "words": (".cell .word", True),
    "what is awaited": (".headline strong, .headline h2", True),
    "agents to find": (".score span", True),
    "cell names": (".cell .name", False),
    "button": ("#acts button", True),
    "button to hold": ("#hold-words", True),
}
PAGES: Final = (
    Page("television, 43 inches", "board", (1920, 1080), 952.0, 4000.0, _BOARD),
    Page("board on a phone", "board", (390, 844), 64.6, 350.0, _BOARD),
    Page("board on a small phone", "board", (360, 640), 62.0, 350.0, _BOARD),
    Page("spymaster's phone", "phone", (390, 844), 64.6, 350.0, _PHONE),
    Page("spymaster's small phone", "phone", (360, 640), 62.0, 350.0, _PHONE),
)
_SHOW: Final = {
    "board": """
async ([message, lang]) => {
    const { describe } = await import("/static/describe.js");
    const { paint } = await import("/static/paint.js");
    const { speak, t } = await import("/static/texts.js");
    await speak(lang);
    const shown = { view: message.view, at: 0, latest: message, latestAt: 0, awaited: [] };
    paint(describe({ state: "here", shown, caption: null, scene: null }, 1, t, lang));
}""",
    "phone": """
async ([message, lang]) => {
    const { WordsScreen } = await import("/static/phone-words.js");
    const { speak, t } = await import("/static/texts.js");
    await speak(lang);
    const screen = new WordsScreen("red-spymaster", {}, () => {});
    document.getElementById("main").append(screen.node);
    document.getElementById("acts").append(screen.acts);
    document.getElementById("hold").hidden = false;
    document.getElementById("hold-words").textContent = t("phone-hold-key");
    const own = { may: ["clue"], rules: {}, game: 1, key: null };
    screen.draw({ message: own, table: message, at: 0, held: false, heard: true });
}""",
}
_CAPITALS: Final = """
async (groups) => {
    await document.fonts.ready;
    const frame = () => new Promise(requestAnimationFrame);
    await frame().then(frame);
    const canvas = document.createElement("canvas").getContext("2d");
    const capitals = (node) => {
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(node);
        canvas.font = `${fontWeight} 100px ${fontFamily}`;
        return parseFloat(fontSize) * canvas.measureText("H").actualBoundingBoxAscent / 100;
    };
    const isSeen = (node) => node.textContent.trim() !== "" && node.getClientRects().length > 0;
    return groups.map((selector) => {
        const nodes = [...document.querySelectorAll(selector)].filter(isSeen);
        return nodes.length === 0 ? null : Math.min(...nodes.map(capitals));
    });
}"""


def rows(playwright: Any) -> Iterator[Row]:
    """Yield a row for each group of texts on each surface, in the language whose texts are
    smaller."""
    found: dict[tuple[str, str], Row] = {}
    for lang in LANGUAGES:
        for row in (*_pages(playwright, lang), *_console(lang), _cards(lang)):
            known = found.get((row.surface, row.group))
            if known is None or row.minutes < known.minutes:
                found[row.surface, row.group] = row
    yield from found.values()


def table(found: list[Row]) -> str:
    head = f"{'surface':<25}{'text':<22}{'pixels':>7}{'mm':>7}{'minutes':>9}  must be read"
    lines = (
        f"{row.surface:<25}{row.group:<22}{_pixels(row):>7}{row.millimetres:>7.1f}"
        f"{row.minutes:>9.1f}  {'yes' if row.must_be_read else 'no'}"
        f"{f', below {MIN_MINUTES:.0f}' if row.is_too_small else ''}"
        for row in found
    )
    return "\n".join(("Height of the smallest capitals, in minutes of arc", head, *lines))


def _pixels(row: Row) -> str:
    return "" if row.pixels is None else f"{row.pixels:.1f}"


def longest_words(lang: Lang) -> list[str]:
    """Return the 25 longest words of the language's pack."""
    return sorted(pack_named(PACKS[lang], None).words, key=len)[-25:]


def _stage(lang: Lang) -> Stage:
    """Return a table with a game of the language's longest words, in which the first clue is
    given."""
    options = {"lang": lang}
    game = {"profile": "codenames", "options": options, "words": longest_words(lang), "key": KEY}
    given = act(1.0, "red-spymaster", "clue", word="telescope", number=3)
    stage = Stage()
    for step in read_scenario(map(json.dumps, ({"game": game}, given))):
        stage.advance(step.at)
        stage.perform(step.what)
    return stage


def _console(lang: Lang) -> Iterator[Row]:
    with _stage(lang) as stage:
        shapes = in_language(scene(stage.console.model, stage.now), lang)
    sizes: dict[str, int] = {}
    for group in groups_of(shapes):
        of_group = [setting.size for setting in set_group(group, measure)]
        for size in of_group:
            if group[0].group != "words":
                name = "other texts"
            else:
                name = "words" if size == max(of_group) else _LONGEST
            sizes[name] = min(size, sizes.get(name, size))
    for name, size in sizes.items():
        pixels, must = style.CAPITAL * size, name != _LONGEST
        yield Row("hidden screen, 7 inches", name, pixels, pixels * style.UNIT, style.FROM, must)


def _cards(lang: Lang) -> Row:
    height = min(smallest_capitals(longest_words(lang), card) for card in CARDS.values())
    return Row("card on the table", "words", None, height, CARD_DISTANCE, True)


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
    with _stage(lang) as stage:
        view: Any = stage.view
    message = json.loads(line(PublicMessage(view, False)))
    message["view"]["cells"]["A1"]["covered"] = "red"
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
    for page in PAGES:
        width, height = page.size
        tab = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        tab.route("**", _server(page.shown))
        tab.goto("http://table.local/")
        tab.evaluate(_SHOW[page.shown], [message, lang])
        selectors = [selector for selector, _ in page.groups.values()]
        measured = tab.evaluate(_CAPITALS, selectors)
        pixel = page.width / width
        for (group, (_, must)), pixels in zip(page.groups.items(), measured, strict=True):
            if pixels is not None:
                yield Row(page.surface, group, pixels, pixels * pixel, page.distance, must)
        tab.close()
    browser.close()


def _server(page: str) -> Callable[[Any], None]:
    """Return a handler that answers a browser's requests for one page, its files and its texts. The
    page's start script is empty, so the page does not connect to a table."""
    folder = files("pi_table") / "screens" / "web" / "pages"
    types = {"js": "text/javascript", "css": "text/css", "html": "text/html"}

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
