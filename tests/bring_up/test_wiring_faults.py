"""Rare faults, and faults that only eyes can see, are named too."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from maker import MakerPuppet, while_it_is_looked_at
from puppet import VirtualLine
from said import BROKEN, OK, assert_says
from test_walk import CONFIG, faults, walked

from pi_table.common import config
from pi_table.devices.hal.own_controller import PORT
from pi_table.devices.wire.messages import Hello, RestartCause
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.controller_steps import firmware
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.light_steps import broken_chain
from pi_table.maintenance.bring_up.wiring import (
    CARRIER,
    ELECTRODES,
    NANO,
    Wires,
    channel_of,
    wires_of,
)
from pi_table.maintenance.bring_up.wiring_faults import (
    Fault,
    _swapped_leads,
    chips_lost,
    of_chips,
)
from pi_table.simulator.emulated import EmulatedTable

NEVER, SILENT, BROWN_OUT, OVER = (
    RestartCause.NEVER,
    RestartCause.SILENT,
    RestartCause.BROWN_OUT,
    RestartCause.OVER_CURRENT,
)


@pytest.mark.parametrize(
    ("chips", "restarts", "named"),
    [
        ({0, 1, 2}, (NEVER, SILENT, OVER), []),
        ({0, 2}, (NEVER, SILENT, NEVER), [(Fault.CHIP_SILENT, "0x5B does not answer")]),
        ({1, 2}, (OVER, NEVER, NEVER), [(Fault.OVER_CURRENT, "0x5A finds too much current")]),
        (
            {1},
            (SILENT, NEVER, OVER),
            [(Fault.CHIP_SILENT, "0x5A"), (Fault.OVER_CURRENT, "0x5C")],
        ),
        ({0}, (NEVER, SILENT, SILENT), [(Fault.SAME_ADDRESS, "0x5A answers alone")]),
        (set(), (SILENT, SILENT, SILENT), [(Fault.NO_CHIP, "No touch chip answers")]),
    ],
)
def test_chips_that_are_missing_are_named_by_why(
    conversation: Conversation,
    chips: set[int],
    restarts: tuple[RestartCause, ...],
    named: list[tuple[Fault, str]],
) -> None:
    changed: dict[str, Any] = {"chips": frozenset(chips), "restarts": restarts}
    found = [*of_chips(msgspec.structs.replace(conversation.state(), **changed))]
    assert [each.figures["fault"] for each in found] == [fault.value for fault, _ in named]
    for each, (_, words) in zip(found, named, strict=True):
        assert_says(each, BROKEN, words)


@pytest.mark.parametrize(
    ("port", "build", "named"),
    [
        (PORT, "boards", ("pin 3 to J4.2", "a breakout from before 2021", "J1.4")),
        (PORT, "evening", ("pin 3 to SDA", "to VDD, the 3.3 V of the chip, of the other to SDA")),
        ("/dev/ttyUSB0", "boards", ("5 V and ground", "A4 to SDA", "to SDA through 4.7 kΩ")),
    ],
)
def test_a_wire_is_named_by_how_the_chips_are_wired(
    conversation: Conversation, port: str, build: str, named: tuple[str, ...]
) -> None:
    wires = wires_of(config.load(changes={"controller": {"port": port}, "table": {"build": build}}))
    state = conversation.state()
    told = ""
    for chips in (frozenset[int](), frozenset({0})):
        changed = msgspec.structs.replace(state, chips=chips, restarts=(SILENT,) * 3)
        told += " ".join(each.do for each in of_chips(changed, wires)) + "\n"
    told += channel_of(3, wires)
    for words in named:
        assert words in told
    assert ("carrier" in told) is (wires == CARRIER)
    assert wires.has_tiles is (build == "boards")


@pytest.mark.parametrize(
    ("wires", "end"), [(CARRIER, "SDA: exchange"), (NANO, "SDA through 4.7 kΩ: exchange")]
)
def test_chips_that_are_mixed_up_get_no_more_volts_at_addr_than_they_bear(
    wires: Wires, end: str
) -> None:
    """SDA has 5 V beside a Nano."""
    at = {(electrode.chip, electrode.channel): pad for pad, electrode in enumerate(ELECTRODES)}
    went = {at[chip, channel]: at[3 - chip, channel] for chip in (1, 2) for channel in range(7)}
    (found,) = _swapped_leads(went, wires)
    assert found.figures["fault"] == Fault.CHIPS_SWAPPED.value
    assert end in found.do


def test_a_chip_that_loses_its_power_while_the_table_is_white_is_named(
    conversation: Conversation, host_table: EmulatedTable
) -> None:
    conversation.pause(0.5)
    before = conversation.state()
    assert [*chips_lost(before, conversation.state())] == []
    host_table.tell("chip 1 brown-out")
    conversation.pause(1.0)
    (found,) = chips_lost(before, conversation.state())
    assert found.figures["fault"] == Fault.CHIP_POWER.value
    assert "0x5B had to be restarted" in found.says


def test_a_chip_that_had_lost_its_power_before_is_not_named_for_another(
    conversation: Conversation, host_table: EmulatedTable
) -> None:
    host_table.tell("chip 1 brown-out")
    conversation.pause(1.0)
    before = conversation.state()
    host_table.tell("chip 2 brown-out")
    conversation.pause(1.0)
    (found,) = chips_lost(before, conversation.state())
    assert "0x5C had to be restarted" in found.says


def test_a_chip_that_is_back_is_named_and_not_one_that_stays_away(
    conversation: Conversation,
) -> None:
    state = conversation.state()
    before = msgspec.structs.replace(
        state, chips=frozenset({0}), restarts=(SILENT, BROWN_OUT, NEVER), restarted=1
    )
    after = msgspec.structs.replace(
        before, chips=frozenset({0, 1}), restarts=(SILENT, BROWN_OUT, OVER), restarted=2
    )
    (found,) = chips_lost(before, after)
    assert "0x5B had to be restarted" in found.says


def test_a_chip_that_can_charge_nothing_is_named_and_not_each_of_its_pads(
    host_table: EmulatedTable,
) -> None:
    pads = ["A5", "B5", "C5", "D5", "E5", "end-turn", "hourglass", "near"]
    for pad in pads:
        host_table.tell(f"ground {pad}")
    _, found, _ = walked(host_table, "electrodes")
    assert faults(found) == [Fault.CHIP_OUT.value]
    assert found[0][1].figures["pads"] == pads
    assert "0x5C could charge none of its 8 electrodes" in found[0][1].says


@pytest.mark.parametrize(
    ("question", "fault", "words"),
    [
        ("Does the whole table turn", Fault.COLOURS, "another order than red, green, blue"),
        ("Does light run", Fault.CHAIN, "chained in another order"),
        ("Does only the far left", Fault.CORNERS, "another corner glows"),
    ],
)
def test_what_eyes_miss_on_the_lights_is_named(
    host_table: EmulatedTable, question: str, fault: Fault, words: str
) -> None:
    status, found, _ = walked(host_table, "lights", answers={question: "n"})
    assert (status, faults(found)) == (1, [fault.value])
    assert words in found[-1][1].says


class Says(MakerPuppet):
    """Answers with words and letters of their own."""

    def __init__(self, table: EmulatedTable, *words: str, letter: str = "4") -> None:
        super().__init__(table)
        self._words = [*words]
        self._letter = letter

    def read(self, question: str) -> str:
        return self._words.pop(0)

    def choose(self, question: str, answers: str, unasked: str) -> str:
        return self._letter


def chain_of(table: EmulatedTable, *words: str, letter: str = "4", port: str = "") -> Finding:
    used = config.load(changes={"controller": {"port": port}} if port else {})
    bench = Bench(used, Says(table, *words, letter=letter), meanwhile=while_it_is_looked_at)
    return broken_chain(bench, lambda frame, seconds: None)


@pytest.mark.parametrize(("port", "where"), [(PORT, "J4.6 (pin 19"), ("/dev/ttyUSB0", "D6 of the")])
def test_a_chain_that_is_dark_is_looked_for_at_its_controller(
    host_table: EmulatedTable, port: str, where: str
) -> None:
    assert where in chain_of(host_table, "none", port=port).do


@pytest.mark.parametrize(
    ("words", "letter", "says", "light"),
    [
        (("none",), "4", "Not one light glows", None),
        (("F9", "what?", "c3"), "4", "between the tiles of C3 and D3", 52),
        (("A1",), "1", "within the tile of A1, behind its far left light", 1),
        (("end-turn",), "2", "between the tiles of end-turn and hourglass", 102),
        (("hourglass",), "2", "reaches its last light, yet some within it are dark", 104),
    ],
)
def test_where_the_chain_ends_is_told_by_the_last_place_that_glows(
    host_table: EmulatedTable, words: tuple[str, ...], letter: str, says: str, light: int | None
) -> None:
    found = chain_of(host_table, *words, letter=letter)
    assert says in found.says
    assert found.figures.get("light") == light
    assert found.do.endswith(".")


class OfAnotherTable(Conversation):
    """A controller that drives other lights than a table has."""

    @property
    def hello(self) -> Hello:
        return msgspec.structs.replace(super().hello, lights=60)


def test_a_firmware_for_other_lights_is_told(host_table: EmulatedTable) -> None:
    @contextmanager
    def connect() -> Iterator[Conversation]:
        yield OfAnotherTable(VirtualLine(host_table), "the port")

    found = [*firmware(Bench(CONFIG, Says(host_table), connect))]
    assert [each.verdict for each in found] == [OK, OK, BROKEN]
    assert found[-1].says == "The firmware drives 60 lights; this table has 104."
