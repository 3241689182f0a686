"""The light behind the console's screen, where the kernel can set it: /sys/class/backlight.

No light is worth a game: where it cannot be set, that is said once, and the console goes on.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

FOLDER: Final = Path("sys/class/backlight")
FIRST: Final = "auto"
"""The configuration's name for the first light that there is."""


class Backlight:
    """A light with as many steps as its device has. Without a device, none."""

    def __init__(self, device: Path | None, say: Callable[[str], None]) -> None:
        """``say`` is given a sentence for the log if the light cannot be set."""
        self._device = device
        self._say = say
        self._most = 0
        self._set: int | None = None
        if device is not None:
            try:
                self._most = int((device / "max_brightness").read_text("ascii"))
            except (OSError, ValueError) as error:
                self._give_up("is not one that can be set", error)

    def shine(self, percent: int) -> None:
        """Be so bright from now on, and never dark: a screen that shows nothing looks broken."""
        step = max(1, round(self._most * percent / 100))
        if self._device is None or step == self._set:
            return
        try:
            (self._device / "brightness").write_text(f"{step}\n", "ascii")
        except OSError as error:
            self._give_up("cannot be set", error)
        self._set = step

    def close(self) -> None:
        """Be as bright as it can be: whoever comes next may not know of the light."""
        self.shine(100)
        self._device = None

    def _give_up(self, what: str, error: Exception) -> None:
        why = error.strerror if isinstance(error, OSError) else "it has no number of steps"
        self._say(
            f"The screen's light {self._device} {what} ({why}). Let this user write its "
            'brightness, or set backlight = "" in [console] of the configuration.'
        )
        self._device = None


def open_backlight(name: str, say: Callable[[str], None], root: Path = Path("/")) -> Backlight:
    """The light of this name, or the first; with ``""`` none. ``root`` is where the file system
    begins, ``say`` is given a sentence for the log where there is no such light."""
    if not name:
        return Backlight(None, say)
    there = lights(root)
    if (name == FIRST and not there) or name not in (FIRST, *there):
        say(
            f"There is no screen's light {name!r} in /{FOLDER}; there is "
            f"{' and '.join(there) or 'none'}. Correct backlight in [console] of the configuration."
        )
        return Backlight(None, say)
    return Backlight(root / FOLDER / (there[0] if name == FIRST else name), say)


def lights(root: Path = Path("/")) -> list[str]:
    """The names of the lights that there are."""
    return sorted(device.parent.name for device in (root / FOLDER).glob("*/brightness"))
