"""The LED on the case says how the table is, and its button switches the machine off."""

from collections.abc import Callable
from pathlib import Path

import pytest
from virtual_table import VirtualTable

from pi_table.common.errors import TableError
from pi_table.common.geometry import PLACES
from pi_table.devices.hal.contracts import Lamp
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.lab.running_table import RunningTable, Wire
from pi_table.table.engine.outputs import Verdict
from pi_table.table.engine.presentation.case_panel import CasePanel
from pi_table.table.engine.storage import pin as pins
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import AtOnce

MakeTable = Callable[..., VirtualTable]
Start = Callable[..., RunningTable]
Answers = list[Callable[[Verdict], None]]
FINE = Verdict(ok=True)
REFUSED = Verdict(ok=False, sentence="The machine could not be switched off, for a reason.")


class Case:
    """A panel, and what it has asked for."""

    def __init__(self) -> None:
        self.device = SimulatedTable()
        self.asked: Answers = []
        self.said: list[str] = []
        self.panel = CasePanel(self.device, self.asked.append, self.said.append)

    @property
    def lamp(self) -> Lamp | None:
        return self.device.lamp


@pytest.fixture
def case() -> Case:
    return Case()


def test_the_led_says_how_the_table_is(case: Case) -> None:
    assert case.lamp is Lamp.SLOW
    case.panel.show(False, False)
    assert case.lamp is Lamp.SLOW  # it does not answer yet
    case.panel.ready()
    assert case.lamp is Lamp.STEADY
    for out_of_order, ails, lamp in (
        (False, True, Lamp.SLOW),
        (True, True, Lamp.FAST),
        (False, False, Lamp.STEADY),
    ):
        case.panel.show(out_of_order, ails)
        assert case.lamp is lamp


def test_a_table_that_cannot_begin_is_told_before_it_answers(case: Case) -> None:
    case.panel.show(True, True)
    assert case.lamp is Lamp.FAST


def test_a_button_that_is_held_before_the_table_answers_does_nothing(case: Case) -> None:
    case.device.hold_button()
    assert case.asked == []


def test_the_machine_is_switched_off_once_however_often_the_button_is_held(case: Case) -> None:
    case.panel.ready()
    case.device.hold_button()
    case.device.hold_button()
    (answer,) = case.asked
    assert case.lamp is Lamp.SLOW  # whoever holds it sees that it was felt
    answer(FINE)
    case.panel.show(True, True)
    assert case.lamp is Lamp.SLOW
    assert case.said == []


def test_a_machine_that_does_not_go_off_can_be_asked_again(case: Case) -> None:
    case.panel.ready()
    case.device.hold_button()
    case.asked.pop()(FINE)
    case.device.hold_button()
    assert len(case.asked) == 1


def test_a_machine_that_cannot_be_switched_off_says_so_until_it_can(case: Case) -> None:
    case.panel.ready()
    case.device.hold_button()
    case.asked.pop()(REFUSED)
    assert case.said == [REFUSED.sentence]
    case.panel.show(False, False)
    assert case.lamp is Lamp.FAST
    case.device.hold_button()
    assert case.lamp is Lamp.SLOW
    case.asked.pop()(FINE)
    assert case.lamp is Lamp.SLOW


# --- The table behind it


class Switch:
    """A switch that switches the machine off, or does not."""

    def __init__(self, fails: bool = False) -> None:
        self.times = 0
        self._fails = fails

    def __call__(self) -> None:
        self.times += 1
        if self._fails:
            raise TableError("The fuse is gone.")

    def workers(self, storage: Storage) -> AtOnce:
        storage.switch_off = self
        return AtOnce(storage)


def held(table: VirtualTable) -> list[Verdict]:
    answers: list[Verdict] = []
    table.table.switch_off(answers.append)
    return answers


def test_the_button_needs_no_pin_and_leaves_the_game_as_it_is(
    make_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pins, "COST", 2)
    switch = Switch()
    table = make_table(make_workers=switch.workers)
    table.start()
    table.do("set-pin", pin="4711")
    table.do("lock")
    assert table.ask("shutdown").reason == "locked"
    before = table.table.game
    assert [verdict.ok for verdict in held(table)] == [True]
    assert switch.times == 1
    assert table.table.game is before


def test_a_switch_that_fails_is_answered_with_its_sentence(make_table: MakeTable) -> None:
    table = make_table(make_workers=Switch(fails=True).workers)
    assert [(verdict.ok, verdict.sentence) for verdict in held(table)] == [
        (False, "The fuse is gone.")
    ]


def test_without_a_command_the_button_says_what_is_missing(table: VirtualTable) -> None:
    (verdict,) = held(table)
    assert "[table] switch_off" in str(verdict.sentence)


def test_what_the_led_goes_by_is_what_staff_and_public_are_told(make_table: MakeTable) -> None:
    table = make_table()

    def stands() -> tuple[bool, bool]:
        told = bool(table.message.faults), bool(table.public[-1][1].out_of_order)
        assert (table.table.ails, table.table.out_of_order) == told
        return told

    table.start()
    assert stands() == (False, False)
    table.table.on_sound_fault("It is hoarse.")
    assert stands() == (True, False)
    table.table.on_sound_fault(None)
    table.device.fail(0)
    assert stands() == (True, False)
    table.device.fail(*range(len(PLACES)))
    assert stands() == (True, True)
    table.device.mend()
    assert stands() == (False, False)


def panel_of(command: str) -> str:
    return f'[panel]\ndriver = "simulated"\n[table]\nswitch_off = "{command}"\n'


def lamp_until(world: Wire, lamp: str) -> None:
    while True:
        if world.read()["lamp"] == lamp:
            return


@pytest.mark.paced
def test_a_running_table_shines_and_is_switched_off(start: Start, tmp_path: Path) -> None:
    mark = tmp_path / "off"
    table = start(settings=panel_of(f"touch {mark}"))
    table.wait()
    world = table.world()
    console = table.console()
    lamp_until(world, "steady")
    console.close()
    lamp_until(world, "slow")  # without a hidden screen nobody sees a key
    console = table.console()
    lamp_until(world, "steady")
    world.send({"ail": "The touch chip at 0x5B does not answer."})
    lamp_until(world, "slow")
    world.send({"mend": True})
    lamp_until(world, "steady")
    assert not mark.exists()
    world.send({"hold": "switch-off"})
    lamp_until(world, "slow")
    console.ask("tally")  # waits its turn behind the command
    console.close()
    assert mark.exists()
    assert table.stop() == 0
    lamp_until(world, "dark")
    world.close()
    assert "WARNING The touch chip" in table.log.read_text()
    assert "ERROR" not in table.log.read_text()


@pytest.mark.paced
def test_a_running_table_without_a_hidden_screen_shines(start: Start) -> None:
    table = start(settings=panel_of("true") + '[console]\nscreen = "none"\n')
    table.wait()
    world = table.world()
    lamp_until(world, "steady")
    world.close()
    assert table.stop() == 0


@pytest.mark.paced
def test_a_running_table_that_cannot_be_switched_off_says_so(start: Start) -> None:
    table = start(settings=panel_of("no-such-switch"))
    table.wait()
    world = table.world()
    world.send({"hold": "switch-off"})
    lamp_until(world, "fast")
    world.close()
    assert table.stop() == 0
    assert "ERROR The machine could not be switched off: 'no-such-switch'" in table.log.read_text()
