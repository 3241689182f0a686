"""The board that everybody sees, fed with games that a real table published."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from accessible import faults_of
from people import Open, Picture
from playwright.sync_api import Page, expect
from recorded_table import RecordedTable
from typeset import LONGEST, faults_of_words

from pi_table.common.language import LANGUAGES, Lang
from pi_table.lab.recording import Message, record_messages
from pi_table.lab.walks import walks
from pi_table.protocols.ipc.messages import read_public
from pi_table.simulator.public_screen import PublicScreen

pytestmark = pytest.mark.pages

GAMES = {
    lang: {
        name: record_messages(lines, lines[-1]["at"] + 10.0) for name, lines in walks(lang).items()
    }
    for lang in LANGUAGES
}
NO_GAME = record_messages([])[-1][1]
SIZES = (
    *((320, 640), (360, 640), (430, 932), (640, 360), (800, 480)),
    *((768, 1024), (1024, 768), (1920, 1080), (3840, 2160)),
)
LOOKED_AT = {"it": ((360, 640), (800, 480), (1920, 1080)), "en": ((1920, 1080),)}
"""By language; axe-core takes its time, and Italian words are the longer ones."""
KEY = "rbnrbrnbrnbrabrnrbrnbnrbn"
SCANNED = 48
"""Pixels that a code has at least: of its 29 modules and their margin each has more than one."""


@pytest.fixture(scope="module")
def played() -> Iterator[RecordedTable]:
    with (
        tempfile.TemporaryDirectory(prefix="pt-", dir="/tmp") as folder,
        RecordedTable(Path(folder)) as table,
    ):
        yield table


@pytest.fixture
def board(played: RecordedTable, opened: Open) -> Open:
    """Opens a board that shows a message."""

    def show(message: Message, **more: Any) -> Page:
        played.show(message)
        page = opened(played.url, **more)
        is_shown(page, message)
        return page

    return show


def guessing() -> Message:
    """A message in the middle of a turn, with all that a board can show at once."""
    games = GAMES["en"]["codenames"]
    found = next(m for _, m in games if m["view"] and m["view"]["phase"] == "guess")
    message: Message = json.loads(json.dumps(found))
    view = message["view"]
    view["clue"] = {"word": "telescope", "number": 4}
    view["cells"]["A1"]["covered"], view["cells"]["C1"]["covered"] = "red", "bystander"
    view["shown"] = {"E4": "assassin"}
    view["timer"] = {"mode": "hourglass", "left": 47.2, "running": True, "urging": False}
    view["guesses"], view["guesses_left"] = 1, 4
    message["marks"] = {"B2": "red"}
    return message


def with_longest_words(lang: Lang) -> Message:
    message = guessing()
    for word, cell in zip(LONGEST[lang], message["view"]["cells"].values(), strict=True):
        cell["word"] = word
    return message


def over() -> Message:
    """The end of a game, its key open."""
    message: Message = json.loads(json.dumps(GAMES["en"]["codenames"][-1][1]))
    message["view"]["key"] = KEY
    return message


def sleeping() -> Message:
    return {**GAMES["en"]["codenames"][-1][1], "idle": "idle"}


def asking() -> Message:
    return {**guessing(), "idle": "asked", "idle_left": 25.0}


def is_shown(page: Page, message: Message) -> None:
    """Wait until the page has this message."""
    page_of = {"public-codex": "codex", "public": "words"}[message["kind"]]
    if message["view"] is None or message["idle"] == "idle":
        page_of = "start"
    expect(page.locator("body")).to_have_attribute("data-page", page_of)


# --- what is shown when, and what it is


def test_everything_is_shown_just_when_the_simulators_screen_shows_it(
    played: RecordedTable, opened: Open
) -> None:
    page = opened(played.url)
    for lang, games in GAMES.items():
        for name, game in games.items():
            instants = sorted(
                {at + more for at, _ in game for more in (0, 0.4, 0.99, 1.01, 2.5, 7)}
            )
            ours = PublicScreen()
            expected: list[tuple[Any, str]] = []
            waiting = [*game]
            for now in instants:
                while waiting and waiting[0][0] <= now:
                    at, message = waiting.pop(0)
                    ours.take(read_public(json.dumps(message).encode()), at)
                view = ours.view(now)
                seen = json.loads(msgspec.json.encode(view))
                expected.append((seen, ours.caption(now, lang)))
            found = page.evaluate(_FOLLOW, [game, instants, lang])
            for now, one, other in zip(instants, found, expected, strict=True):
                assert tuple(one) == other, (lang, name, now)


_NOTE = """
() => {
    window.noted = [];
    const cell = document.querySelector("[data-name=A1]");
    const note = () => noted.push([cell.dataset.awaited ?? null, cell.dataset.what ?? null]);
    new MutationObserver(note).observe(cell, { attributes: true });
}
"""
"""Notes what an observer of A1's cell sees of each change."""


