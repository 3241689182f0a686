"""Provisioning: makes a folder with the files for each table and for the broker.

The next run reads this folder, so that a user in the broker's dynamic-security.json keeps the same
password. Every request is checked before the first file is written. Files are written in such an
order that the next run can complete an interrupted run.
"""

import re
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from pi_table.common.edited_text import text_of
from pi_table.common.errors import InputError
from pi_table.common.files import read_small_file, remove, sync_folder, write_whole
from pi_table.common.language import join_texts, say, system_says
from pi_table.fleet.bridge.topics import EVERYBODY
from pi_table.fleet.provisioning import broker_files, dynamic_security, old_files, passwords
from pi_table.fleet.provisioning.certificates import fault_of_certificate
from pi_table.fleet.provisioning.dynamic_security import Account, Security
from pi_table.fleet.provisioning.pieces import password_in, piece
from pi_table.fleet.provisioning.users import (
    ALWAYS,
    Kind,
    User,
    fault_of_broker,
    fault_of_name,
    fault_of_prefix,
    fault_of_table,
)

MAX_FILE_BYTES: Final = 32 * 1024 * 1024
"""Maximum size in bytes of a file in the folder. The users and rights of `MAX_TABLES` tables need
half this size."""
MAX_TABLES: Final = 10_000
CA: Final = "pi-table-ca.pem"
"""Name of the file with the broker's CA certificate, in the folder of a table's settings file."""


class Wanted(msgspec.Struct, frozen=True):
    """A request to provision tables and other users."""

    tables: tuple[str, ...] = ()
    others: tuple[tuple[str, Kind], ...] = ()
    """Users that are not tables, besides the users that every broker has."""
    bar: str = ""
    """Name of the bar (venue) of these tables and users. With "", these tables have no bar, and the
    other users may see all bars."""
    revoked: tuple[str, ...] = ()
    broker: str | None = None
    """Address of the broker for the tables; None if no table is added."""
    prefix: str = "pi-table"
    home_assistant: str = "homeassistant"
    ca: str | None = None
    """The broker's CA certificate as PEM text. None means that tables trust the CAs of their
    system."""
    at: PurePosixPath = PurePosixPath("/etc/mosquitto/pi-table")
    """Folder of the broker's files on the machine where the broker runs."""
    replace: bool = False
    """True to overwrite files that a person edited, and files that were made for another broker."""

    @property
    def users(self) -> dict[str, User]:
        """Return the users by name: those of this request, and those that every broker has."""
        tables = dict.fromkeys(self.tables, User(Kind.TABLE, self.bar))
        return {**ALWAYS, **tables, **{name: User(kind, self.bar) for name, kind in self.others}}


class Done(msgspec.Struct, frozen=True):
    """The result of provisioning. Tables and other users are given by name."""

    added: tuple[str, ...]
    kept: tuple[str, ...]
    revoked: tuple[str, ...]
    tables: int
    """Number of tables that the broker has after this run."""
    carried_over: bool
    """True if this run replaced broker files of pi-table 0.8."""


