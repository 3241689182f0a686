"""`doctor --bring-up` on tables that are built well, and on tables with each fault that it names:
the real firmware, in virtual time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from maker import MakerPuppet, SlowMaker, while_it_is_looked_at
from planted import parameters
from puppet import Finger, VirtualLine
from said import BROKEN, LOOK, NOT_HERE, OK

from pi_table.common import config
from pi_table.common.errors import DeviceError
from pi_table.devices.wire.settings import PADS
from pi_table.maintenance.bring_up import light_steps
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.steps import STEPS, Step
from pi_table.maintenance.bring_up.walk import LEFT_STATUS, _how_to_switch_off, walk
from pi_table.maintenance.bring_up.wiring_faults import Fault
from pi_table.simulator.emulated import EmulatedTable

BY_ID = {step.id: step for step in STEPS}
AT_THE_CONTROLLER = ("controller", "chips", "lights", "power", "electrodes", "calibration")
CONFIG = config.load(
    changes={"touch": {"driver": "controller"}, "lights": {"driver": "controller"}}
)

Found = list[tuple[str, Finding]]


def bench_of(table: EmulatedTable, maker: MakerPuppet) -> Bench:
    @contextmanager
    def connect() -> Iterator[Conversation]:
        yield Conversation(VirtualLine(table), "the port")

    meanwhile = maker.meanwhile if isinstance(maker, SlowMaker) else while_it_is_looked_at
    return Bench(CONFIG, maker, connect, meanwhile=meanwhile)


@pytest.fixture(autouse=True)
def port_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables here are spoken with at no port."""
    monkeypatch.setattr("pi_table.maintenance.bring_up.controller_steps.port", lambda bench: ())


SKIPPING = {"Try it [a]gain, [s]kip it, or [e]nd": "s" * 99}


def walked(
    table: EmulatedTable,
    *steps: str,
    answers: Mapping[str, str] | None = None,
    fingers: Mapping[str, Sequence[Finger]] | None = None,
) -> tuple[int, Found, MakerPuppet]:
    """The exit status, what was found by its step, and who was led."""
    found: Found = []
    maker = MakerPuppet(table, fingers=fingers, answers=answers)
    status = walk(
        bench_of(table, maker),
        [BY_ID[step] for step in steps],
        lambda step, finding: found.append((step.id, finding)),
    )
    return status, found, maker


def faults(found: Found) -> list[str]:
    return [str(each.figures["fault"]) for _, each in found if "fault" in each.figures]


# The emulated chip takes ten seconds; `make test` has it calibrated in test_calibration.py, and the
# other steps below.
@pytest.mark.parametrize(
    "table", ["host", pytest.param("emulated", marks=pytest.mark.mutation)], indirect=True
)
def test_a_table_that_is_built_well_goes_through_every_step(table: EmulatedTable) -> None:
    status, found, maker = walked(table, *AT_THE_CONTROLLER)
    assert (status, faults(found)) == (0, [])
    assert {step for step, _ in found} == {*AT_THE_CONTROLLER}
    assert not [each for _, each in found if each.verdict is BROKEN]
    by_what = {each.what: each for _, each in found}
    white = by_what["supply"].figures
    assert white["capped"] is True
    assert white["current_ma"] <= white["most_ma"] == 2000  # type: ignore[operator]
    assert by_what["lights"].says == "Every light glows."
    assert by_what["calibration"].says == f"All {len(PADS)} pads feel a finger well."
    assert [text for text in maker.said if text.startswith("\nThat was the last step")]


