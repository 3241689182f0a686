"""The file of settings, read and checked: all that is wrong in it is told at once."""

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.engine.pin import LENGTHS, is_pin
from pi_table.errors import InputError, TableError, did_you_mean
from pi_table.first_boot import places
from pi_table.first_boot.pin_line import line_of_pin
from pi_table.house import House, changed
from pi_table.language import LANGUAGES
from pi_table.small_file import read_small_file

MOST_BYTES: Final = 32 * 1024
LONGEST_TOLD: Final = 60
"""Characters of what somebody wrote that a sentence about it repeats."""

_HOSTNAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?", re.ASCII)
_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_PASSPHRASE: Final = re.compile(r"[ -~]{8,63}|[0-9A-Fa-f]{64}")
_COUNTRY: Final = re.compile(r"[A-Z]{2}")


class Wifi(msgspec.Struct, frozen=True):
    """A network that the table is to join."""

    ssid: str
    password: str | None = None
    """None for a network that is open to everybody."""
    country: str | None = None
    """Where the table stands: two capitals, by ISO 3166."""

    def __repr__(self) -> str:
        return "Wifi(…)"


class Settings(msgspec.Struct, frozen=True):
    """What is to be set; None where the system stays as it is."""

    hostname: str | None = None
    language: str | None = None
    timezone: str | None = None
    pin: str | None = None
    pages: bool | None = None
    """Are there pages on the network?"""
    wifi: Wifi | None = None
    house: dict[str, Any] = {}
    """Settings of the house, each by its name."""

    def __repr__(self) -> str:
        return "Settings(…)"


class UnusableError(InputError):
    """The settings cannot be used; ``wrong`` says why, a sentence each."""

    def __init__(self, wrong: list[str]) -> None:
        super().__init__("\n".join(wrong))
        self.wrong = wrong


def read(file: Path, root: Path) -> Settings:
    """The settings in a file, for the system below ``root``. Raises UnusableError."""
    try:
        data = read_small_file(file, MOST_BYTES)
    except OSError as error:
        raise UnusableError([f"{file.name} cannot be read: {error.strerror}."]) from None
    if len(data) > MOST_BYTES:
        raise UnusableError(
            [f"{file.name} has more than {MOST_BYTES:,} bytes: it is another file."]
        )
    try:
        text = data.decode("utf-8-sig")  # some editors put a mark before the first letter
    except UnicodeDecodeError:
        raise UnusableError([f"{file.name} is not UTF-8 text: save it again as UTF-8."]) from None
    try:
        given = tomllib.loads(text)
    except RecursionError:
        raise UnusableError([f"{file.name} has values within values within values."]) from None
    except ValueError as error:
        raise UnusableError(
            [f'{file.name} is not TOML: {error}. Texts stand in quotes: hostname = "table".']
        ) from None
    return _Reading(text, data, root).settings(given)


