"""A phone that has the seat of a spymaster, or of operatives, at a running table."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest
from accessible import faults_of
from modules import Modules
from people import Open, Phone, Phones, Picture
from playwright.sync_api import Locator, Page, expect
from table_with_pages import TableWithPages, until
from typeset import faults_of_words

pytestmark = pytest.mark.pages

SMALL: Final = (360, 640)
OTHER: Final = {"red": "blue", "blue": "red"}
GONE: Final = "This link is not yours any more."
_HIDE: Final = """
hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}
"""


@pytest.fixture
def game(table: TableWithPages) -> TableWithPages:
    table.console.do("start", profile="codenames")
    return table


def turn_of(table: TableWithPages) -> str:
    return str(table.public()["view"]["turn"])


def tree(page: Page) -> str:
    """All that a screen reader could find on the page."""
    return str(page.locator("body").aria_snapshot())


def middle_of(button: Locator) -> tuple[float, float]:
    box = button.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# What is hidden


def lifted(page: Page) -> None:
    page.mouse.up()


def slid_off(page: Page) -> None:
    page.mouse.move(5, 5)


def called_away(page: Page) -> None:
    cancelled = "new PointerEvent('pointercancel', {pointerId: 1, bubbles: true})"
    page.locator("#hold").evaluate(f"hold => hold.dispatchEvent({cancelled})")


def elsewhere(page: Page) -> None:
    page.evaluate("window.dispatchEvent(new Event('blur'))")


def out_of_sight(page: Page) -> None:
    page.evaluate(_HIDE, True)


def left(page: Page) -> None:
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pagehide'))")


def content_of(page: Page) -> str:
    """Return what is on the page, without the sizes of its words: they are set afterwards."""
    return re.sub(r' style="[^"]*"', "", page.locator("main").inner_html())


@pytest.mark.parametrize("let_go", [lifted, slid_off, called_away, elsewhere, out_of_sight, left])
def test_the_key_is_gone_the_moment_the_finger_is(
    game: TableWithPages, phone: Phones, let_go: Callable[[Page], None]
) -> None:
    page = phone("red-spymaster").page
    bare, heard = content_of(page), tree(page)
    assert "bystander" not in heard
    page.mouse.move(*middle_of(page.locator("#hold")))
    page.mouse.down()
    expect(page.locator(".cell.key")).to_have_count(25)
    assert tree(page).count("bystander") == 7
    let_go(page)
    assert page.locator(".cell.key").count() == 0  # at once: nothing is waited for here
    assert content_of(page) == bare
    assert "bystander" not in page.content()
    assert "bystander" not in tree(page)
    page.mouse.up()


@pytest.mark.parametrize("let_go", ["up", "blur"])
def test_the_space_bar_holds_as_a_finger_does(
    game: TableWithPages, phone: Phones, let_go: str
) -> None:
    page = phone("red-spymaster").page
    page.locator("#hold").focus()
    page.keyboard.down(" ")
    expect(page.locator(".cell.key")).to_have_count(25)
    if let_go == "up":
        page.keyboard.up(" ")
    else:
        page.locator("#hold").blur()
    assert page.locator(".cell.key").count() == 0


def test_an_identity_is_told_by_its_shape_too(game: TableWithPages, phone: Phones) -> None:
    page = phone("red-spymaster").page
    with Phone(page).held():
        shapes = page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll(".cell.key")].map(cell => [
                cell.className.match(/red|blue|bystander|assassin/)[0],
                [cell.querySelector("svg").innerHTML, getComputedStyle(cell).backgroundImage],
            ]))"""
        )
    assert len(shapes) == len({shape for shape, _ in shapes.values()}) == 4
    assert len({pattern for _, pattern in shapes.values()}) == 4


def test_nothing_is_kept_but_the_keys_in_the_address(
    game: TableWithPages, phone: Phones, opened: Open
) -> None:
    page = phone("red-spymaster").page
    with Phone(page).held():
        assert page.title() == "pi-table"
    kept = page.evaluate("""async () => [
        Object.keys(localStorage), Object.keys(sessionStorage), document.cookie,
        (await indexedDB.databases()).length, history.length, history.state]""")
    assert kept == [[], [], "", 0, 2, None]
    assert re.fullmatch(r"#[\w-]{43}\.[\w-]{43}", page.evaluate("location.hash"))
    assert page.url.startswith(f"{game.url}/seat#")


