"""Which of SDL's displays is the screen at a connector, where the console draws without a desktop.

There SDL draws by the kernel itself (KMSDRM). It opens one card, `/dev/dri/cardN`: the one whose
number stands in SDL_KMSDRM_DEVICE_INDEX, or else one that it finds; and SDL 2.26, having found one,
looks on, and forgets it again if a later card has connectors without a screen. A Pi 4 has a card
that only reckons and one that shows; a Pi 5 has one more where a screen hangs on its DSI. Of the
card's connectors those with a screen are SDL's displays 0, 1 …, in the kernel's order, by their ids
(read in SDL's SDL_kmsdrmvideo.c, 2.26.5 and 2.32.8).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.config import ConsoleSection
from pi_table.errors import DeviceError, did_you_mean

CARD: Final = "SDL_KMSDRM_DEVICE_INDEX"
"""The environment's name for the card that SDL opens."""
DRIVER: Final = "KMSDRM"
"""What SDL calls itself where it draws by the kernel."""
RENDERER: Final = ("SDL_RENDER_DRIVER", "opengles2")
"""What SDL is told to draw by there. Left alone, SDL 2.26 and 2.32 draw by the renderer of desktop
OpenGL in a context of OpenGL ES, each call of which Mesa refuses: the screen stays black (seen in a
booted machine, Mesa 22.3)."""


class Connector(NamedTuple):
    """A connector, as the kernel tells of it."""

    card: int
    order: tuple[int, int]
    """The connectors of a card are sorted by it."""
    name: str
    """Such as ``HDMI-A-1``. No two cards have one of the same name."""
    has_screen: bool


class Display(NamedTuple):
    """Where SDL finds a screen."""

    card: int
    number: int
    """Which it is among SDL's displays on that card."""


def connectors(root: Path = Path("/")) -> list[Connector]:
    """Every connector, card by card, in the kernel's order; ``root`` is where the file system
    begins."""
    found = []
    for status in (root / "sys/class/drm").glob("card*-*/status"):
        card, _, name = status.parent.name.partition("-")
        try:
            has_screen = status.read_text("utf-8").strip() == "connected"
            found.append(
                Connector(int(card.removeprefix("card")), _order(status.parent), name, has_screen)
            )
        except (OSError, ValueError):
            continue  # it is gone, or no connector
    return sorted(found)


def _order(folder: Path) -> tuple[int, int]:
    """The connector's id. Linux before 6.5 does not tell it; there the folders of sysfs have
    numbers that rise as they are made, which is in the order of the ids."""
    try:
        return int((folder / "connector_id").read_text("utf-8")), 0
    except (OSError, ValueError):
        return 0, folder.stat().st_ino


def display_at(name: str, found: list[Connector]) -> Display:
    """Where SDL finds the screen at the connector of this name. Raises DeviceError where there is
    no such connector, or no screen at it."""
    named = [connector for connector in found if connector.name == name]
    if not named:
        names = [connector.name for connector in found]
        guess = did_you_mean(name, names) if names else "this machine has none."
        raise DeviceError(f"There is no connector {name!r} for the console's screen; {guess}")
    card = named[0].card
    screens = [each.name for each in found if each.card == card and each.has_screen]
    if name not in screens:
        others = ", ".join(each.name for each in found if each.has_screen)
        if not others:
            raise DeviceError(
                f"No screen hangs on {name}; none hangs on any connector. Connect it and switch it "
                "on, or correct display in [console] of the configuration."
            )
        raise DeviceError(
            f"No screen hangs on {name}; one does on {others}. Connect it and switch it on, or "
            "correct display in [console] of the configuration."
        )
    return Display(card, screens.index(name))


def surroundings(
    console: ConsoleSection, found: list[Connector], environment: Mapping[str, str]
) -> dict[str, str]:
    """What the environment must say besides, before SDL opens a display: the card of the screen
    that the configuration names, or else of the first that there is, if it names no card itself.
    Raises DeviceError as `display_at` does."""
    if console.display:
        return {CARD: str(display_at(console.display, found).card)}
    card = next((each.card for each in found if each.has_screen), None)
    return {} if card is None or CARD in environment else {CARD: str(card)}


def chosen(console: ConsoleSection, found: list[Connector], driver: str, displays: int) -> int:
    """The number of the display that the console draws on, of so many that SDL has by this driver.

    Raises DeviceError where another than the named one would be drawn on: the key must not stand on
    a screen for everybody.
    """
    if not console.display:
        return 0
    if driver != DRIVER:
        raise DeviceError(
            f"The console's screen is to be that at {console.display}, but SDL draws by {driver} "
            'here, which knows no connectors: set display = "" in [console] of the configuration.'
        )
    card, number = display_at(console.display, found)
    screens = sum(each.card == card and each.has_screen for each in found)
    if displays != screens:
        raise DeviceError(
            f"Which screen is that at {console.display} cannot be told: SDL finds {displays} and "
            f"the kernel {screens} beside it. Switch on all that are connected, or take away all "
            "but one."
        )
    return number