class _Reading:
    """One file, and all that is wrong in it."""

    def __init__(self, text: str, data: bytes, root: Path) -> None:
        self._lines = text.splitlines()
        self._data = data
        self._root = root
        self._wrong: list[str] = []

    def settings(self, given: dict[str, Any]) -> Settings:
        top = self._known(given, Settings.__struct_fields__, "")
        wifi = self._section(top, "wifi")
        settings = Settings(
            hostname=self._text(top, "hostname", self._of_hostname),
            language=self._text(top, "language", _of_language),
            timezone=self._text(top, "timezone", self._of_timezone),
            pin=self._text(top, "pin", self._of_pin),
            pages=self._answer(top, "pages"),
            wifi=None if wifi is None else self._wifi(wifi),
            house=self._house(self._section(top, "house") or {}),
        )
        if self._wrong:
            raise UnusableError(self._wrong)
        return settings

    def _wifi(self, given: dict[str, Any]) -> Wifi | None:
        known = self._known(given, Wifi.__struct_fields__, "[wifi] ")
        ssid = self._text(known, "ssid", _of_ssid, "[wifi] ")
        password = self._text(known, "password", _of_password, "[wifi] ")
        country = self._text(known, "country", _of_country, "[wifi] ")
        if "ssid" not in given:
            self._complain("wifi", "[wifi] has no ssid: write the name of the network.")
        return None if ssid is None else Wifi(ssid, password, country)

    def _house(self, given: dict[str, Any]) -> dict[str, Any]:
        known = self._known(given, House.__struct_fields__, "[house] ")
        for key, value in known.items():
            try:
                changed(House(), {key: value})
            except TableError as error:
                self._complain(key, f"[house] {key}: {error}")
        return known

    def _known(self, given: Mapping[str, Any], keys: tuple[str, ...], where: str) -> dict[str, Any]:
        """What is given for keys that there are; the others are told."""
        for key in given:
            if key not in keys:
                meant = did_you_mean(key[:LONGEST_TOLD], [*keys])
                self._complain(key, f"there is no setting {where}{_short(key)}; {meant}")
        return {key: value for key, value in given.items() if key in keys}

    def _section(self, given: Mapping[str, Any], key: str) -> dict[str, Any] | None:
        value = given.get(key)
        if value is None or isinstance(value, dict):
            return value
        self._complain(key, f"{key} is a section: write [{key}], and its settings below.")
        return None

    def _text(
        self,
        given: Mapping[str, Any],
        key: str,
        fault_of: Callable[[str], str | None],
        where: str = "",
    ) -> str | None:
        value = given.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            self._complain(key, f'{where}{key} is a text, and stands in quotes: {key} = "…".')
            return None
        fault = fault_of(value)
        if fault is not None:
            self._complain(key, f"{where}{key} {fault}")
            return None
        return value

    def _answer(self, given: Mapping[str, Any], key: str) -> bool | None:
        value = given.get(key)
        if value is None or isinstance(value, bool):
            return value
        self._complain(key, f"{key} is true or false, without quotes: {key} = false.")
        return None

    def _complain(self, key: str, sentence: str) -> None:
        written = re.compile(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[]=]")
        numbers = [n for n, line in enumerate(self._lines, 1) if written.match(line)]
        self._wrong.append(f"Line {numbers[0]}: {sentence}" if numbers else sentence)

    def _of_hostname(self, name: str) -> str | None:
        if _HOSTNAME.fullmatch(name):
            return None
        return (
            f"cannot be {_short(name)}: it has 1 to 63 letters from a to z, digits and hyphens, "
            "and no hyphen at either end."
        )

    def _of_timezone(self, name: str) -> str | None:
        zones = self._root / places.ZONES
        if _ZONE.fullmatch(name) and _is_zone(zones / name):
            return None
        known = [*_zones(zones)]
        near = did_you_mean(name[:LONGEST_TOLD], known) if known else ""
        hint = near if near.startswith("did") else "write one such as Europe/Rome."
        return f"cannot be {_short(name)}: this system knows no such time zone; {hint}"

    def _of_pin(self, pin: str) -> str | None:
        if not is_pin(pin):
            return f"is {LENGTHS[0]} to {LENGTHS[-1]} digits in quotes."
        if line_of_pin(self._data, pin) is None:
            return 'is to stand on a line of its own, once, as in pin = "…".'
        return None


def _of_language(code: str) -> str | None:
    if code in LANGUAGES:
        return None
    return f"cannot be {_short(code)}; {did_you_mean(code[:LONGEST_TOLD], [*LANGUAGES])}"


def _of_ssid(ssid: str) -> str | None:
    if 1 <= len(ssid.encode()) <= 32 and ssid.isprintable():
        return None
    return "is 1 to 32 bytes long, and has no sign in it that nobody can see."


def _of_password(password: str) -> str | None:
    if _PASSPHRASE.fullmatch(password):
        return None
    return "is 8 to 63 letters, digits and signs of ASCII; leave it out where there is none."


def _of_country(country: str) -> str | None:
    if _COUNTRY.fullmatch(country):
        return None
    return f"cannot be {_short(country)}: it is two capitals, such as IT."


def _is_zone(file: Path) -> bool:
    try:
        return file.is_file() and read_small_file(file, MOST_BYTES).startswith(b"TZif")
    except OSError:
        return False


def _zones(folder: Path) -> list[str]:
    """The names of all zones, but for those in folders of another kind (posix, right)."""
    return [
        str(file.relative_to(folder))
        for file in folder.rglob("[A-Z]*")
        if file.relative_to(folder).parts[0] not in ("posix", "right") and file.is_file()
    ]


def _short(value: str) -> str:
    return repr(value if len(value) <= LONGEST_TOLD else value[: LONGEST_TOLD - 1] + "…")
