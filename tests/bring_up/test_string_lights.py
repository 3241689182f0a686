"""The lights of a string during bring-up: each fault of the simulated string is named with its
light, and with what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from puppet import VirtualLine
from said import BROKEN, LOOK, OK
from string_maker import SlowStringMaker

from pi_table.common import config
from pi_table.common.light_layout import path_of
from pi_table.devices.hal import own_controller
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.string_lights import string
from pi_table.simulator.emulated import EmulatedTable

USUAL = path_of("string-100")
LINES = [line for line in USUAL.read_text("utf-8").splitlines() if not line.startswith("#")]
TWO_EACH = [
    "order RGB",
    *(f"{column}{row} {side}" for row in "12345" for column in "ABCDE" for side in ("far", "near")),
    *("end-turn", "hourglass"),
]
"""A string with two lights in each cell."""


def written(folder: Path, lines: list[str]) -> Path:
    path = folder / "string.txt"
    path.write_text("\n".join(lines), "utf-8")
    return path


def pi_5(folder: Path) -> Path:
    """Return the root of a Raspberry Pi 5, whose config.txt names the number of lights."""
    model = folder / "root/proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    return folder / "root"


def looked_at(
    *faults: str, layout: Path | str = "string-100", real: Path = USUAL, root: Path = Path("/")
) -> tuple[list[Finding], SlowStringMaker]:
    """Return what bring-up finds if the configuration has a layout, and the string really is
    another, with faults. ``root`` is the file system of a Pi that has the controller itself."""
    known = path_of(str(layout))
    with EmulatedTable("pi", layout=known) as table:
        table.tell(f"string {real}")
        for fault in faults:
            table.tell(fault)

        @contextmanager
        def connect() -> Iterator[Conversation]:
            yield Conversation(VirtualLine(table), "the port")

        words = [line.split() for line in known.read_text("utf-8").splitlines()]
        names = [each[0] for each in words if each and each[0] not in ("#", "order", "-")]
        maker = SlowStringMaker(table, " ".join(dict.fromkeys(names)))
        bench = Bench(
            config.load(
                changes={
                    "table": {"build": "evening"},
                    "touch": {"driver": "controller"},
                    "lights": {"driver": "controller", "layout": str(layout)},
                    "controller": {"port": own_controller.PORT},
                }
            ),
            maker,
            connect,
            root=root,
            meanwhile=maker.meanwhile,
            unit=dict,
        )
        found = [*string(bench)]
        bench.let_go()
        return found, maker


def test_a_whole_string_goes_through_each_look_and_each_light_is_named_by_its_number() -> None:
    found, maker = looked_at()
    assert [(each.what, each.verdict) for each in found] == [
        *(("layout", OK), ("lights", OK), ("colours", OK), ("order", OK))
    ]
    assert found[0].says == (
        "The layout string-100 has 50 lights. 27 of them glow, the first at A1."
    )
    named = [text for text in maker.done if text.startswith("Light ")]
    assert named[4:7] == ["Light 5 of 50: E1", "Light 6 of 50: E2", "Light 7 of 50: D2"]
    assert named[-3:] == [
        *("Light 25 of 50: E5", "Light 27 of 50: hourglass", "Light 29 of 50: end-turn")
    ]


@pytest.mark.parametrize(
    ("fault", "kind", "says", "do", "light"),
    [
        (
            "dead 1",
            "first light",
            "The first light of the string is dead: from the second on",
            "Cut the first light off, and join the data, 5 V and ground to the second. Then move "
            "each light behind it up by one: the next lies at A1 now. Join a spare light",
            1,
        ),
        (
            "dead 13",
            "chain",
            "The string ends between B3 and C3: light 13 (C3) and all lights behind it are dark.",
            "If that does not help, light 13 (C3) is dead. Cut light 13 out, and join the wires, "
            "arrow to arrow. Then move each light behind it up by one: the next lies at C3 now.",
            13,
        ),
        (
            "strip 12",
            "chain",
            "The string ends between B3 and C3",
            "Bend the three wires between the two, and join a broken one.",
            13,
        ),
        (
            "dead 26",
            "chain",
            "The string ends between E5 and hourglass",
            "Look at light 26 between them, too",
            27,
        ),
        (
            "dark 13",
            "dead light",
            "Only light 13 (C3) is dark: it is dead, but passes data on.",
            "Cut light 13 out, and join the wires",
            13,
        ),
        (
            "dark 1",
            "dead light",
            "Only light 1 (A1) is dark",
            "Cut light 1 out",
            1,
        ),
        (
            "dark 29",
            "chain",
            "The string ends between hourglass and end-turn",
            "light 29 (end-turn) is dead",
            29,
        ),
        (
            "damages 12",
            "wrong data",
            "The lights behind light 12 (B3) get wrong data: it damages what it passes on.",
            "Cut light 12 out, and join the wires",
            12,
        ),
    ],
)
def test_each_fault_is_named_with_its_light_and_its_cure(
    fault: str, kind: str, says: str, do: str, light: int
) -> None:
    found, maker = looked_at(fault)
    told = found[-1]
    assert told.verdict is BROKEN
    assert told.figures["fault"] == kind
    assert says in told.says
    assert do in told.do
    assert told.figures["light"] == light
    assert "tile" not in told.says + told.do
    assert "{" not in told.says + told.do + "".join(maker.asked)


def test_a_string_without_data_is_not_taken_for_a_dead_first_light() -> None:
    found, _ = looked_at("strip 1", "dead 1", "dark 2")
    assert found[-1].figures["fault"] == "chain"
    assert "pin 19 to pin 2 of the 74AHCT125" in found[-1].do


@pytest.mark.parametrize(
    ("known", "real", "exchanged"),
    [
        ("GRB", "RGB", "red and green"),
        ("RGB", "GRB", "red and green"),
        ("GRB", "GBR", "red and blue"),
        ("GRB", "BRG", "green and blue"),
        ("GRB", "RBG", "red, green and blue"),
    ],
)
def test_another_order_of_colours_is_named_as_the_layout_needs_it(
    tmp_path: Path, known: str, real: str, exchanged: str
) -> None:
    layout = written(tmp_path, [f"order {known}", *LINES[1:]])
    other = tmp_path / "real.txt"
    other.write_text("\n".join([f"order {real}", *LINES[1:]]))
    found, _ = looked_at(layout=str(layout), real=other)
    told = found[-1]
    assert told.figures == {"fault": "colours", "order": real}
    assert f"the order {real}, and the layout {known}" in told.says
    assert f"write order {real} into {layout}." in told.do


def test_a_preset_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    found, _ = looked_at(real=written(tmp_path, ["order RGB", *LINES[1:]]))
    assert (
        "write order RGB into a copy of the layout string-100 in /etc/pi-table/, and name the "
        "copy as layout in [lights]" in found[-1].do
    )


def test_a_light_that_was_cut_out_and_a_light_too_many_are_told_apart(tmp_path: Path) -> None:
    one_less = written(tmp_path, [line for line in LINES if line != "C1"])
    one_less.write_text(one_less.read_text() + "\nC1\n")
    found, _ = looked_at(real=one_less)
    assert found[-1].says == "The string's light 3 (C1) glows at D1, not at C1."
    assert "one light too far" in found[-1].do
    assert "remove its line" not in found[-1].do  # it is the only light of its place
    one_more = written(tmp_path, [*LINES[:3], "-", *LINES[3:]])
    found, _ = looked_at(real=one_more)
    assert found[-1].says == "The string's light 25 (E5) glows at D5, not at E5."
    assert "One light more than in the layout lies before it" in found[-1].do


def test_a_light_that_was_cut_out_beside_another_may_lose_its_line(tmp_path: Path) -> None:
    rest = TWO_EACH[3:]
    layout = written(tmp_path, [TWO_EACH[0], "A1 far", "A1", "A1 near", *rest])
    one_less = tmp_path / "real.txt"
    one_less.write_text("\n".join([TWO_EACH[0], "A1 far", "A1 near", *rest, "-"]))
    found, _ = looked_at(layout=str(layout), real=one_less)
    assert "one light too far" in found[-1].do
    assert f"remove its line from {layout}." in found[-1].do


def test_a_string_in_another_order_is_told_with_the_order_of_the_layout(tmp_path: Path) -> None:
    cells = [f"{column}{row}" for column in "ABCDE" for row in "12345"]
    columns = written(tmp_path, ["order GRB", *cells, "-", "hourglass", "-", "end-turn"])
    found, _ = looked_at(real=columns)
    assert found[-1].says == "The string's light 2 (B1) glows at A2, not at B1."
    assert "in this order: A1, B1, C1, D1, E1, E2, D2" in found[-1].do


def test_a_dead_light_beside_another_of_its_cell_needs_only_another_layout(tmp_path: Path) -> None:
    lines = [*TWO_EACH[:1], "A1 far", "A1", "A1 near", *TWO_EACH[3:]]
    layout = written(tmp_path, lines)
    found, _ = looked_at("dead 1", layout=str(layout), real=layout)
    assert f"remove the line of light 1 from {layout}." in found[-1].do


@pytest.mark.parametrize(
    ("faults", "known", "real"),
    [
        ((), LINES, ["order RGB", *LINES[1:]]),
        ((), LINES, [*LINES[:3], "-", *LINES[3:]]),
        ((), LINES, [*LINES[:2], LINES[10], *LINES[3:10], LINES[2], *LINES[11:]]),
        (("dead 1",), [*TWO_EACH[:2], *TWO_EACH[1:]], [*TWO_EACH[:2], *TWO_EACH[1:]]),
    ],
    ids=["colours", "one more", "another order", "cut out"],
)
def test_who_changes_the_layout_is_told_to_restart_what_has_read_it(
    tmp_path: Path, faults: tuple[str, ...], known: list[str], real: list[str]
) -> None:
    layout = written(tmp_path, known)
    other = tmp_path / "real.txt"
    other.write_text("\n".join(line for line in real), "utf-8")
    found, _ = looked_at(*faults, layout=str(layout), real=other)
    assert f"{layout}. Then restart the controller and the engine." in found[-1].do


@pytest.mark.parametrize(
    ("faults", "known", "real", "count"),
    [
        ((), LINES, [*LINES[:3], "-", *LINES[3:]], 51),
        (("dead 1",), [*TWO_EACH[:2], *TWO_EACH[1:]], [*TWO_EACH[:2], *TWO_EACH[1:]], 52),
        ((), LINES, ["order RGB", *LINES[1:]], None),
    ],
    ids=["one more", "cut out", "colours"],
)
def test_who_changes_the_number_of_lights_on_a_pi_5_is_told_the_new_num_leds(
    tmp_path: Path, faults: tuple[str, ...], known: list[str], real: list[str], count: int | None
) -> None:
    layout = written(tmp_path, known)
    other = tmp_path / "real.txt"
    other.write_text("\n".join(real), "utf-8")
    found, _ = looked_at(*faults, layout=str(layout), real=other, root=pi_5(tmp_path))
    told = (
        "Then restart the controller and the engine."
        if count is None
        else f"For the changed layout write num_leds={count} into config.txt. Then restart the "
        "machine."
    )
    assert f"{layout}. {told}" in found[-1].do


def test_the_layout_of_the_tiles_is_doubted_for_a_string(tmp_path: Path) -> None:
    found, _ = looked_at(layout="tiles", real=path_of("tiles"), root=pi_5(tmp_path))
    assert found[0].verdict is LOOK
    assert 'layout = "string-100"' in found[0].do
    assert "num_leds=50" in found[0].do


def test_a_layout_with_an_error_ends_the_step(tmp_path: Path) -> None:
    path = written(tmp_path, ["A1"])
    (found,) = string(Bench(config.load(changes={"lights": {"layout": str(path)}}), None))  # type: ignore[arg-type]
    assert found.verdict is BROKEN
    assert "has no light for B1" in found.says