def test_every_message_to_the_table_is_as_long_as_any_other(
    game: TableWithPages, opened: Open
) -> None:
    link = game.console.do("phone", **{"for": f"{turn_of(game)}-spymaster"})["link"]
    page = opened(game.url, SMALL)
    lengths: list[int] = []
    page.on(
        "websocket", lambda line: line.on("framesent", lambda frame: lengths.append(len(frame)))
    )
    page.goto(game.url + link)
    seat = Phone(page)
    seat.is_there()
    with seat.held():
        pass
    seat.give("saffron", 2)
    assert len(lengths) > 5
    assert {*lengths} == {512}


# Coming back


def opened_by(page: Page, act: Callable[[], None]) -> int:
    """Return the number of lines to the table that the page opens before it continues after the
    act.

    Each line but the first would come after a wait.
    """
    lines: list[str] = []
    page.on("websocket", lambda line: lines.append(line.url))
    act()
    expect(page.locator("#state")).to_be_hidden()
    expect(page.locator(".grid")).to_be_visible()
    return len(lines)


def test_a_phone_that_is_loaded_again_is_back_with_its_first_line(
    game: TableWithPages, phone: Phones
) -> None:
    page = phone("red-spymaster").page
    address = page.url
    assert opened_by(page, page.reload) == 1
    assert page.url == address
    with Phone(page).held():
        expect(page.locator(".cell.key")).to_have_count(25)


def test_a_phone_that_slept_is_back_with_its_first_line(
    game: TableWithPages, phone: Phones
) -> None:
    page = phone("red-spymaster").page
    page.evaluate(_HIDE, True)
    expect(page.locator("#state")).to_be_visible()
    assert opened_by(page, lambda: page.evaluate(_HIDE, False)) == 1


def test_a_table_that_was_away_is_told_and_comes_back_by_itself(
    game: TableWithPages, phone: Phones
) -> None:
    page = phone("red-spymaster").page
    for end in (game.console, game.finger):
        end.hang_up()
    game.kill("run")
    expect(page.locator("#state")).to_contain_text("The table cannot be reached.")
    game.start_engine()
    expect(page.locator("#state")).to_be_hidden()
    with Phone(page).held():
        expect(page.locator(".cell.key")).to_have_count(25)
    game.kill("web")
    expect(page.locator("#state")).to_contain_text("No connection.")
    game.start_web()
    expect(page.locator("#state")).to_be_hidden()


def test_a_second_phone_sees_nothing_and_the_first_is_warned(
    game: TableWithPages, opened: Open
) -> None:
    link = game.console.do("phone", **{"for": "red-spymaster"})["link"]
    first = opened(game.url + link, SMALL)
    Phone(first).is_there()
    second = opened(game.url + link, SMALL)
    expect(second.locator("main h2")).to_have_text(GONE, timeout=20_000)
    expect(second.locator(".grid, #hold:visible")).to_have_count(0)
    expect(first.locator("#tried")).to_contain_text("Another phone has tried to open your link")
    assert faults_of(second) == faults_of(first) == []
    first.locator("[data-key=known]").click()
    expect(first.locator("#tried")).to_be_hidden()


@pytest.mark.parametrize("others", [(), ("blue-spymaster",)])
def test_a_phone_that_is_let_go_of_is_told_so(
    game: TableWithPages, phone: Phones, others: tuple[str, ...]
) -> None:
    seats = [phone(seat) for seat in ("red-spymaster", *others)]
    game.console.do("let-go", **{"for": "red-spymaster"})
    expect(seats[0].page.locator("main h2")).to_have_text(GONE, timeout=20_000)
    expect(seats[0].page.locator("#hold")).to_be_hidden()
    for other in seats[1:]:
        other.is_there()


def test_an_address_without_a_key_says_what_to_do(table: TableWithPages, opened: Open) -> None:
    page = opened(f"{table.url}/seat", SMALL)
    expect(page.locator("main")).to_contain_text("Get a fresh code")
    assert faults_of(page) == []


def test_other_guests_another_game_ends_the_links(game: TableWithPages, phone: Phones) -> None:
    page = phone("red-spymaster").page
    game.console.do("abandon")
    game.console.do("start", profile="codex")
    expect(page.locator("main h2")).to_have_text(GONE, timeout=20_000)


# The clue