WIRES: list[tuple[str, str, Fault, list[str], str]] = [
    # step, what is wrong, the fault, its pads, words that must be in it
    ("chips", "chip 0 nack -;chip 1 nack -;chip 2 nack -", Fault.NO_CHIP, [], "A4 to SDA"),
    ("chips", "chip 1 nack -;chip 2 nack -", Fault.SAME_ADDRESS, [], "SDA through 4.7 kΩ"),
    ("chips", "chip 2 nack -", Fault.CHIP_SILENT, [], "0x5C does not answer"),
    ("electrodes", "ground D4", Fault.OUT_OF_RANGE, ["D4"], "channel 8 of 0x5B"),
    ("electrodes", "ground near", Fault.OUT_OF_RANGE, ["near"], "channel 7 of 0x5C"),
    ("electrodes", "ground B3;ground B4", Fault.TOGETHER_OUT, ["B3", "B4"], "touch each other"),
    ("electrodes", "short B3 C3", Fault.TOGETHER_OUT, ["B3", "C3"], "both touch ground"),
    ("electrodes", "short E2 far", Fault.TOGETHER_OUT, ["E2", "far"], "channel 10 of 0x5A"),
    ("calibration", "open E5", Fault.OPEN, ["E5"], "channel 4 of 0x5C"),
    ("calibration", "couple B3 C3", Fault.JOINED, ["B3", "C3"], "channel 1 of 0x5B"),
    ("calibration", "couple E2 far", Fault.JOINED, ["E2", "far"], "channel 10 of 0x5A"),
    ("calibration", "swap B3 D4", Fault.SWAPPED, ["B3", "D4"], "D4 to channel 8 of 0x5B"),
    ("power", "supply 1500", Fault.SUPPLY, [], "too weak for 2000 mA"),
    ("lights", "strip 40", Fault.CHAIN, [], "between the tiles of A2 and A3"),
    ("lights", "strip 42", Fault.CHAIN, [], "within the tile of A3, behind its far right light"),
    ("lights", "strip 20", Fault.CHAIN, [], "between the tiles of E1 and E2"),
    ("lights", "strip 101", Fault.CHAIN, [], "within the tile of end-turn, behind its left light"),
]


@pytest.mark.parametrize(
    ("step", "lines", "fault", "pads", "words"), WIRES, ids=[f"{row[0]}: {row[1]}" for row in WIRES]
)
def test_a_fault_is_named(
    host_table: EmulatedTable, step: str, lines: str, fault: Fault, pads: list[str], words: str
) -> None:
    named(host_table, step, lines, fault, pads, words)


def test_the_chain_glows_for_as_long_as_the_maker_looks_for_its_end(
    host_table: EmulatedTable,
) -> None:
    host_table.tell("strip 42")
    (found,) = light_steps.chain(bench_of(host_table, SlowMaker(host_table)))
    assert "within the tile of A3, behind its far right light" in found.says


OF_CHIPS = ("ground D4", "short B3 C3", "couple B3 C3", "swap B3 D4", "supply 1500", "strip 42")
ON_THE_CHIP = {row[1]: row for row in WIRES if row[1] in OF_CHIPS}
ON_THE_CHIP_QUICKLY = ("ground D4", "strip 42")
"""One of pads and one of lights."""


@pytest.mark.parametrize("row", parameters(ON_THE_CHIP, ON_THE_CHIP_QUICKLY))
def test_a_fault_is_named_on_the_chip(row: tuple[str, str, Fault, list[str], str]) -> None:
    with EmulatedTable("emulated") as table:
        table.tell("noise 0.3")
        named(table, *row)


def named(
    table: EmulatedTable, step: str, lines: str, fault: Fault, pads: list[str], words: str
) -> None:
    for line in lines.split(";"):
        table.tell(line)
    status, found, _ = walked(table, step, answers=SKIPPING)
    assert (status, faults(found)) == (1, [fault.value])
    ((_, told),) = [each for each in found if "fault" in each[1].figures]
    assert told.figures.get("pads", []) == pads
    assert words in f"{told.says} {told.do}"
    assert told.says.endswith(".")
    assert told.do.endswith(".")


def test_chips_with_each_others_addresses_are_named_as_that_and_nothing_else(
    host_table: EmulatedTable,
) -> None:
    host_table.tell("swap-chips 0 1")
    _, found, _ = walked(host_table, "calibration", answers=SKIPPING)
    assert faults(found) == [Fault.CHIPS_SWAPPED.value]
    told = found[-1][1]
    assert "ADDR of the chip with A1, B1 … belongs to GND" in told.do
    assert "A3, B3 … to VDD" in told.do


@pytest.mark.parametrize(
    ("millimetres", "verdict"),
    [("3", None), ("4", None), ("5", LOOK), ("9", BROKEN)],
)
def test_an_overlay_that_is_too_thick_is_told_with_its_thickness(
    host_table: EmulatedTable, millimetres: str, verdict: Verdict | None
) -> None:
    host_table.tell(f"overlay {millimetres}")
    _, found, _ = walked(host_table, "calibration", answers=SKIPPING)
    if verdict is None:
        assert faults(found) == []
        return
    assert faults(found) == [Fault.OVERLAY.value]
    told = found[0][1]
    assert told.verdict is verdict
    assert abs(float(str(told.figures["millimetres"])) - float(millimetres)) < 0.7
    assert "counts" in told.says


