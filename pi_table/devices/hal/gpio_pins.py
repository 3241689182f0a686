"""Gives gpiozero the pins of a GPIO chip, through the library lgpio, which works with any GPIO chip
of the kernel.

No other library is used. gpiozero's default would fall back on any library that it finds.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gpiozero import Factory

from pi_table.common.language import say

HEADER: Final = 0xA02082
"""Revision code of a Raspberry Pi 3B, whose 40 pins are the same on every later model. From this
code gpiozero knows the pins GPIO0 to GPIO27, and that GPIO2 and GPIO3 have pull-ups."""


def open_pins(chip: str = "", devices: Path = Path("/dev")) -> Factory:
    """Return the pins of a GPIO chip. ``chip`` is the name of the chip's device in the folder
    ``devices``, or of a link to that device. Without a name, return the pins of this Raspberry Pi.

    A pin's BCM number is its line on the chip. Raises FileNotFoundError for a name that leads to no
    chip. If the pins cannot be opened, gpiozero or lgpio raises its own errors. The error types of
    lgpio exist only where lgpio is installed.
    """
    with _own_lgpio_folder():
        from gpiozero.pins.lgpio import LGPIOFactory

    if not chip:
        return LGPIOFactory()

    class PinsOfAChip(LGPIOFactory):  # type: ignore[misc]
        """A pin factory that does not need the revision code of a Raspberry Pi, because the machine
        may not be a Pi."""

        def _get_revision(self) -> int:
            return HEADER

    # lgpio takes a number, which may change at the next start; a link to the chip does not.
    name = (devices / chip).resolve().name
    if not name.startswith("gpiochip"):
        raise FileNotFoundError(say("there is no GPIO chip {devices}", devices=devices / chip))
    return PinsOfAChip(chip=int(name.removeprefix("gpiochip")))


@contextmanager
def _own_lgpio_folder() -> Iterator[None]:
    """Context manager in which lgpio is imported with a temporary folder as its working folder.

    At import, lgpio changes into the folder that LG_WD names, or stays in the current folder, and
    creates a named pipe there. A service can write to few folders, and a changed folder would break
    the program's relative paths. Once the pipe is open at both ends, the pipe's name is no longer
    needed.
    """
    here, named = os.getcwd(), os.environ.get("LG_WD")
    with TemporaryDirectory(prefix="pi-table-") as folder:
        os.environ["LG_WD"] = folder
        try:
            yield
        finally:
            os.chdir(here)
            if named is None:
                del os.environ["LG_WD"]
            else:
                os.environ["LG_WD"] = named
