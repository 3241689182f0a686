"""`doctor --bring-up` on the table of one evening: the controller as a process of the Pi, and a
string with one light a cell."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from maker import MakerPuppet, while_it_is_looked_at
from plugged_table import Plugged
from puppet import VirtualLine
from said import BROKEN, LOOK, OK
from string_maker import StringMaker

from pi_table import cli
from pi_table.common import config
from pi_table.common.light_layout import path_of
from pi_table.devices.hal import own_controller
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.wire.settings import PADS
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.evening_steps import EVENING
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.pi_controller_findings import FAST_HZ, SPEED
from pi_table.maintenance.bring_up.steps import STEPS
from pi_table.maintenance.bring_up.walk import steps_of, walk
from pi_table.maintenance.bring_up.wiring_faults import Fault
from pi_table.simulator.emulated import EmulatedTable

ROUTE = " ".join(
    line
    for line in path_of("string-100").read_text("utf-8").splitlines()
    if line and not line.startswith(("#", "order", "-"))
)
BY_ID = {step.id: step for step in EVENING}
CONFIG = config.load(
    changes={
        "table": {"build": "evening"},
        "touch": {"driver": "controller"},
        "lights": {"driver": "controller", "layout": "string-100"},
        "controller": {"port": own_controller.PORT},
        "console": {"screen": "none"},
    }
)
IN_VIRTUAL_TIME = (
    *("parts", "chips", "lattice", "lights", "power", "foil", "electrodes", "calibration"),
)
"""The steps without the machine itself, the port and a real engine."""


@pytest.fixture
def pi_table() -> Iterator[EmulatedTable]:
    """A table with the controller that is a process of the Pi, in virtual time."""
    with EmulatedTable("pi", layout=path_of("string-100")) as table:
        table.tell("noise 0.3")
        yield table


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The file system of a Pi whose bus has the designed speed."""
    set_speed(tmp_path, FAST_HZ)
    bus = tmp_path / "dev/i2c-1"
    bus.parent.mkdir()
    bus.touch()
    return tmp_path


def set_speed(root: Path, hz: int) -> None:
    file = root / SPEED.format(bus="i2c-1")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(hz.to_bytes(4, "big"))


def walked(
    table: EmulatedTable,
    *steps: str,
    maker: MakerPuppet | None = None,
    talks: type[Conversation] = Conversation,
    root: Path = Path("/"),
    says: str | None = None,
) -> tuple[int, list[tuple[str, Finding]], MakerPuppet]:
    @contextmanager
    def connect() -> Iterator[Conversation]:
        yield talks(VirtualLine(table), "the port")

    maker = maker or StringMaker(table, ROUTE)
    unit = {} if says is None else {"ActiveState": "active", "StatusText": says}
    found: list[tuple[str, Finding]] = []
    bench = Bench(
        CONFIG, maker, connect, root=root, meanwhile=while_it_is_looked_at, unit=lambda: unit
    )
    status = walk(
        bench,
        [BY_ID[step] for step in steps],
        lambda step, finding: found.append((step.id, finding)),
        Path("/my/table.toml"),
    )
    return status, found, maker


def test_the_build_of_the_configuration_decides_the_steps() -> None:
    assert steps_of(config.load()) is STEPS
    assert steps_of(CONFIG) is EVENING
    assert len(EVENING) == 11


def test_a_table_that_is_built_well_goes_through_every_step(
    pi_table: EmulatedTable, root: Path
) -> None:
    status, found, maker = walked(pi_table, *IN_VIRTUAL_TIME, root=root)
    assert [each.says for _, each in found if each.verdict is BROKEN] == []
    assert status == 0
    assert [each.what for step, each in found if step == "lights"] == [
        *("layout", "lights", "colours", "order")
    ]
    assert {step for step, _ in found} == {*IN_VIRTUAL_TIME}
    assert [text for text in maker.said if text.startswith("\nStep 4 of 11: The touch chips")]
    assert not [question for question in maker.asked if "corner" in question]


def test_a_step_with_the_power_off_says_how_to_switch_off_and_go_on(
    pi_table: EmulatedTable, root: Path
) -> None:
    _, _, maker = walked(pi_table, *IN_VIRTUAL_TIME, root=root)
    told = [text.split("\n") for text in maker.said if "sudo poweroff" in text]
    assert [lines[-1] for lines in told] == [
        f"  sudo pi-table doctor --bring-up --config /my/table.toml --from {step}"
        for step in ("chips", "lattice", "lights", "electrodes", "calibration")
    ]
    assert all("  sudo poweroff" in lines for lines in told)


def test_a_broken_wire_is_told_without_tiles(pi_table: EmulatedTable) -> None:
    pi_table.tell("open E5")
    maker = MakerPuppet(pi_table, answers={"Try it [a]gain, [s]kip it, or [e]nd": "s" * 99})
    _, found, _ = walked(pi_table, "calibration", maker=maker)
    (told,) = (each for _, each in found if "fault" in each.figures)
    assert "channel 4 of 0x5C" in told.says
    assert "soldered at the plate" in told.do
    assert "tile" not in told.do
    assert "carrier" not in told.says + told.do