def test_a_clue_that_the_referee_doubts_is_asked_for_twice(
    game: TableWithPages, phone: Phones
) -> None:
    team = turn_of(game)
    word = game.public()["view"]["cells"]["A1"]["word"]
    spymaster = phone(f"{team}-spymaster")
    page = spymaster.page
    spymaster.press("clue")
    expect(page.locator("[data-key=give]")).to_be_disabled()
    page.fill("#clue-word", word)
    spymaster.press("phone-more-words")
    expect(page.locator(".opinion strong")).to_have_text("The referee: invalid")
    spymaster.press("give")
    expect(page.locator(".question")).to_contain_text("The referee thinks it invalid.")
    assert faults_of(page) == []
    assert game.public()["view"]["phase"] == "clue"
    spymaster.press("give-no")
    expect(page.locator("#clue-word")).to_have_value(word)
    spymaster.press("give")
    spymaster.press("give-yes")
    until(lambda: game.public()["view"]["phase"] == "guess")
    assert game.public()["view"]["clue"] == {"word": word, "number": 1}


def test_a_clue_that_is_being_written_outlasts_a_pause_but_not_the_turn(
    game: TableWithPages, phone: Phones
) -> None:
    spymaster = phone(f"{turn_of(game)}-spymaster")
    page = spymaster.page
    spymaster.press("clue")
    page.fill("#clue-word", "flight")
    game.console.do("pause")
    expect(page.locator("#clue-word")).to_be_hidden()
    game.console.do("resume")
    spymaster.press("clue")
    expect(page.locator("#clue-word")).to_have_value("flight")
    game.console.do("new-key")
    expect(page.locator("#clue-word")).to_be_hidden()
    expect(page.locator("#clue-word")).to_have_value("")


_WRITTEN: Final = """
async ([...steps]) => {
    const { WordsScreen } = await import("/static/phone-words.js");
    const screen = new WordsScreen("red-spymaster", { ask: async () => ({}) }, () => {});
    const begun = { phase: "clue", turn: "red", corrections: 0, new_keys: 0 };
    screen._keepWriting(begun, { game: 1, may: ["clue"] });
    const input = screen._writing.querySelector("#clue-word");
    input.value = "flight";
    input.dispatchEvent(new Event("input"));
    return steps.map(([view, message]) => {
        screen._keepWriting({ ...begun, ...view }, { game: 1, may: [], ...message });
        return input.value;
    });
}
"""


def test_a_clue_that_is_being_written_belongs_to_its_turn(opened: Open) -> None:
    """Whichever of the two messages comes first after a pause."""
    ready = {"may": ["clue"]}
    with Modules() as modules:
        page = opened(modules.url, SMALL)
        pause = [[{"paused": True}, ready], [{"paused": True}, {}], [{}, {}], [{}, ready]]
        assert page.evaluate(_WRITTEN, pause) == ["flight"] * 4
        assert page.evaluate(_WRITTEN, [[{}, {}], [{"paused": True}, ready]]) == ["flight"] * 2
        for another in ({"turn": "blue"}, {"phase": "guess"}, {"corrections": 1}, {"new_keys": 1}):
            assert page.evaluate(_WRITTEN, [[another, ready], [{}, ready]]) == ["", ""]
        assert page.evaluate(_WRITTEN, [[{}, {"game": 2, **ready}]]) == [""]


def test_what_the_referee_says_belongs_to_the_word_that_stands_there(
    game: TableWithPages, phone: Phones
) -> None:
    word = game.public()["view"]["cells"]["A1"]["word"]
    spymaster = phone(f"{turn_of(game)}-spymaster")
    page = spymaster.page
    spymaster.press("clue")
    page.fill("#clue-word", word)
    spymaster.press("phone-more-words")
    invalid = page.locator(".opinion.invalid")
    expect(invalid).to_be_visible()
    page.locator("#clue-word").press_sequentially("x")
    expect(invalid).to_be_hidden()
    page.locator("#clue-word").press("Backspace")  # sooner than the referee is asked
    expect(invalid).to_be_visible()
    spymaster.press("give")
    spymaster.press("give-no")
    page.fill("#clue-word", "")  # it is only said aloud
    expect(page.locator(".opinion")).to_have_count(0)
    spymaster.press("give")
    until(lambda: game.public()["view"]["phase"] == "guess")
    assert game.public()["view"]["clue"] == {"word": None, "number": 1}


