"""What the controller on the Pi tells systemd, from which doctor reads its faults."""

from pathlib import Path

import pytest
from heard import heard

from pi_table.simulator.emulated import PI_DEVICES

pytestmark = pytest.mark.paced


def test_everything_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with heard(tmp_path, monkeypatch, PI_DEVICES, tmp_path / "settings") as pi:
        told = pi.wait(bool)
        assert told == dict.fromkeys(("bus", "interrupt", "lights", "settings"), "ok")


def test_parts_that_are_not_used_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with heard(tmp_path, monkeypatch, ("--lights", "none")) as pi:
        assert pi.wait(bool) == {
            "bus": "ok",
            "interrupt": "not wired",
            "lights": "not here",
            "settings": "not kept",
        }


def test_devices_that_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = ("--i2c", "/dev/i2c-77", "--irq", "/dev/gpiochip77:26")
    with heard(
        tmp_path, monkeypatch, (*missing, "--lights", "spi:/dev/spidev77.0"), tmp_path / "x" / "y"
    ) as pi:
        told = pi.wait(lambda told: {"ok"}.isdisjoint(told.values()) and bool(told))
        assert told == dict.fromkeys(
            ("bus", "interrupt", "lights", "settings"), "No such file or directory"
        )


def test_a_line_that_is_held_low_and_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with heard(tmp_path, monkeypatch, PI_DEVICES) as pi:
        pi.wait(lambda told: told.get("bus") == "ok")
        pi.tell("chip 1 hold 60000")
        pi.wait(lambda told: told["bus"] == "Connection timed out")
        pi.tell("chip 1 hold 0")
        pi.wait(lambda told: told["bus"] == "ok")


def test_a_chip_that_does_not_answer_is_no_fault_of_the_bus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with heard(tmp_path, monkeypatch, PI_DEVICES) as pi:
        pi.tell("chip 1 nack -")
        pi.tell("chip 0 hold 60000")
        pi.wait(lambda told: told.get("bus") == "Connection timed out")
        pi.tell("chip 0 hold 0")
        pi.wait(lambda told: told["bus"] == "ok")


def test_an_interrupt_wire_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another line of the chip than the one that the touch chips are at: it stays high."""
    with heard(tmp_path, monkeypatch, ("--irq", "GPIO25")) as pi:
        assert pi.wait(bool)["interrupt"] == "ok"
        pi.wait(lambda told: told["interrupt"] == "no signal", pad="B3")