def test_a_grounded_plate_is_named_by_its_channel_alone(pi_table: EmulatedTable) -> None:
    pi_table.tell("ground B2")
    _, found, _ = walked(pi_table, "electrodes")
    (told,) = (each for _, each in found if "fault" in each.figures)
    assert "B2, channel 6 of 0x5A" in told.says
    assert "carrier" not in told.says + told.do
    assert "Unsolder the wire" in told.do


def test_a_plate_that_is_grounded_when_the_table_closes_is_told_before_any_finger(
    pi_table: EmulatedTable,
) -> None:
    pi_table.tell("ground B2")
    _, found, maker = walked(pi_table, "calibration")
    assert [each.figures["fault"] for _, each in found] == [Fault.OUT_OF_RANGE.value]
    assert not any("finger" in task for task in maker.done)


def test_a_chip_that_can_charge_nothing_is_looked_at_where_its_wires_end(
    pi_table: EmulatedTable,
) -> None:
    for pad in ("A5", "B5", "C5", "D5", "E5", "end-turn", "hourglass", "near"):
        pi_table.tell(f"ground {pad}")
    _, ((_, told),), _ = walked(pi_table, "electrodes")
    assert told.figures["fault"] == Fault.CHIP_OUT.value
    assert "the hole GND beside channel 0" in told.do
    assert "nplug" not in told.do


def test_chips_that_are_mixed_up_have_no_plugs_to_exchange(pi_table: EmulatedTable) -> None:
    for first, second in (("A1", "A3"), ("B1", "B3"), ("C1", "C3"), ("D1", "D3")):
        pi_table.tell(f"swap {first} {second}")
    skipping = {"Try it [a]gain, [s]kip it, or [e]nd": "s" * 99}
    _, found, _ = walked(pi_table, "calibration", maker=MakerPuppet(pi_table, answers=skipping))
    (told,) = (each for _, each in found if "fault" in each.figures)
    assert told.figures["fault"] == Fault.CHIPS_SWAPPED.value
    assert "exchange these two connections." in told.do


@pytest.mark.parametrize(
    ("fingers", "kind", "says", "do"),
    [
        (
            {pad: [{pad: 7.0}] for pad in PADS},
            Fault.OVERLAY,
            "as much as comes through",
            "Measure the front: it should be 2 mm thick at most.",
        ),
        ({"C3": [{"C3": 6.0}]}, Fault.GAP, "from C3", "This plate is loose"),
    ],
)
def test_a_weak_touch_is_told_for_the_front_of_a_frame(
    pi_table: EmulatedTable,
    fingers: dict[str, list[dict[str, float]]],
    kind: Fault,
    says: str,
    do: str,
) -> None:
    skipping = {"Try it [a]gain, [s]kip it, or [e]nd": "s" * 99}
    maker = MakerPuppet(pi_table, fingers=fingers, answers=skipping)
    _, found, _ = walked(pi_table, "calibration", maker=maker)
    told = next(each for _, each in found if each.figures.get("fault") == kind.value)
    assert says in told.says
    assert do in told.do
    assert not re.search(r"overlay|glue|tile|3 mm", told.says + told.do)


def test_thresholds_that_were_not_stored_fail_the_step(pi_table: EmulatedTable) -> None:
    maker = MakerPuppet(pi_table, answers={"Store": "n"})
    status, found, _ = walked(pi_table, "calibration", maker=maker)
    assert (status, found[-1][1].verdict) == (1, BROKEN)
    assert found[-1][1].says == "All pads feel a finger, but nothing was stored."


@pytest.mark.parametrize(
    ("silent", "fault", "do"),
    [
        (
            (1, 2),
            "same address",
            "As sold, all three are 0x5A. 0x5B is a breakout with the jumper on its back closed, "
            "0x5C one with a wire from ADDR to SDA. If yours have no jumper, cut the trace from "
            "ADDR to ground on two of them, and join ADDR of one to VDD, the 3.3 V of the chip, of "
            "the other to SDA.",
        ),
        (
            (1,),
            "chip silent",
            "Look at the plugs of its cable, and at its address: 0x5B is a breakout with the "
            "jumper on its back closed. If another one has the same address, this one is missing.",
        ),
        (
            (0,),
            "chip silent",
            "Look at the plugs of its cable, and at its address: 0x5A is a breakout as sold.",
        ),
    ],
)
def test_chips_that_do_not_answer_are_told_in_the_words_of_breakouts(
    pi_table: EmulatedTable, root: Path, silent: tuple[int, ...], fault: str, do: str
) -> None:
    for chip in silent:
        pi_table.tell(f"chip {chip} nack -")
    _, found, _ = walked(pi_table, "chips", maker=skips(pi_table), root=root)
    (told,) = (each for _, each in found if "fault" in each.figures)
    assert told.figures["fault"] == fault
    assert told.do.startswith(do)


