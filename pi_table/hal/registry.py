"""Drivers by name. A driver is opened because the configuration names it, and for no other reason.

The modules of drivers are imported only when they are named, so that a table without a device
needs nothing that the device does.
"""

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from pi_table.config import Config
from pi_table.errors import InputError, TableError, did_you_mean
from pi_table.hal.contracts import Lights, TouchGrid


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


Loop = asyncio.AbstractEventLoop


def _simulated(config: Config, loop: Loop) -> TableDevice:
    from pi_table.hal.simulated import SimulatedTable
    from pi_table.hal.simulated_link import LinkedTable

    return (
        LinkedTable(config.simulated.link, loop) if config.simulated.link else SimulatedTable(loop)
    )


def _controller(config: Config, loop: Loop) -> TableDevice:
    from pi_table.hal.controller import Controller

    return Controller(config.controller.port, loop)


DRIVERS: Final[dict[str, Callable[[Config, Loop], TableDevice]]] = {
    "controller": _controller,
    "simulated": _simulated,
}


def open_hardware(config: Config, loop: Loop) -> Hardware:
    """Open the drivers that the configuration names; one that is named twice is opened once.

    Raises InputError for an unknown name, DeviceError for a device that cannot be opened.
    """
    for section, name in (("touch", config.touch.driver), ("lights", config.lights.driver)):
        if name not in DRIVERS:
            raise InputError(
                f"[{section}] names no driver that there is: {name!r}; "
                f"{did_you_mean(name, [*DRIVERS])}"
            )
    touch = DRIVERS[config.touch.driver](config, loop)
    if config.lights.driver == config.touch.driver:
        return Hardware(touch, touch)
    try:
        return Hardware(touch, DRIVERS[config.lights.driver](config, loop))
    except TableError:
        touch.close()
        raise
