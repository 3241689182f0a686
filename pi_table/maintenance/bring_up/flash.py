"""`pi-table flash`: writes the firmware to a Nano with the program avrdude."""

import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Final

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError, InputError
from pi_table.common.language import for_reader, join_texts, say
from pi_table.devices.hal import own_controller
from pi_table.devices.hal.controller import open_port
from pi_table.maintenance.bring_up.conversation import Conversation
from pi_table.maintenance.bring_up.holders import holders, name_holders
from pi_table.maintenance.bring_up.intel_hex import FLASH_BYTES, read_image
from pi_table.maintenance.bring_up.serial_line import open_line

BUILT: Final = Path(__file__).parents[3] / "firmware" / "build" / "controller.hex"

OLDER: Final = 57600
"""Speed in bit/s of the boot loader on most older boards and copies. After a watchdog reset, this
boot loader restarts endlessly until the board is unplugged."""
SPEEDS: Final = (115200, OLDER)
"""Speeds in bit/s to try: that of a Nano's newer boot loader, then that of the older one."""


def run(config: Config, given: Path | None, dry: bool) -> int:
    """Write firmware to the controller at the configured port; return the exit status.

    If ``given`` is None, write the firmware that was built in this source tree. With ``dry``, only
    print the commands. Raises InputError for an invalid image, and DeviceError if writing fails.
    """
    if own_controller.is_used(config):
        raise InputError(
            say(
                "This table has no controller board: its controller is the service {service}, "
                "which comes with the packages.",
                service=own_controller.SERVICE,
            )
        )
    image = read_image(_hex(given))
    port = config.controller.port

    def tell(text: str) -> None:
        print(for_reader(text, config.console.language))

    tell(
        say(
            "{path}: {size} of {flash_bytes} bytes.",
            path=image.path,
            size=image.size,
            flash_bytes=FLASH_BYTES,
        )
    )
    commands = [command(port, speed, image.path) for speed in SPEEDS]
    if dry:
        tell(say("One of these would be run, the second if the first finds no boot loader:"))
        for each in commands:
            print(f"  {shlex.join(each)}")
        return 0
    if shutil.which("avrdude") is None:
        raise DeviceError(
            say(
                "avrdude, which writes the firmware, is not installed. Install it with "
                "'sudo apt install avrdude'."
            )
        )
    check_free(port)
    for each in commands:
        print(shlex.join(each), flush=True)
        if subprocess.run(each).returncode == 0:
            break
    else:
        raise DeviceError(
            say(
                "avrdude could not write the controller at {port}; its messages are above. Is it "
                "a Nano with an ATmega328P? Unplug it, plug it in again and try once more; a "
                "board without a boot loader needs a programmer (hardware/README.md).",
                port=port,
            )
        )
    with open_line(port) as line:
        hello = Conversation(line, port).hello
    firmware = ".".join(map(str, hello.firmware))
    tell(say("Written. The controller answers with firmware {firmware}.", firmware=firmware))
    if each == command(port, OLDER, image.path):
        tell(say("This board has the older boot loader ({older} bit/s).", older=OLDER))
        tell(
            say(
                "If the controller hangs, its watchdog restarts it, and that boot loader then "
                "restarts again and again until the plug is pulled: the table stays dark."
            )
        )
        tell(
            say(
                "Before guests play, write the newer one (Optiboot) with a programmer, or use "
                "another Nano: hardware/README.md, A Nano as controller."
            )
        )
    return 0


def command(port: str, speed: int, image: Path) -> list[str]:
    """Return the avrdude command. Its option -D means that the chip is not erased first, because a
    boot loader cannot erase it."""
    return [
        *("avrdude", "-c", "arduino", "-p", "atmega328p", "-P", port, "-b", str(speed), "-D"),
        *("-U", f"flash:w:{image}:i"),
    ]


def check_free(port: str) -> None:
    """Raise DeviceError if the port cannot be opened. The error names any program that uses it."""
    try:
        open_port(port).close()
    except DeviceError as error:
        others = holders(port)
        who = say(" It is {named}.", named=name_holders(others)) if others else ""
        raise DeviceError(join_texts("", (str(error), who))) from None


def _hex(given: Path | None) -> Path:
    if given is None and not BUILT.exists():
        raise InputError(
            say(
                "There is no firmware at {built}. Build it in the source tree with 'make -C "
                "firmware', or name a file with --hex.",
                built=BUILT,
            )
        )
    return given or BUILT