def provision(folder: Path, wanted: Wanted) -> Done:
    """Update the folder as requested. Before any change, raises InputError for a request that
    cannot be carried out. Raises OSError for a file that cannot be read or written."""
    _check(wanted)
    files = _Files(folder)
    before = files.security(wanted)
    users = wanted.users
    # An interrupted run with the same request may have removed a user already.
    known = {*before.accounts, *files.old_accounts(wanted), *users} if before.accounts else set()
    unknown = [name for name in wanted.revoked if name not in known]
    if unknown:
        raise InputError(
            say(
                "{accounts} has no user {unknown}: nothing is revoked.",
                accounts=files.accounts,
                unknown=", ".join(unknown),
            )
        )
    staying = {
        name: account for name, account in before.accounts.items() if name not in wanted.revoked
    }
    _check_names_are_free(staying, users)
    new = {
        name: files.stored_password(name, user) if name not in wanted.revoked else None
        for name, user in users.items()
        if name not in staying
    }
    _check_files_are_unedited(files, before, wanted)
    tables = [
        name for name, user in users.items() if name not in ALWAYS and user.kind is Kind.TABLE
    ]
    count = len({*tables, *(name for name in staying if _is_table(name, staying[name].user))})
    if count > MAX_TABLES:
        raise InputError(
            say("A broker has {most_tables} tables at most.", most_tables=f"{MAX_TABLES:,}")
        )
    carried_over = files.has_old

    for name in wanted.revoked:  # first, so that no leftover is used again
        files.forget(name)
    security = msgspec.structs.replace(before, accounts=staying)
    if wanted.revoked:
        files.write_secret(files.accounts, dynamic_security.write(security))
    made = {name: password or passwords.new_password() for name, password in new.items()}
    for name, password in made.items():
        files.write_secret(
            files.secret(name, users[name]), _secret_text(name, users[name], password, wanted)
        )
    added = {
        name: Account(users[name], passwords.hash_of(made[name], passwords.new_salt()))
        for name in made
    }
    security = Security({**staying, **added}, before.prefix, before.home_assistant)
    if files.text(files.accounts) != (text := dynamic_security.write(security)):
        files.write_secret(files.accounts, text)
    if carried_over:
        files.keep_old_configuration()
    for path, text in _public_files(files, wanted, broker_files.room_for(count)).items():
        files.write(path, text)
    if carried_over:
        files.remove_old()
    return Done(
        tuple(made),
        tuple(name for name in users if name in staying),
        tuple(name for name in wanted.revoked if name not in made),
        count,
        carried_over,
    )


