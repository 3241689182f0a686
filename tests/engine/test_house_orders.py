"""The orders of the house to a table; none of them touches a game."""

import sqlite3
import sys
from bisect import bisect
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from virtual_table import RED_KEY, VirtualTable

from pi_table.common.errors import InputError
from pi_table.common.house_settings import House
from pi_table.devices.lights.colours import OFF, WHITE
from pi_table.games.announcer.announcement import ECHO, TENSION
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.house import (
    MAX_CLOSING_MINUTES,
    MAX_FINISHED_GAMES,
    MAX_FREE_SECONDS,
    MAX_LOCATE_SECONDS,
    FinishedGame,
    HouseMessage,
    HouseSettings,
    Latest,
    Order,
)
from pi_table.protocols.ipc.messages import read_request
from pi_table.table.engine.outputs import Verdict

MakeTable = Callable[..., VirtualTable]


def order(table: VirtualTable, act: str, seat: str = "operator", **fields: Any) -> Verdict:
    answers: list[Verdict] = []
    table.table.on_house_order({"act": act, "seat": seat, **fields}, answers.append)
    (verdict,) = answers
    return verdict


def ordered(table: VirtualTable, act: str, **fields: Any) -> Any:
    verdict = order(table, act, **fields)
    assert verdict.ok, verdict.sentence
    return verdict.told


def message(table: VirtualTable) -> HouseMessage:
    return table.table.house_message()


def end(table: VirtualTable) -> None:
    table.do("abandon")


# --- what no order can do


ACTS = (
    *("start", "next", "abandon", "correct", "new-key", "reveal", "pause", "resume", "clue"),
    *("guess", "stop", "look", "peek", "record", "unlock", "set-pin", "shutdown", "house"),
    *("service", "set-aside", "phone", "desk", "clues", "tick"),
)


@pytest.mark.parametrize("act", ACTS)
def test_an_act_of_a_game_or_of_the_hidden_screen_is_no_order(
    act: str, make_table: MakeTable
) -> None:
    table = make_table()
    table.start()
    before = table.known
    verdict = order(table, act, profile="codenames", cell="A1", number=1, pin="1234")
    assert (verdict.ok, verdict.reason, verdict.told) == (False, "unknown-act", None)
    assert table.known == before


def test_no_seat_but_the_operators_orders_anything(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    for seat in Seat:
        for each in Order:
            if seat is not Seat.OPERATOR:
                verdict = order(table, each.value, seat.value, seconds=5, minutes=5, after=None)
                assert (verdict.ok, verdict.reason) == (False, "wrong-seat")


WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    ("locate", {}),
    ("locate", {"seconds": -1}),
    ("locate", {"seconds": MAX_LOCATE_SECONDS + 1}),
    ("locate", {"seconds": True}),
    ("locate", {"seconds": 2.0}),
    ("set", {}),
    ("set", {"settings": {}}),
    ("set", {"settings": ["volume"]}),
    ("set", {"settings": {"volume": 101}}),
    ("set", {"settings": {"volume": 10, "adults": True}}),
    ("set", {"settings": {"guests_may": []}}),
    ("set", {"settings": {"quiet_from": "23:00\n"}}),
    ("set", {"settings": {"brightness": 9}}),
    ("closing", {"minutes": 0}),
    ("closing", {"minutes": MAX_CLOSING_MINUTES + 1}),
    ("keep-free", {"seconds": MAX_FREE_SECONDS + 1}),
    ("keep-free", {"seconds": None}),
    ("finished", {"after": 3}),
    ("finished", {"after": {"number": 1}}),
)


@pytest.mark.parametrize(("act", "fields"), WRONG)
def test_a_wrong_order_is_refused_with_a_sentence_and_changes_nothing(
    act: str, fields: dict[str, Any], make_table: MakeTable
) -> None:
    table = make_table()
    before = message(table), table.known
    verdict = order(table, act, **fields)
    assert (verdict.ok, verdict.reason) == (False, "unusable")
    assert verdict.sentence is not None
    assert (message(table), table.known) == before


