"""The pages on how to play each game: every screen leads to them, and they lead back."""

from collections.abc import Callable
from typing import Any

import pytest
from codex_table import CodexTable, come_in, desk
from exploring import STATES, explored, forms
from msgspec.structs import replace
from playing import KEY, OTHER_KEY, Desk, RulesTable, choose

from pi_table.common.language import translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.lines.how_to_play import lessons
from pi_table.games.rules.profile import PROFILES, Settings, settings_for
from pi_table.protocols.ipc.messages import CodexMessage, Presence, line
from pi_table.screens.console.codex.code_entry import EnterCode
from pi_table.screens.console.console_events import Choose, Happening, Typed
from pi_table.screens.console.how_to_play.screens import (
    DRAWING_HEIGHT,
    DRAWING_WIDTH,
    HowToPlay,
    WhichGame,
    pages_of,
)
from pi_table.screens.console.model import Model
from pi_table.screens.console.scene import scene
from pi_table.screens.console.screen import Help
from pi_table.screens.console.shapes import Circle, Line, Polygon, Rect, Shape, hit
from pi_table.screens.console.update import update
from pi_table.screens.console.word_games.cover import Cover
from pi_table.screens.console.word_games.key_on_screen import visible_key

PRESS, RIGHT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.BACK, Input.PEEK
FORMS = [*forms()]


def is_help(model: Model) -> bool:
    return isinstance(model.screen, HowToPlay | WhichGame)


def has_secrets(at: Desk) -> bool:
    """True if the table sends an agent's secrets."""
    message: object = at.table.message()
    assert isinstance(message, CodexMessage)
    return message.agent is not None


# The way there and back


@pytest.mark.parametrize("way", [Choose(Help()), Typed("?")], ids=["a tap", "a key"])
@pytest.mark.parametrize("state", STATES)
def test_it_is_reached_from_every_screen_and_back_leads_to_where_one_was(
    state: str, way: Happening
) -> None:
    for model in explored(state).models:
        if is_help(model) or model.screen.closes_after is not None:
            continue  # a code closes when something is opened over it
        shown, _ = update(model, way, 0.0)
        assert is_help(shown), model.screen
        back, _ = update(shown, BACK, 0.0)
        assert back.screens == model.screens
        assert update(shown, way, 0.0)[0].screens == model.screens


@pytest.mark.parametrize("state", STATES)
def test_every_screen_has_a_place_to_tap_for_it(state: str) -> None:
    for model in explored(state).models:
        found = scene(model, 0.0)
        tapped = [shape for shape in found if getattr(shape, "target", None) == Help()]
        (button,) = tapped
        assert isinstance(button, Rect)
        middle = (button.x + button.w / 2, button.y + button.h / 2)
        assert hit(found, *middle) == Help(), model.screen


@pytest.mark.parametrize("state", STATES)
def test_the_encoder_alone_leads_there(state: str) -> None:
    assert any(is_help(model) for model in explored(state).models)


def test_it_is_reached_in_a_visit_too() -> None:
    at = choose(come_in(desk(CodexTable())), "Send a message", "Vega")
    before = at.model.screens
    at.happen(Typed("?"))
    assert is_help(at.model)
    assert at.happen(BACK).model.screens == before


def test_to_press_turns_the_pages_and_after_the_last_one_goes_back() -> None:
    at = Desk(RulesTable().begin()).happen(Typed("?"))
    seen = []
    while is_help(at.model):
        seen.append(at.texts[0])
        at.happen(PRESS)
    assert len(seen) == len({*seen}) == 6
    assert len(at.model.screens) == 1


def test_a_tap_on_the_drawing_turns_the_page() -> None:
    at = Desk(RulesTable().begin()).happen(Typed("?"))
    first = at.texts[0]
    at.happen(Choose(hit(at.scene, 400, 200)))
    assert at.texts[0] != first


def test_the_game_that_is_being_chosen_is_the_one_that_is_explained() -> None:
    at = choose(Desk(RulesTable()), "The Italian classic").happen(Typed("?"))
    assert isinstance(at.model.screen, HowToPlay)
    assert at.model.screen.profile == "nome-in-codice"


