"""The scenes that the board plays over a game: when, how long, and that none tells too early."""

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from modules import Modules
from playwright.sync_api import Browser, Page, Route, expect

from pi_table.common.language import LANGUAGES, Lang
from pi_table.games.announcer.announcement import ECHO, FATAL_ECHO, TENSION
from pi_table.lab.recording import Message, record_messages
from pi_table.lab.walks import walks
from pi_table.screens.web.texts import texts_in

pytestmark = pytest.mark.pages

GAMES = {
    lang: {name: record_messages(lines) for name, lines in walks(lang).items()}
    for lang in LANGUAGES
}
SIZES = ((320, 640), (360, 640), (640, 360), (800, 480), (768, 1024), (1920, 1080))
ASKED_AT = 10.0
"""Seconds at which a message with the answer of a guess arrives."""
LONGEST_CLUE = "incontrovertibilmente"
STEP = 0.05


class Answer(NamedTuple):
    """One of the answers that a guess can have."""

    what: str
    covered: str
    ends: bool = False


ANSWERS = (
    Answer("right", "red"),
    Answer("wrong", "blue"),
    Answer("bystander", "bystander"),
    Answer("assassin", "assassin", ends=True),
)


def guess(answer: Answer, number: int = 0) -> tuple[Message, Message]:
    """Return the messages before and after a guess of the walk, with this answer. ``number``
    varies the cell and the rest of the answer's state."""
    game = [message for _, message in GAMES["en"]["codenames"]]
    at = next(n for n, m in enumerate(game) if any(s["what"] == "revealing" for s in m["said"]))
    before, after = copy.deepcopy(game[at - 1]), copy.deepcopy(game[at])
    view = after["view"]
    cells = list(view["cells"])
    for cell in view["cells"].values():
        cell["covered"] = None
    view["cells"][cells[number % 25]]["covered"] = answer.covered
    view["clues"][-1]["cells"] = [cells[number % 25]]
    view["guesses"] = 1
    last = len(before["said"])
    revealing, told, then = after["said"][last : last + 3]
    _explain(before, after, answer, last)
    told["what"] = answer.what
    told["words"] = dict.fromkeys(LANGUAGES, f"It is {answer.covered}.")
    if answer.what != "right":
        view.update(turn="blue", phase="clue", clue=None, guesses_left=None)
        then.update(what="turn", words=dict.fromkeys(LANGUAGES, "Blue’s turn."))
    if answer.ends:
        outcome = {"winner": "blue", "losers": ["red"], "why": "assassin", "score": None}
        view.update(phase="over", outcome=outcome)
        then.update(what="win", after=TENSION + FATAL_ECHO)
        after["tonight"] = [{"profile": "codenames", "red": 0, "blue": 1, "nobody": 0}]
    assert (revealing["after"], told["after"]) == (0, TENSION)
    assert then["after"] in (TENSION + ECHO, TENSION + FATAL_ECHO)
    return before, after


def _explain(before: Message, after: Message, answer: Answer, last: int) -> None:
    """Explain the guess, and after a right one the next: other steps are known."""
    explained = {**before["said"][-1], "number": last + 1, "what": "explain", "after": 0}
    before["said"].append(explained)
    after["said"].insert(last, explained)
    for said in after["said"][last + 1 :]:
        said["number"] += 1
    if answer.what == "right":
        of_next = {"number": last + 5, "after": after["said"][-1]["after"]}
        after["said"].append({**explained, **of_next})


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Modules() as modules:
        yield modules.url


