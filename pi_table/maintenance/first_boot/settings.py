"""Reads and checks the settings file. All its faults are reported together."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common.edited_text import text_of
from pi_table.common.errors import InputError, TableError
from pi_table.common.files import read_small_file
from pi_table.common.house_settings import House, with_settings
from pi_table.common.language import LANGUAGES, did_you_mean, join_texts, say, system_says
from pi_table.maintenance.first_boot import once, places
from pi_table.maintenance.first_boot.bridge_settings import (
    Bridge,
    complain_about_lone_key,
    read_bridge,
)
from pi_table.maintenance.first_boot.reading import MAX_QUOTED_LENGTH, Reading, short
from pi_table.maintenance.first_boot.usb import Usb, read_usb
from pi_table.table.engine.storage.pin import LENGTHS, is_pin

MAX_FILE_BYTES: Final = 32 * 1024

SCREENS: Final = ("hidden", "none")
"""Allowed values of the setting `screen` in [console] of the configuration."""
_HOSTNAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?", re.ASCII)
_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_PASSPHRASE: Final = re.compile(r"[ -~]{8,63}|[0-9A-Fa-f]{64}")
_COUNTRY: Final = re.compile(r"[A-Z]{2}")
_USUAL_MISTAKES: Final = {"uk": "GB", "en": "GB", "england": "GB", "el": "GR", "usa": "US"}
"""Usual mistakes in country codes, with the right codes. EL is the European Union's code of
Greece."""


class Wifi(msgspec.Struct, frozen=True):
    """A Wi-Fi network to which the table connects."""

    ssid: str
    password: str | None = None
    """Password of the network; None for an open network."""
    country: str | None = None
    """Country of the table: two capital letters, by ISO 3166."""
    hidden: bool = False
    """True if the network does not broadcast its name."""

    def __repr__(self) -> str:
        return "Wifi(…)"


class Settings(msgspec.Struct, frozen=True):
    """The settings to apply. A setting of None changes nothing in the system."""

    hostname: str | None = None
    language: str | None = None
    timezone: str | None = None
    pin: str | None = None
    screen: str | None = None
    """``none`` if the table has no hidden screen, ``hidden`` if it has one."""
    pages: bool | None = None
    """True if the table serves web pages on the network."""
    wifi: Wifi | None = None
    bridge: Bridge | None = None
    usb: Usb | None = None
    house: dict[str, Any] = {}
    """The venue's settings, by the name of the setting."""

    def __repr__(self) -> str:
        return "Settings(…)"


class UnusableError(InputError):
    """The settings cannot be used; ``wrong`` has a sentence for each reason."""

    def __init__(self, *wrong: str) -> None:
        super().__init__(join_texts("\n", wrong))
        self.wrong = wrong


