"""Drivers are opened because they are named, and for no other reason."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_table.config import Config, load
from pi_table.errors import DeviceError, InputError
from pi_table.hal import registry
from pi_table.hal.registry import DRIVERS, open_hardware
from pi_table.hal.simulated import SimulatedTable
from pi_table.hal.simulated_link import LinkedTable


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


def config(**changes: str) -> Config:
    """A configuration in which ``touch``, ``lights`` and ``link`` may be other than usual."""
    sections = {
        "touch": {"driver": changes.get("touch", "simulated")},
        "lights": {"driver": changes.get("lights", "simulated")},
        "simulated": {"link": changes.get("link", "")},
    }
    return load(changes=sections)  # type: ignore[arg-type]


def test_a_device_that_is_named_twice_is_opened_once(loop: asyncio.AbstractEventLoop) -> None:
    hardware = open_hardware(config(), loop)
    assert hardware.touch is hardware.lights
    assert type(hardware.touch) is SimulatedTable
    hardware.close()


def test_a_link_makes_it_a_linked_one(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    hardware = open_hardware(config(link=str(tmp_path / "link")), loop)
    assert type(hardware.touch) is LinkedTable
    hardware.close()


@pytest.mark.parametrize("section", ["touch", "lights"])
def test_a_driver_that_there_is_not_is_no_reason_to_take_another(
    loop: asyncio.AbstractEventLoop, section: str
) -> None:
    with pytest.raises(InputError) as error:
        open_hardware(config(**{section: "simulate"}), loop)
    assert str(error.value) == (
        f"[{section}] names no driver that there is: 'simulate'; did you mean 'simulated'?"
    )


def test_names_are_checked_before_anything_is_opened(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    with pytest.raises(InputError):
        open_hardware(config(lights="candles", link=str(link)), loop)
    assert not link.exists()


def test_if_the_lights_cannot_be_opened_the_grid_is_let_go(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"

    def broken(config: Config, loop: asyncio.AbstractEventLoop) -> SimulatedTable:
        assert link.exists()
        raise DeviceError("The candles are wet.")

    monkeypatch.setattr(registry, "DRIVERS", DRIVERS | {"candles": broken})
    with pytest.raises(DeviceError, match="wet"):
        open_hardware(config(lights="candles", link=str(link)), loop)
    assert not link.exists()