_FORM: Final = """
async () => {
    const { ClueForm } = await import("/static/phone-clue.js");
    const rules = { zero: false, unlimited: true, players: "teams" };
    const draw = () => form.draw({ rules, canJudge: true, isSending: false, notice: "" });
    window.asked = [];
    window.given = [];
    const judge = ({ word }) =>
        new Promise((judged, failed) => asked.push({ word, judged, failed }));
    const form = new ClueForm({ judge, give: (clue) => given.push(clue), changed: draw });
    document.body.append(form.node);
    draw();
}
"""
_WORD_ASKED: Final = "() => asked.length > 0 && asked[asked.length - 1].word"
_JUDGED: Final = """
verdict => {
    const told = { verdict, rule: null, reason: null };
    asked[asked.length - 1].judged({ ok: true, told });
}
"""
_FAIL: Final = """
() => {
    addEventListener("unhandledrejection", (event) => event.preventDefault());
    asked[asked.length - 1].failed();
}
"""


@pytest.fixture
def form(opened: Open) -> Iterator[Page]:
    """The form of a clue, alone in a page whose time the test moves."""
    with Modules() as modules:
        page = opened(modules.url, SMALL)
        page.clock.install()
        page.evaluate(_FORM)
        yield page


def ask_referee(form: Page) -> object:
    """Let the pause after the last letter pass; the word that the referee was asked about last."""
    form.clock.run_for(1000)
    return form.evaluate(_WORD_ASKED)


def test_an_opinion_of_an_earlier_word_comes_too_late_to_change_anything(form: Page) -> None:
    word, question = form.locator("#clue-word"), form.locator(".question")
    seat = Phone(form)
    seat.press("phone-more-words")
    word.fill("fire")
    assert ask_referee(form) == "fire"
    form.evaluate(_JUDGED, "invalid")
    expect(form.locator(".opinion.invalid")).to_be_visible()
    word.fill("fires")
    assert ask_referee(form) == "fires"
    word.fill("fire")
    seat.press("give")
    expect(question).to_have_text("phone-give-invalid")
    form.evaluate(_JUDGED, "fine")
    expect(question).to_have_text("phone-give-invalid")
    expect(form.locator(".opinion.invalid")).to_be_visible()
    word.fill("water")
    assert ask_referee(form) == "water"
    word.fill("waters")
    assert ask_referee(form) == "water"  # one question at a time
    form.evaluate(_JUDGED, "fine")
    assert ask_referee(form) == "waters"
    form.evaluate(_JUDGED, "fine")
    seat.press("give")
    assert form.evaluate("given") == [{"word": "waters", "number": 1}]


def test_the_referee_is_asked_again_after_a_question_that_failed(form: Page) -> None:
    word = form.locator("#clue-word")
    word.fill("fire")
    assert ask_referee(form) == "fire"
    form.evaluate(_FAIL)
    word.fill("water")
    assert ask_referee(form) == "water"
    form.evaluate(_JUDGED, "fine")
    expect(form.locator(".opinion.fine")).to_be_visible()


def test_a_clue_may_be_said_aloud_and_have_no_limit(game: TableWithPages, phone: Phones) -> None:
    spymaster = phone(f"{turn_of(game)}-spymaster")
    spymaster.press("clue")
    spymaster.press("nunlimited")
    spymaster.press("give")
    until(lambda: game.public()["view"]["phase"] == "guess")
    assert game.public()["view"]["clue"] == {"word": None, "number": "unlimited"}


def test_a_clue_that_is_half_entered_is_not_lost_without_a_question(
    game: TableWithPages, phone: Phones
) -> None:
    spymaster = phone(f"{turn_of(game)}-spymaster")
    page = spymaster.page
    asked: list[str] = []

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    spymaster.press("clue")
    page.locator("#clue-word").press_sequentially("saff")
    with suppress(Exception):  # who stays on the page has not loaded another one
        page.reload(timeout=10_000)
    assert asked == ["beforeunload"]
    expect(page.locator("#clue-word")).to_have_value("saff")


# What else is done


