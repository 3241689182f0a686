"""The drivers of the table's devices, one registry for each part, and the function that opens them.

The console's drivers are in `console_registry`, because the console's process must not open the
table's devices.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from typing import Any, Final, NamedTuple

from pi_table.common.config import Config
from pi_table.devices.hal.contracts import Lights, Panel, Sounder, TouchGrid
from pi_table.devices.hal.drivers import Registry

Loop = asyncio.AbstractEventLoop

TOUCH: Final = Registry[Callable[[Config, Loop], TouchGrid]](
    "touch",
    "driver",
    {
        "controller": "pi_table.devices.hal.controller",
        "simulated": "pi_table.devices.hal.simulated_link",
    },
)
LIGHTS: Final = Registry[Callable[[Config, Loop], Lights]](
    "lights",
    "driver",
    {
        "controller": "pi_table.devices.hal.controller",
        "simulated": "pi_table.devices.hal.simulated_link",
        "rpi-ws281x": "pi_table.devices.hal.rpi_ws281x_lights",
        "ws2812-pio": "pi_table.devices.hal.ws2812_pio_lights",
    },
)
SOUND: Final = Registry[Callable[[Config, Loop], Sounder]](
    "sound",
    "driver",
    {
        "none": "pi_table.devices.hal.no_device",
        "alsa": "pi_table.devices.hal.alsa",
        "simulated": "pi_table.devices.hal.simulated_link",
    },
)
PANEL: Final = Registry[Callable[[Config, Loop], Panel]](
    "panel",
    "driver",
    {
        "none": "pi_table.devices.hal.no_device",
        "gpiozero": "pi_table.devices.hal.gpiozero_panel",
        "simulated": "pi_table.devices.hal.simulated_link",
    },
)
PARTS: Final[tuple[Registry[Any], ...]] = (TOUCH, LIGHTS, SOUND, PANEL)


class Hardware(NamedTuple):
    touch: TouchGrid
    lights: Lights
    sounder: Sounder
    panel: Panel

    def close(self) -> None:
        self.panel.close()
        self.sounder.close()
        self.lights.close()
        self.touch.close()


def open_hardware(config: Config, loop: Loop) -> Hardware:
    """Open the drivers that the configuration names. A driver that serves several parts is opened
    once.

    All names are looked up before any device is opened. If one device fails, the opened devices are
    closed again. Raises InputError for an unknown driver name, and DeviceError for a device that
    cannot be opened.
    """
    touch = TOUCH.opener(config.touch.driver, PARTS)
    lights = LIGHTS.opener(config.lights.driver, PARTS)
    sound = SOUND.opener(config.sound.driver, PARTS)
    panel = PANEL.opener(config.panel.driver, PARTS)
    with ExitStack() as opened:

        @cache
        def device(opener: Callable[[Config, Loop], Any]) -> Any:
            found = opener(config, loop)
            opened.callback(found.close)
            return found

        hardware = Hardware(device(touch), device(lights), device(sound), device(panel))
        opened.pop_all()
        return hardware
