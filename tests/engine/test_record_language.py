"""The record of a game is told in the game's language, or in the one that is asked for (ALL-4)."""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from marked import marked, unmarked
from virtual_table import VirtualTable

from pi_table.common.geometry import CELLS
from pi_table.games.rules import games
from pi_table.games.rules.word_games import events
from pi_table.table.store.journal import Journal

__all__ = ["marked"]

MakeTable = Callable[..., VirtualTable]


def lines(table: VirtualTable, game: int = 1, **asked: Any) -> list[str]:
    verdict = table.ask("record", game=game, **asked)
    assert verdict.ok, verdict.sentence
    return [line.text for line in verdict.told.lines]


def evening(table: VirtualTable) -> None:
    """Games in which everything happens that the record of a word game can tell of."""
    table.start(timer="hourglass")
    table.do("new-key")
    table.clue(3, word="flight")
    table.do("correct", number=2)
    table.do("challenge", "blue-spymaster")
    table.do("allow", "blue-spymaster")
    table.do("hourglass")
    table.do("pause")
    table.do("resume")
    table.hold("A1")
    table.do("correct")
    table.hold("A1")
    table.hold("end-turn")
    table.clue("unlimited", "blue")
    table.do("challenge", "red-spymaster")
    table.do("uphold", "red-spymaster")
    table.do("cover", "red-spymaster", cell="B1")
    table.clue(1)
    table.do("challenge", "blue-spymaster")
    table.do("uphold", "blue-spymaster")
    table.do("decline", "blue-spymaster")
    table.clue(1, "blue")
    table.hold("D5")
    table.clue(1)
    table.hold("E5")
    table.do("reveal")
    table.start(timer="clock", clock_end="end-turn", clue_seconds=5)
    table.advance(6.0)
    table.clue(1, "blue")
    table.hold("B3")
    table.hold("C3")
    table.do("abandon")
    table.start()
    table.clue("unlimited")
    for cell in CELLS[:9]:
        table.hold(cell)
    table.start(dealing="shared")
    for cell in CELLS:
        table.do("place", f"{table.view.turn.value}-operatives", cell=cell)
        if cell == "A1":
            table.do("correct")
            table.do("place", f"{table.view.turn.value}-operatives", cell=cell)
    table.do("abandon")
    options = {"dealing": "shared"}
    table.do("start", profile="codenames", options=options, cards="dealt")
    team = table.view.turn
    table.do("choose", f"{team.value}-operatives", word=table.view.hands.of(team)[5])
    table.hold("A1")
    table.do("abandon")
    table.do("correct")
    table.do("abandon")


GAMES = (1, 2, 3, 4, 5)
"""The evening's."""


def test_a_record_is_told_in_the_language_of_its_game(make_table: MakeTable) -> None:
    table = make_table()
    table.start(lang="it")
    table.clue(2, word="volo")
    table.hold("A1")
    table.do("abandon")
    assert lines(table)[:4] == [
        "Inizia una partita: Il gioco classico.",
        "Cominciano i Rossi.",
        "I Rossi danno l’indizio «volo», 2.",
        "I Rossi provano A1: rosso.",
    ]
    assert lines(table) == lines(table, lang="it")


def test_the_penalty_of_alias_24_is_told_as_the_other_teams_assets(make_table: MakeTable) -> None:
    # AL-14
    table = make_table()
    table.do("start", profile="alias-24")
    hunting = table.view.turn
    other = hunting.other
    table.clue(2, hunting.value)
    table.do("challenge", f"{other.value}-operatives")
    table.do("uphold", f"{other.value}-spymaster")
    cell = CELLS[table.key.index(hunting.letter)]
    table.do("cover", f"{other.value}-spymaster", cell=cell)
    table.do("abandon")
    names = {team: team.value.capitalize() for team in (hunting, other)}
    told = lines(table)
    assert f"{names[other]} may eliminate one of the assets of {names[hunting]}." in told
    assert f"{names[other]} eliminates {cell}." in told


def test_a_record_can_be_had_in_another_language(make_table: MakeTable) -> None:
    table = make_table()
    table.start(lang="it")
    table.do("abandon")
    assert lines(table, lang="en")[0] == "A game begins: The classic game."


@pytest.mark.parametrize("lang", ["fr", "", "IT", 1, ["it"], {}])
def test_a_language_that_there_is_not_is_refused(make_table: MakeTable, lang: object) -> None:
    table = make_table()
    table.start()
    table.do("abandon")
    verdict = table.ask("record", game=1, lang=lang)
    assert (verdict.ok, verdict.reason) == (False, "unusable")
    assert verdict.sentence is not None
    assert "There is no language" in verdict.sentence


def test_every_line_is_written_out_in_every_language(make_table: MakeTable) -> None:
    table = make_table()
    evening(table)
    for game in GAMES:
        english, italian = lines(table, game, lang="en"), lines(table, game, lang="it")
        assert len(english) == len(italian)
        assert not {*english} & {*italian}


@pytest.mark.usefixtures("marked")
def test_every_line_comes_through_the_catalogues(make_table: MakeTable) -> None:
    table = make_table()
    evening(table)
    for game in GAMES:
        for line in lines(table, game):
            assert line.startswith("«"), line
            assert unmarked(line) == "", line


def test_the_evening_has_every_event_that_a_word_game_can_have(make_table: MakeTable) -> None:
    table = make_table()
    evening(table)
    journal = Journal.open_to_read(table.path)
    entries = [entry for game in GAMES for entry in journal.read(game).entries]
    journal.close()
    assert {type(games.decode(entry.body)) for entry in entries} == {*get_args(events.AnyEvent)}
