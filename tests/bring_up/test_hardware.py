"""The texts about wires agree with wiring.csv, and the device rule with both."""

import csv
import re
from pathlib import Path

from pi_table.common.config import load

ROOT = Path(__file__).parents[2]
README, BOARDS, INSTALL = (
    (ROOT / name).read_text("utf-8")
    for name in ("hardware/README.md", "hardware/BOARDS.md", "systemd/INSTALL.md")
)
RULE = (ROOT / "systemd" / "70-pi-table.rules").read_text("utf-8")
with (ROOT / "hardware" / "wiring.csv").open(newline="", encoding="utf-8") as file:
    WIRING = [*csv.DictReader(file)]


def table(*head: str, text: str = README) -> list[list[str]]:
    """The rows of the table of the text that has this head."""
    line = "| " + " | ".join(head) + " |\n"
    assert text.count(line) == 1
    rows = text.partition(line)[2].splitlines()[1:]
    rows = rows[: next(number for number, row in enumerate(rows) if not row.startswith("|"))]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_every_pin_of_the_controller_stands_where_the_wiring_has_it() -> None:
    told = {row[0]: row[1] for row in table("what", "Nano's pin", "to")}
    assert told == {row["name"]: row["pin"] for row in WIRING if row["kind"] == "nano"}


def pins_of(kind: str) -> dict[str, str]:
    """The Pi's pin for each part of a kind, which both the page and the wiring name."""
    wired = {row["name"]: row["pin"] for row in WIRING if row["kind"] == kind}
    told = {row[0]: row[1] for row in table("part", "takes", text=BOARDS)}
    assert wired == {name: told.get(name) for name in wired}
    return wired


def test_every_pin_of_the_pi_stands_where_the_wiring_and_the_defaults_have_it() -> None:
    told = pins_of("pi")
    console = load().console
    assert told == {name: f"GPIO{getattr(console, name)}" for name in told}


def test_the_case_is_wired_as_the_wiring_and_the_defaults_have_it() -> None:
    told = pins_of("panel")
    panel = load(changes={"panel": {"switch_off": 16}}).panel
    assert "switch_off = 16" in README
    assert told == {name: f"GPIO{getattr(panel, name)}" for name in told}
    assert panel.hold_seconds == 2.0, "the README says two seconds"


def test_the_case_is_configured_as_the_table_can_read_it(tmp_path: Path) -> None:
    lines, _, _ = README.partition("[panel]\n")[2].partition("```")
    file = tmp_path / "table.toml"
    file.write_text("[panel]\n" + lines)
    assert load(file).panel.driver == "gpiozero"
    assert load(file).table.switch_off


def test_the_amplifier_is_wired_as_the_wiring_has_it_and_no_pin_is_taken_twice() -> None:
    told = {row[0]: row[1] for row in table("breakout", "pin of the Raspberry Pi")}
    assert told == {row["name"]: row["pin"] for row in WIRING if row["kind"] == "amplifier"}
    pins = [row["pin"] for row in WIRING if row["kind"] in ("pi", "panel", "amplifier")]
    pins += ["GPIO14", "GPIO15"]  # its serial port
    assert len({*pins}) == len(pins)


def test_the_loudspeaker_is_configured_as_the_table_can_read_it(tmp_path: Path) -> None:
    ((_, lines, section),) = (
        each
        for each in table("your table has", "lines", "in", text=INSTALL)
        if each[0] == "a loudspeaker"
    )
    (speech,) = re.findall('`(speech = "[a-z]+")` in `\\[house\\]`', README)
    file = tmp_path / "table.toml"
    asked = lines.replace("`, `", "\n").strip("`")
    file.write_text(f"{section.strip('`')}\n{asked}\n[house]\n{speech}\n")
    sound = load(file).sound
    assert load(file).house.speech == "game"
    assert (sound.driver, sound.device) == ("alsa", "plughw:CARD=MAX98357A")


def test_the_chips_are_strapped_as_the_wiring_names_them() -> None:
    assert {row[0] for row in table("chip", "ADDR to")} == {
        row["chip"] for row in WIRING if row["chip"]
    }


def test_the_device_rule_makes_the_port_of_the_default_configuration() -> None:
    assert f'SYMLINK+="{Path(load().controller.port).name}"' in RULE
    assert Path(load().controller.port).parent == Path("/dev")


def test_the_device_rule_jumps_to_labels_that_there_are() -> None:
    labels = re.findall(r'LABEL="(\w+)"', RULE)
    for jump in re.finditer(r'GOTO="(\w+)"', RULE):
        assert jump[1] in labels
        assert RULE.index(f'LABEL="{jump[1]}"') > jump.start()  # udev only jumps forward