class _Files:
    """The files in the folder of `provision`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._broker = folder / "broker"
        self.accounts = self._broker / broker_files.SECURITY
        self.configuration = self._broker / broker_files.CONFIGURATION
        self.unit = self._broker / broker_files.UNIT
        self._old_passwords = self._broker / old_files.PASSWORDS
        self._old_rights = self._broker / old_files.RIGHTS

    def security(self, wanted: Wanted) -> Security:
        """Return the broker's present users, and the topic prefixes that it will have after this
        run. Raises InputError."""
        text = self.text(self.accounts)
        if text is None:
            return Security(self.old_accounts(wanted), wanted.prefix, wanted.home_assistant)
        found = dynamic_security.read(text, str(self.accounts))
        if wanted.broker is None:
            return found
        return Security(found.accounts, wanted.prefix, wanted.home_assistant)

    @property
    def has_old(self) -> bool:
        """True if the folder has broker files of pi-table 0.8, perhaps because a run that replaces
        them was interrupted."""
        return self._old_passwords.exists()

    def old_accounts(self, wanted: Wanted) -> dict[str, Account]:
        """Return the users in the broker files of pi-table 0.8; none if there are no such files.
        Raises InputError."""
        text = self.text(self._old_passwords)
        if text is None:
            return {}
        known = {**ALWAYS, **{name: User(kind, wanted.bar) for name, kind in wanted.others}}
        return old_files.accounts(text, str(self._old_passwords), known)

    def fault_of_old(self, wanted: Wanted) -> str | None:
        """Return a sentence about why the files of pi-table 0.8 cannot be replaced; None if they
        can."""
        if wanted.broker is None:
            return say(
                "{old_passwords} is from an older pi-table. Give --broker, and --prefix and "
                "--home-assistant if they were given: rights are then written in their new form.",
                old_passwords=self._old_passwords,
            )
        text = self.text(self._old_rights) or ""
        known = {*ALWAYS, *(name for name, _ in wanted.others)}
        fault = old_files.fault_of_rights(text, known, wanted.prefix, wanted.home_assistant)
        return (
            join_texts(" ", (str(self._old_rights), fault))
            if fault and not wanted.replace
            else None
        )

    def keep_old_configuration(self) -> None:
        """Keep the old configuration under another name, because a person may have edited it."""
        aside = self.configuration.with_name(f"{broker_files.CONFIGURATION}.old")
        if self.configuration.exists() and not aside.exists():
            self.configuration.rename(aside)
            sync_folder(self._broker)

    def remove_old(self) -> None:
        """Remove the files that dynamic-security.json has replaced."""
        remove(self._old_rights)
        remove(self._old_passwords)

    def secret(self, name: str, user: User) -> Path:
        """Return the path of a table's settings file, or of another user's password file."""
        if _is_table(name, user):
            return self._folder / "tables" / name / "pi-table.toml"
        return self._folder / "users" / name

    def ca(self, table: str) -> Path:
        return self._folder / "tables" / table / CA

    def stored_password(self, name: str, user: User) -> str | None:
        """Return the password that an interrupted run wrote to a file but did not give to the
        broker; None if there is no such password. Raises InputError."""
        path = self.secret(name, user)
        text = self.text(path)
        if text is None:
            return None
        if _is_table(name, user):
            return password_in(text, name, str(path))
        lines = text.splitlines()
        return lines[0] if lines and lines[0] else None

    def text(self, path: Path) -> str | None:
        """Return a file's text; None if the file is missing. Raises InputError if it cannot be read
        or is no text."""
        try:
            data = read_small_file(path, MAX_FILE_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(
                say(
                    "{path} cannot be read: {strerror}. Check its path and rights.",
                    path=path,
                    strerror=system_says(error),
                )
            ) from None
        return text_of(data, str(path))

    def forget(self, name: str) -> None:
        for secret in (self._folder / "users" / name, self.secret(name, User(Kind.TABLE))):
            if secret.parent.is_dir():
                remove(secret)
        folder = self.ca(name).parent
        if folder.is_dir():
            remove(self.ca(name))
            if not any(folder.iterdir()):
                folder.rmdir()

    def write_secret(self, path: Path, text: str) -> None:
        """Write a file that only its owner may read."""
        self._write(path, text, 0o600)

    def write(self, path: Path, text: str) -> None:
        """Write a file, unless its text is already the same."""
        if self.text(path) != text:
            self._write(path, text, 0o644)

    def _write(self, path: Path, text: str, mode: int) -> None:
        for folder in (self._folder, path.parents[1], path.parent):  # each private to its owner
            if not folder.is_dir():
                folder.mkdir(0o700, parents=True)
                sync_folder(folder.parent)
        write_whole(path, [text.encode()], mode)


_TAKEN: Final = say("its name is a table's, or means all tables.")
_PLACE: Final = re.compile(r"(/[\w.-]+)+", re.ASCII)


def _is_table(name: str, user: User) -> bool:
    """True if a user is a real table; False for the probe's users."""
    return user.kind is Kind.TABLE and name not in ALWAYS


def _check(wanted: Wanted) -> None:
    """Raise InputError that names all faults of a request."""
    wrong = [
        say("{name} cannot be a table: its name {fault}", name=repr(name), fault=fault)
        for name in wanted.tables
        if (fault := fault_of_table(name)) is not None
    ]
    wrong += [
        say("{name} cannot be a user of the broker: its name {fault}", name=repr(name), fault=fault)
        for name, _ in wanted.others
        if (fault := fault_of_table(name)) is not None
    ]
    named = [*wanted.tables, *(name for name, _ in wanted.others)]
    wrong += [
        say("{name} cannot be two users: choose another name.", name=name)
        for name in dict.fromkeys(name for name, _ in wanted.others)
        if named.count(name) > 1
    ]
    if wanted.broker is None:
        if wanted.tables or wanted.others or not wanted.revoked:
            wrong.append(say("Give --broker: the tables need their broker's address."))
    elif (fault := fault_of_broker(wanted.broker)) is not None:
        wrong.append(say("The broker's address {fault}", fault=fault))
    elif not wanted.broker.startswith("mqtts://"):
        wrong.append(
            say(
                "The broker's address must begin with mqtts://: passwords must not travel in the "
                "open."
            )
        )
    if (fault := fault_of_prefix(wanted.prefix)) is not None:
        wrong.append(say("The prefix of topics {fault}", fault=fault))
    if wanted.bar:
        if wanted.bar == EVERYBODY or wanted.bar in wanted.tables:
            wrong.append(say("{bar} cannot be a bar: {taken}", bar=repr(wanted.bar), taken=_TAKEN))
        elif (fault := fault_of_name(wanted.bar)) is not None:
            wrong.append(
                say("{bar} cannot be a bar: its name {fault}", bar=repr(wanted.bar), fault=fault)
            )
        elif fault_of_prefix(f"{wanted.prefix}/{wanted.bar}") is not None:
            wrong.append(say("The prefix of topics must be 1 to 3 levels where there are bars."))
    if wanted.home_assistant and (fault := fault_of_prefix(wanted.home_assistant)) is not None:
        wrong.append(say("Home Assistant's prefix {fault}", fault=fault))
    if wanted.ca is not None and (fault := fault_of_certificate(wanted.ca)) is not None:
        wrong.append(say("The file of --ca {fault}", fault=fault))
    if not _PLACE.fullmatch(str(wanted.at)):
        wrong.append(say("The broker's folder must be a path such as /etc/mosquitto/pi-table."))
    if wrong:
        raise InputError(join_texts("\n", wrong))


