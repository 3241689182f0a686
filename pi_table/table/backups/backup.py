"""Makes backups, even while a game is being played at the table."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pi_table import __version__
from pi_table.common.config import Config
from pi_table.common.errors import InputError, StorageError
from pi_table.common.files import write_whole
from pi_table.common.language import say, system_says
from pi_table.games.words.pack import fault_of_file
from pi_table.table.backups import archive
from pi_table.table.backups.archive import Manifest, Part
from pi_table.table.backups.places import Places
from pi_table.table.store.copy import copy_journal
from pi_table.table.store.disk import mark_of
from pi_table.table.store.faults import JournalFullError, JournalMissingError
from pi_table.table.store.sealed_file import read_sealed


def back_up(
    target: Path, config: Config, config_file: Path | None, wall: str, *, replace: bool = False
) -> Manifest:
    """Write a backup to the file ``target``, whole or not at all. Only the file's owner may read
    it.

    ``config`` is the table's configuration, and ``config_file`` the file from which it was read, or
    None. ``wall`` is the wall clock: ISO 8601, UTC. The target may exist only if ``replace`` is
    true. None of the table's files is changed. Returns the manifest. Raises InputError and
    StorageError; then there is no new file, and an existing target is unchanged.
    """
    if target.is_dir():
        raise InputError(say("{target} is a folder: name a file for the backup.", target=target))
    if target.exists() and not replace:
        raise InputError(
            say(
                "There is a file {target} already: name another one for the backup, or add "
                "--replace to replace it.",
                target=target,
            )
        )
    places = Places(config, config_file)
    try:
        with staging(target) as stage:
            manifest, files = _gather(places, stage, wall)
            write_whole(target, archive.contents(manifest, files))
    except (InputError, StorageError):
        raise
    except OSError as error:
        raise StorageError(
            say(
                "The backup {target} cannot be written ({strerror}: {filename}). There is no new "
                "file. Check that its folder is there, may be written and has room, and that "
                "this user may read the table's files.",
                target=target,
                strerror=system_says(error),
                filename=error.filename or target,
            )
        ) from error
    return manifest


def staging_of(target: Path) -> Path:
    """Return the temporary folder in which the backup ``target`` is made or checked."""
    return target.with_name(f".{target.name}.making")


@contextmanager
def staging(target: Path) -> Iterator[Path]:
    """Context manager with a temporary folder beside the backup. Only its owner may use it. Raises
    OSError."""
    stage = staging_of(target)
    if stage.exists():
        shutil.rmtree(stage)  # left by a power cut
    stage.mkdir(0o700)
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _gather(places: Places, stage: Path, wall: str) -> tuple[Manifest, dict[str, Path]]:
    files: dict[str, Path] = {}
    holds: list[Part] = ["journal", "house"]
    if not places.state.is_dir():
        raise StorageError(
            say(
                "This user sees no folder {state}, where the table's games are kept: name the "
                "table's own configuration with --config, and run this as root or as the table's "
                "own user.",
                state=places.state,
            )
        )
    games = _copy_of_journal(places.state / "journal.sqlite", stage, files)
    for member in (archive.HOUSE, archive.PIN):
        file = places.of(member)
        assert file is not None
        if _is_in_order(file):
            files[member] = file
    if places.config_file is not None:
        holds.append("config")
        files[archive.CONFIG] = places.config_file
        if places.settings is not None and places.settings.exists():
            files[archive.SETTINGS] = places.settings
    holds.append("packs")
    pack_of: dict[str, str] = {}
    for file in places.pack_files():
        member = archive.PACKS + file.name
        if (fault := archive.fault_of_name(member)) is not None:
            raise InputError(
                say(
                    "The word pack {file} cannot be kept ({fault}): rename it.",
                    file=file,
                    fault=fault,
                )
            )
        # As in a restore, names that differ only in capitals are the same name.
        other = pack_of.setdefault(file.stem.casefold(), file.stem)
        if other != file.stem:
            why: str | None = say(
                "There is a word pack {name} already: give this one another name.", name=other
            )
        else:
            why = fault_of_file(file)
        if why is not None:
            raise InputError(
                say(
                    "The word pack {file} cannot be kept: {why} Or remove the file; then make "
                    "the backup again.",
                    file=file,
                    why=why,
                )
            )
        files[member] = file
    files = dict(sorted(files.items()))
    members = tuple(archive.member_of(member, file) for member, file in files.items())
    if sum(member.size for member in members) > archive.MAX_BACKUP_BYTES:
        raise InputError(
            say(
                "The table's files have more than {most_bytes} bytes, and a backup has room for "
                "no more: set the journal aside with `pi-table journal set-aside`, and keep that.",
                most_bytes=f"{archive.MAX_BACKUP_BYTES:,}",
            )
        )
    manifest = Manifest(archive.FORMAT, __version__, wall, tuple(holds), games, members)
    if len(archive.encode_manifest(manifest)) > archive.MAX_MANIFEST_BYTES:
        raise InputError(
            say(
                "A backup has no room for the {packs} word packs in {folder}: remove some, then "
                "make the backup again.",
                packs=len(pack_of),
                folder=places.packs,
            )
        )
    return manifest, files


def _copy_of_journal(journal: Path, stage: Path, files: dict[str, Path]) -> int:
    """Copy the journal, if the table has one. Return the number of games in the copy."""
    copy = stage / "journal.sqlite"
    try:
        games, _ = copy_journal(journal, copy)
    except JournalMissingError:
        return 0
    except JournalFullError:  # its message names the journal's disk
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(stage.parent)) from None
    files[archive.JOURNAL] = copy
    files[archive.MARK] = mark_of(copy)
    return games


def _is_in_order(file: Path) -> bool:
    """True if this sealed file exists. Raises StorageError if it is damaged."""
    try:
        return read_sealed(file) is not None
    except StorageError as error:
        raise StorageError(
            say(
                "{error} Set it again, or remove the file; then make the backup again.",
                error=error,
            )
        ) from None