_FOLLOW = """
async ([game, instants, lang]) => {
    const { Screen } = await import("/static/screen.js");
    const screen = new Screen();
    const waiting = [...game];
    return instants.map((now) => {
        while (waiting.length > 0 && waiting[0][0] <= now) {
            const [at, message] = waiting.shift();
            screen.take(message, at);
        }
        return [screen.shown(now).view, screen.caption(now)?.words[lang] ?? ""];
    });
}
"""


def test_a_phone_that_scanned_the_code_is_asked_what_it_is_for(
    played: RecordedTable, opened: Open
) -> None:
    page = opened(f"{played.url}/#join", (360, 640))
    page.get_by_role("button", name="I am a spymaster").click()
    expect(page.locator("#join-how")).to_contain_text("Key on your phone")
    page.get_by_role("button", name="To watch the board").click()
    expect(page.locator("#join")).to_be_hidden()
    assert "#" not in page.url


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_is_described_with_texts_that_there_are_and_stays_as_it_was(
    played: RecordedTable, opened: Open, lang: Lang
) -> None:
    page = opened(played.url)
    messages = [message for game in GAMES[lang].values() for _, message in game]
    messages += [guessing(), over(), sleeping(), asking(), NO_GAME]
    assert page.evaluate(_DESCRIBE, [messages, lang]) == []


_DESCRIBE = """
async ([messages, lang]) => {
    const { describe } = await import("/static/describe.js");
    const { filled } = await import("/static/texts.js");
    const texts = await (await fetch(`/texts/${lang}.json`)).json();
    const wrong = [];
    const t = (name, fields = {}) => {
        if (!(name in texts)) wrong.push(`no text ${name}`);
        return filled(texts[name] ?? name, fields);
    };
    for (const message of messages) {
        const before = JSON.stringify(message);
        const shown = { view: message.view, at: 0, latest: message, latestAt: 0, awaited: [] };
        const last = message.said.at(-1) ?? null;
        for (const name of ["begins", "clue", "flood", "end", "recap"]) {
            const scene = last === null ? null : { name, said: last };
            const seen = { state: "here", shown, caption: last, scene };
            const described = JSON.stringify(describe(seen, 1, t, lang));
            const again = JSON.stringify(describe(seen, 1, t, lang));
            if (described !== again) wrong.push("not the same again");
            if (/\\{\\w+\\}|undefined/.test(described)) wrong.push(described);
        }
        if (JSON.stringify(message) !== before) wrong.push("the message was changed");
    }
    return wrong;
}
"""


def test_a_guess_is_answered_when_the_lights_answer_it(played: RecordedTable, board: Open) -> None:
    game = [message for _, message in GAMES["en"]["codenames"]]
    number = next(n for n, m in enumerate(game) if any(s["what"] == "revealing" for s in m["said"]))
    page = board(game[number - 1])
    cell = page.locator("[data-name=A1]")
    expect(cell).to_have_attribute("data-kind", "open")
    page.evaluate(_NOTE)
    played.show(game[number])
    expect(cell).to_have_attribute("data-what", "red")
    assert ["", None] in page.evaluate("noted")  # for a second it was awaited, and not told
    expect(page.locator("#caption")).to_have_text("ORBIT is one of Red’s.")


# --- what people see and hear


def test_what_is_marked_taken_back_and_covered_is_told_in_words(board: Open) -> None:
    page = board(guessing())
    table = page.get_by_role("table", name="The 25 cells of the table")
    for label in (
        "A1: ORBIT, covered: agent of Red",
        "B1: PEPPER",
        "B2: ANCHOR, marked by Red",
        "C1: WITNESS, covered: bystander",
        "E4: SUGAR, taken back, was seen: assassin",
    ):
        expect(table.get_by_role("cell", name=label, exact=True)).to_be_visible()
    expect(page.locator("#clue .spoken")).to_have_text("Clue: telescope, 4. 4 guesses left")
    expect(page.locator(".clue-dots i")).to_have_count(5)
    expect(page.locator(".clue-dots i[data-made]")).to_have_count(1)


