"""The choice of SDL's display for the hidden screen, where the console draws without a desktop.

Without a desktop, SDL draws through the kernel (KMSDRM). SDL opens one card, `/dev/dri/cardN`: the
card that SDL_KMSDRM_DEVICE_INDEX names, or else a card that SDL finds. SDL 2.26 keeps searching
after it has found a card, and drops that card again if a later card has connectors without a
screen. A Pi 4 has one card for rendering only and one for output; a Pi 5 has one more if a screen
is connected to its DSI. The card's connectors with a screen are SDL's displays 0, 1 …, in the order
of the kernel's connector ids (read in SDL's SDL_kmsdrmvideo.c, 2.26.5 and 2.32.8).

The key of a game must never appear on a screen that everybody sees. So the console draws on the
screen whose connector the configuration names. If the configuration names no connector, the console
draws on the connected screen that is built in; without a built-in screen, on the connected screen.
If several screens are possible, the console draws on none of them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.common.config import ConsoleSection
from pi_table.common.errors import DeviceError
from pi_table.common.language import did_you_mean, say

CARD: Final = "SDL_KMSDRM_DEVICE_INDEX"
"""Environment variable with the number of the card that SDL opens."""
DRIVER: Final = "KMSDRM"
"""SDL's name for the SDL driver that draws through the kernel."""
RENDERER: Final = ("SDL_RENDER_DRIVER", "opengles2")
"""Environment variable and its value: they select SDL's renderer for drawing through the kernel.

By default, SDL 2.26 and 2.32 use the desktop OpenGL renderer in an OpenGL ES context. Mesa refuses
each call of that renderer, and the screen stays black (seen in a booted machine, Mesa 22.3).
"""
DRAWS_ON_ALL: Final = (2, 30, 7)
"""First SDL version that draws on a card's second screen. An older version claims to draw there,
but draws on the first screen (SDL_kmsdrmvideo.c and SDL_kmsdrmopengles.c, 2.26.5 and 2.30.7)."""
BUILT_IN: Final = ("DSI", "DPI")
"""First letters of the names of connectors inside a table's case. A television is never connected
to them."""
DESKTOPS: Final = ("DISPLAY", "WAYLAND_DISPLAY")
"""Environment variables that are set only where a desktop runs."""


class ScreenAwaitedError(DeviceError):
    """No suitable screen is connected now. The console waits, because one may be connected at any
    time."""


class Connector(NamedTuple):
    """A connector of a graphics card, as the kernel reports it."""

    card: int
    order: tuple[int, int]
    """Sort key that gives the connectors of a card the kernel's order."""
    name: str
    has_screen: bool


def connectors(root: Path = Path("/")) -> list[Connector]:
    """Return every connector, card by card, in the kernel's order."""
    found = []
    for status in (root / "sys/class/drm").glob("card*-*/status"):
        card, _, name = status.parent.name.partition("-")
        try:
            has_screen = status.read_text("utf-8").strip() == "connected"
            found.append(
                Connector(int(card.removeprefix("card")), _order(status.parent), name, has_screen)
            )
        except (OSError, ValueError):
            continue  # it has disappeared, or is not a connector
    return sorted(found)


def _order(folder: Path) -> tuple[int, int]:
    """Return a sort key in the kernel's order of connectors: the connector's id. Linux before 6.5
    does not report the id. Then the key is the inode number of the connector's sysfs folder,
    because these numbers rise in the same order as the ids."""
    try:
        return int((folder / "connector_id").read_text("utf-8")), 0
    except (OSError, ValueError):
        return 0, folder.stat().st_ino


def by_kernel(environment: Mapping[str, str]) -> bool:
    """True if SDL draws through the kernel in this environment, without a desktop."""
    asked = environment.get("SDL_VIDEODRIVER")
    if asked is None:
        return not any(environment.get(name) for name in DESKTOPS)
    return asked.upper() == DRIVER


