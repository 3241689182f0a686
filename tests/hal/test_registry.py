"""Drivers are opened because they are named, and for no other reason."""

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pi_table.common.config import Config, load
from pi_table.common.errors import DeviceError, InputError
from pi_table.devices.hal.console_registry import INPUTS, open_inputs
from pi_table.devices.hal.drivers import Registry
from pi_table.devices.hal.no_device import NoDevice
from pi_table.devices.hal.no_inputs import NoInputs
from pi_table.devices.hal.registry import LIGHTS, PARTS, TOUCH, Hardware, open_hardware
from pi_table.devices.hal.simulated import SimulatedTable
from pi_table.devices.hal.simulated_link import LinkedTable

REGISTRIES: tuple[Registry[Any], ...] = (*PARTS, INPUTS)


@pytest.fixture
def opened(loop: asyncio.AbstractEventLoop) -> Iterator[Callable[..., Hardware]]:
    """The hardware of a configuration that has these changes; closed at the end."""
    made: list[Hardware] = []

    def opened(**changes: str) -> Hardware:
        made.append(open_hardware(config(**changes), loop))
        return made[-1]

    yield opened
    for hardware in made:
        hardware.close()


def config(**changes: str) -> Config:
    """A configuration in which ``touch``, ``lights``, ``sound``, ``panel``, ``inputs`` and ``link``
    may be other than usual."""
    sections: dict[str, dict[str, Any]] = {
        "touch": {"driver": changes.get("touch", "simulated")},
        "lights": {"driver": changes.get("lights", "simulated")},
        "sound": {"driver": changes.get("sound", "none")},
        "panel": {"driver": changes.get("panel", "none")},
        "console": {"inputs": changes.get("inputs", "none")},
        "simulated": {"link": changes.get("link", "")},
    }
    return load(changes=sections)


Opens = Callable[[Config, asyncio.AbstractEventLoop], SimulatedTable]


@pytest.fixture
def candles(monkeypatch: pytest.MonkeyPatch) -> Callable[[Opens], None]:
    """Gives the lights one driver more, called ``candles``, which is opened like this."""

    def register(opens: Opens) -> None:
        module = ModuleType("candles")
        module.open_driver = opens  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "candles", module)
        monkeypatch.setitem(LIGHTS.modules, "candles", "candles")

    return register


def test_a_device_that_is_several_parts_is_opened_once(opened: Callable[..., Hardware]) -> None:
    two, four = opened(), opened(sound="simulated", panel="simulated")
    assert two.touch is two.lights
    assert type(two.touch) is SimulatedTable
    assert four.touch is four.lights is four.sounder is four.panel


def test_a_table_without_loudspeaker_and_panel_has_silent_ones(
    opened: Callable[..., Hardware],
) -> None:
    hardware = opened()
    assert type(hardware.sounder) is type(hardware.panel) is NoDevice


def test_a_link_makes_it_a_linked_one(opened: Callable[..., Hardware], tmp_path: Path) -> None:
    assert type(opened(link=str(tmp_path / "link")).touch) is LinkedTable


def test_a_driver_of_the_lights_alone_goes_with_any_touch_grid(
    loop: asyncio.AbstractEventLoop, candles: Callable[[Opens], None]
) -> None:
    made = SimulatedTable()
    candles(lambda config, loop: made)
    hardware = open_hardware(config(lights="candles"), loop)
    assert hardware.lights is made
    assert hardware.touch is not made
    hardware.close()
    hardware.lights.show((1,) * 104)
    assert set(made.shown) == {0}  # it was closed


@pytest.mark.parametrize("section", ["touch", "lights", "sound", "panel"])
def test_a_driver_that_there_is_not_is_no_reason_to_take_another(
    loop: asyncio.AbstractEventLoop, section: str
) -> None:
    with pytest.raises(InputError) as error:
        open_hardware(config(**{section: "simulate"}), loop)
    assert str(error.value) == (f"[{section}] has no driver 'simulate'; did you mean 'simulated'?")


def test_a_driver_of_another_part_is_refused_with_those_of_this_one(
    loop: asyncio.AbstractEventLoop, candles: Callable[[Opens], None]
) -> None:
    candles(lambda config, loop: SimulatedTable())
    with pytest.raises(InputError) as error:
        open_hardware(config(touch="candles"), loop)
    assert str(error.value) == (
        "[touch] cannot have the driver 'candles', which is for [lights]; "
        f"choose one of: {', '.join(TOUCH.modules)}."
    )


def test_names_are_checked_before_anything_is_opened(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    with pytest.raises(InputError):
        open_hardware(config(lights="candles", link=str(link)), loop)
    assert not link.exists()


def test_if_the_lights_cannot_be_opened_the_grid_is_let_go(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, candles: Callable[[Opens], None]
) -> None:
    link = tmp_path / "link"

    def broken(config: Config, loop: asyncio.AbstractEventLoop) -> SimulatedTable:
        assert link.exists()
        raise DeviceError("The candles are wet.")

    candles(broken)
    with pytest.raises(DeviceError, match="wet"):
        open_hardware(config(lights="candles", link=str(link)), loop)
    assert not link.exists()


def test_what_a_driver_needs_of_python_and_is_not_there_is_named(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "pi_table.devices.hal.controller", raising=False)
    monkeypatch.setitem(sys.modules, "serial", None)
    with pytest.raises(DeviceError) as error:
        open_hardware(config(touch="controller"), loop)
    assert str(error.value) == (
        "[touch] driver names the driver 'controller', which needs the Python package 'serial', "
        "and that is not installed. Install it, or name another."
    )


def test_a_console_without_inputs_has_some_that_say_nothing() -> None:
    assert type(open_inputs(config())) is NoInputs


def test_inputs_that_there_are_not_are_no_reason_to_take_others() -> None:
    with pytest.raises(InputError) as error:
        open_inputs(config(inputs="gpio"))
    assert str(error.value) == ("[console] has no driver 'gpio'; did you mean 'gpiozero'?")


def test_the_parts_of_one_driver_are_in_one_module() -> None:
    """Or a device that is two parts would be opened twice; behind "none" there is none."""
    drivers = {item for part in PARTS for item in part.modules.items() if item[0] != "none"}
    assert len(dict(drivers)) == len(drivers)


def test_no_module_is_a_driver_of_the_table_and_of_the_console() -> None:
    of_the_table = {module for part in PARTS for module in part.modules.values()}
    assert not of_the_table & {*INPUTS.modules.values()}


def is_comment(line: str) -> bool:
    return line.startswith("#")


@pytest.mark.parametrize("part", REGISTRIES, ids=lambda part: part.section)
def test_the_configuration_names_every_driver(part: Registry[Any]) -> None:
    text = files("pi_table").joinpath("default.toml").read_text("utf-8")
    _, _, section = text.partition(f"\n[{part.section}]\n")
    explained, _, _ = section.partition(f"\n{part.key} = ")
    comment = "".join(reversed([*takewhile(is_comment, reversed(explained.splitlines(True)))]))
    assert {*re.findall(r'"([a-z0-9-]+)"', comment)} == {*part.modules}