def test_the_newest_clues_stand_where_the_next_is_awaited(board: Open) -> None:
    message = guessing()
    view = message["view"]
    view["clues"] = [
        {"team": ("red", "blue")[place % 2], "word": f"telescope{place}", "number": 2}
        for place in range(30)
    ]
    page = board(message)
    expect(page.locator("#log")).to_be_hidden()  # the clue of the turn has its place
    view.update(phase="clue", clue=None, guesses_left=None)
    page = board(message)
    log = page.get_by_role("list", name="The clues of this game")
    box = log.bounding_box()
    assert box
    places = [each.bounding_box() for each in log.get_by_role("listitem").all()]
    inside = [
        place
        for place, found in enumerate(places)
        if found and box["y"] - 1 <= found["y"] <= box["y"] + box["height"] - found["height"] + 1
    ]
    assert inside == list(range(len(inside)))  # the newest, without a gap
    assert 4 <= len(inside) < 30
    expect(log.get_by_role("listitem").first).to_have_text("telescope29 2")


def test_the_open_key_says_whose_each_card_was(board: Open) -> None:
    page = board(over())
    expect(page.locator("#title")).to_have_text("Red wins")  # the answer is due in a second
    kinds = {"r": "red", "b": "blue", "n": "bystander", "a": "assassin"}
    cells = page.locator("[data-name]")
    found = cells.evaluate_all("cells => cells.map(cell => cell.dataset.what)")
    assert found == [kinds[letter] for letter in KEY]
    expect(page.locator("#red")).to_have_attribute("data-result", "won")
    expect(page.locator("#blue")).to_have_attribute("data-result", "lost")


def test_time_runs_on_between_messages_and_a_late_viewer_sees_the_same(
    played: RecordedTable, opened: Open
) -> None:
    message = guessing()
    message["view"]["timer"]["left"] = 41.0
    played.show(message)
    one = opened(played.url)
    time = one.locator("#timer .time")
    expect(time).to_be_visible()
    first = time.inner_text()
    assert "0:20" <= first <= "0:41"
    expect(time).not_to_have_text(first)
    late = opened(played.url)
    expect(late.locator("#timer .time")).to_be_visible()
    seconds = [int(page.locator("#timer .time").inner_text()[2:]) for page in (one, late)]
    assert abs(seconds[0] - seconds[1]) <= 1
    assert seconds[1] < int(first[2:])


def test_a_table_that_goes_away_is_told_of_and_comes_back_by_itself(
    played: RecordedTable, board: Open
) -> None:
    page = board(guessing())
    expect(page.locator("#away")).to_be_hidden()
    played.go()
    expect(page.locator("#away")).to_contain_text("The table cannot be reached")
    expect(page.locator("[data-name=A1]")).to_have_attribute("data-what", "red")
    played.come()
    expect(page.locator("#away")).to_be_hidden()


def test_a_board_that_was_offline_comes_back_by_itself(board: Open) -> None:
    page = board(guessing())
    page.context.route("**/api/1/events", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pageshow'))")  # nothing was missed yet: it stays
    page.reload(wait_until="domcontentloaded")
    expect(page.locator("body")).to_have_attribute("data-page", "connecting")
    page.context.unroute("**/api/1/events")
    is_shown(page, guessing())


# --- languages


def test_the_language_is_the_addresses_or_the_one_chosen_or_the_browsers(
    played: RecordedTable, board: Open
) -> None:
    page = board(NO_GAME, lang="it-IT")
    expect(page.locator("#start-title")).to_have_text("Volete giocare?")
    assert page.evaluate("document.documentElement.lang") == "it"
    page.get_by_role("button", name="English").click()
    expect(page.locator("#start-title")).to_have_text("Would you like to play?")
    page.reload()
    expect(page.locator("#start-title")).to_have_text("Would you like to play?")
    page.goto(f"{played.url}/?lang=it")
    expect(page.locator("#start-title")).to_have_text("Volete giocare?")


def test_a_browser_that_keeps_nothing_can_choose_a_language(board: Open) -> None:
    page = board(NO_GAME)
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('shut'); } })"
    )
    page.reload()
    page.get_by_role("button", name="Italiano").click()
    expect(page.locator("#start-title")).to_have_text("Volete giocare?")


# --- how to play


def test_how_to_play_is_turned_by_keys_and_comes_back_to_where_one_was(board: Open) -> None:
    page = board(GAMES["en"]["alias-24"][5][1])
    page.locator("#how").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(page.locator("#how-form")).to_have_value("alias-24/mad")
    expect(page.locator("#how-place")).to_have_text("Page 1 of 6")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#how-place")).to_have_text("Page 2 of 6")
    assert page.locator("#how-picture").evaluate("img => img.decode().then(() => img.naturalWidth)")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#how")).to_be_focused()


