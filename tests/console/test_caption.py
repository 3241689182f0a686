"""A spoken text that is nowhere else on this screen stays readable there for a while."""

from collections.abc import Callable

import pytest
from codex_table import CodexTable, desk
from playing import Desk, RulesTable, choose

from pi_table.common.language import say
from pi_table.devices.hal.contracts import Input
from pi_table.games.announcer.announcement import CAPTION_SECONDS, What
from pi_table.screens.console.caption import READ
from pi_table.screens.console.console import Console

REFUSED = "No game has begun: choose one first."
WHY = say(REFUSED)


GAMES: dict[str, Callable[[], Desk]] = {
    "none": lambda: Desk(RulesTable()),
    "a word game": lambda: Desk(RulesTable().begin()),
    "Codex": lambda: desk(CodexTable()),
}


def at(desk: Desk, now: float) -> list[str]:
    """Return the written lines at this time, if nothing happens meanwhile."""
    desk.table.now = now
    return desk.texts


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_touch_says_why_for_a_while(game: str) -> None:
    seen = GAMES[game]()
    assert REFUSED not in seen.texts
    seen.table.says(What.REFUSED, WHY)
    assert REFUSED in seen.hear().texts
    assert REFUSED in at(seen, CAPTION_SECONDS - 0.1)
    assert REFUSED not in at(seen, CAPTION_SECONDS)


def test_it_says_so_where_a_game_is_chosen_too() -> None:
    seen = Desk(RulesTable())
    seen.table.says(What.REFUSED, WHY)
    assert REFUSED in seen.hear().texts


def test_it_is_read_in_the_language_of_the_screen() -> None:
    seen = choose(Desk(RulesTable()), "More…", "English · Italiano")
    seen.table.says(What.REFUSED, WHY)
    texts = seen.hear().texts
    assert REFUSED not in texts
    assert "Nessuna partita: prima sceglietene una." in texts


def test_what_is_to_be_told_later_is_read_then() -> None:
    table = RulesTable().begin()
    seen = Desk(table)
    table.says(What.LAID_OUT, WHY, after=2.0)
    assert REFUSED not in seen.hear().texts
    assert REFUSED not in at(seen, 1.9)
    assert REFUSED in at(seen, 2.0)
    assert REFUSED in at(seen, 1.9 + CAPTION_SECONDS)


@pytest.mark.parametrize("what", sorted({each.value for each in What} - READ))
def test_what_the_screen_shows_anyway_is_not_read_besides(what: str) -> None:
    table = RulesTable().begin()
    seen = Desk(table)
    table.says(What(what), WHY)
    assert REFUSED not in seen.hear().texts


def test_what_was_said_before_the_screen_came_is_not_read() -> None:
    assert REFUSED not in Desk(RulesTable().says(What.REFUSED, WHY)).texts


def test_the_newest_is_read_and_a_message_without_news_takes_nothing_away() -> None:
    table = RulesTable().begin()
    seen = Desk(table)
    table.says(What.REFUSED, "Not now.").says(What.WIPE, "Wipe it.").says(What.TURN, "Red.")
    assert "Wipe it." in seen.hear().texts
    table.do("red-spymaster", "clue", number=2)
    assert "Wipe it." in seen.hear().texts
    assert "Not now." not in seen.texts


def test_what_was_read_makes_way_for_whatever_is_said_next() -> None:
    seen = Desk(RulesTable())
    seen.table.says(What.REFUSED, WHY)
    assert REFUSED in seen.hear().texts
    seen.table.begin().says(What.BEGINS, "A game begins.")
    assert REFUSED not in seen.hear().texts


def test_who_pressed_something_is_answered_first() -> None:
    table = RulesTable(explain=True).begin()
    seen = choose(Desk(table), "More…", "Explanations on or off")
    table.says(What.REFUSED, WHY)
    assert "No more explanations." in seen.hear().texts
    assert REFUSED not in seen.texts
    assert REFUSED in seen.happen(Input.RIGHT).texts


def test_a_caption_goes_by_itself() -> None:
    table = RulesTable().begin()
    console = Console(lambda request: None)
    console.happen(table.message(), 0.0)
    assert not console.moves(0.0)
    table.says(What.REFUSED, WHY)
    console.happen(table.message(), 1.0)
    with_caption = console.scene(1.0)
    assert console.moves(1.0)
    assert console.scene(1.0 + CAPTION_SECONDS) != with_caption
    assert not console.moves(1.0 + CAPTION_SECONDS)
