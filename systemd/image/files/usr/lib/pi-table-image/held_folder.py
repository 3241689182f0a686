"""Folders on the partition of the games that do not belong to the engine.

The partition's top folder belongs to the engine, which may replace any name in it by a link or
another folder. A folder of another user is therefore opened once. Its owner is checked through the
open descriptor, and all later access uses that descriptor. As a program, ``held_folder.py NAME
[USER GROUP]`` makes the folder NAME, for root or for another user. The program fails if NAME exists
and is not a folder.
"""

import errno
import os
import sys
from contextlib import suppress
from functools import cache
from grp import getgrnam
from pathlib import Path
from pwd import getpwnam
from typing import Final

GAMES: Final = Path("/var/lib/pi-table")
IMAGE: Final = GAMES / "image"
"""Path of the folder in which root keeps the state of updates. An update does not replace this
folder."""


def held() -> Path:
    """Return a path to the folder ``IMAGE``. The folder is made if it is missing.

    The path leads to that folder as long as this program runs, even if somebody renames the folder.
    Raises OSError if the folder does not belong to the current user alone.
    """
    return _held(IMAGE)


@cache
def _held(path: Path) -> Path:
    folder = _opened(path)
    _refuse_another_users(path, folder, os.geteuid())
    return Path(f"/proc/self/fd/{folder}")


def give(path: Path, user: int, group: int) -> None:
    """Make the folder ``path`` if it is missing, and give it to the user ``user`` alone. Raises
    OSError if the folder belongs neither to the current user nor to ``user``."""
    folder = _opened(path)
    if os.fstat(folder).st_uid != user:
        _refuse_another_users(path, folder, os.geteuid())
    os.fchown(folder, user, group)
    os.fchmod(folder, 0o700)
    os.close(folder)


def _opened(path: Path) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    games = os.open(path.parent, flags)
    try:
        with suppress(FileExistsError):
            os.mkdir(path.name, 0o700, dir_fd=games)
        return os.open(path.name, flags, dir_fd=games)
    finally:
        os.close(games)


def _refuse_another_users(path: Path, folder: int, user: int) -> None:
    found = os.fstat(folder)
    if found.st_uid != user or found.st_mode & 0o022:
        raise PermissionError(errno.EACCES, "It is another user's folder", str(path))


def main(name: str, user: str = "root", group: str = "root") -> int:
    try:
        give(GAMES / name, getpwnam(user).pw_uid, getgrnam(group).gr_gid)
    except (OSError, KeyError) as error:
        print(f"pi-table: the folder {GAMES / name} cannot be used: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
