"""Functions for the users and files of a system. ``root`` is its root folder: `/`, or the mount
point of another system."""

import os
from pathlib import Path

from pi_table.common.errors import StorageError
from pi_table.common.files import Owner, owner_of, sync_folder, write_whole
from pi_table.common.language import say, system_says
from pi_table.maintenance.first_boot import places
from pi_table.maintenance.first_boot.settings import UnusableError


def user_of(root: Path, name: str) -> Owner:
    """Return the ids of a user and of that user's group. Raises UnusableError if the user is
    missing."""
    try:
        lines = (root / places.USERS).read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        match line.split(":"):
            case [found, _, user, group, *_] if found == name:
                return Owner(int(user), int(group))
    raise UnusableError(
        say("There is no user {name} on this system: install pi-table first.", name=name)
    )


def owner_of_state(root: Path) -> Owner:
    """Return the owner of the state folder. If the folder is missing or belongs to root, return the
    user who will own it. Raises UnusableError if that user is missing."""
    state = root / places.STATE
    is_given = state.is_dir() and owner_of(state).user != 0
    return owner_of(state) if is_given else user_of(root, places.USER)


def give_state(root: Path) -> None:
    """Make the table's user the owner of a new state partition, which root still owns.

    systemd would also change the owner of all files in the partition, but some of the files must
    still belong to root. Raises OSError and UnusableError.
    """
    state, owner = root / places.STATE, owner_of_state(root)
    if os.geteuid() == 0 and state.is_dir() and owner_of(state) != owner:
        state.chmod(0o700)
        os.chown(state, *owner)
        sync_folder(state)


def make_folder(folder: Path, owner: Owner, mode: int) -> None:
    """Create ``folder`` if it is missing. A power cut leaves it complete or missing. Raises
    OSError."""
    if folder.is_dir():
        return
    another = folder.with_name(f".{folder.name}.new")
    another.mkdir(exist_ok=True)
    another.chmod(mode)
    if os.geteuid() == 0:
        os.chown(another, *owner)
    another.rename(folder)
    sync_folder(folder.parent)


def write(file: Path, text: str, mode: int = 0o644, owner: Owner | None = None) -> None:
    """Write a file, but only if its contents change. Raises StorageError."""
    data = text.encode(errors="surrogateescape")
    try:
        if file.read_bytes() == data and file.stat().st_mode & 0o777 == mode:
            sync_folder(file.parent)
            return
    except OSError:
        pass
    try:
        file.parent.mkdir(exist_ok=True)
        write_whole(file, [data], mode, owner)
        sync_folder(file.parent.parent)
    except OSError as error:
        raise StorageError(
            say(
                "{file} cannot be written: {strerror}. Check that its disk has room and is not "
                "read-only.",
                file=file,
                strerror=system_says(error),
            )
        ) from error
