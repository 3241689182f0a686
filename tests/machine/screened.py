"""A booted machine with everything that a table has: screen, keyboard, controller, sound card."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from boot_times import booting
from hidden_screen import KEYBOARD
from lit_strip import LitStrip
from played import PlayedTable, booted
from plugs import new_card
from updates import NETWORK

DEVICES: Final = ("-audiodev", "none,id=quiet", *NETWORK)
"""Sound output of a plugged USB sound card, and a network that the machine joins only if asked."""


class Screened(NamedTuple):
    """A machine that has started."""

    table: PlayedTable
    strip: LitStrip
    times: dict[str, float]
    """Seconds from power-on to each sign of life."""


@contextmanager
def screened(arch: str, folder: Path) -> Iterator[Screened]:
    """Switch one on, and wait for its first screen."""
    with (
        booted(arch, new_card(arch, folder), folder, kernel="", files=KEYBOARD, devices=DEVICES,
               screen=True, cores=2) as table,
        closing(LitStrip(folder / "control")) as strip,
    ):  # fmt: skip
        yield Screened(table, strip, booting(table, strip))