def read(file: Path, root: Path) -> Settings:
    """Return the settings in ``file``, checked for the system below ``root``. Raises
    UnusableError."""
    try:
        data = read_small_file(file, MAX_FILE_BYTES)
    except OSError as error:
        raise UnusableError(
            say("{name} cannot be read: {strerror}.", name=file.name, strerror=system_says(error))
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise UnusableError(
            say(
                "{name} has more than {most_bytes} bytes: it is another file.",
                name=file.name,
                most_bytes=f"{MAX_FILE_BYTES:,}",
            )
        )
    try:
        text = text_of(data, file.name)
    except InputError as error:
        raise UnusableError(str(error)) from None
    try:
        given = tomllib.loads(text)
    except RecursionError:
        raise UnusableError(
            say("{name} has values within values within values.", name=file.name)
        ) from None
    except ValueError as error:
        raise UnusableError(
            say(
                '{name} is not TOML: {error}. Texts go in quotes: hostname = "table".',
                name=file.name,
                error=error,
            )
        ) from None
    return _Reading(text, data, file, root).settings(given)


class _Reading(Reading):
    """One settings file with its bytes ``data``, checked for the system below ``root``."""

    def __init__(self, text: str, data: bytes, file: Path, root: Path) -> None:
        super().__init__(text)
        self._data = data
        self._file = file
        self._root = root

    def settings(self, given: dict[str, Any]) -> Settings:
        top = self.known_values(given, Settings.__struct_fields__, "")
        wifi = self.section(top, "wifi")
        bridge = self.section(top, "bridge")
        usb = self.section(top, "usb")
        if bridge is None:
            complain_about_lone_key(self, self._file)
        settings = Settings(
            hostname=self.text(top, "hostname", _of_hostname),
            language=self.text(top, "language", _of_language),
            timezone=self.text(top, "timezone", self._of_timezone),
            pin=self.text(top, "pin", self._of_pin),
            screen=self.text(top, "screen", _of_screen),
            pages=self.answer(top, "pages"),
            wifi=None if wifi is None else self._wifi(wifi),
            bridge=None if bridge is None else read_bridge(self, bridge, self._data, self._file),
            usb=None if usb is None else read_usb(self, usb),
            house=self._house(self.section(top, "house") or {}),
        )
        if self.wrong:
            raise UnusableError(*self.wrong)
        return settings

    def _wifi(self, given: dict[str, Any]) -> Wifi | None:
        where = "[wifi] "
        known = self.known_values(given, Wifi.__struct_fields__, where)
        ssid = self.text(known, "ssid", _of_ssid, where)
        password = self.text(known, "password", _of_password, where)
        country = self.text(known, "country", self._of_country, where)
        hidden = self.answer(known, "hidden", where)
        if "ssid" not in given:
            self.complain("wifi", say("[wifi] has no ssid: write the name of the network."))
        return None if ssid is None else Wifi(ssid, password, country, bool(hidden))

    def _house(self, given: dict[str, Any]) -> dict[str, Any]:
        where = "[house] "
        known = self.known_values(given, House.__struct_fields__, where)
        for key, value in known.items():
            try:
                with_settings(House(), {key: value})
            except TableError as error:
                self.complain(key, say("[house] {key}: {error}", key=key, error=error), where)
        return known

    def _of_timezone(self, name: str) -> str | None:
        zones = self._root / places.ZONES
        if _ZONE.fullmatch(name) and _is_zone(zones / name):
            return None
        known = [*_zones(zones)]
        near = did_you_mean(name[:MAX_QUOTED_LENGTH], known) if known else ""
        hint = near if near.startswith("did") else say("write one such as Europe/Rome.")
        return say(
            "cannot be {short}: this system knows no such time zone; {hint}",
            short=short(name),
            hint=hint,
        )

    def _of_country(self, country: str) -> str | None:
        codes = _countries(self._root / places.COUNTRIES)
        if _COUNTRY.fullmatch(country) and (country in codes.values() or not codes):
            return None
        meant = {**codes, **_USUAL_MISTAKES}.get(country.strip().lower())
        if meant is not None:
            return say(
                "cannot be {short}; did you mean {meant}?", short=short(country), meant=repr(meant)
            )
        return say(
            "cannot be {short}: it is the two capitals of a country, such as IT.",
            short=short(country),
        )

    def _of_pin(self, pin: str) -> str | None:
        if not is_pin(pin):
            return say(
                "is {lengths} to {lengths_2} digits in quotes.",
                lengths=LENGTHS[0],
                lengths_2=LENGTHS[-1],
            )
        if once.secrets_in(once.PIN, self._data) != [pin.encode()]:
            return say('must be on a line of its own, once, as in pin = "…".')
        return None


def _of_hostname(name: str) -> str | None:
    if _HOSTNAME.fullmatch(name):
        return None
    return say(
        "cannot be {short}: it has 1 to 63 letters from a to z, digits and hyphens, and no "
        "hyphen at either end.",
        short=short(name),
    )


def _of_language(code: str) -> str | None:
    if code in LANGUAGES:
        return None
    return say(
        "cannot be {short}; {did_you_mean}",
        short=short(code),
        did_you_mean=did_you_mean(code[:MAX_QUOTED_LENGTH], [*LANGUAGES]),
    )


def _of_screen(screen: str) -> str | None:
    if screen in SCREENS:
        return None
    return say(
        "cannot be {short}; {did_you_mean}",
        short=short(screen),
        did_you_mean=did_you_mean(screen[:MAX_QUOTED_LENGTH], SCREENS),
    )


def _of_ssid(ssid: str) -> str | None:
    if 1 <= len(ssid.encode()) <= 32 and ssid.isprintable():
        return None
    return say("is 1 to 32 bytes long, without invisible characters.")


def _of_password(password: str) -> str | None:
    if _PASSPHRASE.fullmatch(password):
        return None
    return say("is 8 to 63 letters, digits and signs of ASCII; leave it out if there is none.")


def _countries(table: Path) -> dict[str, str]:
    """Return country codes by code and by country name, in lower case; empty if ``table`` is
    unreadable."""
    try:
        lines = table.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    rows = [line.split("\t") for line in lines if "\t" in line and not line.startswith("#")]
    return {said.lower(): row[0] for row in rows for said in row[:2]}


def _is_zone(file: Path) -> bool:
    try:
        return file.is_file() and read_small_file(file, MAX_FILE_BYTES).startswith(b"TZif")
    except OSError:
        return False


def _zones(folder: Path) -> list[str]:
    """Return the names of all time zones, except those in the folders posix and right."""
    return [
        str(file.relative_to(folder))
        for file in folder.rglob("[A-Z]*")
        if file.relative_to(folder).parts[0] not in ("posix", "right") and file.is_file()
    ]