@pytest.fixture
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """The board's page without its script: a test paints it."""
    page = chromium.new_page(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    page.route("**/static/begin.js", lambda route: route.abort())
    page.goto(f"{site}static/board.html")
    page.evaluate(_HELPERS)
    yield page
    page.close()


_HELPERS = """
async () => {
    const { describe, wakes } = await import("/static/describe.js");
    const { paint } = await import("/static/paint.js");
    const { Screen } = await import("/static/screen.js");
    const { paintScene } = await import("/static/scene-paint.js");
    const { filled } = await import("/static/texts.js");
    let texts = {};
    const t = (name, fields = {}) => filled(texts[name] ?? name, fields);
    window.play = (messages, times, lang, spoken = {}) => {
        texts = spoken;
        const screen = new Screen();
        const waiting = [...messages];
        return times.map((now) => {
            while (waiting.length > 0 && waiting[0][0] <= now) {
                const [at, message] = waiting.shift();
                screen.take(message, at);
            }
            const seen = { state: "here", shown: screen.shown(now), caption: screen.caption(now),
                           scene: screen.scene(now) };
            const described = describe(seen, now, t, lang);
            paint(described);
            paintScene(described.scene ?? null);
            const next = Math.min(screen.wakes(now), wakes(seen, now));
            return { page: document.body.outerHTML, scene: described.scene?.name ?? null,
                     wakes: Number.isFinite(next) ? next : null };
        });
    };
}
"""


def play(page: Page, messages: list[tuple[float, Message]], times: list[float]) -> list[Any]:
    found: list[Any] = page.evaluate(
        "([messages, times]) => play(messages, times, 'en')", [messages, times]
    )
    return found


# --- when


def test_each_scene_begins_with_its_announcement_and_a_guess_ends_it(page: Page) -> None:
    game = GAMES["en"]["codenames"]
    begins, clue = (
        next(at for at, m in game if m["said"] and m["said"][-1]["what"] == what)
        for what in ("begins", "clue")
    )
    times = [begins, begins + 2.9, begins + 3.05, clue, clue + 2.5]
    assert [seen["scene"] for seen in play(page, game, times)] == [
        "begins",
        "begins",
        "deal",
        "clue",
        "clue",
    ]
    without_clue = [each for each in game if each[0] < clue]
    times = [begins + 4.9, begins + 5.05]
    deal, then = play(page, without_clue, times)
    assert (deal["scene"], then["scene"]) == ("deal", None)
    assert ["data-deal" in seen["page"] for seen in (deal, then)] == [True, False]
    before, after = guess(ANSWERS[0])
    hurried = [(0.0, GAMES["en"]["codenames"][0][1]), (1.0, before), (2.0, after)]
    assert [seen["scene"] for seen in play(page, hurried, [1.5, 2.0, 2.5])] == ["clue", None, None]


def test_the_end_comes_after_the_assassin_and_goes_by_itself(page: Page) -> None:
    before, after = guess(ANSWERS[3])
    times = [ASKED_AT + more for more in (0.9, 1.0, 4.9, 5.0, 13.9, 14.05, 29.9, 30.05)]
    scenes = [seen["scene"] for seen in play(page, [(0.0, before), (ASKED_AT, after)], times)]
    assert scenes == [None, "flood", "flood", "end", "end", "recap", "recap", None]


def test_whoever_asks_for_the_key_ends_the_recap(page: Page) -> None:
    before, after = guess(ANSWERS[3])
    opened = copy.deepcopy(after)
    number = opened["said"][-1]["number"] + 1
    opened["said"].append({**opened["said"][-1], "number": number, "what": "revealed", "after": 0})
    messages = [(0.0, before), (ASKED_AT, after), (ASKED_AT + 20.0, opened)]
    assert [seen["scene"] for seen in play(page, messages, [ASKED_AT + 19.0, ASKED_AT + 20.0])] == [
        "recap",
        None,
    ]


def test_a_key_that_is_shown_before_the_end_is_announced_takes_no_scene(page: Page) -> None:
    before, after = guess(ANSWERS[3])
    opened = copy.deepcopy(after)
    number = opened["said"][-1]["number"] + 1
    opened["said"].append({**opened["said"][-1], "number": number, "what": "revealed", "after": 0})
    messages = [(0.0, before), (ASKED_AT, after), (ASKED_AT + 2.0, opened)]
    times = [ASKED_AT + more for more in (1.5, 2.5, 5.0, 14.05, 30.05)]
    scenes = [seen["scene"] for seen in play(page, messages, times)]
    assert scenes == ["flood", None, "end", "recap", None]


def test_the_recap_says_who_found_what_and_what_to_do(page: Page) -> None:
    before, after = guess(ANSWERS[3])
    view = after["view"]
    found = {"A1": "red", "C1": "bystander", "B1": "blue", "E1": "blue"}
    for name, what in found.items():
        view["cells"][name]["covered"] = what
    red, blue = (
        {"team": team, "word": word, "number": 2, "cells": cells}
        for team, word, cells in (("red", "sea", ["A1", "C1"]), ("blue", "sky", ["B1", "E1"]))
    )
    view["clues"] = [red, blue, {"team": "red", "word": "old", "number": 1}]  # an older table's
    after["tonight"] = [
        {"profile": "codex", "red": 1, "blue": 0, "nobody": 2},
        {"profile": "codenames", "red": 2, "blue": 2, "nobody": 0},
    ]
    play(page, [(0.0, before), (ASKED_AT, after)], [ASKED_AT + 20.0])
    words = {name: view["cells"][name]["word"] for name in found}
    expect(page.locator(".recap-clue")).to_have_text(["sea 2", "sky 2"])
    expect(page.locator(".recap-words")).to_have_text(
        [words["A1"], f"{words['B1']} · {words['E1']}"]
    )
    expect(page.locator("[data-team=blue] [data-best] .recap-best")).to_have_text("best-clue")
    expect(page.locator(".recap-best")).to_have_count(1)
    expect(page.locator(".scoreboard strong")).to_have_text(["3", "2"])
    expect(page.locator(".recap-next")).to_have_text("rematch key-on-request")
    play(page, [(0.0, before), (ASKED_AT, after)], [ASKED_AT + 40.0])
    expect(page.locator("#caption")).to_have_text("rematch key-on-request")
    expect(page.locator("#more")).to_contain_text("tonight-score")
    view["key"] = "rbnrbrnbrnbrabrnrbrnbnrbn"
    play(page, [(0.0, before), (ASKED_AT, after)], [ASKED_AT + 40.0])
    expect(page.locator("#caption")).to_have_text("rematch tonight-score")


# --- attract mode

ATTRACT = ["table", "how-3", "how-4", "how-5", "tonight", "games"]


def test_attract_mode_goes_round_its_scenes_and_stops_for_people(page: Page) -> None:
    def scenes(has_score: bool, is_attended: bool = False) -> list[str]:
        """The scenes of two rounds, each told at the instant at which the one before ends."""
        found: list[str] = page.evaluate(
            """async ([hasScore, isAttended]) => {
                const { attractAt } = await import("/static/scenes.js");
                const seen = [];
                for (let now = 0; seen.length < 12 && now < 1e6;) {
                    const { name, ends } = attractAt(now, hasScore, isAttended);
                    seen.push(name);
                    now = ends;
                }
                return seen;
            }""",
            [has_score, is_attended],
        )
        return found

    assert scenes(has_score=True) == ATTRACT * 2
    assert scenes(has_score=False)[:10] == [name for name in ATTRACT if name != "tonight"] * 2
    assert scenes(has_score=True, is_attended=True) == ["games"]


def test_no_scene_hides_that_nobody_can_play(page: Page) -> None:
    before, after = guess(ANSWERS[3])
    broken = [(0.0, before), (ASKED_AT, {**after, "out_of_order": True})]
    assert [seen["scene"] for seen in play(page, broken, [ASKED_AT + 2.0])] == [None]


def test_somebody_who_comes_late_sees_no_scene(page: Page) -> None:
    _, after = guess(ANSWERS[3])
    assert [seen["scene"] for seen in play(page, [(0.0, after)], [0.0, 5.0])] == [None, None]


def test_the_start_shows_the_scene_of_its_time_but_not_while_a_game_waits(page: Page) -> None:
    idle = {**GAMES["en"]["codenames"][0][1], "view": None, "idle": "idle"}
    idle["tonight"] = [{"profile": "codenames", "red": 3, "blue": 1, "nobody": 0}]
    start = page.locator("#start")
    for now, scene in ((1.0, "table"), (13.0, "how-3"), (37.0, "tonight")):
        (seen,) = play(page, [(0.0, idle)], [now])
        expect(start).to_have_attribute("data-scene", scene)
        assert now < seen["wakes"] <= now + 12.0
    expect(start.locator(".scoreboard strong")).to_have_text(["3", "1"])
    expect(start.locator("#attract-table")).to_have_attribute("src", "/static/how/en/table.png")
    expect(start.locator("figure h2")).to_have_count(3)
    waits = {**guess(ANSWERS[0])[0], "idle": "idle"}
    play(page, [(0.0, waits)], [1.0])
    expect(start).to_have_attribute("data-scene", "dots")


# --- two worlds: until its answer is due, nothing tells what a guess will be answered (ALL-1)

TIMES = [ASKED_AT + STEP * step for step in range(int(TENSION / STEP))]
PAIRS = [
    (one, other, number)
    for number in range(85)
    for one, other in itertools.combinations(ANSWERS, 2)
]
"""Pairs of answers at a cell: 510."""


def in_words(page: Page, messages: list[tuple[float, Message]]) -> list[Any]:
    """Return the page's elements at all times, and when it wakes."""
    return play(page, messages, TIMES)


def in_pixels(page: Page, messages: list[tuple[float, Message]]) -> list[bytes]:
    """Return three pictures of the page, the last right before the answer."""
    pictures = []
    for now in (TIMES[0], TIMES[len(TIMES) // 2], TIMES[-1]):
        play(page, messages, [now])
        pictures.append(page.screenshot())
    return pictures


Looks = Callable[[Page, list[tuple[float, Message]]], list[Any]]


def apart(page: Page, number: int, look: Looks = in_words) -> set[tuple[str, str]]:
    """Return the pairs of answers that the page tells apart before they are due."""
    looks = {
        answer.what: look(page, [(0.0, before), (ASKED_AT, after)])
        for answer in ANSWERS
        for before, after in [guess(answer, number)]
    }
    return {
        (one.what, other.what)
        for one, other in itertools.combinations(ANSWERS, 2)
        if looks[one.what] != looks[other.what]
    }


def test_no_answer_is_told_before_it_is_due_in_500_pairs(page: Page) -> None:
    assert len(PAIRS) >= 500
    for number in sorted({number for *_, number in PAIRS}):
        assert apart(page, number) == set(), number


def test_no_pixel_tells_an_answer_before_it_is_due(page: Page) -> None:
    for number in (0, 12, 24):
        assert apart(page, number, in_pixels) == set(), number


LEAKS = {
    "an explanation goes before the answer": (
        "screen.js",
        "due = this._explained.filter(",
        "due = this._explained.slice(-1).filter(",
    ),
    "the assassin's scene is longer": (
        "scenes.js",
        "at <= now && said.what in SCENES",
        '(said.what === "assassin" ? at - 0.3 : at) <= now && said.what in SCENES',
    ),
    "the board wakes when the end is near": (
        "scenes.js",
        "return [at, ...SCENES",
        'return [said.what === "win" ? at - 4.5 : at, ...SCENES',
    ),
    "a sign is fetched before it is needed": (
        "scene-paint.js",
        'const overlay = document.getElementById("scene");',
        'const overlay = document.getElementById("scene"); attr(overlay, "data-next", coming);',
    ),
    "an answer comes sooner": (
        "screen.js",
        "reveals ? at + Math.min(...waits, Infinity)",
        "reveals ? at + Math.min(...waits, Infinity) - (message.view.outcome ? 0.2 : 0)",
    ),
    "the awaited cell has the answer's colour": (
        "screen.js",
        "return next.cells[name].covered !== null &&",
        'return next.cells[name].covered !== "assassin" && next.cells[name].covered !== null &&',
    ),
    "what to do next is said before the end": (
        "describe.js",
        "if (game.end !== null) {",
        'if (latest.view.outcome) common.caption = { number: "next", words: "rematch" };'
        " if (game.end !== null) {",
    ),
    "the deal covers what is about to be told": (
        "scene-paint.js",
        'const isDeal = played !== null && played.name === "deal";',
        'const isDeal = (played !== null && played.name === "deal") || coming === "win";',
    ),
    "tonight's score counts the game before its end": (
        "describe.js",
        'phone: !isOver && latest.seated.includes(`${team}-spymaster`) ? t("key-on-a-phone") : "",',
        'phone: hasScore(latest) ? "tonight" : "",',
    ),
    "a panel loses its turn": (
        "describe.js",
        "turn: view.turn === team && !isOver,",
        "turn: (latest.view ?? view).turn === team && !isOver,",
    ),
}
IN_PIXELS = {
    "a style that no element names": (
        "scene-paint.js",
        'const overlay = document.getElementById("scene");',
        'const overlay = document.getElementById("scene"); document.styleSheets[0].insertRule('
        '`main { opacity: ${coming === "win" ? 0.9 : 1} }`, document.styleSheets[0].cssRules'
        ".length);",
    ),
}
_COMING = (
    "take(message, at) {",
    "take(message, at) { window.coming = message.said.at(-1)?.what;",
)


@pytest.mark.parametrize("leak", LEAKS | IN_PIXELS)
def test_a_leak_is_found(chromium: Browser, site: str, leak: str) -> None:
    file, before, after = (LEAKS | IN_PIXELS)[leak]
    changes = {file: [(before, after)]}
    if "coming" in after:
        changes["screen.js"] = [_COMING]
    page = chromium.new_page(reduced_motion="reduce")
    page.route("**/static/begin.js", lambda route: route.abort())

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        text = route.fetch().text()
        for old, new in changes[name]:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        route.fulfill(body=text, content_type="text/javascript")

    for name in changes:
        page.route(f"**/static/{name}", serve)
    page.goto(f"{site}static/board.html")
    page.evaluate(_HELPERS)
    assert (apart(page, 7) != set()) == (leak in LEAKS)
    assert apart(page, 7, in_pixels) != set() or leak in LEAKS
    page.close()


# --- what is seen


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_scene_has_room_on_every_screen(page: Page, lang: Lang) -> None:
    texts = {
        name: text if isinstance(text, str) else {"one": text.one, "many": text.many}
        for name, text in texts_in(lang).items()
    }
    seen: set[str] = set()
    for name, game in GAMES[lang].items():
        messages = copy.deepcopy(game)
        for _, message in messages:
            if message["view"] and message["view"].get("clue"):
                message["view"]["clue"]["word"] = LONGEST_CLUE
        due = [
            at + said["after"] + later
            for at, message in messages
            for said in message["said"][-3:]
            for later in (0.0, 9.0)  # the recap
        ]
        for now in sorted({at + 0.01 for at in due}):
            played = [each for each in messages if each[0] <= now]
            (found,) = page.evaluate(
                "([messages, now, lang, texts]) => play(messages, [now], lang, texts)",
                [played, now, lang, texts],
            )
            if found["scene"] in (None, "deal") or (key := f"{name} {found['scene']}") in seen:
                continue
            seen.add(key)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                where = f"{key}, {lang}, {width}×{height}"
                assert page.evaluate(_OUTSIDE) == [], where
                expect(page.locator("#scene")).to_be_visible()
    assert {key.split()[1] for key in seen} >= {"begins", "clue", "flood", "end", "recap"}


_OUTSIDE = """
() => [...document.querySelectorAll("#scene > :not(.confetti), #scene li")]
    .filter((node) => {
        const box = node.getBoundingClientRect();
        return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight
            || node.scrollWidth > node.clientWidth + 1;
    }).map((node) => node.textContent)
"""
