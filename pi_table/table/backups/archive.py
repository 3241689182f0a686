"""The file of a backup: a plain tar. Its first member, the manifest, lists all other members.

Everything in the file except the members' contents follows from the manifest: the order of the
members, and each member's header, computed from its name, its size and the time of the backup. A
backup that differs is damaged. The file is not compressed, and its length follows from its
manifest, so no member can be larger than the manifest says.
"""

import tarfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO, Final, Literal

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.files import CHUNK_BYTES, chunks_of
from pi_table.common.language import say, system_says
from pi_table.common.lettering import LOST, unseen
from pi_table.table.store.sealed_file import decode_sealed, encode_sealed

FORMAT: Final = 1
"""Number of the current backup format, the only one that is written. Newer formats cannot be
read."""
MANIFEST: Final = "pi-table-backup.json"
JOURNAL: Final = "state/journal.sqlite"
MARK: Final = "state/journal.sqlite.mark"
HOUSE: Final = "state/house.json"
PIN: Final = "state/pin.json"
CONFIG: Final = "config/table.toml"
SETTINGS: Final = "config/settings.toml"
PACKS: Final = "packs/"
MEMBERS: Final = frozenset({JOURNAL, MARK, HOUSE, PIN, CONFIG, SETTINGS})

MAX_BACKUP_BYTES: Final = 2 * 1024**3
"""Maximum size of a backup in bytes. An evening adds some 300 kB to a journal."""
MAX_MANIFEST_BYTES: Final = 256 * 1024
"""Maximum size of a manifest in bytes. A manifest of this size lists some 1,500 packs."""
BLOCK: Final = tarfile.BLOCKSIZE
END: Final = bytes(2 * BLOCK)

Part = Literal["journal", "house", "config", "packs"]
"""A part of a table that a backup may hold. If the manifest lists a part but no file of it, the
table had no such file."""


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in a backup."""

    name: str
    """The file's name in the backup, such as ``packs/kitchen.txt``."""
    size: int
    """Size of the file in bytes."""
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list of a backup's contents."""

    format: int
    version: str
    """The version of pi-table that wrote the backup."""
    made: str
    """Time of the backup: ISO 8601, UTC."""
    holds: tuple[Part, ...]
    games: Annotated[int, msgspec.Meta(ge=0, le=MAX_BACKUP_BYTES)]
    members: tuple[Member, ...]
    """All files, in their order in the backup."""

    @property
    def time(self) -> int:
        """The time of the backup, in seconds since 1970. Raises ValueError if `made` is not a
        time."""
        return int(datetime.fromisoformat(self.made).timestamp())


class _Head(msgspec.Struct, frozen=True):
    """The fields of a manifest that are read first. They stay the same in every later format."""

    format: int
    version: str


def fault_of_name(name: str) -> str | None:
    """Return the reason why a backup refuses a file with this name; None if the name is allowed."""
    if name in MEMBERS:
        return None
    pack = name.removeprefix(PACKS)
    if pack == name or "/" in pack or pack.startswith(".") or not pack.endswith(".txt"):
        return say("no file of a table has this name")
    if unseen(pack) or LOST in pack:
        return say("it contains an invisible character")
    try:
        _header(name, 0, 0)
    except ValueError:
        return say("it is longer than 94 bytes")
    return None


def encode_manifest(manifest: Manifest) -> bytes:
    """Return the bytes of a manifest. A backup can be read only if they are at most
    `MAX_MANIFEST_BYTES`."""
    return encode_sealed(msgspec.json.encode(manifest))


def contents(manifest: Manifest, files: Mapping[str, Path]) -> Iterator[bytes]:
    """Yield the bytes of a backup. ``files`` has the path of each member. Raises OSError, and
    InputError if a file no longer matches the manifest."""
    text = encode_manifest(manifest)
    yield _header(MANIFEST, len(text), manifest.time) + text + _padding(len(text))
    for member in manifest.members:
        yield _header(member.name, member.size, manifest.time)
        yield from _verify(member, chunks_of(files[member.name]), str(files[member.name]))
        yield _padding(member.size)
    yield END


def member_of(name: str, file: Path) -> Member:
    """Return the manifest's entry for a file. Raises OSError."""
    digest, size = sha256(), 0
    for chunk in chunks_of(file):
        digest.update(chunk)
        size += len(chunk)
    return Member(name, size, digest.hexdigest())


