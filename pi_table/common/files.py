"""Open, read and write files atomically, with size limits, and safely for root.

Root must not be misled by names that another user controls. A user who can write in a folder can
put a link there, or replace the file behind a name. Therefore each step of a path starts from the
previous folder, held open by its descriptor, and every check is made on the opened descriptor. Root
follows a link only if no other user can have put it there.

A new file is written beside its final place and then renamed. So after a power cut the old file or
the new file is there, never half of a file.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.common.language import say

MAX_LINKS: Final = 40
"""Maximum number of symbolic links that are followed on one path; the kernel has the same limit."""
CHUNK_BYTES: Final = 1 << 20
"""Maximum number of bytes of a file that are in memory at once."""
_FOLDER: Final = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class LedAstrayError(OSError):
    """Another user may have made this name in order to lead root to the wrong file."""


class Owner(NamedTuple):
    """The owner of a file, as numeric ids."""

    user: int
    group: int


def owner_of(path: Path) -> Owner:
    """Return the owner of a file or folder. Raises OSError."""
    found = path.stat()
    return Owner(found.st_uid, found.st_gid)


# Open


@contextmanager
def folder_held(path: Path, start: int | None = None) -> Iterator[int]:
    """Open a folder and yield its descriptor. Names in this folder can then be opened relative to
    it.

    A relative path begins at the folder ``start``, or at the working directory if ``start`` is
    None. Raises LedAstrayError for a link that another user can have made, and OSError.
    """
    folder = _walk(start, path.parts, path)
    try:
        yield folder
    finally:
        os.close(folder)


def open_file(
    path: Path,
    flags: int = os.O_RDONLY,
    *,
    start: int | None = None,
    owner: int | None = None,
    to_hand_on: bool = False,
) -> int:
    """Open a regular file or the null device without blocking, and return its descriptor.

    ``owner`` is the number of the user who must own the file. If ``to_hand_on`` is true, the owner
    of the file's folder must be able to read the file: root does not copy a file for a user who
    could not read it.

    Raises OSError, whose ``strerror`` says why. Besides system errors, the reason may be a path
    that is impossible, that leads to anything but a file, or that has a link that must not be
    followed.
    """
    folder, name, links = start, (*path.parts,) or (".",), 0
    with ExitStack() as held:
        while True:
            folder = _walk(folder, name[:-1], path)
            held.callback(os.close, folder)
            with _name_in_errors(path):
                target = _link(folder, name[-1], links)
            if target is None:
                break
            name, links = target, links + 1
        with _name_in_errors(path):
            # Opening a device may have an effect, so the type is checked first, and again below.
            check_is_file(os.stat(name[-1], dir_fd=folder, follow_symlinks=False))
            descriptor = os.open(name[-1], flags | _FILE, dir_fd=folder)
            try:
                found = os.fstat(descriptor)
                check_is_file(found)
                if owner is not None and found.st_uid != owner:
                    raise _of_another_user()
                if to_hand_on and not _can_read(os.fstat(folder).st_uid, found):
                    raise _of_another_user()
            except OSError:
                os.close(descriptor)
                raise
    return descriptor


def make_folder(path: Path, mode: int, user: int, group: int) -> None:
    """Make a folder if it is missing, and give the new folder to a user.

    Raises OSError, also if somebody has replaced the new folder before it was given away.
    """
    with folder_held(path.parent) as folder, suppress(FileExistsError):
        os.mkdir(path.name, mode, dir_fd=folder)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        made = os.open(path.name, flags, dir_fd=folder)
        try:
            if os.fstat(made).st_uid != os.geteuid():
                raise _of_another_user()
            os.fchmod(made, mode)
            if os.geteuid() == 0:
                os.fchown(made, user, group)
        finally:
            os.close(made)


def check_is_file(status: os.stat_result) -> None:
    """Raise OSError if this is neither a regular file nor the null device."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISREG(status.st_mode):
        return
    if not stat.S_ISCHR(status.st_mode) or status.st_rdev != os.stat(os.devnull).st_rdev:
        raise OSError(errno.EINVAL, say("It is a pipe, a socket or a device, not a file"))


# Read


def read_small_file(
    path: Path, most: int, *, start: int | None = None, owner: int | None = None
) -> bytes:
    """Return the bytes of a file that has at most ``most`` bytes. Of a larger file, return the
    first ``most`` + 1 bytes, which show that the file is too large.

    ``start`` is the descriptor of the folder where the path begins, and ``owner`` is the user who
    must own the file. Raises OSError, whose ``strerror`` says why, also for an impossible path, a
    folder, a pipe, a socket or a device. The null device is read as an empty file. This function
    never waits for a pipe.
    """
    with open(open_file(path, start=start, owner=owner), "rb") as file:
        return file.read(most + 1)


def chunks_of(path: Path, *, start: int | None = None) -> Iterator[bytes]:
    """Yield the contents of a file in pieces of at most ``CHUNK_BYTES`` bytes.

    ``start`` is the descriptor of the folder where the path begins. In another user's folder, root
    reads only files that the folder's owner could read. Raises OSError.
    """
    with open(open_file(path, start=start, to_hand_on=True), "rb", buffering=0) as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