def test_a_single_weak_pad_is_not_the_overlays_doing(host_table: EmulatedTable) -> None:
    fingers = {"B3": [{"B3": 6}]}
    _, found, _ = walked(host_table, "calibration", answers=SKIPPING, fingers=fingers)
    assert faults(found) == [Fault.GAP.value]
    assert found[0][1].figures["pads"] == ["B3"]


def test_a_hand_that_lay_on_two_pads_once_is_no_short(host_table: EmulatedTable) -> None:
    fingers = {"B3": [{"B3": 16, "C3": 15}]}
    status, found, maker = walked(host_table, "calibration", answers=SKIPPING, fingers=fingers)
    assert (status, faults(found)) == (1, [])
    assert found[0][1].says.startswith("The calibration is not complete")
    assert [text for text in maker.said if "C3 reacts alike (16 and 15 counts)" in text]


def test_pads_that_are_out_of_range_are_told_pair_by_pair(host_table: EmulatedTable) -> None:
    for line in ("short A1 B1", "short D5 E5", "ground C3"):
        host_table.tell(line)
    _, found, _ = walked(host_table, "electrodes")
    assert [each.figures["pads"] for _, each in found] == [["A1", "B1"], ["D5", "E5"], ["C3"]]


def test_noise_from_outside_is_told_at_the_step_of_the_electrodes(
    host_table: EmulatedTable,
) -> None:
    host_table.tell("shape 0 C4 20:40")
    host_table.tell("common 100 125030")
    _, found, _ = walked(host_table, "electrodes")
    assert [each.figures["noisy"] for _, each in found] == [["C4"]]
    assert "Noise from outside" in found[0][1].says


def test_what_was_mended_passes_when_it_is_tried_again(host_table: EmulatedTable) -> None:
    host_table.tell("ground B3")
    maker = MakerPuppet(host_table)
    mending = maker.choose

    def choose(question: str, answers: str, unasked: str) -> str:
        if question.startswith("Try it"):
            host_table.tell("mend")
            return "a"
        return mending(question, answers, unasked)

    maker.choose = choose  # type: ignore[method-assign]
    found: Found = []
    tell: Callable[[Step, Finding], Any] = lambda step, finding: found.append((step.id, finding))  # noqa: E731
    assert walk(bench_of(host_table, maker), [BY_ID["electrodes"]], tell) == 0
    assert faults(found) == [Fault.OUT_OF_RANGE.value]
    assert found[-1][1].verdict is OK


def test_a_walk_that_is_left_says_how_to_go_on(host_table: EmulatedTable) -> None:
    leaving = {"Press Enter": "gl"}
    status, found, maker = walked(host_table, *AT_THE_CONTROLLER, answers=leaving)
    assert status == LEFT_STATUS
    assert {step for step, _ in found} == {"controller"}
    assert maker.said[-1] == "Go on with: pi-table doctor --bring-up --from chips"


def test_a_step_that_is_skipped_is_not_looked_at(host_table: EmulatedTable) -> None:
    status, found, _ = walked(host_table, "controller", "chips", answers={"Press Enter": "sg"})
    assert status == 0
    assert {step for step, _ in found} == {"chips"}


def test_a_step_that_failed_and_was_skipped_is_not_forgotten(host_table: EmulatedTable) -> None:
    host_table.tell("chip 2 nack -")
    skipping = {"Try it [a]gain, [s]kip it, or [l]eave": "as"}
    status, found, maker = walked(host_table, "chips", "controller", answers=skipping)
    assert status == 1
    assert faults(found) == [Fault.CHIP_SILENT.value] * 2
    assert found[-1][0] == "controller"
    assert maker.said[-1] == "\nThat is all."


def test_what_a_table_has_not_is_told_and_not_asked_after() -> None:
    maker = MakerPuppet.__new__(MakerPuppet)  # nobody has to do anything
    maker.said, maker.asked = [], []
    found: Found = []
    steps = [BY_ID[name] for name in ("controller", "chips", "sound", "knobs", "electrodes")]
    tell: Callable[[Step, Finding], Any] = lambda step, finding: found.append((step.id, finding))  # noqa: E731
    assert walk(Bench(config.load(), maker), steps, tell) == 0
    assert [step for step, _ in found] == [step.id for step in steps]
    assert {each.verdict for _, each in found} == {NOT_HERE}
    assert maker.asked == []


