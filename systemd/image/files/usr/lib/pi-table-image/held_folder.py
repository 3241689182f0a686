"""Folders on the partition of the games that do not belong to the engine.

The partition's top folder belongs to the engine, which may replace any name in it by a link or
another folder. So this module opens the folder of another user only once, and checks its owner
through the open descriptor. All later access uses that descriptor.

As a program, ``held_folder.py NAME [USER GROUP]`` makes the folder NAME, for root or for another
user. The program fails if NAME exists and is not a folder.
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
"""Path of root's folder with the state of updates. An update does not replace this folder."""


def image_folder() -> Path:
    """Return a path to the folder ``IMAGE``. A missing folder is made.

    As long as this program runs, the path leads to the same folder, even if somebody renames it.
    Raises OSError if other users may write to the folder.
    """
    return _hold(IMAGE)


@cache
def _hold(path: Path) -> Path:
    folder = _open(path)
    _refuse_another_users(path, folder, os.geteuid())
    return Path(f"/proc/self/fd/{folder}")


def give(path: Path, user: int, group: int) -> None:
    """Give the folder ``path`` to the user ``user``; nobody else may open it. A missing folder is
    made. Raises OSError if the folder belongs neither to the current user nor to ``user``."""
    folder = _open(path)
    if os.fstat(folder).st_uid != user:
        _refuse_another_users(path, folder, os.geteuid())
    os.fchown(folder, user, group)
    os.fchmod(folder, 0o700)
    os.close(folder)


def _open(path: Path) -> int:
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
