"""Provisioning: a folder with what each table is given, and what the broker is.

The folder is the memory of it: a table that stands in the broker's file of passwords keeps its own.
All that can be refused is refused before anything is written. What is written is written in such an
order that a run that was cut short is made good by the next.
"""

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from pi_table.errors import InputError
from pi_table.provisioning import broker_files, passwords
from pi_table.provisioning.certificates import fault_of_certificate
from pi_table.provisioning.pieces import password_in, piece
from pi_table.provisioning.rights import acl
from pi_table.provisioning.users import User, fault_of_broker, fault_of_prefix, fault_of_table
from pi_table.small_file import read_small_file, text_of
from pi_table.whole_file import remove, sync_folder, write_whole

MOST_BYTES: Final = 4 * 1024 * 1024
MOST_TABLES: Final = 10_000
CA: Final = "pi-table-ca.pem"
"""Who signs for the broker, beside a table's settings."""


class Wanted(msgspec.Struct, frozen=True):
    """What is asked for."""

    tables: tuple[str, ...] = ()
    revoked: tuple[str, ...] = ()
    broker: str | None = None
    """The address by which tables find the broker; None: no table is added."""
    prefix: str = "pi-table"
    home_assistant: str = "homeassistant"
    ca: str | None = None
    """The certificate of whoever signs for the broker, as PEM; None: tables trust what their system
    trusts."""
    at: PurePosixPath = PurePosixPath("/etc/mosquitto/pi-table")
    """Where the broker's files will lie on the broker's machine."""
    replace: bool = False
    """Are files written anew that were changed by hand, or are for another broker?"""


class Done(msgspec.Struct, frozen=True):
    """What came of it: names of tables and other users."""

    added: tuple[str, ...]
    kept: tuple[str, ...]
    revoked: tuple[str, ...]


def provision(folder: Path, wanted: Wanted) -> Done:
    """Bring the folder up to what is wanted. Raises InputError, and then nothing was changed;
    OSError for what cannot be read or written."""
    _check(wanted)
    files = _Files(folder)
    before = passwords.read(files.text(files.passwords) or "", str(files.passwords))
    users = [*(user.value for user in User), *dict.fromkeys(wanted.tables)]
    # Whoever is named besides may have been taken away by the same run, which was cut short.
    known = {*before, *users} if before else set()
    unknown = [name for name in wanted.revoked if name not in known]
    if unknown:
        raise InputError(f"{files.passwords} has no user {', '.join(unknown)}: nothing is revoked.")
    staying = {user: line for user, line in before.items() if user not in wanted.revoked}
    new = {
        user: files.kept_password(user) if user not in wanted.revoked else None
        for user in users
        if user not in staying
    }
    derived = _derived(files, wanted)
    _see_that_none_was_changed(files, derived, wanted.replace)

    for user in wanted.revoked:  # first of all: what is left is never taken up again
        files.forget(user)
    if wanted.revoked:
        files.write_secret(files.passwords, _lines(staying.values()))
    made = {user: password or passwords.new_password() for user, password in new.items()}
    for user, password in made.items():
        files.write_secret(files.secret(user), _secret_text(user, password, wanted))
    added = (passwords.line(user, made[user], passwords.new_salt()) for user in made)
    if made:
        files.write_secret(files.passwords, _lines([*staying.values(), *added]))
    for path, text in derived.items():
        files.write(path, text)
    return Done(
        tuple(made),
        tuple(user for user in users if user in staying),
        tuple(user for user in wanted.revoked if user not in made),
    )


