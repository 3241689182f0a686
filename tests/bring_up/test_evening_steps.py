"""`doctor --bring-up` on the table of one evening: the controller as a process of the Pi, and a
string with one light a cell."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from maker import MakerPuppet, while_it_is_looked_at
from plugged_table import Plugged
from puppet import VirtualLine
from said import BROKEN, OK

from pi_table import cli
from pi_table.common import config
from pi_table.common.geometry import PLACES
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.evening_steps import EVENING, STRING
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.steps import STEPS
from pi_table.maintenance.bring_up.walk import steps_of, walk
from pi_table.simulator.emulated import EmulatedTable

BY_ID = {step.id: step for step in EVENING}
CONFIG = config.load(
    changes={
        "table": {"build": "evening"},
        "touch": {"driver": "controller"},
        "lights": {"driver": "controller"},
    }
)
IN_VIRTUAL_TIME = (
    *("parts", "chips", "lattice", "lights", "power", "foil", "electrodes", "calibration"),
)
"""The steps without the machine itself, the port and a real engine."""


@pytest.fixture
def pi_table() -> Iterator[EmulatedTable]:
    """A table with the controller that is a process of the Pi, in virtual time."""
    with EmulatedTable("pi") as table:
        table.tell("noise 0.3")
        yield table


def walked(
    table: EmulatedTable, *steps: str, maker: MakerPuppet | None = None
) -> tuple[int, list[tuple[str, Finding]], MakerPuppet]:
    @contextmanager
    def connect() -> Iterator[Conversation]:
        yield Conversation(VirtualLine(table), "the port")

    maker = maker or MakerPuppet(table)
    found: list[tuple[str, Finding]] = []
    bench = Bench(CONFIG, maker, connect, meanwhile=while_it_is_looked_at)
    status = walk(
        bench,
        [BY_ID[step] for step in steps],
        lambda step, finding: found.append((step.id, finding)),
    )
    return status, found, maker


def test_the_build_of_the_configuration_decides_the_steps() -> None:
    assert steps_of(config.load()) is STEPS
    assert steps_of(CONFIG) is EVENING
    assert len(EVENING) == 11


def test_a_table_that_is_built_well_goes_through_every_step(pi_table: EmulatedTable) -> None:
    status, found, maker = walked(pi_table, *IN_VIRTUAL_TIME)
    assert [each.says for _, each in found if each.verdict is BROKEN] == []
    assert status == 0
    assert {step for step, _ in found} == {*IN_VIRTUAL_TIME}
    assert [text for text in maker.said if text.startswith("\nStep 4 of 11: The touch chips")]
    assert not [question for question in maker.asked if "corner" in question]


@pytest.mark.parametrize(
    ("reached", "says", "do"),
    [
        (40, "The string ends between A2 and A3.", "cut the light of A3 out"),
        (100, "The string ends between E5 and hourglass.", "the light of hourglass"),
    ],
)
def test_a_string_that_ends_early_is_named_with_its_place(
    pi_table: EmulatedTable, reached: int, says: str, do: str
) -> None:
    pi_table.tell(f"strip {reached}")
    status, found, _ = walked(pi_table, "lights")
    assert status == 1
    ((_, told),) = found
    assert told.says == says
    assert do in told.do


@pytest.mark.parametrize(
    ("last", "says", "do"),
    [
        ("none", "Not one light glows.", "pin 19 to pin 2 of the 74AHCT125"),
        ("end-turn", "The string reaches its last light", "cut it out, and join the wires"),
    ],
)
def test_a_string_without_a_light_or_with_a_dead_one_is_told(
    pi_table: EmulatedTable, last: str, says: str, do: str
) -> None:
    class Sees(MakerPuppet):
        def read(self, question: str) -> str:
            return last

    maker = Sees(pi_table, answers={"Do all 25 cells": "n"})
    _, found, _ = walked(pi_table, "lights", maker=maker)
    ((_, told),) = found
    assert told.says.startswith(says)
    assert do in told.do


def test_colours_and_order_are_told_in_words_of_the_string(pi_table: EmulatedTable) -> None:
    for question, words in (
        ("Does the whole table turn", "order RGB"),
        ("Does light run", "leave a light dark"),
    ):
        maker = MakerPuppet(pi_table, answers={question: "n"})
        _, found, _ = walked(pi_table, "lights", maker=maker)
        told = found[-1][1]
        assert told.verdict is BROKEN
        assert words in told.do
        assert "tile" not in told.says + told.do


def test_a_broken_wire_is_told_without_tiles(pi_table: EmulatedTable) -> None:
    pi_table.tell("open E5")
    maker = MakerPuppet(pi_table, answers={"Try it [a]gain, [s]kip it, or [e]nd": "s" * 99})
    _, found, _ = walked(pi_table, "calibration", maker=maker)
    (told,) = (each for _, each in found if "fault" in each.figures)
    assert "channel 4 of 0x5C" in told.says
    assert "soldered at the plate" in told.do
    assert "tile" not in told.do


def test_each_look_that_eyes_refuse_says_what_to_do(pi_table: EmulatedTable) -> None:
    for step in ("parts", "lattice", "foil"):
        asking = {"Is every": "n", "Do all walls": "n", "Does the multimeter": "n"}
        _, found, _ = walked(pi_table, step, maker=MakerPuppet(pi_table, answers=asking))
        ((_, told),) = found
        assert told.verdict is BROKEN
        assert told.do.endswith(".")


def test_the_string_has_each_place_once_and_the_nearer_pad_first() -> None:
    assert sorted(STRING) == [*range(len(PLACES))]
    assert [PLACES[place] for place in STRING[4:7]] == ["E1", "E2", "D2"]
    assert [PLACES[place] for place in STRING[-3:]] == ["E5", "hourglass", "end-turn"]


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