def test_before_any_game_one_asks_for_which() -> None:
    at = Desk(RulesTable()).happen(Typed("?"))
    assert isinstance(at.model.screen, WhichGame)
    choose(at, "Six agents, two codes")
    assert at.texts[0] == "Six agents, two factions"
    assert is_help(at.happen(BACK).model)
    assert not is_help(at.happen(BACK).model)


def reading(at: Desk, pages: int) -> Desk:
    """Somebody has opened the pages and turned so many."""
    return at.happen(Typed("?"), *(RIGHT,) * pages)


def test_who_comes_back_goes_on_at_the_page_where_they_were() -> None:
    at = reading(Desk(RulesTable().begin()), 2)
    page = at.texts[0]
    at.happen(BACK)
    assert at.happen(Choose(Help())).texts[0] == page
    assert at.happen(Choose(Help()), Typed("?")).texts[0] == page


def test_the_page_is_kept_where_the_game_is_chosen_first() -> None:
    at = choose(Desk(RulesTable()).happen(Typed("?")), "The game after dark").happen(RIGHT)
    page = at.texts[0]
    at.happen(BACK, BACK, Typed("?"))
    assert choose(at, "The game after dark").texts[0] == page


BEGIN_ANEW: list[tuple[str, Callable[[Desk], object]]] = [
    ("all was read", lambda at: at.happen(*(RIGHT,) * 3)),
    ("a new game began", lambda at: at.happen(BACK).table.do("operator", "abandon").begin()),
    ("other people came", lambda at: left_alone(at.happen(BACK))),
    (
        "another game is meant",
        lambda at: choose(at.happen(BACK), "New game…", "The Italian classic"),
    ),
]


@pytest.mark.parametrize(("why", "happens"), BEGIN_ANEW, ids=[row[0] for row in BEGIN_ANEW])
def test_the_pages_begin_anew_when(why: str, happens: Callable[[Desk], object]) -> None:
    at = reading(Desk(RulesTable().begin()), 2)
    happens(at)
    at.hear()
    if is_help(at.model):
        at.happen(BACK)
    at.happen(Typed("?"))
    assert isinstance(at.model.screen, HowToPlay)
    assert at.model.selected == 0


def left_alone(at: Desk) -> None:
    """The table sleeps, and is woken."""
    at.table.presence = Presence.IDLE
    at.hear()
    at.happen(PRESS)


# What is secret meanwhile


def test_the_key_hides_and_is_not_even_sent() -> None:
    # ALL-1: two worlds, by what the console's process receives
    received = []
    for key in (KEY, OTHER_KEY):
        at = Desk(RulesTable(key=key).begin()).happen(PEEK)
        assert visible_key(at.model) == key
        at.happen(Typed("?"))
        assert at.peeked[-1]["act"] == "unpeek"
        seen = [line(at.table.message()), repr(at.scene)]
        assert not at.model.can_peek
        at.happen(PEEK, Typed("p"), RIGHT)
        received.append([*seen, line(at.table.message()), repr(at.scene)])
        at.happen(BACK)
        assert visible_key(at.model) is None
    assert received[0] == received[1]


def test_while_a_cell_is_covered_the_key_hides_and_comes_back() -> None:
    # CN-18
    table = RulesTable().begin().do("red-spymaster", "clue", number=1)
    table.do("blue-spymaster", "challenge").do("blue-spymaster", "uphold")
    at = choose(Desk(table), "Blue covers a cell")
    assert isinstance(at.model.screen, Cover)
    assert visible_key(at.model) is not None
    at.happen(RIGHT, Typed("?"))
    assert at.table.message().key is None
    assert at.peeked[-1]["act"] == "unpeek"
    at.happen(BACK)
    assert isinstance(at.model.screen, Cover)
    assert at.model.selected == 1
    assert visible_key(at.model) is not None


