"""The pins of a GPIO chip as gpiozero wants them: by lgpio, which works on any chip of the kernel.

lgpio and nothing else, and not gpiozero's default, which falls back on whatever it finds.
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
"""The revision of a Raspberry Pi 3B. Its 40 pins are those of every later one; gpiozero knows by it
the pins GPIO0 to GPIO27, and that GPIO2 and GPIO3 are pulled up."""


def open_pins(chip: str = "", devices: Path = Path("/dev")) -> Factory:
    """The pins of a chip, named as its device in the folder ``devices``, or as a link to that: a
    pin's BCM number is its line on that chip. Without a name, the pins of this Raspberry Pi, on the
    chip that they are on.

    Raises whatever gpiozero and lgpio raise where there are no such pins; lgpio's own errors are
    known only where lgpio is. Raises FileNotFoundError for a name that leads to no chip.
    """
    with _room_for_its_pipe():
        from gpiozero.pins.lgpio import LGPIOFactory

    if not chip:
        return LGPIOFactory()

    class PinsOfAChip(LGPIOFactory):  # type: ignore[misc]
        """Asks no Raspberry Pi for its revision: there need not be one."""

        def _get_revision(self) -> int:
            return HEADER

    # lgpio takes a number, which may be another one at the next start; a link to the chip stays.
    name = (devices / chip).resolve().name
    if not name.startswith("gpiochip"):
        raise FileNotFoundError(say("there is no GPIO chip {devices}", devices=devices / chip))
    return PinsOfAChip(chip=int(name.removeprefix("gpiochip")))


@contextmanager
def _room_for_its_pipe() -> Iterator[None]:
    """A folder of its own for lgpio, as long as it is imported.

    By that, it goes to the folder that LG_WD names, or stays where it is, and makes a named pipe
    there. A service may write in few folders; and where it stays, every relative path of the
    program leads elsewhere. Once the pipe is open at both ends, nobody needs its name any more.
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