def _check_names_are_free(staying: dict[str, Account], users: dict[str, User]) -> None:
    """Raise InputError if a new user's name is taken, or if a bar has the same name as a table."""
    wrong = [
        say(
            "{name} exists already ({described}): choose another name, or name it with --revoke "
            "as well, and it gets another password.",
            name=name,
            described=_describe(staying[name].user),
        )
        for name, user in users.items()
        if name in staying and staying[name].user != user
    ]
    every = {**{name: account.user for name, account in staying.items()}, **users}
    bars = {user.bar for user in every.values()} & {
        name for name, user in every.items() if user.kind is Kind.TABLE
    }
    wrong += [
        say("{bar} cannot be a bar: {taken}", bar=repr(bar), taken=_TAKEN) for bar in sorted(bars)
    ]
    if wrong:
        raise InputError(join_texts("\n", wrong))


def _describe(user: User) -> str:
    return say("{kind}, {bar}", kind=user.kind.value, bar=user.bar) if user.bar else user.kind.value


def _check_files_are_unedited(files: _Files, before: Security, wanted: Wanted) -> None:
    """Raise InputError if this run would replace a file that a person has edited.
    ``wanted.replace`` allows that."""
    if files.has_old and files.text(files.accounts) is None:
        fault = files.fault_of_old(wanted)
        if fault is not None:
            raise InputError(fault)
        return
    found = files.text(files.configuration) or ""
    expected = _public_files(
        files, wanted, broker_files.read_table_count(found) or broker_files.room_for(0)
    )
    if before.accounts:
        expected[files.accounts] = dynamic_security.write(before)
    if files.has_old:  # a run was interrupted before it replaced the configuration
        expected.pop(files.configuration, None)
    wrong = [
        say(
            "{path} is not as it would be written now: it was changed, or is for another broker "
            "or prefix. Look at it; --replace rewrites it.",
            path=path,
        )
        for path, text in expected.items()
        if not wanted.replace and files.text(path) not in (None, text)
    ]
    if wrong:
        raise InputError(join_texts("\n", wrong))


def _public_files(files: _Files, wanted: Wanted, tables: int) -> dict[Path, str]:
    """Return the files that contain no secrets, each with its text."""
    if wanted.broker is None:
        return {}
    ca = {} if wanted.ca is None else {files.ca(table): wanted.ca for table in wanted.tables}
    return {
        files.configuration: broker_files.configuration(wanted.broker, wanted.at, tables),
        files.unit: broker_files.UNIT_TEXT,
        **ca,
    }


def _secret_text(name: str, user: User, password: str, wanted: Wanted) -> str:
    if not _is_table(name, user):
        return f"{password}\n"
    assert wanted.broker is not None
    prefix = f"{wanted.prefix}/{user.bar}" if user.bar else wanted.prefix
    return piece(wanted.broker, name, password, prefix)