class Backup:
    """An open backup with a valid manifest."""

    def __init__(self, path: Path, file: BinaryIO, this_version: str) -> None:
        self._path = path
        self._file = file
        self.digest = ""
        """The backup's id: the SHA-256 of its manifest, which contains the hashes of all files."""
        self.manifest = self._read_manifest(this_version)
        self._begin = file.tell()
        due = self._begin + len(END)
        for member in self.manifest.members:
            due += BLOCK + member.size + len(_padding(member.size))
        found = file.seek(0, 2)
        if found != due:
            raise self._damage(
                say(
                    "it has {found} bytes, and {due} were written",
                    found=f"{found:,}",
                    due=f"{due:,}",
                )
            )

    def check(self) -> None:
        """Read the whole backup. Raises InputError if a byte is damaged."""
        for _, chunks in self.members():
            for _ in chunks:
                pass

    def members(self) -> Iterator[tuple[Member, Iterator[bytes]]]:
        """Yield each file with its bytes, in order. The caller must read each file to its end.

        Raises InputError if a byte is damaged, at the latest at the end of the damaged file.
        """
        self._file.seek(self._begin)
        for member in self.manifest.members:
            if self._file.read(BLOCK) != _header(member.name, member.size, self.manifest.time):
                raise self._damage(
                    say("where {name} should begin, there is something else", name=member.name)
                )
            yield member, _verify(member, self._chunks(member), str(self._path))
            if any(self._file.read(len(_padding(member.size)))):
                raise self._damage(
                    say("after {name} there is more than was written", name=member.name)
                )
        if self._file.read() != END:
            raise self._damage(say("its end is not as it was written"))

    def _chunks(self, member: Member) -> Iterator[bytes]:
        left = member.size
        while left and (chunk := self._file.read(min(left, CHUNK_BYTES))):
            left -= len(chunk)
            yield chunk

    def _read_manifest(self, this_version: str) -> Manifest:
        try:
            head = tarfile.TarInfo.frombuf(self._file.read(BLOCK), "utf-8", "strict")
            if head.name != MANIFEST or not 0 < head.size <= MAX_MANIFEST_BYTES:
                raise ValueError
        except (tarfile.HeaderError, ValueError):
            raise InputError(
                say(
                    "{path} is not a backup of a table: name a file that `pi-table backup` wrote.",
                    path=self._path,
                )
            ) from None
        text = self._file.read(head.size)
        kept = decode_sealed(text)
        if kept is None:
            raise self._damage(say("the list of what it holds is not as it was written"))
        try:
            first = msgspec.json.decode(kept, type=_Head)
            if first.format > FORMAT or _numbers(first.version) > _numbers(this_version):
                raise InputError(
                    say(
                        "The backup {path} was made by pi-table {version}, which is newer than "
                        "this one ({this_version}): install that version here, and restore it "
                        "then. Nothing was changed.",
                        path=self._path,
                        version=first.version[:40],
                        this_version=this_version,
                    )
                )
            manifest = msgspec.json.decode(kept, type=Manifest)
            header = _header(MANIFEST, len(text), manifest.time)
        except InputError:
            raise
        except (ValueError, OverflowError, RecursionError):
            raise self._damage(say("the list of what it holds cannot be read")) from None
        self.digest = sha256(text).hexdigest()
        self._refuse_bad_members(manifest)
        self._file.seek(0)
        if self._file.read(BLOCK) != header:
            raise self._damage(say("its beginning is not as it was written"))
        self._file.seek(BLOCK + len(text))
        if any(self._file.read(len(_padding(len(text))))):
            raise self._damage(
                say("after the list of what it holds there is more than was written")
            )
        return manifest

    def _refuse_bad_members(self, manifest: Manifest) -> None:
        names = [member.name for member in manifest.members]
        for name in names:
            if (fault := fault_of_name(name)) is not None:
                raise self._damage(
                    say(
                        "there is a file {name} in it, and {fault}",
                        name=repr(name[:60]),
                        fault=fault,
                    )
                )
        sizes = [member.size for member in manifest.members]
        if any(size < 0 for size in sizes) or sum(sizes) > MAX_BACKUP_BYTES:
            raise self._damage(
                say(
                    "it says that it holds more than {most_bytes} bytes",
                    most_bytes=f"{MAX_BACKUP_BYTES:,}",
                )
            )
        if len({name.casefold() for name in names}) != len(names):
            raise self._damage(say("a file is in it twice"))
        if (JOURNAL in names) != (MARK in names):
            raise self._damage(say("a part of its journal is missing"))

    def _damage(self, why: str) -> InputError:
        return InputError(
            say(
                "The backup {path} is damaged: {why}. Nothing was changed. Take another copy of "
                "it, or an older backup.",
                path=self._path,
                why=why,
            )
        )


@contextmanager
def open_backup(path: Path, this_version: str) -> Iterator[Backup]:
    """Open an existing backup for reading, as a context manager. Raises InputError."""
    with ExitStack() as stack:
        try:
            if not path.is_file():
                raise InputError(
                    say("There is no file {path}: name a backup of a table.", path=path)
                )
            file = stack.enter_context(path.open("rb"))
            backup = Backup(path, file, this_version)
        except OSError as error:
            raise InputError(
                say(
                    "The backup {path} cannot be read: {strerror}. Check its path and rights.",
                    path=path,
                    strerror=system_says(error),
                )
            ) from None
        yield backup


def _header(name: str, size: int, time: int) -> bytes:
    """Return the header of a tar member. Raises ValueError if ``name`` is too long."""
    info = tarfile.TarInfo(name)
    info.size, info.mtime, info.mode = size, time, 0o600
    return info.tobuf(tarfile.USTAR_FORMAT, "utf-8", "strict")


def _padding(size: int) -> bytes:
    return bytes(-size % BLOCK)


def _verify(member: Member, chunks: Iterator[bytes], where: str) -> Iterator[bytes]:
    digest, size = sha256(), 0
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
        yield chunk
    if (size, digest.hexdigest()) != (member.size, member.sha256):
        raise InputError(
            say(
                "In {where}, {name} is not as it was: it was changed or damaged. Nothing was "
                "changed here. Try again; if that does not help, take another copy or an older "
                "backup.",
                where=where,
                name=member.name,
            )
        )


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, to compare versions. Raises ValueError."""
    return tuple(int(number) for number in version.split("."))
