"""The controller as a process of the Pi, for a table whose touch chips are at the Pi's own bus.

The service `pi-table-controller` runs the command `pi-table controller`, which becomes the program
`firmware/linux`. The engine opens the program's terminal like the serial port of any controller.
"""

import os
import sys
from pathlib import Path
from typing import Final, NoReturn

from pi_table.common import light_layout
from pi_table.common.config import Config
from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.devices.hal import pi_board

SERVICE: Final = "pi-table-controller"
PORT: Final = "/run/pi-table-controller/port"
"""Path of the link to the program's terminal. A configuration that has this path as port in
[controller] uses the service. The service's unit searches the configuration for the path."""
MEMORY: Final = "/var/lib/pi-table-controller/settings"
"""Path of the file in which the program keeps the touch thresholds."""
PROGRAM: Final = "pi-table-controller"
PRIORITY: Final = 2
"""Real-time priority of the program: one more than the engine's, because a late reading of the
touch chips delays everything."""


def is_used(config: Config) -> bool:
    """True if this table's controller is the service of this machine."""
    return config.controller.port == PORT


def lights(config: Config, model: str) -> str:
    """Return the value of the program's option ``--lights`` on this model of the Raspberry Pi.

    The program drives the lights unless the configuration gives them to the engine.
    """
    if config.lights.driver != "controller":
        return "none"
    if lights_driver(pi_board.board_of(model)) == pi_board.PIO_DRIVER:
        return f"pio:{config.lights.device}"
    return f"spi:{pi_board.SPI_DEVICE}"


def lights_driver(board: pi_board.Board | None) -> str:
    """Return the engine's driver that drives lights on this board through the same device as the
    controller's program."""
    has_pio = board is not None and pi_board.PIO_DRIVER in board.lights
    return pi_board.PIO_DRIVER if has_pio else pi_board.SPI_DRIVER


def spi_bytes(light_count: int) -> int:
    """Return the size in bytes of a frame that the program sends in one piece, as in
    `firmware/linux/leds.c`: zero bytes, 9 bytes for each light, and the zero bytes that end it."""
    return 4 + 9 * light_count + 96


def interrupt_pin(config: Config) -> int | None:
    """Return the GPIO number of the interrupt wire; None if it is at no pin of the header."""
    name = config.controller.irq
    return int(name.removeprefix("GPIO")) if name.startswith("GPIO") else None


def options(config: Config, model: str) -> list[str]:
    """Return the command-line options of the controller's program, from the configuration."""
    chosen = config.controller
    wire = ["--irq", chosen.irq] if chosen.irq else []
    layout = config.lights.layout
    if layout != "tiles":
        wire += ["--layout", str(light_layout.path_of(layout))]
    return [
        *("--tty", PORT, "--i2c", chosen.i2c, *wire, "--lights", lights(config, model)),
        *("--memory", MEMORY, "--priority", str(PRIORITY)),
    ]


def program() -> Path:
    """Return the path of the program. In a package, it is beside the compiled libraries; in a
    checkout, where `make -C firmware` puts it. Raises InputError if it is missing."""
    built = Path(__file__).parents[3] / "firmware/build"
    for folder in (*map(Path, sys.path), built):
        if (folder / PROGRAM).is_file():
            return folder / PROGRAM
    raise InputError(
        say(
            "The program {program} is not installed: install the package pi-table-libs again.",
            program=PROGRAM,
        )
    )


def become(config: Config) -> NoReturn:
    """Replace this process by the controller's program. Raises InputError if this table does not
    use the program, or if the program is missing."""
    if not is_used(config):
        raise InputError(
            say(
                "This table's controller is at {port}. To use touch chips at this machine's own "
                "bus, write {own} as port in [controller] of the configuration.",
                port=config.controller.port,
                own=PORT,
            )
        )
    path = program()
    os.execv(path, [str(path), *options(config, pi_board.model())])
