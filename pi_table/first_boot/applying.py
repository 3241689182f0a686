"""Putting settings in their places below the root of a system.

Each file is written whole or not at all, and only where it is not as it should be; what was cut
short is done by the next boot, which begins from the first again.
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from pi_table.engine.house_files import PIN
from pi_table.engine.pin import hashed
from pi_table.errors import StorageError
from pi_table.first_boot import places, wifi
from pi_table.first_boot.pin_line import blank, may_be_blanked
from pi_table.first_boot.settings import Settings, UnusableError
from pi_table.store.sealed_file import sealed
from pi_table.whole_file import Owner, link_whole, owner_of, sync_folder, write_whole

_OWN_NAME = re.compile(r"^127\.0\.1\.1[ \t].*$", re.M)
"""The line of Debian's /etc/hosts with the machine's own name."""


def apply(settings: Settings, root: Path, file: Path) -> None:
    """Puts the settings in their places; ``file``, in which they stand, loses its PIN.

    Raises UnusableError for what this system cannot have, and then nothing was changed; OSError for
    what cannot be written.
    """
    laid_over = _settings_text(settings)
    owner = _owner_of_state(root) if settings.pin is not None else None
    if settings.pin is not None and not may_be_blanked(file):
        raise UnusableError(
            [
                f"{file.name} cannot be written, and the PIN is to be taken out of it once it is "
                "set: see that the boot partition is not read-only, or set the PIN at the table."
            ]
        )
    if settings.pin is not None:
        assert owner is not None
        _keep_pin(settings.pin, root / places.STATE, owner)
    if file.exists() and may_be_blanked(file):
        blank(file)  # also what a power cut has left of an earlier one
    if settings.hostname is not None:
        _write(root / places.HOSTNAME, f"{settings.hostname}\n")
        _write(root / places.HOSTS, _hosts(root / places.HOSTS, settings.hostname))
    if settings.timezone is not None:
        _set_zone(root, settings.timezone)
    _write(root / places.SETTINGS, laid_over)
    if settings.pages is not None:
        _serve_pages(root / places.NO_PAGES, settings.pages)
    if settings.wifi is not None:
        _write(root / places.CONNECTION, wifi.connection(settings.wifi), 0o600)
        if settings.wifi.country is not None:
            _write(root / places.COUNTRY, wifi.country(settings.wifi.country))


def _owner_of_state(root: Path) -> Owner:
    """Whose the state folder is, or will be. Raises UnusableError."""
    if (root / places.STATE).is_dir():
        return owner_of(root / places.STATE)
    try:
        lines = (root / places.USERS).read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        match line.split(":"):
            case [places.USER, _, user, group, *_]:
                return Owner(int(user), int(group))
    raise UnusableError([f"There is no user {places.USER} on this system: install pi-table first."])


def _keep_pin(pin: str, state: Path, owner: Owner) -> None:
    """Keeps the PIN as the engine does, in a file that is the engine's own."""
    if not state.is_dir():
        another = state.with_name(f".{state.name}.new")
        another.mkdir(0o700, exist_ok=True)
        if os.geteuid() == 0:
            os.chown(another, *owner)
        another.rename(state)
        sync_folder(state.parent)
    write_whole(state / PIN, [sealed(msgspec.json.encode(hashed(pin)))], owner=owner)


def _hosts(file: Path, name: str) -> str:
    text = file.read_text(errors="surrogateescape") if file.exists() else "127.0.0.1\tlocalhost\n"
    line = f"127.0.1.1\t{name}"
    if _OWN_NAME.search(text):
        return _OWN_NAME.sub(line, text, count=1)
    return f"{text.rstrip()}\n{line}\n"


def _set_zone(root: Path, zone: str) -> None:
    link, leads_to = root / places.LOCALTIME, f"../{places.ZONES}/{zone}"
    if not (link.is_symlink() and os.readlink(link) == leads_to):
        link_whole(link, leads_to)
    if (root / places.TIMEZONE).exists():
        _write(root / places.TIMEZONE, f"{zone}\n")


def _serve_pages(no_pages: Path, wanted: bool) -> None:
    """Lets the pages start, or not: by a file that is not there, or is."""
    if not wanted:
        _write(no_pages, "")
    elif no_pages.exists():
        no_pages.unlink()
        sync_folder(no_pages.parent)


def _settings_text(settings: Settings) -> str:
    """What is laid over the configuration."""
    lines = [
        "# From pi-table.toml on the boot partition: written anew at each boot with such a file.",
    ]
    if settings.language is not None:
        lines += ["", "[console]", f"language = {_toml(settings.language)}"]
    try:
        if settings.house:
            lines += ["", "[house]"]
            lines += [f"{key} = {_toml(value)}" for key, value in settings.house.items()]
        text = "\n".join(lines) + "\n"
        if tomllib.loads(text).get("house", {}) == settings.house:
            return text
    except (ValueError, TypeError, RecursionError):
        pass  # a date, or what is no number
    raise UnusableError(["[house] has a value that cannot be kept: write it more simply."])


def _toml(value: Any) -> str:
    """A value of TOML, in one line."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write(file: Path, text: str, mode: int = 0o644) -> None:
    """Writes a file, if that is not what it holds."""
    data = text.encode(errors="surrogateescape")
    try:
        if file.read_bytes() == data and file.stat().st_mode & 0o777 == mode:
            sync_folder(file.parent)
            return
    except OSError:
        pass
    try:
        file.parent.mkdir(exist_ok=True)
        write_whole(file, [data], mode)
        sync_folder(file.parent.parent)
    except OSError as error:
        raise StorageError(
            f"{file} cannot be written: {error.strerror}. See that its disk has room and is not "
            "read-only."
        ) from error
