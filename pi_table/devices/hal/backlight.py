"""The backlight of the console's screen, set through the kernel at /sys/class/backlight.

A broken backlight must not stop a game: the first failure is logged, and the console continues.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from pi_table.common.language import join_texts, say, system_says

FOLDER: Final = Path("sys/class/backlight")
FIRST: Final = "auto"
"""Name in the configuration that means the first backlight found."""


class Backlight:
    """A screen's backlight. Without a device, its methods do nothing."""

    def __init__(self, device: Path | None, tell: Callable[[str], None]) -> None:
        """``tell`` is called with a sentence if the backlight fails."""
        self._device = device
        self._tell = tell
        self._most = 0
        self._set: int | None = None
        if device is not None:
            try:
                self._most = int((device / "max_brightness").read_text("ascii"))
            except (OSError, ValueError) as error:
                self._give_up(say("is not one that can be set"), error)

    def shine(self, percent: int) -> None:
        """Set the brightness in percent. The screen is never set to dark, because a black screen
        looks broken."""
        step = max(1, round(self._most * percent / 100))
        if self._device is None or step == self._set:
            return
        try:
            (self._device / "brightness").write_text(f"{step}\n", "ascii")
        except OSError as error:
            self._give_up(say("cannot be set"), error)
        self._set = step

    def close(self) -> None:
        """Set full brightness, because the next program may not know about the backlight."""
        self.shine(100)
        self._device = None

    def _give_up(self, what: str, error: Exception) -> None:
        why = system_says(error) if isinstance(error, OSError) else say("it has no number of steps")
        self._tell(
            say(
                "The screen's light {device} {what} ({why}). Let this user write its brightness, "
                'or set backlight = "" in [console] of the configuration.',
                device=self._device,
                what=what,
                why=why,
            )
        )
        self._device = None


def open_backlight(name: str, tell: Callable[[str], None], root: Path = Path("/")) -> Backlight:
    """Return the backlight of this name. `FIRST` means the first backlight; "" means no device.

    ``tell`` is called with a sentence for the log if the backlight is missing.
    """
    if not name:
        return Backlight(None, tell)
    there = backlight_names(root)
    if (name == FIRST and not there) or name not in (FIRST, *there):
        tell(
            say(
                "There is no screen's light {name} in /{folder}; there is {join}. Correct "
                "backlight in [console] of the configuration.",
                name=repr(name),
                folder=FOLDER,
                join=join_texts(" and ", there) or say("none"),
            )
        )
        return Backlight(None, tell)
    return Backlight(root / FOLDER / (there[0] if name == FIRST else name), tell)


def backlight_names(root: Path = Path("/")) -> list[str]:
    """Return the names of this machine's backlights."""
    return sorted(device.parent.name for device in (root / FOLDER).glob("*/brightness"))
