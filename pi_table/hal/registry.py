"""The drivers of the table's devices by name, a registry for each part; and how they are opened.

The console's are in `console_registry`: its process must not come near the table's devices.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from typing import Any, Final, NamedTuple, Protocol

from pi_table.config import Config
from pi_table.hal.contracts import Lights, TouchGrid
from pi_table.hal.drivers import Registry

Loop = asyncio.AbstractEventLoop

TOUCH: Final = Registry[Callable[[Config, Loop], TouchGrid]](
    "touch",
    "driver",
    {
        "controller": "pi_table.hal.controller",
        "simulated": "pi_table.hal.simulated_link",
    },
)
LIGHTS: Final = Registry[Callable[[Config, Loop], Lights]](
    "lights",
    "driver",
    {
        "controller": "pi_table.hal.controller",
        "simulated": "pi_table.hal.simulated_link",
    },
)
PARTS: Final[tuple[Registry[Any], ...]] = (TOUCH, LIGHTS)


class TableDevice(TouchGrid, Lights, Protocol):
    """A device that is both the touch grid and the lights."""


class Hardware(NamedTuple):
    """The opened devices of a table."""

    touch: TouchGrid
    lights: Lights

    def close(self) -> None:
        """Let go of the devices, the last opened first."""
        self.lights.close()
        self.touch.close()


def open_hardware(config: Config, loop: Loop) -> Hardware:
    """Open the drivers that the configuration names. A device that is two parts is opened once.

    Nothing is opened before every name has been looked up, and nothing stays open if a device
    cannot be opened. Raises InputError for a name that no driver of the part bears, DeviceError
    for a device that cannot be opened.
    """
    touch = TOUCH.opener(config.touch.driver, PARTS)
    lights = LIGHTS.opener(config.lights.driver, PARTS)
    with ExitStack() as opened:

        @cache
        def device(opener: Callable[[Config, Loop], Any]) -> Any:
            found = opener(config, loop)
            opened.callback(found.close)
            return found

        hardware = Hardware(device(touch), device(lights))
        opened.pop_all()
        return hardware
