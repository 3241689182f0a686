"""The record of a game as a story: each clue, what came of it under it, nothing that is hidden."""

from collections.abc import Callable

import pytest
from virtual_table import VirtualTable

from pi_table.protocols.ipc.records import Line

MakeTable = Callable[..., VirtualTable]


def story(table: VirtualTable, lang: str = "en") -> list[Line]:
    verdict = table.ask("record", game=1, lang=lang)
    assert verdict.ok, verdict.sentence
    return list(verdict.told.lines)


def played(table: VirtualTable) -> VirtualTable:
    table.start()
    words = {name: cell.word for name, cell in table.view.cells.items()}
    table.clue(2, word="flight")
    table.hold("A1")
    table.hold("C4")
    table.clue(1, "blue", word="sea")
    table.hold("E5")
    table.words = words  # type: ignore[attr-defined]
    return table


@pytest.mark.parametrize(
    ("lang", "guess"), [("en", "Red guesses {word} (A1): red."), ("it", "{word} (A1)")]
)
def test_each_clue_has_its_guesses_under_it_with_their_words(
    make_table: MakeTable, lang: str, guess: str
) -> None:
    table = played(make_table(cards="dealt"))
    lines = story(table, lang)
    shape = ["under" if line.under else "clue" if {*line.text} & {*"“«"} else "-" for line in lines]
    tail = shape[shape.index("clue") :]
    assert tail[:6] == ["clue", "under", "under", "under", "clue", "under"]
    assert set(tail[6:]) == {"-"}
    first = lines[shape.index("clue") + 1]
    word = table.words["A1"]  # type: ignore[attr-defined]
    assert guess.format(word=word) in first.text


def test_where_words_are_not_known_the_story_tells_cells(make_table: MakeTable) -> None:
    lines = story(played(make_table()))
    assert "Red guesses A1: red." in [line.text for line in lines if line.under]


def test_what_happens_before_a_clue_and_after_the_end_is_under_none(make_table: MakeTable) -> None:
    table = make_table()
    table.start(timer="clock", clock_end="end-turn", clue_seconds=5)
    table.advance(6.0)
    table.clue(1, "blue")
    table.do("pause")
    table.do("abandon")
    lines = story(table)
    under = [line.text for line in lines if line.under]
    assert under == ["A pause."]


def test_there_is_no_story_of_a_game_in_play(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.clue(1)
    table.hold("A1")
    verdict = table.ask("record", game=1)
    assert (verdict.ok, verdict.told) == (False, None)
    assert "still being played" in str(verdict.sentence)


def test_a_story_tells_the_key_only_when_nothing_can_be_corrected_any_more(
    make_table: MakeTable,
) -> None:
    table = played(make_table())
    assert not any("The key" in line.text for line in story(table))
    table.do("next")
    assert any(line.text.startswith("The key: ") for line in story(table))
