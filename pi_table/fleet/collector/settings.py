"""The collector's settings. They have their own TOML file, because the collector's server is no
table. The README beside this file shows every key."""

import ssl
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import msgspec

from pi_table.common.edited_text import read_text
from pi_table.common.errors import InputError
from pi_table.common.language import did_you_mean, say
from pi_table.fleet.collector.opening import check_address
from pi_table.fleet.credentials import read_password, tls_context

FILE: Final = Path("/etc/pi-table/collector.toml")
"""Default path of the settings file."""
MAX_FILE_BYTES: Final = 32 * 1024
PORTS: Final = {"mqtt": 1883, "mqtts": 8883}


Prefix = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,40}(/[A-Za-z0-9_-]{1,40}){0,3}$")]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the collector's settings file."""

    broker: Annotated[str, msgspec.Meta(pattern="^mqtts?://.")]
    """``mqtts://HOST``, or ``mqtt://HOST`` without encryption; a port may follow."""
    database: str
    """Address of the database: ``postgresql://HOST/NAME`` or ``sqlite:///PATH``."""
    prefix: Prefix | Annotated[tuple[Prefix, ...], msgspec.Meta(min_length=1)] = "pi-table"
    """The first levels of the tables' topics: one prefix or a list of prefixes. A topic may have
    one more level before the table's name: the name of the table's bar (venue)."""
    client_id: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,64}$")] = "pi-table-collector"
    """MQTT client id. Under this id, the broker stores messages while the collector is away, so no
    other client may have the same id."""
    username: str = "collector"
    """The collector's user name at the broker; "" means none."""
    password_file: str = ""
    """Path of the file whose first line is the user's password; "" means no password."""
    ca: str = ""
    """Path of the broker's CA certificate; "" means the certificates that the system trusts."""
    certificate: str = ""
    key: str = ""
    metrics: str = ""
    """Path of the file to which Prometheus metrics are written; "" means no such file."""

    @property
    def prefixes(self) -> tuple[str, ...]:
        return (self.prefix,) if isinstance(self.prefix, str) else self.prefix

    @property
    def host(self) -> str:
        return urlsplit(self.broker).hostname or ""

    @property
    def port(self) -> int:
        """Return the broker's port, by default 1883, or 8883 with TLS. Raises ValueError for an
        invalid port."""
        found = urlsplit(self.broker)
        return found.port or PORTS[found.scheme]

    @property
    def uses_tls(self) -> bool:
        """True if the connection to the broker uses TLS."""
        return urlsplit(self.broker).scheme == "mqtts"

    def password(self) -> str | None:
        """Return the collector's password; None if there is no password file. Raises InputError for
        an unusable file."""
        return read_password(self.password_file, MAX_FILE_BYTES)

    def tls_context(self) -> ssl.SSLContext | None:
        """Return the TLS context; None without TLS. Raises InputError for an unusable file."""
        if not self.uses_tls:
            return None
        return tls_context(self.ca, self.certificate, self.key, _refusal)


def load(path: Path) -> Settings:
    """Return the settings in a file. Raises InputError if the file cannot be used."""
    text = read_text(path, MAX_FILE_BYTES)
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            say("The settings {path} are not TOML: {error}.", path=path, error=error)
        ) from None
    return _settings(values, path)


def _settings(values: dict[str, Any], path: Path) -> Settings:
    known = list(Settings.__struct_fields__)
    for name in values:
        if name not in known:
            raise InputError(
                say(
                    "In {path}, there is no key {name}; {did_you_mean}",
                    path=path,
                    name=repr(name),
                    did_you_mean=did_you_mean(name, known),
                )
            )
    for name in ("broker", "database"):
        if name not in values:
            raise InputError(
                say("In {path}, {name} is missing: add it.", path=path, name=repr(name))
            )
    try:
        settings = msgspec.convert(values, Settings)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(
            say("In {path}, a value is not valid: {error}.", path=path, error=error)
        ) from None
    try:
        usable = bool(settings.host and settings.port)
    except ValueError:
        usable = False
    if not usable:
        raise InputError(
            say(
                "In {path}, broker cannot be {broker}: write mqtts://HOST or mqtts://HOST:PORT.",
                path=path,
                broker=repr(settings.broker),
            )
        )
    check_address(settings.database)
    return settings


def _refusal(key: str, file: str, why: str) -> str:
    return say(
        "The file of {key}, {file}, cannot be used: {why}. Check its path and its rights.",
        key=key,
        file=repr(file),
        why=why,
    )