def test_a_controller_that_was_unplugged_is_spoken_with_anew(host_table: EmulatedTable) -> None:
    begun: list[int] = []

    class Unplugs(MakerPuppet):
        def choose(self, question: str, answers: str, unasked: str) -> str:
            if question.startswith("Press Enter") and begun:
                self._table.tell("unplug")
            if question.startswith("Try it"):
                self._table.tell("plug")
                return "a"
            return super().choose(question, answers, unasked)

    @contextmanager
    def connect() -> Iterator[Conversation]:
        begun.append(host_table.now_us)
        yield Conversation(VirtualLine(host_table), "the port")

    found: Found = []
    bench = Bench(CONFIG, Unplugs(host_table), connect)
    tell: Callable[[Step, Finding], Any] = lambda step, finding: found.append((step.id, finding))  # noqa: E731
    assert walk(bench, [BY_ID["controller"], BY_ID["chips"]], tell) == 0
    assert len(begun) == 3
    assert [each.verdict for step, each in found if step == "chips"] == [
        BROKEN,
        OK,
    ]


def test_the_port_is_free_while_the_maker_works(host_table: EmulatedTable) -> None:
    held: list[int] = []
    while_asked: list[tuple[str, int]] = []

    class Works(MakerPuppet):
        def choose(self, question: str, answers: str, unasked: str) -> str:
            while_asked.append((question[:6], len(held)))
            return super().choose(question, answers, unasked)

    @contextmanager
    def connect() -> Iterator[Conversation]:
        held.append(1)
        yield Conversation(VirtualLine(host_table), "the port")
        held.clear()

    host_table.tell("chip 2 nack -")
    maker = Works(host_table, answers={"Try it [a]gain": "as"})
    tell: Callable[[Step, Finding], Any] = lambda step, finding: None  # noqa: E731
    steps = [BY_ID[name] for name in ("controller", "chips", "controller")]
    assert walk(Bench(CONFIG, maker, connect), steps, tell) == 1
    assert while_asked == [
        ("Press ", 0),
        ("Press ", 0),
        ("Try it", 0),
        ("Try it", 0),
        ("Press ", 0),
    ]


def test_a_controller_that_was_plugged_in_again_passes_the_next_step(
    host_table: EmulatedTable,
) -> None:
    plugged = [0]

    class OldLine(VirtualLine):
        """A port that ends when the controller is unplugged, as a real one does."""

        def __init__(self, table: EmulatedTable) -> None:
            super().__init__(table)
            self._plugged = plugged[0]

        def send(self, data: bytes) -> None:
            if self._plugged != plugged[0]:
                raise DeviceError("The port has been unplugged.")
            super().send(data)

    class Replugs(MakerPuppet):
        def choose(self, question: str, answers: str, unasked: str) -> str:
            plugged[0] += 1
            return super().choose(question, answers, unasked)

    @contextmanager
    def connect() -> Iterator[Conversation]:
        yield Conversation(OldLine(host_table), "the port")

    found: Found = []
    tell: Callable[[Step, Finding], Any] = lambda step, finding: found.append((step.id, finding))  # noqa: E731
    bench = Bench(CONFIG, Replugs(host_table), connect)
    assert walk(bench, [BY_ID["controller"], BY_ID["chips"]], tell) == 0
    assert not [each.says for _, each in found if each.verdict is BROKEN]


def test_a_controller_that_falls_silent_is_told_and_asked_anew(host_table: EmulatedTable) -> None:
    host_table.tell("unplug")
    status, found, _ = walked(host_table, "controller")
    assert status == 1
    assert [each.verdict for _, each in found] == [BROKEN]
    assert "the port" in found[0][1].says


@pytest.mark.parametrize(
    ("screen", "stopped"),
    [("none", "pi-table-engine"), ("hidden", "pi-table-engine pi-table-console")],
)
def test_whoever_powers_off_is_told_what_to_stop_afterwards(screen: str, stopped: str) -> None:
    used = config.load(changes={"console": {"screen": screen}})
    said = _how_to_switch_off(used, BY_ID["knobs"], None)
    assert said.split("\n")[-2:] == [
        f"  sudo systemctl stop {stopped}",
        "  sudo pi-table doctor --bring-up --from knobs",
    ]
