"""Reads the lines of config.txt that concern a table, as the Raspberry Pi's firmware does."""

from collections.abc import Iterator
from typing import Final, NamedTuple

_ON: Final = ("", "on", "yes", "true", "1")
"""Values that switch a parameter on. A parameter without a value is also on."""
_ALIASES: Final = {
    **{f"vc4-kms-v3d-pi{number}": "vc4-kms-v3d" for number in (4, 5)},
    "vc4-fkms-v3d-pi4": "vc4-fkms-v3d",
    **{f"{name}-pi5": name for name in ("w1-gpio", "w1-gpio-pullup", "uart0", "uart2", "uart3")},
    "uart4-pi5": "uart4",
}
"""Other names of overlays. The firmware replaces them by the real names."""


class Entry(NamedTuple):
    """A line that has an effect: it loads an overlay, or switches a parameter or setting on."""

    line: str
    parameters: dict[str, str]


class ConfigTxt:
    """The config.txt as one model of the board reads it, without the lines for other models."""

    def __init__(self, text: str, sections: tuple[str, ...]) -> None:
        """Read a text. ``sections`` are the filters that match this board, such as ``pi4``. The
        filter ``all`` always matches. Any other filter, such as one for a serial number, does not
        match."""
        self._settings: dict[str, tuple[str, str]] = {}
        """The last value of each simple setting, and the line that sets it."""
        self._parameters: dict[str, tuple[str, str]] = {}
        """The last value of each `dtparam`, and the line that sets it."""
        self._overlays: list[tuple[str, Entry]] = []
        """The name and entry of each overlay, in order. The same overlay may be loaded twice."""
        self._begun: Entry | None = None
        """The overlay that was read last. A `dtparam` line that follows also applies to this
        overlay."""
        for line in _lines(text, sections):
            self._take(line)

    def has(self, line: str) -> bool:
        """True if the file contains this line, or other lines with the same meaning."""
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
        """Return the lines that switch on this setting (`enable_uart`), parameter (`dtparam=spi`)
        or overlay (`dtoverlay=gpio-fan`)."""
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
            # The parameter is the overlay's or the board's; only the overlay's file says which.
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
    """Yield the lines of config.txt that apply to a board with these filters."""
    holds = True
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            holds = line.strip("[]").lower() in ("all", *sections)
        elif holds and line and not line.startswith("#"):
            yield line


def _parameters(text: str) -> dict[str, str]:
    """Return the parameters in a text such as `a=1,b`. Each value that means "on" becomes `on`."""
    found = {}
    for each in text.split(","):
        key, _, value = each.partition("=")
        if key.strip():
            given = value.strip()
            found[key.strip()] = "on" if given.lower() in _ON else given
    return found