def test_a_slow_bus_is_told_before_the_chips(pi_table: EmulatedTable, root: Path) -> None:
    set_speed(root, 100_000)
    status, found, _ = walked(pi_table, "chips", root=root, says="bus: ok; interrupt: ok")
    assert status == 0
    assert [(each.what, each.verdict) for _, each in found] == [
        *(("bus", LOOK), ("chips", OK), ("interrupt", OK))
    ]
    assert "i2c_arm_baudrate=400000" in found[0][1].do


def test_a_bus_that_is_missing_is_told_instead_of_its_chips(
    pi_table: EmulatedTable, root: Path
) -> None:
    (root / "dev/i2c-1").unlink()
    _, ((_, told),), _ = walked(pi_table, "chips", maker=skips(pi_table), root=root)
    assert (told.what, told.verdict) == ("bus", BROKEN)


def test_a_missing_interrupt_wire_is_told_after_the_fingers(pi_table: EmulatedTable) -> None:
    status, found, _ = walked(pi_table, "calibration", says="interrupt: no signal")
    told = found[-1][1]
    assert (status, told.what, told.verdict) == (0, "interrupt", LOOK)
    assert "Join INT of all touch chips to GPIO26" in told.do


def test_a_low_voltage_at_the_strings_end_fails_the_step(pi_table: EmulatedTable) -> None:
    maker = MakerPuppet(pi_table, answers={"Did it show 4.5 V": "n", "Try it": "s"})
    status, found, _ = walked(pi_table, "power", maker=maker)
    assert status == 1
    assert [each.verdict for _, each in found] == [OK, BROKEN]
    assert "joints" in found[-1][1].do


def test_a_breakout_that_is_lost_in_white_light_is_told_by_its_plugs(
    pi_table: EmulatedTable,
) -> None:
    class BrownsOut(Conversation):
        def show(self, frame: LightFrame) -> None:
            if frame[0] == 0xFFFFFF:
                pi_table.tell("chip 1 brown-out")
            super().show(frame)

    _, found, _ = walked(pi_table, "power", maker=skips(pi_table), talks=BrownsOut)
    told = found[0][1]
    assert told.figures["fault"] == "chip power"
    assert "look at the plugs of its cable, and at its supply and ground." in told.do


def skips(table: EmulatedTable) -> MakerPuppet:
    """Somebody who skips a step that failed."""
    return MakerPuppet(table, answers={"Try it [a]gain, [s]kip it, or [l]eave?": "s" * 9})


def test_each_look_that_eyes_refuse_says_what_to_do(pi_table: EmulatedTable) -> None:
    for step in ("parts", "lattice", "foil"):
        asking = {"Is every": "n", "Do all walls": "n", "Does the multimeter": "n"}
        _, found, _ = walked(pi_table, step, maker=MakerPuppet(pi_table, answers=asking))
        ((_, told),) = found
        assert told.verdict is BROKEN
        assert told.do.endswith(".")


# At a port


@pytest.mark.paced
@pytest.mark.parametrize("plugged", ["pi"], indirect=True)
def test_the_controller_is_found_at_its_port_and_answers(
    plugged: Plugged, capfd: pytest.CaptureFixture[str]
) -> None:
    plugged.config.write_text(
        plugged.config.read_text("utf-8") + '\n[table]\nbuild = "evening"\n', "utf-8"
    )
    bench = Bench(config.load(plugged.config), MakerPuppet.__new__(MakerPuppet))
    found = [*BY_ID["controller"].check(bench)]
    bench.let_go()
    assert [(each.what, each.verdict) for each in found] == [
        *(("port", OK), ("versions", OK), ("start", OK))
    ]
    assert cli.main(["doctor", "--bring-up", "--list", "--config", str(plugged.config)]) == 0
    rows = capfd.readouterr().out.splitlines()
    assert [row.split()[1] for row in rows] == [*BY_ID]


@pytest.mark.paced
def test_a_service_that_does_not_run_ends_the_step(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_table.maintenance.bring_up.controller_steps.PORT_SECONDS", 0.0)
    file = tmp_path / "table.toml"
    file.write_text(
        f'[table]\nbuild = "evening"\n[touch]\ndriver = "controller"\n'
        f'[controller]\nport = "{tmp_path}/port"\n',
        "utf-8",
    )
    arguments = ["doctor", "--bring-up", "--yes", "--json", "--from", "controller"]
    assert cli.main([*arguments, "--config", str(file)]) == 1
    told = capfd.readouterr()
    (line,) = map(json.loads, told.out.splitlines())
    assert (line["step"], line["verdict"]) == ("controller", "broken")
    assert "3 of 11: The controller (controller)" in told.err