def find_hidden_screen(display: str, found: list[Connector]) -> Connector:
    """Return the connector of the hidden screen, which ``display`` names.

    If ``display`` is empty, return the connector of the only built-in screen; without a built-in
    screen, that of the only screen. Raises ScreenAwaitedError if the screen is not connected, or if
    several screens are possible.
    """
    screens = [each for each in found if each.has_screen]
    if display:
        return _connector_named(display, found, screens)
    if not screens:
        raise ScreenAwaitedError(say("No screen is connected. {connect}", connect=_CONNECT))
    built_in = [each for each in screens if each.name.startswith(BUILT_IN)]
    if len(built_in or screens) > 1:
        names = " and ".join(each.name for each in screens)
        raise ScreenAwaitedError(
            say(
                "Screens are connected to {names}, but only one may show the key: name it as "
                "display in [console] of the configuration.",
                names=names,
            )
        )
    return (built_in or screens)[0]


_CONNECT: Final = say(
    "Connect it and switch it on, or correct display in [console] of the configuration."
)


def _connector_named(display: str, found: list[Connector], screens: list[Connector]) -> Connector:
    named = next((each for each in found if each.name == display), None)
    if named is None:
        names = [each.name for each in found]
        guess = did_you_mean(display, names) if names else say("this machine has none.")
        raise ScreenAwaitedError(
            say(
                "There is no connector {display} for the console's screen; {guess}",
                display=repr(display),
                guess=guess,
            )
        )
    if not named.has_screen:
        others = ", ".join(each.name for each in screens)
        where = (
            say("one is connected to {others}", others=others)
            if others
            else say("none is connected to any connector")
        )
        raise ScreenAwaitedError(
            say(
                "No screen is connected to {display}; {where}. {connect}",
                display=display,
                where=where,
                connect=_CONNECT,
            )
        )
    return named


def check_drawn_on(screen: Connector, found: list[Connector], sdl: tuple[int, int, int]) -> None:
    """Raise ScreenAwaitedError if SDL, in the version ``sdl``, would draw on another screen of the
    card than ``screen``."""
    first = _screens_of_card(screen, found)[0]
    if sdl < DRAWS_ON_ALL and screen != first:
        version, there, instead = ".".join(map(str, sdl)), screen.name, first.name
        raise ScreenAwaitedError(
            say(
                "The key belongs on the screen at {there}, but SDL {version} draws at {instead}. "
                "Disconnect that screen, swap the two, or use Debian 13, whose SDL draws on "
                "either.",
                there=there,
                version=version,
                instead=instead,
            )
        )


def _screens_of_card(screen: Connector, found: list[Connector]) -> list[Connector]:
    return [each for each in found if each.card == screen.card and each.has_screen]


def choose_display(
    console: ConsoleSection, found: list[Connector], driver: str, displays: int
) -> int:
    """Return the index of the SDL display for the console. SDL has ``displays`` displays.

    Raises DeviceError if the key could appear on another screen.
    """
    if driver != DRIVER:
        _check_desktop(console, driver, displays)
        return 0
    screen = find_hidden_screen(console.display, found)
    of_card = _screens_of_card(screen, found)
    if displays != len(of_card):
        raise DeviceError(
            say(
                "It is unknown which screen is at {name}: SDL finds {displays} and the kernel "
                "{len} beside it. Switch on all that are connected, or disconnect all but one.",
                name=screen.name,
                displays=displays,
                len=len(of_card),
            )
        )
    return of_card.index(screen)


def _check_desktop(console: ConsoleSection, driver: str, displays: int) -> None:
    """Raise DeviceError if the key could appear on a wrong display of a desktop."""
    if console.display:
        raise DeviceError(
            say(
                "The console belongs on the screen at {display}, but SDL draws with {driver} "
                'here, which knows no connectors: set display = "" in [console] of the '
                "configuration.",
                display=console.display,
                driver=driver,
            )
        )
    if displays > 1 and console.fullscreen:
        raise DeviceError(
            say(
                "This desktop has {displays} displays, but only one may show the key. Set "
                "fullscreen = false in [console] of the configuration, and move the window to "
                "that one; or disconnect all displays but one.",
                displays=displays,
            )
        )
