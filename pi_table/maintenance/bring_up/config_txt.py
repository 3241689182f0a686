"""What the firmware of a Raspberry Pi makes of its config.txt, as far as a table asks for it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

_ON: Final = ("", "on", "yes", "true", "1")
"""What a switch can be given to be on; nothing is as good as any."""
_ALIASES: Final = {
    **{f"vc4-kms-v3d-pi{number}": "vc4-kms-v3d" for number in (4, 5)},
    "vc4-fkms-v3d-pi4": "vc4-fkms-v3d",
    **{f"{name}-pi5": name for name in ("w1-gpio", "w1-gpio-pullup", "uart0", "uart2", "uart3")},
    "uart4-pi5": "uart4",
}
"""Other names of an overlay, which the firmware exchanges by itself."""


class Entry(NamedTuple):
    """What a line says: an overlay with its parameters, or a parameter or setting that is on."""

    line: str
    """As it is in the file, without blanks around it."""
    parameters: dict[str, str]


class ConfigTxt:
    """A config.txt as a board reads it: what stands under a filter for other boards is left out."""

    def __init__(self, text: str, sections: tuple[str, ...]) -> None:
        """``sections`` are the filters by which this board feels meant, besides *all*. A filter
        that knows more than the board, such as a serial number or what hangs at HDMI, is taken for
        one that does not hold."""
        self._settings: dict[str, tuple[str, str]] = {}
        """The last value of each simple setting, and its line."""
        self._parameters: dict[str, tuple[str, str]] = {}
        """The last value of each `dtparam`, and its line."""
        self._overlays: list[tuple[str, Entry]] = []
        """Each overlay by its name, in order: of two with one name, each is loaded."""
        self._begun: Entry | None = None
        """The overlay that a following `dtparam` belongs to, too."""
        for line in _lines(text, sections):
            self._take(line)

    def has(self, line: str) -> bool:
        """Does this line, or others that mean as much, stand in it?"""
        key, _, value = line.partition("=")
        if key == "dtparam":
            known = {name: value for name, (value, _) in self._parameters.items()}
            return _parameters(value).items() <= known.items()
        if key == "dtoverlay":
            name, _, given = value.partition(",")
            wanted = _parameters(given).items()
            return any(
                each == name and wanted <= entry.parameters.items()
                for each, entry in self._overlays
            )
        return self._settings.get(key, ("", ""))[0] == value

    def entries(self, begins: str) -> list[Entry]:
        """What is on of this setting (`enable_uart`), parameter (`dtparam=spi`) or overlay
        (`dtoverlay=gpio-fan`), line by line."""
        key, _, name = begins.partition("=")
        if key == "dtoverlay":
            return [entry for each, entry in self._overlays if each == name]
        if key == "dtparam":
            value, line = self._parameters.get(name, ("off", ""))
            return [Entry(line, {})] if value == "on" else []
        value, line = self._settings.get(key, ("0", ""))
        return [Entry(line, {})] if value != "0" else []

    def _take(self, line: str) -> None:
        key, _, value = line.partition("=")
        key, value = key.strip(), value.strip()
        if key == "dtparam":
            given = _parameters(value)
            self._parameters |= {name: (value, line) for name, value in given.items()}
            # Whether it is the overlay's or the board's, only the overlay's own file tells.
            if self._begun is not None:
                self._begun.parameters.update(given)
        elif key == "dtoverlay":
            name, _, rest = value.partition(",")
            self._begun = Entry(line, _parameters(rest)) if name else None
            if self._begun is not None:
                self._overlays.append((_ALIASES.get(name, name), self._begun))
        else:
            self._settings[key] = value, line


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
