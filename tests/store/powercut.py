"""Cuts the power of recorded journals, and tells what each cut has lost.

A recording (powercut_scribe, powercut_recorder) holds all that a run has asked of the disk, with
marks where the journal was asked for something and where it returned. For a cut after any of its
operations, images of the disk are built from what a disk promises (powercut_surface):

* what was synced stays;
* of what was written to a file since, each sector of 512 bytes holds what it held at that sync or
  after any write to it since, and the file has any length that it had since;
* a name that was made or taken away since the last sync of the directory is there or is not.

Each image is opened by the very same journal. It must hold all that was promised and, beyond
that, at most the one act in flight, whole. The -shm file is no part of an image: SQLite makes it
anew.
"""

import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from powercut_recorder import BareDisk
from powercut_scribe import DATABASE, Recording, content, lay_out, record
from powercut_surface import Fate, State, Surface

from pi_table.common.errors import TableError
from pi_table.table.store.journal import Journal

FULL_CHECKS = 8
"""Each image is read and verified; one in so many is checked by SQLite as well."""


def losses(folder: Path, recording: Recording, images: int, seed: int = 0) -> Iterator[str]:
    """Cuts a recording at so many random places; says what each image has lost that lost any.

    The same seed cuts the same. ``folder`` holds one image after another.
    """
    label, operations, first_cut = recording
    chance = random.Random(f"{label}/{seed}")
    cuts = sorted(chance.randint(first_cut, len(operations)) for _ in range(images))
    surface = Surface()
    for image, cut in enumerate(cuts):
        surface.apply(operations[surface.time : cut])
        fate = Fate(random.Random(f"{label}/{seed}/{image}"), cut)
        thorough = image % FULL_CHECKS == 0
        if wrong := fault_of(folder, surface.left(fate), surface.allowed, thorough=thorough):
            yield (
                f"recording {label}; cuts of seed {seed}, image {image} of {images}, after "
                f"operation {cut} of {len(operations)}, {fate.mood} arrived: {wrong}"
            )


def fault_of(
    folder: Path, files: dict[str, bytes], allowed: list[State], *, thorough: bool = True
) -> str | None:
    """Return the fault of an image that may hold any of these states; None if there is none."""
    lay_out(folder, files)
    try:
        journal = Journal.open(folder / DATABASE, disk=BareDisk())
        try:
            found = content(journal)
            if thorough:
                journal.check()
        finally:
            journal.close()
    except TableError as error:
        return f"it does not open. {error}"
    if found in allowed:
        return None
    return f"it holds {summary(found)}, and not {' or '.join(map(summary, allowed))}"


def summary(state: State) -> str:
    return f"games of {[len(game) for game in state.games]} events (noted: {state.noted_at})"


def losses_of(shape: str, seed: int, images: int) -> list[str]:
    """Records a shape and cuts it; everything in a folder of its own, in memory if there is any."""
    with memory_folder() as folder:
        return list(losses(folder, record(folder, shape, seed), images, seed))


@contextmanager
def memory_folder() -> Iterator[Path]:
    """An empty folder that needs no real disk, where the machine has one."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)