def test_in_a_visit_nothing_is_sent_while_somebody_reads_it() -> None:
    # CX-18
    at = come_in(desk(CodexTable())).happen(PEEK)
    assert has_secrets(at)
    at.happen(Typed("?"))
    assert not has_secrets(at)
    at.happen(PEEK)
    assert not has_secrets(at)
    assert not at.model.can_peek
    assert not at.happen(BACK).model.peeking


def test_a_code_that_is_being_entered_is_there_again() -> None:
    # CX-6
    table = CodexTable().all_send(*(f"agent-{n}" for n in (2, 3, 4, 5, 6, 1)))
    at = choose(come_in(desk(table)), "Enter a code").happen(Typed("a"), Typed("b"))
    at.happen(Typed("?"))
    assert not has_secrets(at)
    at.happen(BACK)
    assert isinstance(at.model.screen, EnterCode)
    assert at.model.screen.code == "AB"
    assert has_secrets(at)


# The pages


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_no_game_has_more_than_six_pages_and_no_two_are_the_same(
    form: tuple[str, Settings],
) -> None:
    found = pages_of(*form)
    assert 3 <= len(found) <= 6  # more would be a manual
    assert len({page.title for page in found}) == len({page.words for page in found}) == len(found)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_every_drawing_stays_on_its_ground_and_cannot_be_tapped(
    form: tuple[str, Settings],
) -> None:
    for page in pages_of(*form):
        for shape in page.drawing:
            left, top, right, bottom = extent(shape)
            assert left >= 0, (page.title, shape)
            assert top >= 0, (page.title, shape)
            assert right <= DRAWING_WIDTH, (page.title, shape)
            assert bottom <= DRAWING_HEIGHT, (page.title, shape)
            assert getattr(shape, "target", None) is None


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of a shape."""
    if isinstance(shape, Circle):
        return shape.x - shape.r, shape.y - shape.r, shape.x + shape.r, shape.y + shape.r
    if isinstance(shape, Line | Polygon):
        half = shape.thick / 2 if isinstance(shape, Line) else 0.0
        xs, ys = zip(*shape.points, strict=True)
        return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
    return shape.x, shape.y, shape.x + shape.w, shape.y + shape.h


def test_the_pages_tell_how_the_game_is_played_that_is_set() -> None:
    def said(profile: str, **options: Any) -> str:
        found = pages_of(profile, settings_for(PROFILES[profile], options))
        return " ".join(str(page) for page in found)

    assert "assassin" in said("codenames")
    assert "assassin" not in said("alias-24") + said("codex")
    assert "absent" in said("nome-in-codice", players="cooperative")
    assert "absent" not in said("nome-in-codice") + said(
        "nome-in-codice", players="shared-operative"
    )
    assert "Laying out" in said("deep-undercover")
    assert "Laying out" not in said("deep-undercover", dealing="table")
    assert "armed" in said("alias-24", nuke="mad")
    assert "armed" not in said("alias-24")
    assert "none of ours" in said("nome-in-codice")
    assert "none of ours" not in said("codenames")


BOTH = [name for name, each in PROFILES.items() if {"zero", "unlimited"} <= {*each.settings}]


@pytest.mark.parametrize("unlimited", [True, False])
@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize("profile", BOTH)
def test_the_lesson_names_only_the_special_numbers_of_the_game(
    profile: str, zero: bool, unlimited: bool
) -> None:  # CN-16, CN-17
    settings = replace(PROFILES[profile].usual, zero=zero, unlimited=unlimited)
    clue = next(each for each in lessons(profile, settings) if each.title == "The clue")
    assert ("none of ours" in clue.words, "No limit" in clue.words) == (zero, unlimited)
    in_italian = translate(clue.words, "it")
    assert ("nessuna delle nostre" in in_italian, "Senza limiti" in in_italian) == (zero, unlimited)


def test_the_pages_of_a_game_in_play_follow_its_settings() -> None:
    table = RulesTable(players="cooperative").begin()
    at = Desk(table).happen(Typed("?"))
    assert at.texts[0] == "One group against the table"
    replaced = replace(at.model.screen, selected=5)
    assert isinstance(replaced, HowToPlay)
    assert replaced.pages[5].title == pages_of("codenames", replaced.settings)[5].title
