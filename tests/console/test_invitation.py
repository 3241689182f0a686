"""Where nobody seems to be the screen asks or invites, and the press that wakes it does no more."""

import pytest
from playing import Desk, RulesTable, choose

from pi_table.common.language import LANGUAGES, say, translate
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import Presence
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Choose, Happening, Typed
from pi_table.screens.console.game_records import Faults
from pi_table.screens.console.how_to_play.screens import HowToPlay
from pi_table.screens.console.shapes import hit

PRESS, RIGHT, BACK, PEEK = Input.PRESS, Input.RIGHT, Input.BACK, Input.PEEK
ASKED, IDLE, PLAYING = Presence.ASKED, Presence.IDLE, Presence.PLAYING


def left_alone(table: RulesTable, presence: Presence) -> Desk:
    """A screen at which nobody has been for long."""
    desk = Desk(table)
    table.presence = presence
    return desk.hear()


def abandoned() -> RulesTable:
    return RulesTable().begin().do("operator", "abandon")


SHOWN = [
    ("a game, asked", RulesTable().begin(), ASKED, "Still playing?"),
    ("a game, asleep", RulesTable().begin(), IDLE, "A game is waiting"),
    ("no game", RulesTable(), IDLE, "Would you like to play?"),
    ("a game that is over", abandoned(), IDLE, "Would you like to play?"),
]


@pytest.mark.parametrize(
    ("table", "presence", "title"), [row[1:] for row in SHOWN], ids=[row[0] for row in SHOWN]
)
def test_the_screen_asks_or_invites_in_every_language(
    table: RulesTable, presence: Presence, title: str
) -> None:
    texts = left_alone(table, presence).texts
    assert texts[0] == title
    for lang in LANGUAGES:
        assert translate(say(title), lang) in texts


def test_nothing_of_the_game_is_on_it() -> None:
    # ALL-1
    desk = left_alone(RulesTable().begin(), IDLE)
    assert not any("ANCHOR" in text for text in desk.texts)
    assert len(desk.texts) == 3


@pytest.mark.parametrize("presence", [ASKED, IDLE])
@pytest.mark.parametrize("given", [PRESS, RIGHT, BACK, PEEK, Typed("x"), Typed("\n")])
def test_any_press_tells_the_table_that_somebody_is_there_and_does_nothing_else(
    presence: Presence, given: Happening
) -> None:
    desk = left_alone(RulesTable().begin(), presence)
    before = Desk(RulesTable().begin()).model
    desk.happen(given)
    assert desk.asked == [{"seat": "operator", "act": "here"}]
    assert desk.peeked == []
    assert (desk.model.screens, desk.model.peeking) == (before.screens, False)


@pytest.mark.parametrize("at", [(5, 5), (400, 240), (795, 475)])
def test_it_can_be_tapped_anywhere(at: tuple[int, int]) -> None:
    desk = left_alone(RulesTable(), IDLE)
    target = hit(desk.scene, *at)
    assert target is not None
    desk.happen(Choose(target))
    assert [do["act"] for do in desk.asked] == ["here"]


def test_whoever_wakes_it_finds_what_was_left() -> None:
    table = RulesTable()
    desk = choose(Desk(table), "The classic game")
    before = desk.texts
    table.presence = IDLE
    desk.hear()
    assert desk.texts != before
    assert desk.happen(PRESS).texts == before


def test_a_notice_that_the_invitation_hid_from_the_first_is_seen_by_whoever_wakes_it() -> None:
    console, table = Console(lambda request: None, notice=say("Look here.")), RulesTable()
    table.presence = IDLE
    for happening in (table.message(), table.message(), PRESS):
        console.happen(happening, 100.0)
    table.presence = PLAYING
    console.happen(table.message(), 100.0)
    assert console.model.notice == say("Look here.")


def test_a_notice_that_was_seen_is_gone_for_whoever_wakes_the_screen() -> None:
    console, table = Console(lambda request: None, notice=say("Look here.")), RulesTable()
    console.happen(table.message(), 100.0)
    table.presence = IDLE
    for happening in (table.message(), PRESS):
        console.happen(happening, 160.0)
    table.presence = PLAYING
    console.happen(table.message(), 160.0)
    assert console.model.notice is None


def test_what_ails_the_table_stays_to_be_read() -> None:
    table = RulesTable().begin()
    desk = Desk(table)
    table.faults, table.presence = ("The disk is full.",), IDLE
    assert isinstance(desk.hear().model.screen, Faults)
    assert "The disk is full." in desk.texts


# Those who read are there


READ = [
    ("how to play", RulesTable(), (Typed("?"), PRESS)),
    ("which game to read about", RulesTable(), (Typed("?"),)),
    ("how to play, after a game", abandoned(), (Typed("?"),)),
    ("the games", abandoned(), (RIGHT, RIGHT, RIGHT, PRESS)),
]


@pytest.mark.parametrize(("table", "way"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_who_reads_is_invited_only_ten_minutes_after_the_last_press(
    table: RulesTable, way: tuple[Happening, ...]
) -> None:
    table.now = 100.0
    desk = Desk(table).happen(*way)
    before = desk.texts
    table.now, table.presence = 160.0, IDLE
    assert desk.hear().texts == before
    table.now = 699.0
    assert desk.texts == before
    table.now = 700.0
    assert "Would you like to play?" in desk.texts
    assert desk.happen(PRESS).texts == before
    table.presence = PLAYING


def test_who_reads_on_turns_the_page_and_tells_the_table_that_somebody_is_there() -> None:
    table = RulesTable()
    desk = choose(Desk(table).happen(Typed("?")), "The classic game")
    table.now, table.presence = 60.0, IDLE
    desk.hear().happen(PRESS)
    assert isinstance(desk.model.screen, HowToPlay)
    assert desk.model.selected == 1
    assert [do["act"] for do in desk.asked] == ["here"]
    table.now, table.presence = 659.0, IDLE
    assert "Would you like to play?" not in desk.hear().texts


@pytest.mark.parametrize(
    ("presence", "title"), [(ASKED, "Still playing?"), (IDLE, "A game is waiting")]
)
def test_a_game_that_may_be_given_up_comes_before_what_somebody_reads(
    presence: Presence, title: str
) -> None:
    table = RulesTable().begin()
    desk = Desk(table).happen(Typed("?"))
    table.presence = presence
    assert desk.hear().texts[0] == title


def test_other_screens_make_way_at_once() -> None:
    table = RulesTable()
    desk = choose(Desk(table), "More…", "Operator…")
    table.presence = IDLE
    assert "Would you like to play?" in desk.hear().texts


def test_the_invitation_comes_by_itself() -> None:
    console, table = Console(lambda request: None), RulesTable()
    for happening in (table.message(), Typed("?")):
        console.happen(happening, 100.0)
    read = console.scene(100.0)
    table.presence = IDLE
    console.happen(table.message(), 160.0)
    assert console.scene(160.0) == console.scene(699.0) == read
    assert console.moves(699.0)
    assert console.scene(700.0) != read
    assert not console.moves(700.0)
