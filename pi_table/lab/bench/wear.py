"""Measures how many bytes an evening of games writes to the card. The table runs in virtual time,
on a separate file system.

For root, that file system is ext4 on a loop device. The device's counter shows all bytes that reach
the card, including those that the file system adds. Virtual time does not move ext4's commit timer,
so this program forces a commit every five virtual seconds. This makes little difference: storing
the clock's time writes 17 kB with the real timer, and 20 kB with forced commits. For other users,
only the program's own writes are reported.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from pi_table.common.geometry import CELL_COUNT, CELLS
from pi_table.games.rules.seat import Role, seat_of
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.views import PublicView
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement
from pi_table.lab.bench.rounds import clue_number, next_cell
from pi_table.simulator import scenario
from pi_table.simulator.stage import Stage
from pi_table.table.store.disk import DISK, mark_of
from pi_table.table.store.mark import REGION_BYTES, decode

GAMES: Final = 12
"""Number of games in an evening."""
ACT_SECONDS: Final = 55.0
"""Seconds between two acts of a game. A game of some twenty acts takes twenty minutes."""
EVENINGS: Final = 300
"""Number of evenings in a year on which people play."""
COMMIT_SECONDS: Final = 5.0
"""Seconds between two commits of ext4: the default of ext4's option ``commit``, which Raspberry Pi
OS keeps."""
DEVICES: Final = Path("/sys/block")
"""Folder of the kernel's counters of disks. The folder may be missing under chroot."""
FILE_SYSTEM_BYTES: Final = 256 << 20
OPTIONS: Final = "noatime"
"""Mount options, the same as those of the root file system on Raspberry Pi OS."""
NOT_COUNTED: Final = "Only root can mount a loop device, and only where there is /sys."
KEY: Final = "r" * 9 + "b" * 8 + "n" * 7 + "a"
TIMERS: Final = {"no_clock": "off", "clock": "clock"}


class Card(NamedTuple):
    """A file system that stands for the memory card in this measurement."""

    folder: Path
    on_device: Callable[[], int] | None
    """Function that returns how many bytes were written to the device; None if nothing counts
    them."""


class Written(NamedTuple):
    by_programs: int
    on_device: int | None
    marks: int


def measure(games: int = GAMES, seed: int = 1) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench wear`."""
    for name, timer in TIMERS.items():
        with card() as used:
            acts, written = _evening(used, games, timer, Random(seed))
        scale = GAMES / games
        on_card = written.on_device
        why = {} if on_card is not None else {"why": NOT_COUNTED}
        yield {
            "name": f"wear/{name}/evening",
            "value": None if on_card is None else round(on_card * scale / 1e6, 2),
            "unit": "MB",
            "written_mb": round(written.by_programs * scale / 1e6, 2),
            "marks_mb": round(written.marks * scale / 1e6, 2),
            "games": games,
            "acts": acts,
            **why,
        }
        yield {
            "name": f"wear/{name}/year",
            "value": None if on_card is None else round(on_card * scale * EVENINGS / 1e9, 2),
            "unit": "GB",
            "evenings": EVENINGS,
            **why,
        }


def _evening(used: Card, games: int, timer: str, random: Random) -> tuple[int, Written]:
    """Play an evening of games on this card. Return the number of acts, and the bytes written."""
    acts = 0
    with Stage("own", folder=used.folder) as stage:
        commits = _Commits(stage, used.folder)
        before = _count_written(used)
        for _ in range(games):
            key = "".join(random.sample(KEY, CELL_COUNT))
            game = {"profile": PROFILE.id, "options": {"timer": timer}, "key": key}
            stage.perform(scenario.Start(game))
            uncovered = list(range(CELL_COUNT))
            while isinstance(view := stage.view, PublicView) and view.phase is not Phase.OVER:
                commits.advance(ACT_SECONDS)
                do: dict[str, object]
                if view.phase is Phase.CLUE:
                    role, do = Role.SPYMASTER, {"act": "clue", "number": clue_number(random)}
                else:
                    cell = CELLS[next_cell(uncovered, random)]
                    role, do = Role.OPERATIVES, {"act": "guess", "cell": cell}
                assert view.turn is not None
                refused = stage.perform(
                    scenario.Act({"seat": seat_of(view.turn, role).value, **do})
                )
                assert refused is None, refused
                acts += 1
            commits.advance(ACT_SECONDS)
    DISK.sync_directory(used.folder)
    after = _count_written(used)
    device = None
    if before.on_device is not None and after.on_device is not None:
        device = after.on_device - before.on_device
    marks = after.marks - before.marks
    return acts, Written(after.by_programs - before.by_programs, device, marks)


class _Commits:
    """Advances virtual time. Makes the file system commit as often as its own timer would."""

    def __init__(self, stage: Stage, folder: Path) -> None:
        self._stage = stage
        self._touched = folder / "touched"
        self._touched.touch()
        self._seen = _by_programs()

    def advance(self, seconds: float) -> None:
        until = self._stage.now + seconds
        self._commit()
        while self._stage.now < until:
            self._stage.advance(min(until, self._stage.now + COMMIT_SECONDS))
            self._commit()

    def _commit(self) -> None:
        before, self._seen = self._seen, _by_programs()
        if self._seen != before:
            # Syncing a changed file also makes ext4 commit all earlier changes.
            os.utime(self._touched)
            DISK.sync(self._touched)


def _count_written(used: Card) -> Written:
    mark = decode(mark_of(used.folder / "journal.sqlite").read_bytes())
    on_device = None if used.on_device is None else used.on_device()
    return Written(_by_programs(), on_device, (mark.serial if mark else 0) * REGION_BYTES)


def _by_programs() -> int:
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["wchar"])


@contextmanager
def card() -> Iterator[Card]:
    """Yield a file system on a loop device. If this user may not mount one, yield an ordinary
    folder."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory(prefix="pi-table-", dir="/var/tmp")))
        device = _mount(place, stack)
        if device is None:
            yield Card(place, None)
            return
        counted = DEVICES / Path(device).name / "stat"
        folder = place / "mounted" / "state"
        folder.mkdir(mode=0o700)
        os.sync()
        yield Card(folder, lambda: int(counted.read_text().split()[6]) * 512)


def _mount(place: Path, stack: ExitStack) -> str | None:
    """Mount a new ext4 file system below ``place``, and return its device.

    Return None if it cannot be mounted, or if nothing counts the writes to the device.
    """
    if not DEVICES.is_dir():
        return None
    image, folder = place / "card", place / "mounted"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(FILE_SYSTEM_BYTES)
    at_once = "lazy_itable_init=0,lazy_journal_init=0"
    try:
        _run("mkfs.ext4", "-q", "-F", "-b", "4096", "-E", at_once, image)
        device = _run("losetup", "--find", "--show", image).strip()
        stack.callback(_run, "losetup", "--detach", device)
        _run("mount", "-o", OPTIONS, device, folder)
        stack.callback(_run, "umount", folder)
    except (OSError, subprocess.CalledProcessError):
        return None
    return device


def _run(*command: str | Path) -> str:
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    return done.stdout