def test_a_clue_is_challenged_upheld_and_a_cell_covered_on_a_phone(
    game: TableWithPages, phone: Phones, picture: Picture
) -> None:
    team = turn_of(game)
    other = OTHER[team]
    game.console.do("clue", seat=f"{team}-spymaster", word="saffron", number=2)
    spymaster = phone(f"{other}-spymaster")
    page = spymaster.page
    for act in ("challenge", "uphold"):
        spymaster.press(act)
        spymaster.press("no")
        spymaster.press(act)
        assert faults_of(page) == []
        spymaster.press("yes")
    expect(page.locator("button.cell")).to_have_count(25)
    key = spymaster.key()
    mine = next(cell for cell, what in key.items() if what == other)
    wrong = next(cell for cell, what in key.items() if what == team)
    spymaster.press(wrong)
    spymaster.press("yes")
    expect(page.locator(".notice")).to_have_text("Choose an uncovered agent of your own team.")
    assert game.public()["view"]["phase"] == "penalty"
    spymaster.press(mine)
    picture(page, "phone-cover")
    spymaster.press("yes")
    until(lambda: game.public()["view"]["phase"] == "clue")
    assert game.public()["view"]["cells"][mine]["covered"] == other


@pytest.mark.parametrize("act", ["challenge", "allow"])
def test_an_act_is_asked_about_after_the_number_of_the_clue_was_corrected(
    game: TableWithPages, phone: Phones, act: str
) -> None:
    team = turn_of(game)
    game.console.do("clue", seat=f"{team}-spymaster", word="saffron", number=2)
    if act == "allow":
        game.console.do("challenge", seat=f"{OTHER[team]}-spymaster")
    spymaster = phone(f"{OTHER[team]}-spymaster")
    spymaster.offers(act)
    game.console.do("correct", what="number", number=3)
    head = spymaster.page.locator("section.head")
    expect(head).to_contain_text(re.compile(r"saffron\s*3", re.IGNORECASE))
    spymaster.press(act)
    expect(spymaster.page.locator(".question")).to_be_visible()


def test_operatives_mark_what_they_mean_and_a_mark_is_no_guess(
    game: TableWithPages, phone: Phones, picture: Picture
) -> None:
    team = turn_of(game)
    operatives = phone(f"{team}-operatives")
    page = operatives.page
    expect(page.locator("#hold")).to_be_hidden()
    expect(page.locator("button.cell")).to_have_count(0)
    game.console.do("clue", seat=f"{team}-spymaster", word="saffron", number=2)
    for cell in ("B3", "E5"):
        operatives.press(cell)
        expect(page.locator(f"[data-key={cell}]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("main")).to_contain_text("A mark is not a guess.")
    picture(page, "phone-marks")
    assert faults_of(page) == []
    operatives.press("B3")
    until(lambda: game.public()["marks"] == {"E5": team})
    assert all(each["covered"] is None for each in game.public()["view"]["cells"].values())


TAPS = """
([cell, taps]) => {
    for (let tap = 0; tap < taps; tap += 1) document.querySelector(`[data-key=${cell}]`).click();
}
"""


def test_the_last_tap_counts_however_late_the_table_answers_the_first(
    game: TableWithPages, phone: Phones
) -> None:
    team = turn_of(game)
    page = phone(f"{team}-operatives").page
    game.console.do("clue", seat=f"{team}-spymaster", word="saffron", number=2)
    expect(page.locator("button.cell")).to_have_count(25)
    page.evaluate(TAPS, ["B3", 2])
    expect(page.locator("[data-key=B3]")).to_have_attribute("aria-pressed", "false")
    page.evaluate(TAPS, ["D1", 3])
    page.evaluate(TAPS, ["E5", 1])
    until(lambda: game.public()["marks"] == {"D1": team, "E5": team})
    expect(page.locator("button.cell.wished")).to_have_count(0)
    pressed = page.locator("button.cell[aria-pressed=true]")
    expect(pressed).to_have_count(2)


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("size", [SMALL, (412, 915)])
def test_whatever_is_pressed_is_large_enough_and_in_reach(
    game: TableWithPages, opened: Open, size: tuple[int, int], lang: str
) -> None:
    link = game.console.do("phone", **{"for": f"{turn_of(game)}-spymaster"})["link"]
    page = opened(game.url + link, size, lang)
    expect(page.locator("[data-key=clue]")).to_be_visible()
    box = page.locator("#hold").bounding_box()
    assert box
    assert box["height"] >= 64
    assert size[1] - 120 < box["y"] + box["height"] <= size[1]
    for button in page.locator("button:visible").all():
        at = button.bounding_box()
        assert at
        assert min(at["width"], at["height"]) >= 40, button.inner_text()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
    assert faults_of(page) == []
    with Phone(page).held(
        once={"en": "Let go, and it is hidden", "it": "Lascia, e si nasconde"}[lang]
    ):
        assert faults_of(page) == []
        assert faults_of_words(page) == []
