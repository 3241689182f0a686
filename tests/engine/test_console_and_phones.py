"""The hidden screen at a real table: a phone comes by the code that it shows, and is let go of."""

from collections.abc import Callable

import pytest
from phone import Phone
from phones_at_a_table import Phones
from virtual_table import ADDRESS, VirtualTable

from pi_table.common.language import translate
from pi_table.devices.hal.contracts import Input
from pi_table.protocols.ipc.messages import Answer, Request, line, read_to_console
from pi_table.screens.console.console import Console
from pi_table.screens.console.phones import Phones as PhonesScreen
from pi_table.screens.console.phones import SeatCode
from pi_table.table.engine.outputs import Verdict


class HiddenScreen:
    """A console at a table in virtual time."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self.console = Console(self._ask)
        self.hear()

    def _ask(self, request: Request) -> None:
        def answer(verdict: Verdict) -> None:
            v = verdict
            self._receive(line(Answer(request.id, v.ok, v.reason, v.sentence, v.told)))

        self._table.table.ask(request.do, answer)
        self.hear()

    def hear(self) -> None:
        """The table tells how it stands."""
        self._receive(line(self._table.table.console_message()))

    def _receive(self, text: bytes) -> None:
        self.console.happen(read_to_console(text), self._table.now)

    def choose(self, *labels: str) -> None:
        for label in labels:
            choices = [translate(choice.label, "en") for choice in self.console.model.choices]
            assert label in choices
            while choices[self.console.model.selected] != label:
                self.console.happen(Input.RIGHT, self._table.now)
            self.console.happen(Input.PRESS, self._table.now)

    @property
    def states(self) -> list[str]:
        """Return the state of each seat's phone."""
        return [translate(choice.value, "en") for choice in self.console.model.choices[:-1]]


@pytest.fixture
def table(make_table: Callable[..., VirtualTable]) -> VirtualTable:
    table = make_table(cards="dealt")
    table.start()
    return table


def test_a_phone_comes_by_the_code_of_its_seat_and_is_let_go_of(table: VirtualTable) -> None:
    phones = Phones(table)
    at = HiddenScreen(table)
    at.choose("More…", "Phones…", "Red: spymaster")
    code = at.console.model.screen
    assert isinstance(code, SeatCode)
    assert code.told is not None
    message = at.console.model.table
    assert message is not None
    assert code.text(message) == ADDRESS + code.told.link
    phones.phones["red-spymaster"] = Phone(code.told.link)
    phones.beats(3)
    at.hear()
    assert isinstance(at.console.model.screen, PhonesScreen)
    assert at.states == ["here", *["no phone"] * 3]
    at.choose("Red: spymaster", "Disconnect this phone", "Yes, disconnect it")
    assert at.states == ["no phone"] * 4