# --- everybody


STATES: dict[str, Callable[[Lang], Message]] = {
    "start": lambda lang: NO_GAME,
    "asleep": lambda lang: sleeping(),
    "asked": lambda lang: asking(),
    "guessing": lambda lang: guessing(),
    "longest": with_longest_words,
    "over": lambda lang: over(),
    "out-of-order": lambda lang: {**guessing(), "out_of_order": True},
    "service": lambda lang: {**NO_GAME, "service": True},
    "laying": lambda lang: GAMES[lang]["deep-undercover"][14][1],
    "group": lambda lang: GAMES[lang]["nome-in-codice-group"][-1][1],
    "three": lambda lang: GAMES[lang]["nome-in-codice"][4][1],
    "nuke": lambda lang: GAMES[lang]["alias-24"][-1][1],
    "messages": lambda lang: GAMES[lang]["codex"][1][1],
    "machine": lambda lang: GAMES[lang]["codex"][-1][1],
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_everybody_can_use_it_on_every_screen(
    played: RecordedTable, opened: Open, picture: Picture, state: str, lang: Lang
) -> None:
    message = STATES[state](lang)
    played.show(message)
    page = opened(f"{played.url}/?lang={lang}", reduced_motion="reduce")
    is_shown(page, message)
    page.evaluate("document.fonts.ready")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        where = f"{state}, {lang}, {width}×{height}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        assert page.evaluate(_CUT_OFF) == [], where
        assert page.evaluate(_SMALL) == [], where
        assert page.evaluate(_COVERED) == [], where
        assert faults_of_words(page) == [], where
        if (width, height) in LOOKED_AT[lang]:
            assert faults_of(page) == [], where
            picture(page, f"board-{state}-{lang}-{width}x{height}")


_CUT_OFF = """
() => [".word", ".nickname", "#title", ".facts li", ".team-more", ".doing", "button"]
    .flatMap((each) => [...document.querySelectorAll(each)])
    .filter((node) => node.checkVisibility() && node.clientWidth > 0)
    .filter((node) => node.scrollWidth > node.clientWidth + 1)
    .map((node) => `${node.className} ${node.textContent}`)
"""
_COVERED = """
() => {
    const lines = document.createRange();
    lines.selectNodeContents(document.getElementById("caption"));
    const buttons = [...document.querySelectorAll(".bottom button, .bottom img")]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }))
        .map((node) => node.getBoundingClientRect());
    return [...lines.getClientRects()].filter((line) => buttons.some((box) =>
        line.right > box.left && line.left < box.right
        && line.bottom > box.top && line.top < box.bottom)).map(() => "caption");
}
"""
_SMALL = """
() => [...document.querySelectorAll("button, select, a")].filter((node) => {
    const box = node.getBoundingClientRect();
    return node.checkVisibility() && (box.width < 24 || box.height < 24);
}).map((node) => node.textContent)
"""


@pytest.mark.parametrize("state", STATES)
def test_a_board_that_somebody_attends_has_a_code_whatever_is_shown(
    board: Open, state: str
) -> None:
    page = board(STATES[state]("en"), reduced_motion="reduce")
    is_start = page.locator("body").get_attribute("data-page") == "start"
    shown, other = (".scan.large", ".scan.small") if is_start else (".scan.small", ".scan.large")
    for width, height in LOOKED_AT["it"]:
        page.set_viewport_size({"width": width, "height": height})
        where = f"{state}, {width}×{height}"
        expect(page.locator(f"{other} img")).to_be_hidden()
        if width < 600 and not is_start:  # a phone has come by the code
            expect(page.locator(f"{shown} img")).to_be_hidden()
            continue
        expect(page.locator(f"{shown} figcaption")).to_contain_text("Scan to watch")
        code = page.locator(f"{shown} img")
        if height > width:  # a phone that is held upright may have to scroll
            code.scroll_into_view_if_needed()
        box = code.bounding_box()
        assert box, where
        assert min(box["width"], box["height"]) >= SCANNED, where
        assert -1 < box["x"] < width - box["width"] + 1, where
        assert -1 < box["y"] < height - box["height"] + 1, where  # it stands at parts of pixels
        assert page.evaluate(_ON_TOP, f"{shown} img"), where


def test_the_code_and_the_buttons_go_while_nobody_reaches_for_them(
    played: RecordedTable, opened: Open
) -> None:
    played.show(guessing())
    page = opened(f"{played.url}/?lang=en", reduced_motion="reduce")
    page.clock.install()
    page.reload()
    is_shown(page, guessing())
    code, how = page.locator(".scan.small img"), page.locator("#how")
    before = page.locator("#grid").bounding_box()
    comes: tuple[Callable[[], object], ...] = (
        lambda: page.keyboard.press("Tab"),
        lambda: page.mouse.move(500, 500),
    )
    for come in comes:
        expect(code).to_be_visible()
        expect(how).to_be_visible()
        page.clock.fast_forward(11_000)
        expect(code).to_be_hidden()
        expect(how).to_be_hidden()
        assert page.locator("#grid").bounding_box() == before  # nothing moves
        come()
    expect(code).to_be_visible()
    played.show(NO_GAME)
    is_shown(page, NO_GAME)
    page.clock.fast_forward(11_000)
    expect(page.locator(".scan.large img")).to_be_visible()
    expect(how).to_be_visible()


_ON_TOP = """
(selector) => {
    const image = document.querySelector(selector);
    const { x, y, width, height } = image.getBoundingClientRect();
    const corners = [[0.05, 0.05], [0.95, 0.05], [0.05, 0.95], [0.95, 0.95], [0.5, 0.5]];
    return image.complete && image.naturalWidth > 0 && corners.every(([right, down]) =>
        document.elementFromPoint(x + right * width, y + down * height) === image);
}
"""


def test_of_several_things_that_keep_people_from_playing_the_worst_is_said(
    played: RecordedTable, opened: Open
) -> None:
    flags = {"out_of_order": "Out of order", "service": "The table is being serviced"}
    message = {**guessing(), **dict.fromkeys(flags, True)}
    page = opened(played.url)
    for flag, words in flags.items():
        played.show(message)
        expect(page.locator("#notice-title")).to_have_text(words)
        message = {**message, flag: False}


def test_words_that_come_later_are_set_like_the_first(played: RecordedTable, board: Open) -> None:
    page = board(guessing(), size=(360, 640), reduced_motion="reduce")
    assert faults_of_words(page) == []
    played.show(with_longest_words("en"))
    expect(page.locator("[data-name=E5] .word")).to_have_text("ICE CREAM")
    assert faults_of_words(page) == []


def test_words_can_be_read_across_a_room(board: Open) -> None:
    message = guessing()
    message["view"]["cells"]["B1"]["word"] = "MATRIMONIALE"  # twelve letters
    page = board(message)
    word = page.locator("[data-name=B1] .word")
    page.evaluate("document.fonts.ready")
    size = float(word.evaluate("node => parseFloat(getComputedStyle(node).fontSize)"))
    lines = word.evaluate("node => node.getClientRects().length")
    assert lines == 1
    assert size * 0.7 >= 40  # capitals are 0.7 of the face's size


def test_a_message_changes_nothing_of_the_page_but_what_it_tells(board: Open) -> None:
    """So that a slow Pi paints little; `make pages-bench` measures how long that takes."""
    page = board(guessing())
    messages = [message for _, message in GAMES["en"]["alias-24"]]
    changes, again = page.evaluate(_CHANGES, messages)
    assert set(again) == {0}
    assert max(changes) <= 55
    assert sorted(changes)[len(changes) // 2] <= 10


_CHANGES = """
async (messages) => {
    const { describe } = await import("/static/describe.js");
    const { paint } = await import("/static/paint.js");
    const { t } = await import("/static/texts.js");
    const watch = new MutationObserver(() => {});
    watch.observe(document.body,
                  { subtree: true, childList: true, characterData: true, attributes: true });
    const changed = (message) => {
        const shown = { view: message.view, at: 0, latest: message, latestAt: 0, awaited: [] };
        paint(describe({ state: "here", shown, caption: null }, 1, t, "en"));
        return watch.takeRecords().length;
    };
    const counts = messages.map((message) => [changed(message), changed(message)]);
    return [counts.map(([first]) => first), counts.map(([, second]) => second)];
}
"""


def test_nothing_of_a_page_is_asked_of_another_host_or_refused_by_its_policy(
    played: RecordedTable, opened: Open
) -> None:
    played.show(guessing())
    asked: list[str] = []
    said: list[str] = []
    page = opened(played.url)
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.reload()
    is_shown(page, guessing())
    page.locator("#how").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert [url for url in asked if not url.startswith(played.url + "/")] == []
    assert [line for line in said if "Permissions-Policy" not in line] == []
