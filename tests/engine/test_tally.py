"""Tonight's tally: what counts, how far the evening goes back, and where it is read."""

from collections.abc import Callable, Iterator

import pytest
from virtual_table import VirtualTable

from pi_table.games.announcer.announcement import ECHO, TENSION
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.house import NIGHT
from pi_table.protocols.ipc.records import Summary, Tally, Won
from pi_table.table.engine.storage.records import tonight

RED, BLUE = Team.RED, Team.BLUE
NOW = "2026-11-22T01:30:00.000+00:00"


def at(day: int, hour: int, minute: int = 0) -> str:
    return f"2026-11-{day:02}T{hour:02}:{minute:02}:00.000+00:00"


def game(
    begun: str, winner: Team | None, why: Why = Why.AGENTS, profile: str = "codenames"
) -> Summary:
    losers = (RED, BLUE) if winner is None else (winner.other,)
    return Summary(7, begun, profile, Outcome(winner, losers, why))


def test_each_teams_wins_are_counted_game_by_game_and_over_midnight() -> None:
    evening = [
        game(at(22, 1), RED),
        game(at(22, 0), BLUE, profile="alias-24"),
        game(at(21, 23), RED, Why.ASSASSIN),
        game(at(21, 22), None, Why.NUKE, profile="alias-24"),
        game(at(21, 21), BLUE),
    ]
    tally = tonight(evening, NOW)
    assert tally == Tally(at(21, 21), (Won("codenames", 2, 1, 0), Won("alias-24", 0, 1, 1)))
    assert (tally.red, tally.blue) == (2, 2)


@pytest.mark.parametrize(
    ("begun", "counts"),
    [
        ([at(21, 19, 30)], False),  # six hours ago
        ([at(21, 19, 31)], True),
        ([at(21, 22), at(21, 16, 1)], True),
        ([at(21, 22), at(21, 16, 0)], False),
        ([at(23, 12)], True),  # the clock was set back
    ],
)
def test_six_quiet_hours_end_an_evening(begun: list[str], counts: bool) -> None:
    tally = tonight([game(each, RED) for each in begun], NOW)
    assert (tally.red == len(begun)) is counts


def test_a_game_that_was_ended_decided_nothing() -> None:
    tally = tonight([game(at(22, 1), None, Why.STOPPED)], NOW)
    assert tally.won == (Won("codenames"),)


@pytest.mark.parametrize(("begun", "now"), [("", NOW), (NOW, ""), (NOW, NOW[:19])])
def test_a_time_that_cannot_be_compared_ends_the_evening(begun: str, now: str) -> None:
    assert tonight([game(begun, RED)], now).won == ()


def test_no_more_is_read_than_the_evening() -> None:
    def games() -> Iterator[Summary]:
        yield game(at(22, 1), RED)
        yield game(at(20, 1), RED)
        raise AssertionError("That is another evening.")

    assert tonight(games(), NOW).red == 1


def test_the_table_tells_what_was_won_and_nothing_of_the_game_that_is_played(
    make_table: Callable[..., VirtualTable],
) -> None:
    table = make_table()
    assert table.ask("tally").told == Tally(None, ())
    table.start()
    table.clue(1)
    table.hold("E5")  # the assassin
    assert table.ask("tally").told.won == (Won("codenames", 0, 1, 0),)
    table.do("next")
    table.clue(1)
    assert table.ask("tally").told.won == (Won("codenames", 0, 1, 0),)
    assert table.ask("tally", "red-spymaster").reason == "wrong-seat"


def test_everybody_is_told_the_wins_of_the_evening_once_the_end_was_seen(
    make_table: Callable[..., VirtualTable],
) -> None:
    def told(table: VirtualTable) -> tuple[Won, ...]:
        return table.table.public_message().tonight

    table = make_table()
    table.start()
    table.clue(1)
    table.hold("E5")  # the assassin
    table.advance(TENSION)
    assert told(table) == ()
    table.advance(ECHO)
    assert told(table) == (Won("codenames", 0, 1, 0),)
    table.do("correct")  # the game goes on, so it counts no more
    table.advance(0.1)
    assert told(table) == ()
    table.hold("E5")
    table.advance(TENSION + ECHO)
    table.switch_off()

    again = make_table()
    assert told(again) == (Won("codenames", 0, 1, 0),)
    again.advance(NIGHT.total_seconds())
    assert told(again) == again.public[-1][1].tonight == ()
