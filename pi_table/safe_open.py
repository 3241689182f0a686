"""Opening files and folders by name, so that root is not led astray by another user's names.

Whoever can write in a folder can put a link there, or replace what a name stood for. So each step
of a path is taken from the folder before it, which is held by its descriptor, and what is found is
checked on its own descriptor. Root follows a link only where nobody else can have put it.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

MOST_LINKS: Final = 40
"""Links on one path, as the kernel allows them."""
_FOLDER: Final = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class LedAstrayError(OSError):
    """A name by which another user may lead root to what is not that user's."""


@contextmanager
def folder_held(path: Path, start: int | None = None) -> Iterator[int]:
    """The descriptor of a folder, for names in it; ``start`` is the folder from which the path
    leads on, the working directory if it is None. Raises OSError, also for a link that is not to be
    followed."""
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
    """The descriptor of a plain file, or of the null device. Nothing is waited for.

    ``owner`` is the number of the user to whom the file must belong. A file ``to_hand_on`` is one
    that the owner of its folder could read: root does not copy another's for them.

    Raises OSError, with a ``strerror`` that says why: also for what is no file, for a path that no
    file can have, and for a link that is not to be followed.
    """
    folder, name, links = start, (*path.parts,) or (".",), 0
    with ExitStack() as held:
        while True:
            folder = _walk(folder, name[:-1], path)
            held.callback(os.close, folder)
            with _named(path):
                target = _link(folder, name[-1], links)
            if target is None:
                break
            name, links = target, links + 1
        with _named(path):
            # To open a device or a socket may do something: it is looked at first.
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
    """Make a folder and give it to a user, unless there is one. Raises OSError, also where somebody
    has put another one in its place meanwhile."""
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
    """Raises OSError for what is no file."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISREG(status.st_mode):
        return
    if not stat.S_ISCHR(status.st_mode) or status.st_rdev != os.stat(os.devnull).st_rdev:
        raise OSError(errno.EINVAL, "It is a pipe, a socket or a device, and no file")


def _can_read(user: int, file: os.stat_result) -> bool:
    """Can this user read a file? Its group does not count."""
    return user in (0, file.st_uid) or bool(file.st_mode & stat.S_IROTH)


def _of_another_user() -> OSError:
    return LedAstrayError(errno.EACCES, "It belongs to another user than it should")


def _walk(start: int | None, way: tuple[str, ...], path: Path) -> int:
    """The descriptor of the folder to which ``way`` leads from ``start``. ``path`` is what an error
    names. Raises OSError."""
    names, links = [*reversed(way)], 0
    with _named(path):
        # The working directory may be closed to this user: a whole path does not lead through it.
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
def _named(path: Path) -> Iterator[None]:
    """Errors name the whole path."""
    try:
        yield
    except ValueError:
        raise OSError(errno.EINVAL, "No file can have such a path", str(path)) from None
    except OSError as error:
        error.filename = str(path)
        raise


def _link(folder: int, name: str, links: int) -> tuple[str, ...] | None:
    """Where a link leads, as the parts of a path; None for what is no link. Raises OSError for one
    that is not to be followed, after so many ``links``."""
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISLNK(found.st_mode):
        return None
    if links >= MOST_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if os.geteuid() == 0 and not is_roots_alone(os.fstat(folder), found):
        raise LedAstrayError(
            errno.ELOOP, "Root follows no link that another user may have put there"
        )
    return Path(os.readlink(name, dir_fd=folder)).parts or (".",)


def is_roots_alone(folder: os.stat_result, entry: os.stat_result) -> bool:
    """Can nobody but root have put this entry into the folder?"""
    if folder.st_uid != 0:
        return False
    if folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return bool(folder.st_mode & stat.S_ISVTX) and entry.st_uid == 0
    return True