# Write


def write_whole(
    path: Path, chunks: Iterable[bytes], mode: int = 0o600, owner: Owner | None = None
) -> None:
    """Write or replace a file atomically. The file is on the disk when this function returns.

    ``owner`` is the owner of the new file. Only root can choose another owner; for any other user
    the argument has no effect. A link at the file's path is replaced, not followed. Raises OSError;
    then at most a hidden file beside the path remains, which the next call removes.
    """
    beside = temporary_path(path).name
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    with folder_held(path.parent) as folder:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
        descriptor = os.open(beside, flags, mode, dir_fd=folder)
        try:
            with open(descriptor, "wb", buffering=0) as file:
                if os.fstat(descriptor).st_mode & 0o777 != mode:
                    with suppress(PermissionError):  # a USB stick may not support file rights
                        os.fchmod(descriptor, mode)
                if owner is not None and os.geteuid() == 0:
                    os.fchown(descriptor, *owner)
                for chunk in chunks:
                    left = memoryview(chunk)
                    while left:
                        left = left[file.write(left) :]
                os.fsync(descriptor)
            os.replace(beside, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException as error:
            with suppress(OSError):
                os.unlink(beside, dir_fd=folder)
            if isinstance(error, OSError):
                error.filename = str(path)  # the system gives no file name if the disk is full
            raise
        sync_held(folder)


def link_whole(path: Path, leads_to: str) -> None:
    """Make a symbolic link at ``path`` to ``leads_to``, replacing any file at ``path``. Raises
    OSError."""
    beside = temporary_path(path).name
    with folder_held(path.parent) as folder:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
        os.symlink(leads_to, beside, dir_fd=folder)
        os.replace(beside, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        sync_held(folder)


def remove(path: Path) -> None:
    """Durably delete a file, if it exists, and the temporary file of an interrupted write. Raises
    OSError."""
    with folder_held(path.parent) as folder:
        for each in (path, temporary_path(path)):
            with suppress(FileNotFoundError):
                os.unlink(each.name, dir_fd=folder)
        sync_held(folder)  # even without a file: an earlier call may have been killed before this


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, so that they survive a power cut. Raises OSError."""
    with folder_held(folder) as held:
        sync_held(held)


def sync_held(folder: int) -> None:
    """Make the names in a folder durable; ``folder`` is its descriptor. Raises OSError."""
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def temporary_path(path: Path) -> Path:
    """Return the temporary path of a file that is being written. A power cut may leave a file
    there.

    Its name begins with a dot, so nobody takes it for a word pack or for a connection of
    NetworkManager.
    """
    return path.with_name(f".{path.name}.new")


# Walk a path


def _can_read(user: int, file: os.stat_result) -> bool:
    """True if this user can read a file. The rights of the file's group are ignored."""
    return user in (0, file.st_uid) or bool(file.st_mode & stat.S_IROTH)


def _of_another_user() -> OSError:
    return LedAstrayError(errno.EACCES, say("It belongs to the wrong user"))


def _walk(start: int | None, way: tuple[str, ...], path: Path) -> int:
    """Return the descriptor of the folder to which ``way`` leads. Errors name ``path``."""
    names, links = [*reversed(way)], 0
    with _name_in_errors(path):
        # An absolute path starts at the root: the user may not enter the working directory.
        folder = os.open("/" if way and os.path.isabs(way[0]) else ".", _FOLDER, dir_fd=start)
        try:
            while names:
                name = names.pop()
                target = _link(folder, name, links)
                if target is not None:
                    names += reversed(target)
                    links += 1
                    continue
                inner = os.open(name, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
        except BaseException:
            os.close(folder)
            raise
    return folder


@contextmanager
def _name_in_errors(path: Path) -> Iterator[None]:
    """Context manager in which every OSError names the whole path."""
    try:
        yield
    except ValueError:
        raise OSError(errno.EINVAL, say("No file can have such a path"), str(path)) from None
    except OSError as error:
        error.filename = str(path)
        raise


def _link(folder: int, name: str, links: int) -> tuple[str, ...] | None:
    """Return the target of a link as the parts of a path; None if ``name`` is not a link.

    ``links`` counts the links that were followed before. Raises OSError for a link that must not be
    followed.
    """
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISLNK(found.st_mode):
        return None
    if links >= MAX_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if os.geteuid() == 0 and not is_roots_alone(os.fstat(folder), found):
        raise LedAstrayError(
            errno.ELOOP, say("Root follows no link that another user may have put there")
        )
    return Path(os.readlink(name, dir_fd=folder)).parts or (".",)


def is_roots_alone(folder: os.stat_result, entry: os.stat_result) -> bool:
    """True if only root can have put this entry into the folder."""
    if folder.st_uid != 0:
        return False
    if folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return bool(folder.st_mode & stat.S_ISVTX) and entry.st_uid == 0
    return True
