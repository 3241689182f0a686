"""The settings of a table in a fleet. They are in the section [bridge] of the settings file, and in
PEM files beside that file."""

import re
from pathlib import Path
from typing import Any, Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.files import read_small_file
from pi_table.common.language import join_texts, say, system_says
from pi_table.fleet.provisioning.certificates import belong_together, fault_of_certificate, pem_of
from pi_table.fleet.provisioning.users import fault_of_broker, fault_of_prefix, fault_of_table
from pi_table.maintenance.first_boot import once, places
from pi_table.maintenance.first_boot.reading import Reading, find_file

KEYS: Final = ("broker", "table", "password", "prefix")
MAX_PEM_BYTES: Final = 16 * 1024
"""Maximum size in bytes of a PEM file."""
WHERE: Final = "[bridge] "
_PASSWORD: Final = re.compile(r"[!#-&(-\[\]-~]{8,100}")
"""Pattern of an allowed password. It has no characters that TOML escapes, so blanks can overwrite
it."""


class Secrets(msgspec.Struct, frozen=True, omit_defaults=True):
    """The credentials of a table at its broker. All but the password are PEM text."""

    password: str | None = None
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None

    def __repr__(self) -> str:
        return "Secrets(…)"

    def over(self, others: "Secrets") -> "Secrets":
        """Return a copy of these secrets in which each missing secret is taken from ``others``."""
        found = {
            name: getattr(self, name) or getattr(others, name) for name in self.__struct_fields__
        }
        return Secrets(**found)


class Bridge(msgspec.Struct, frozen=True):
    """The settings with which a table's bridge joins a fleet."""

    broker: str
    """Address of the broker. "" means no broker; the stored credentials are then deleted."""
    table: str | None = None
    prefix: str | None = None
    given: Secrets = Secrets()
    """The secrets that are on the boot partition now. Others may be stored in the system."""


def read_bridge(reading: Reading, section: dict[str, Any], data: bytes, file: Path) -> Bridge:
    """Return the settings in ``section``, with the secrets in the PEM files beside the settings
    ``file``.

    ``data`` has the bytes of ``file``. Faults are recorded in ``reading``.
    """

    def fault_of_password(password: str) -> str | None:
        if not _PASSWORD.fullmatch(password):
            return say(
                "is 8 to 100 letters, digits and signs of ASCII, without spaces, quotes and \\."
            )
        if once.secrets_in(once.PASSWORD, data) != [password.encode()]:
            return say('must be on a line of its own, once, as in password = "…".')
        return None

    known = reading.known_values(section, KEYS, WHERE)
    broker = reading.text(known, "broker", fault_of_broker, WHERE)
    table = reading.text(known, "table", fault_of_table, WHERE)
    password = reading.text(known, "password", fault_of_password, WHERE)
    prefix = reading.text(known, "prefix", fault_of_prefix, WHERE)
    if "broker" not in section:
        reading.complain("bridge", say("[bridge] has no broker: write its address."))
    elif broker and "table" not in section:
        reading.complain(
            "bridge", say("[bridge] has no table: write its name, its user at the broker.")
        )
    given = msgspec.structs.replace(_beside(reading, file), password=password)
    if given.certificate and broker and not broker.startswith("mqtts:"):
        reading.wrong.append(
            say("{certificate} is for a broker at mqtts://.", certificate=places.CERTIFICATE)
        )
    return Bridge(broker or "", table, prefix, given)


def complain_about_lone_key(reading: Reading, file: Path) -> None:
    """For settings without [bridge], record a fault if the key file has a private key, which would
    stay on the card."""
    key = _pem(reading, file, places.KEY)
    if key and once.secrets_in(once.KEY, key.encode()):
        reading.wrong.append(
            say("{key} is there without [bridge]: remove it, or write [bridge].", key=places.KEY)
        )


def _beside(reading: Reading, file: Path) -> Secrets:
    """Return the secrets in the PEM files beside the settings file; record their faults."""
    ca = _pem(reading, file, places.CA)
    certificate = _pem(reading, file, places.CERTIFICATE)
    key = _pem(reading, file, places.KEY)
    taken_over = key is not None and once.was_set(once.KEY, key.encode())
    if taken_over:
        key = None
    faults = [
        join_texts(" ", (name, fault))
        for name, text, fault_of in (
            (places.CA, ca, fault_of_certificate),
            (places.CERTIFICATE, certificate, fault_of_certificate),
            (places.KEY, key, _fault_of_key),
        )
        if text is not None and (fault := fault_of(text)) is not None
    ]
    # If the key was stored at an earlier start, `bridge_secrets.to_keep` compares them.
    if certificate is not None and key is None and not taken_over:
        faults.append(
            say(
                "{certificate} is of no use alone: put {key} beside it.",
                certificate=places.CERTIFICATE,
                key=places.KEY,
            )
        )
    elif key is not None and certificate is None:
        faults.append(
            say(
                "{key} is of no use alone: put {certificate} beside it.",
                key=places.KEY,
                certificate=places.CERTIFICATE,
            )
        )
    elif not faults and certificate and key and not belong_together(certificate, key):
        faults.append(
            say(
                "{key} is not the key of {certificate}.",
                key=places.KEY,
                certificate=places.CERTIFICATE,
            )
        )
    reading.wrong += faults
    return Secrets(ca=ca, certificate=certificate, key=key)


def _fault_of_key(text: str) -> str | None:
    """Return the fault of a private key, as the end of a sentence; None if the key has no fault."""
    if "ENCRYPTED" in text:
        return say("has a password, and nobody is there to type it: remove the password.")
    if len(once.secrets_in(once.KEY, text.encode())) != 1:
        return say("is not a single PEM key, which begins with -----BEGIN PRIVATE KEY-----.")
    return None


def _pem(reading: Reading, settings: Path, name: str) -> str | None:
    """Return the text of the PEM file ``name`` beside the settings file. Return None if the file is
    missing. If it cannot be used, record a fault and return None."""
    file = find_file(settings.with_name(name))
    try:
        data = read_small_file(file, MAX_PEM_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        reading.wrong.append(
            say("{name} cannot be read: {strerror}.", name=file.name, strerror=system_says(error))
        )
        return None
    if len(data) > MAX_PEM_BYTES:
        reading.wrong.append(
            say(
                "{name} has more than {most_bytes} bytes: it is another file.",
                name=file.name,
                most_bytes=f"{MAX_PEM_BYTES:,}",
            )
        )
        return None
    try:
        return pem_of(data, file.name)
    except InputError as error:
        reading.wrong.append(str(error))
        return None