class _Files:
    """The files of the folder, each by what it is."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._broker = folder / "broker"
        self.passwords = self._broker / broker_files.PASSWORDS
        self.rights = self._broker / broker_files.RIGHTS
        self.configuration = self._broker / broker_files.CONFIGURATION

    def secret(self, user: str) -> Path:
        """The file with a user's password: a table's settings, or the password alone."""
        if user in _NO_TABLES:
            return self._folder / "users" / user
        return self._folder / "tables" / user / "pi-table.toml"

    def ca(self, table: str) -> Path:
        return self._folder / "tables" / table / CA

    def kept_password(self, user: str) -> str | None:
        """The password that an earlier run has made and not told the broker; None: there is
        none. Raises InputError."""
        text = self.text(self.secret(user))
        if text is None:
            return None
        if user not in _NO_TABLES:
            return password_in(text, user, str(self.secret(user)))
        lines = text.splitlines()
        return lines[0] if lines and lines[0] else None

    def text(self, path: Path) -> str | None:
        """What a file holds; None where there is none. Raises InputError for what is no text."""
        try:
            data = read_small_file(path, MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(
                f"{path} cannot be read: {error.strerror}. Check its path and rights."
            ) from None
        return text_of(data, str(path))

    def forget(self, user: str) -> None:
        """Takes away what a user was given."""
        secret = self.secret(user)
        if secret.parent.is_dir():
            remove(secret)
        if user not in _NO_TABLES and secret.parent.is_dir():
            remove(self.ca(user))
            if not any(secret.parent.iterdir()):
                secret.parent.rmdir()

    def write_secret(self, path: Path, text: str) -> None:
        """Writes a file that its owner alone reads."""
        self._write(path, text, 0o600)

    def write(self, path: Path, text: str) -> None:
        """Writes a file, if that is not what it holds."""
        if self.text(path) != text:
            self._write(path, text, 0o644)

    def _write(self, path: Path, text: str, mode: int) -> None:
        for folder in (self._folder, path.parents[1], path.parent):  # each its owner's alone
            if not folder.is_dir():
                folder.mkdir(0o700, parents=True)
                sync_folder(folder.parent)
        write_whole(path, [text.encode()], mode)


_NO_TABLES: Final = frozenset(user.value for user in User)
_PLACE: Final = re.compile(r"(/[\w.-]+)+", re.ASCII)


def _check(wanted: Wanted) -> None:
    """Raises InputError for what cannot be, all of it at once."""
    wrong = [
        f"{name!r} cannot be a table: its name {fault}"
        for name in wanted.tables
        if (fault := fault_of_table(name)) is not None
    ]
    if len(wanted.tables) > MOST_TABLES:
        wrong.append(f"A broker has {MOST_TABLES:,} tables at most.")
    if wanted.broker is None:
        if wanted.tables or not wanted.revoked:
            wrong.append("Say --broker: tables are told where their broker is.")
    elif (fault := fault_of_broker(wanted.broker)) is not None:
        wrong.append(f"The broker's address {fault}")
    elif not wanted.broker.startswith("mqtts://"):
        wrong.append("The broker's address begins with mqtts://: passwords do not go in the open.")
    if (fault := fault_of_prefix(wanted.prefix)) is not None:
        wrong.append(f"The prefix of topics {fault}")
    if wanted.home_assistant and (fault := fault_of_prefix(wanted.home_assistant)) is not None:
        wrong.append(f"Home Assistant's prefix {fault}")
    if wanted.ca is not None and (fault := fault_of_certificate(wanted.ca)) is not None:
        wrong.append(f"The file of --ca {fault}")
    if not _PLACE.fullmatch(str(wanted.at)):
        wrong.append("The broker's folder is a path such as /etc/mosquitto/pi-table.")
    if wrong:
        raise InputError("\n".join(wrong))


def _derived(files: _Files, wanted: Wanted) -> dict[Path, str]:
    """The files without secrets, with what is to stand in them."""
    if wanted.broker is None:
        return {}
    ca = {} if wanted.ca is None else {files.ca(table): wanted.ca for table in wanted.tables}
    return {
        files.rights: acl(wanted.prefix, wanted.home_assistant),
        files.configuration: broker_files.configuration(wanted.broker, wanted.at),
        **ca,
    }


def _see_that_none_was_changed(files: _Files, derived: dict[Path, str], replace: bool) -> None:
    """Raises InputError where something else stands there, and is not to be replaced."""
    wrong = [
        f"{path} is not as it would be written now: it was changed, or is for another broker or "
        "prefix. Look at it; --replace writes it anew."
        for path, text in derived.items()
        if not replace and files.text(path) not in (None, text)
    ]
    if wrong:
        raise InputError("\n".join(wrong))


def _secret_text(user: str, password: str, wanted: Wanted) -> str:
    """What stands in the file with a user's password."""
    if user in _NO_TABLES:
        return f"{password}\n"
    assert wanted.broker is not None
    return piece(wanted.broker, user, password, wanted.prefix)


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
