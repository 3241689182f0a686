"""What the firmware of a Raspberry Pi makes of its config.txt, as far as a table asks for it."""

from collections.abc import Iterator
from typing import Final

_ON: Final = ("", "on", "yes", "true", "1")
"""What a switch can be given to be on; nothing is as good as any."""


class ConfigTxt:
    """A config.txt as a board reads it: what stands under a filter for other boards is left out."""

    def __init__(self, text: str, sections: tuple[str, ...]) -> None:
        """``sections`` are the filters by which this board feels meant, besides *all*. A filter
        that knows more than the board, such as a serial number or what hangs at HDMI, is taken for
        one that does not hold."""
        self._settings: dict[str, str] = {}
        """The last value of each simple setting."""
        self._parameters: dict[str, str] = {}
        """The last value of each `dtparam`."""
        self._overlays: dict[str, dict[str, str]] = {}
        """Each overlay, and its parameters."""
        for line in _lines(text, sections):
            self._take(line)

    def has(self, line: str) -> bool:
        """Does this line, or others that mean as much, stand in it?"""
        key, _, value = line.partition("=")
        if key == "dtparam":
            return _parameters(value).items() <= self._parameters.items()
        if key == "dtoverlay":
            name, _, given = value.partition(",")
            known = self._overlays.get(name)
            return known is not None and _parameters(given).items() <= known.items()
        return self._settings.get(key) == value

    def _take(self, line: str) -> None:
        key, _, value = line.partition("=")
        key, value = key.strip(), value.strip()
        if key == "dtparam":
            self._parameters |= _parameters(value)
        elif key == "dtoverlay":
            name, _, given = value.partition(",")
            self._overlays.setdefault(name, {}).update(_parameters(given))
        else:
            self._settings[key] = value


def _lines(text: str, sections: tuple[str, ...]) -> Iterator[str]:
    """The lines that hold for the board."""
    holds = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            holds = line.strip("[]").lower() in ("all", *sections)
        elif holds and line and not line.startswith("#"):
            yield line


def _parameters(text: str) -> dict[str, str]:
    """`a=1,b` as what each is; a switch that is on is so in one way."""
    found = {}
    for each in text.split(","):
        key, _, value = each.partition("=")
        if key.strip():
            given = value.strip()
            found[key.strip()] = "on" if given.lower() in _ON else given
    return found
