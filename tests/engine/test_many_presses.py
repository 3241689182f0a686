"""Twenty presses in a tenth of a second on the hidden screen: nothing is lost, and nothing is done
twice, whether the table answers at once or when all is over."""

from collections.abc import Callable

import msgspec
import pytest
from virtual_table import VirtualTable

from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import Answer, Request
from pi_table.screens.console.console import Console
from pi_table.screens.console.console_events import Typed
from pi_table.table.engine.outputs import Verdict

MakeTable = Callable[..., VirtualTable]
PRESSES = 20
A_TENTH = 0.1


class Hammered:
    """A hidden screen at a table that answers at once, or ``late``: when it is told to."""

    def __init__(self, table: VirtualTable, late: bool) -> None:
        self.table = table
        self.asked: list[str] = []
        self.refused: list[str | None] = []
        self._late = late
        self._waiting: list[Request] = []
        self.console = Console(self._send)
        self.console.happen(table.message, table.now)

    def hammer(self, given: Input | Typed) -> None:
        for _ in range(PRESSES):
            self.console.happen(given, self.table.now)
            self.table.advance(A_TENTH / PRESSES)
        self._answer()

    def _send(self, request: Request) -> None:
        self.asked.append(request.do["act"])
        self._waiting.append(request)
        if not self._late:
            self._answer()

    def _answer(self) -> None:
        while self._waiting:
            request = self._waiting.pop(0)

            def answered(verdict: Verdict, to: int = request.id) -> None:
                if not verdict.ok:
                    self.refused.append(verdict.sentence)
                told = msgspec.to_builtins(verdict.told)
                answer = Answer(to, verdict.ok, verdict.reason, verdict.sentence, told)
                self.console.happen(answer, self.table.now)

            self.table.table.ask(request.do, answered)
            self.console.happen(self.table.message, self.table.now)


def nothing(table: VirtualTable) -> None:
    """Switched on."""


def clue(table: VirtualTable) -> None:
    table.start()


def guess(table: VirtualTable) -> None:
    table.start()
    table.clue(2)


def over(table: VirtualTable) -> None:
    guess(table)
    table.do("abandon")


MOMENTS = [nothing, clue, guess, over]
GIVEN = [Input.PRESS, Input.BACK, Input.PEEK, Input.RIGHT, Typed("\n"), Typed("p"), Typed("x")]


@pytest.mark.parametrize("late", [False, True], ids=["at once", "late"])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_twenty_presses_lose_nothing_and_do_nothing_twice(
    make_table: MakeTable, moment: Callable[[VirtualTable], None], given: Input, late: bool
) -> None:
    table = make_table()
    moment(table)
    before = 0 if table.table.game is None else table.game.number
    screen = Hammered(table, late)
    screen.hammer(given)
    assert screen.refused == []
    acts = [act for act in screen.asked if act not in ("peek", "unpeek")]
    assert len(acts) == len({*acts})
    assert "abandon" not in acts
    if table.table.game is not None:
        assert table.game.number <= before + 1
        assert screen.console.model.table == table.message
    table.advance(1.0)
    if table.table.game is None:
        table.start()
    elif table.view.outcome is not None:
        table.do("next")
    if table.view.clue is None:
        table.clue(1, table.view.turn.value)
    table.advance(1.0)
    table.hold("A1")
    assert "A1" in table.covered, "people can play on"
