"""Cells that operatives mark on their phones: who may, who sees it, and when the marks go."""

from collections.abc import Callable

import pytest
from phones_at_a_table import Phones
from virtual_table import VirtualTable

from pi_table.games.rules.refusal import Reason
from pi_table.protocols.ipc.messages import PublicMessage

MakeTable = Callable[..., VirtualTable]


def marks(table: VirtualTable) -> dict[str, str]:
    """Return the marks in the public message."""
    message = table.table.public_message()
    assert isinstance(message, PublicMessage)
    return {cell: team.value for cell, team in message.marks.items()}


def mark(table: VirtualTable, *cells: object, seat: str = "red-operatives") -> str | None:
    """Ask for marks; answer with why the last is refused."""
    return [table.ask("mark", seat, cell=cell).reason for cell in cells][-1]


def test_operatives_mark_a_cell_on_their_phone_and_take_the_mark_away_again(
    table: VirtualTable,
) -> None:
    phones = Phones(table)
    phone = phones.join("red-operatives")
    assert phone.message["may"] == ["mark"]
    assert phones.ask("red-operatives", "mark", cell="B3")["ok"]
    assert marks(table) == {"B3": "red"}
    assert phones.ask("red-operatives", "mark", cell="D1")["ok"]
    assert phones.ask("red-operatives", "mark", cell="B3")["ok"]
    assert marks(table) == {"D1": "red"}
    assert phones.ask("red-operatives", "guess", cell="D1")["reason"] == "not-on-a-phone"


def test_a_mark_is_published_lit_and_stored_nowhere(table: VirtualTable) -> None:
    stored, told, dark = table.stored(), len(table.public), table.light("B3")
    mark(table, "B3")
    table.advance(0.1)
    assert len(table.public) == told + 1
    assert table.light("B3") != dark == table.light("C3")
    assert not [each for each in table.public[-1][1].said if each not in table.public[-2][1].said]
    mark(table, "B3")
    table.advance(0.1)
    assert table.light("B3") == dark
    assert table.stored() == stored


def test_a_mark_is_refused_as_a_guess_would_be(make_table: MakeTable) -> None:
    table = make_table()
    assert mark(table, "B3") == "no-game"
    table.start()
    assert mark(table, "B3") == Reason.NO_CLUE_YET.value
    table.clue(3)
    assert mark(table, "B3", seat="blue-operatives") == Reason.NOT_YOUR_TURN.value
    assert mark(table, "B3", seat="red-spymaster") == Reason.WRONG_SEAT.value
    assert mark(table, None) == Reason.MISSING_FIELD.value
    assert mark(table, "F1") == mark(table, 7) == mark(table, "end-turn")
    assert mark(table, "end-turn") == Reason.UNKNOWN_CELL.value
    table.hold("A1")
    assert mark(table, "A1") == Reason.CELL_COVERED.value
    table.do("pause")
    assert mark(table, "B3") == Reason.PAUSED.value
    table.do("resume")
    table.do("abandon")
    assert mark(table, "B3") == Reason.GAME_OVER.value
    assert marks(table) == {}
    table.do("start", profile="alias-24")
    table.clue(3, table.view.turn.value)
    assert mark(table, "C3", seat=f"{table.view.turn.value}-operatives") == Reason.NO_CARD.value
    table.do("start", profile="codex", ending=True)
    assert mark(table, "B3", seat="agent-1") == Reason.UNKNOWN_ACT.value


def guessed_right(table: VirtualTable) -> None:
    table.hold("A1")


def guessed_wrong(table: VirtualTable) -> None:
    table.hold("E2")


def ended_the_turn(table: VirtualTable) -> None:
    table.do("stop", "red-operatives")


def next_turn_but_one(table: VirtualTable) -> None:
    ended_the_turn(table)
    table.clue(2, "blue")
    table.hold("E3")
    table.do("stop", "blue-operatives")
    table.clue(2)


def corrected(table: VirtualTable) -> None:
    table.do("correct")


def challenged(table: VirtualTable) -> None:
    table.do("correct")
    mark(table, "A1", "C5")
    table.do("challenge", "blue-operatives")
    table.do("allow", "blue-spymaster")


def new_game(table: VirtualTable) -> None:
    table.do("next", ending=True)
    table.clue(2)


@pytest.mark.parametrize(
    ("happens", "stays"),
    [
        (guessed_right, {"C5": "red"}),
        (guessed_wrong, {}),
        (ended_the_turn, {}),
        (next_turn_but_one, {}),
        (corrected, {}),
        (challenged, {}),
        (new_game, {}),
    ],
)
def test_marks_go_with_the_guess_the_turn_a_correction_and_the_game(
    table: VirtualTable, happens: Callable[[VirtualTable], None], stays: dict[str, str]
) -> None:
    table.hold("B1")
    mark(table, "A1", "C5")
    assert marks(table) == {"A1": "red", "C5": "red"}
    happens(table)
    assert marks(table) == stays
    assert table.public[-1][1].marks.keys() == stays.keys()  # type: ignore[union-attr]


def test_every_cell_that_is_open_can_be_marked(table: VirtualTable) -> None:
    table.hold("A1")
    cells = [name for name in table.view.cells if name != "A1"]
    mark(table, *cells)
    assert list(marks(table)) == cells


def test_marks_are_gone_after_the_table_was_switched_off(
    table: VirtualTable, make_table: MakeTable
) -> None:
    mark(table, "B3")
    table.switch_off()
    assert marks(make_table()) == {}