@pytest.mark.parametrize("field", ["act", "seat"])
def test_an_order_that_is_nested_as_deeply_as_can_be_read_is_refused(
    field: str, make_table: MakeTable
) -> None:
    table = make_table()

    def can_be_read(depth: int) -> bool:
        with suppress(InputError):
            return bool(nested(depth))
        return False

    def nested(depth: int) -> dict[str, Any]:
        text = "[" * depth + "]" * depth
        return read_request(f'{{"id": 1, "do": {{"{field}": {text}}}}}'.encode()).do

    depths = range(1, sys.getrecursionlimit())
    deepest = bisect(depths, False, key=lambda depth: not can_be_read(depth))
    assert deepest in depths
    for act in Order:
        for depth in range(deepest - 100, deepest + 1):  # as it is carried out, it stands deeper
            assert not order(table, **{"act": act.value, **nested(depth)}).ok


def test_a_game_in_play_goes_on_whatever_is_ordered(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue(2)
    before = table.known["public"]
    ordered(table, "locate", seconds=5)
    ordered(table, "set", settings={"out_of_service": True, "brightness": 10})
    ordered(table, "closing", minutes=10)
    ordered(table, "keep-free", seconds=0)
    ordered(table, "finished", after=None)
    assert table.known["public"] == before
    table.hold("A1")
    assert table.covered == {"A1": "red"}


# --- what they do


def test_a_game_can_be_read_while_its_table_is_looked_for(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.advance(10.0)
    ordered(table, "locate", seconds=20)
    seen: dict[str, set[int]] = {"A1": set(), "C3": set()}
    for _ in range(40):
        table.advance(0.1)
        for cell, lights in seen.items():
            lights.add(table.light(cell))
    assert [WHITE in lights for lights in seen.values()] == [True, False]


def test_a_table_that_is_looked_for_blinks_until_its_time_is_over(make_table: MakeTable) -> None:
    table = make_table()
    table.advance(1.0)
    ordered(table, "locate", seconds=20)
    assert message(table).locating
    seen = set()
    for _ in range(40):
        table.advance(0.1)
        seen.add(table.light("C3"))
    assert WHITE in seen
    assert len(seen) > 1
    table.advance(20.0)
    assert not message(table).locating
    assert WHITE not in {table.light("C3")}
    ordered(table, "locate", seconds=20)
    ordered(table, "locate", seconds=0)
    assert not message(table).locating


def test_while_a_game_is_played_the_corners_alone_blink(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue(2)
    table.advance(5.0)
    calm = {name: table.light(name) for name in ("B2", "C3", "D4")}
    ordered(table, "locate", seconds=10)
    corners = set()
    for _ in range(40):
        table.advance(0.1)
        assert {name: table.light(name) for name in calm} == calm
        corners.add(table.light("A1"))
    assert WHITE in corners


def test_settings_are_those_of_the_house_and_last(make_table: MakeTable) -> None:
    table = make_table()
    ordered(table, "set", settings={"brightness": 40, "quiet_from": "23:00", "muted": True})
    settings = message(table).settings
    assert (settings.brightness, settings.quiet_from, settings.muted) == (40, "23:00", True)
    assert table.message.house == replace(
        House(idle_minutes=0), brightness=40, quiet_from="23:00", muted=True
    )
    table.switch_off()
    assert message(make_table()).settings == settings


def test_every_setting_that_is_told_can_be_set(make_table: MakeTable) -> None:
    table = make_table()
    others = HouseSettings(10, 20, True, "22:00", "08:00", False, True)
    for name, value in msgspec.structs.asdict(others).items():
        ordered(table, "set", settings={name: value})
    assert message(table).settings == others


def test_everybody_is_told_that_the_house_closes_each_time(make_table: MakeTable) -> None:
    table = make_table()
    for minutes, told in ((10, "We close in 10 minutes."), (1, "We close in 1 minute.")):
        ordered(table, "closing", minutes=minutes)
        said = table.table.public_message().said[-1]
        assert (said.what, said.words["en"]) == ("closing", told)


def test_no_game_begins_at_a_table_out_of_service_and_one_that_is_played_goes_on(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start()
    ordered(table, "set", settings={"out_of_service": True})
    assert table.table.public_message().out_of_service
    table.clue(2)
    end(table)
    for act in ("start", "next"):
        verdict = table.ask(act, profile="codenames")
        assert (verdict.ok, verdict.reason) == (False, "out-of-service")
    table.switch_off()
    again = make_table()  # it lasts
    assert again.ask("start", profile="codenames").reason == "out-of-service"
    ordered(again, "set", settings={"out_of_service": False})
    assert again.table.public_message().said[-1].what == "in-order"
    again.start()


def test_a_table_is_kept_free_for_a_while_and_never_while_a_game_is_played(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start()
    verdict = order(table, "keep-free", seconds=900)
    assert (verdict.ok, verdict.reason) == (False, "game-in-progress")
    assert not message(table).kept_free
    table.do("pause")
    assert order(table, "keep-free", seconds=900).reason == "game-in-progress"
    table.do("resume")
    end(table)
    ordered(table, "keep-free", seconds=900)
    assert message(table).kept_free
    assert table.ask("start", profile="codenames").reason == "kept-free"
    table.advance(899.0)
    assert table.ask("start", profile="codenames").reason == "kept-free"
    table.advance(1.0)
    assert not message(table).kept_free
    table.start()


def test_a_table_that_sleeps_is_dark_where_it_is_not_to_invite(make_table: MakeTable) -> None:
    table = make_table()
    table.advance(61.0)
    assert {table.light(name) for name in ("A1", "C3", "E5")} != {OFF}
    ordered(table, "set", settings={"idle_lights": False})
    table.advance(5.0)
    assert {table.light(name) for name in ("A1", "C3", "E5")} == {OFF}
    ordered(table, "set", settings={"idle_lights": True, "out_of_service": True})
    table.advance(5.0)
    assert {table.light(name) for name in ("A1", "C3", "E5")} == {OFF}


# --- what the house is told


def test_the_house_is_told_when_something_changes_and_once_a_minute(make_table: MakeTable) -> None:
    table = make_table()
    told = len(table.fares)
    table.start()
    table.clue(2)
    table.hold("A1")
    assert len(table.fares) == told  # of a game that is played, nothing
    table.table.on_sound_fault("The loudspeaker is unplugged.")
    assert table.fares[-1].faults == ("The loudspeaker is unplugged.",)
    table.table.on_sound_fault(None)
    told = len(table.fares)
    for minute in ("20:00", "20:01", "20:02"):
        table.table.on_time_of_day(minute)
    assert len(table.fares) == told + 3
    assert not table.fares[-1].faults


# --- finished games


def played(table: VirtualTable, winner: str = "red") -> None:
    """A short game, in which a team touches the assassin."""
    table.start()
    table.clue(1, word="flight")
    table.hold(assassin())
    table.advance(TENSION + ECHO)


def test_no_game_is_told_before_those_who_sit_at_the_table_know_how_it_ended(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start()
    table.clue(1, word="flight")
    table.hold(assassin())
    assert table.view.outcome is not None
    table.advance(TENSION - 0.1)
    assert message(table).latest is None
    table.advance(0.1 + ECHO)
    assert message(table).latest is not None


def assassin() -> str:
    cell = RED_KEY.letters.index("a")
    return "ABCDE"[cell % 5] + str(cell // 5 + 1)


def finished(table: VirtualTable, after: Latest | None = None) -> tuple[FinishedGame, ...]:
    games = ordered(table, "finished", after=None if after is None else msgspec.to_builtins(after))
    return tuple(games)


def of(game: FinishedGame) -> Latest:
    return Latest(game.number, game.game, game.revision)


def test_a_finished_game_is_told_with_what_everybody_saw(make_table: MakeTable) -> None:
    table = make_table(cards="dealt")
    assert message(table).latest is None
    assert finished(table) == ()
    table.start()
    table.clue(1, word="flight")
    assert message(table).latest is None
    words = {name: cell.word for name, cell in table.view.cells.items()}
    table.hold(assassin())
    table.advance(TENSION + ECHO)
    (game,) = finished(table)
    assert message(table).latest == of(game)
    assert (game.number, game.profile, game.turns) == (1, "codenames", 1)
    (clue,) = game.clues
    assert (clue.word, clue.number, clue.team.value) == ("flight", 1, "red")
    (guess,) = game.guesses
    assert (guess.word, guess.was, guess.team.value) == (words[assassin()], "fatal", "red")
    assert sorted(game.dealt) == sorted(word for word in words.values() if word)
    assert len(game.game) == 32
    assert finished(table, of(game)) == ()


def test_words_that_guests_wrote_are_told_to_nobody(make_table: MakeTable) -> None:
    table = make_table(cards="dealt")
    table.do("start", profile="codenames", options={}, blanks=["Aunt Bertha", "Zog"])
    blanks = {"AUNT BERTHA", "ZOG"} | {"Aunt Bertha", "Zog"}
    lying = {name: cell.word for name, cell in table.view.cells.items()}
    assert blanks & {*lying.values()}
    table.clue(2)
    table.hold(next(name for name, word in lying.items() if word in blanks))
    end(table)
    (game,) = finished(table)
    assert not blanks & {*game.dealt}
    assert [guess.word for guess in game.guesses] == [None]
    assert len(game.dealt) == 23


def test_a_game_that_is_taken_up_again_ends_with_a_higher_revision(make_table: MakeTable) -> None:
    table = make_table()
    played(table)
    (first,) = finished(table)
    table.do("correct")
    table.advance(0.1)  # a beat of the lights
    assert message(table).latest is None  # it is played again
    assert finished(table, of(first)) == ()
    table.hold(assassin())
    table.advance(TENSION + ECHO)
    (again,) = finished(table, of(first))
    assert (again.game, again.number) == (first.game, first.number)
    assert again.revision > first.revision
    assert message(table).latest == of(again)


def test_games_come_in_order_and_a_few_at_a_time(make_table: MakeTable) -> None:
    table = make_table()
    count = MAX_FINISHED_GAMES + 3
    for _ in range(count):
        played(table)
    table.start()  # which is played
    assert message(table).latest is not None
    told = finished(table)
    assert [game.number for game in told] == [*range(1, MAX_FINISHED_GAMES + 1)]
    rest = finished(table, of(told[-1]))
    assert [game.number for game in rest] == [*range(MAX_FINISHED_GAMES + 1, count + 1)]
    assert finished(table, of(rest[-1])) == ()
    assert len({game.game for game in told + rest}) == count


def test_the_ids_are_the_same_after_a_restart_and_those_of_another_journal_are_others(
    make_table: MakeTable,
) -> None:
    table = make_table()
    played(table)
    played(table)
    before = finished(table)
    table.switch_off()
    again = make_table()
    assert finished(again) == before
    assert message(again).latest == of(before[-1])
    again.switch_off()
    for file in again.path.parent.iterdir():
        if file.name.startswith(again.path.name):
            file.unlink()
    other = make_table()
    played(other)
    played(other)
    assert [game.number for game in finished(other, of(before[-1]))] == [1, 2]
    assert not {game.game for game in finished(other)} & {game.game for game in before}


def test_what_was_corrected_is_told_as_it_stands_in_the_end(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue(1, word="flight")
    table.do("correct", number=3)
    table.hold("E5" if assassin() != "E5" else "A2")
    end(table)
    (game,) = finished(table)
    assert [clue.number for clue in game.clues] == [3]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET at = at + 1 WHERE game = 2 AND seq = 2",
        "DELETE FROM games WHERE number = 2",  # with what its id is made of
    ],
)
def test_a_damaged_game_keeps_no_other_from_being_told(
    make_table: MakeTable, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """A card rots in one game, and the table goes on."""
    table = make_table()
    for _ in range(4):
        played(table)
    games = finished(table)
    with closing(sqlite3.connect(table.path, isolation_level=None)) as connection:
        connection.execute(damage)
    assert [game.number for game in finished(table)] == [1, 3, 4]
    assert [game.number for game in finished(table, of(games[0]))] == [3, 4]
    # The very game that was told last is damaged since: it is no other journal for that.
    assert [game.number for game in finished(table, of(games[1]))] == [3, 4]
    assert "A game is not reported" in caplog.text
    played(table)
    assert message(table).latest == of(finished(table, of(games[3]))[0])


def test_a_turn_that_was_stopped_and_taken_back_with_its_guess_is_no_turn(
    make_table: MakeTable,
) -> None:
    table = make_table()
    table.start()
    table.clue(2, word="flight")
    table.hold(own())
    table.advance(TENSION + ECHO)
    table.do("stop", "red-operatives")
    table.do("correct")
    assert table.view.turn is not None
    assert table.view.turn.value == "red"
    end(table)
    (game,) = finished(table)
    assert (game.turns, game.guesses) == (1, ())


def test_a_turn_that_ends_twice_and_is_taken_back_twice_is_no_turn(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue(2, word="flight")
    for letter in "rb":  # the second one ends the turn
        table.hold(own(letter))
        table.advance(TENSION + ECHO)
    table.do("correct")
    table.do("stop", "red-operatives")  # and so does that
    table.do("correct")
    end(table)
    (game,) = finished(table)
    assert (game.turns, game.guesses) == (1, ())


def test_a_turn_that_is_over_before_the_next_guess_stays_one(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue(1, word="flight")
    table.hold(own())
    table.advance(TENSION + ECHO)
    table.do("stop", "red-operatives")
    table.clue(1, "blue", "sea")
    table.hold(assassin())
    table.advance(TENSION + ECHO)
    table.do("correct")  # of blue's guess: red's turn is not touched
    end(table)
    (game,) = finished(table)
    assert (game.turns, len(game.guesses), len(game.clues)) == (2, 1, 2)


CLOCK = {"timer": "clock", "clue_seconds": 120, "guess_seconds": 90, "clock_end": "end-turn"}


def test_turns_that_the_clock_ended_after_a_guess_are_taken_back_with_it(
    make_table: MakeTable,
) -> None:
    # ALL-3, CN-24
    table = make_table()
    table.start(**CLOCK)
    table.clue(2, word="flight")
    table.hold(own("b"))  # ends red's turn
    table.advance(TENSION + ECHO)
    table.advance(240.0)  # blue gives no clue in its time, and neither does red
    assert (table.view.phase.value, table.view.turn) == ("clue", Team.BLUE)
    table.do("correct")
    assert (table.view.phase.value, table.view.turn) == ("guess", Team.RED)
    end(table)
    (game,) = finished(table)
    assert (game.turns, game.guesses) == (1, ())


def test_a_turn_that_the_clock_ended_after_a_guess_was_taken_back_stays_one(
    make_table: MakeTable,
) -> None:
    # ALL-3, CN-24
    table = make_table()
    table.start(**CLOCK)
    table.clue(2, word="flight")
    table.hold(own("b"))
    table.advance(TENSION + ECHO)
    table.do("correct")
    table.advance(90.0)
    assert (table.view.phase.value, table.view.turn) == ("clue", Team.BLUE)
    end(table)
    (game,) = finished(table)
    assert (game.turns, game.guesses) == (2, ())


def own(letter: str = "r") -> str:
    """A card of red's, or of whoever has that ``letter`` in the key."""
    cell = RED_KEY.letters.index(letter)
    return "ABCDE"[cell % 5] + str(cell // 5 + 1)


def test_a_laying_that_goes_on_after_its_end_is_no_finished_game(make_table: MakeTable) -> None:
    table = make_table(cards="dealt")
    table.do("start", profile="deep-undercover", options={"dealing": "shared"})
    team, hands = table.view.turn, table.view.hands
    assert team is not None
    assert hands is not None
    word = getattr(hands, team.value)[0]
    table.do("place", f"{team.value}-operatives", cell="A1", word=word)
    end(table)
    assert len(finished(table)) == 1
    table.do("correct")
    assert table.view.outcome is None
    assert finished(table) == ()
