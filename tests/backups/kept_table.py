"""A table with everything that a backup keeps, and how it stands."""

import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from pi_table.common import config as config_files
from pi_table.common.config import Config
from pi_table.common.geometry import CELLS
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.events import Event, Paused, Resumed
from pi_table.table.engine.storage.pin import DIGEST_BYTES, SALT_BYTES, HashedPin
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal
from pi_table.table.store.sealed_file import read_sealed, write_sealed

WALL = "2026-11-22T20:15:00.000+00:00"


def opening(named: str) -> Entry:
    """Return the first entry of a game whose cards, and thus all of it, differ from those of
    another name."""
    words = [f"{named} {cell}" for cell in CELLS]
    given = {"profile": "codenames", "words": words, "key": "rrrrrrrrrbbbbbbbbnnnnnnna"}
    return entry(games.read_opening(given, Chance()))


def entry(event: Event) -> Entry:
    return Entry(event.at, games.encode(event))


class Standing(NamedTuple):
    """All that a backup keeps, as whoever uses it sees it."""

    games: tuple[Any, ...]
    house: bytes | None
    pin: bytes | None
    packs: dict[str, bytes]
    config: bytes
    settings: bytes | None


class KeptTable:
    """A table below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / "state"
        self.packs = root / "packs"
        self.config_file = root / "etc" / "table.toml"
        self.settings = root / "etc" / "settings.toml"
        self.journal = self.state / "journal.sqlite"

    @property
    def config(self) -> Config:
        return config_files.load(self.config_file)

    def furnish(self, name: str, count: int, *, pin: bool = True) -> None:
        """Makes a table that differs from one of another name in everything."""
        for folder in (self.root, self.state, self.packs, self.config_file.parent):
            folder.mkdir(exist_ok=True)
        self.config_file.write_text(
            f'# {name}\n[table]\npacks = "{self.packs}"\n[paths]\nstate = "{self.state}"\n'
            f'runtime = "{self.root / "run"}"\nsettings = "{self.settings}"\n'
        )
        self.settings.write_text(f'# {name}\n[console]\nlanguage = "it"\n')
        (self.packs / "of-both.txt").write_text(f"# of {name}\n")
        (self.packs / f"of-{name}.txt").write_text("# for itself\n")
        write_sealed(self.state / "house.json", b'{"volume":%d}' % count)
        if pin:
            kept = HashedPin(name.encode().ljust(SALT_BYTES), bytes(DIGEST_BYTES))
            write_sealed(self.state / "pin.json", msgspec.json.encode(kept))
        self.play(name, count)

    def play(self, name: str, count: int) -> None:
        with closing(Journal.open(self.journal)) as journal:
            for game in range(count):
                number = journal.begin([opening(f"{name} {game}")], WALL)
                for event in (Paused(1.0), Resumed(2.5)):
                    journal.append(number, [entry(event)], WALL)

    def pull_the_plug(self, name: str) -> None:
        """Plays on, and leaves the journal's files as a power cut does: much is in the -wal."""
        left = self.root / "left"
        with closing(Journal.open(self.journal)) as journal:
            number = journal.begin([opening(f"{name}, the last")], WALL)
            journal.append(number, [entry(Paused(1.0))], WALL)
            shutil.copytree(self.state, left)
        for file in left.iterdir():
            shutil.copyfile(file, self.state / file.name)
        (self.state / "journal.sqlite-shm").unlink()
        shutil.rmtree(left)

    def standing(self) -> Standing:
        """Return the state of the table, which is not running."""
        return Standing(
            games_in(self.journal),
            read_sealed(self.state / "house.json"),
            read_sealed(self.state / "pin.json"),
            {f.name: f.read_bytes() for f in self.packs.iterdir() if not f.name.startswith(".")},
            self.config_file.read_bytes(),
            self.settings.read_bytes() if self.settings.exists() else None,
        )


def games_in(path: Path) -> tuple[Any, ...]:
    """All games of a journal, verified; the journal itself is not touched."""
    if not any(os.path.exists(f"{path}{end}") for end in ("", "-wal", ".mark")):
        return ()
    copy = path.parent.parent / "looked-at"
    copy.mkdir()
    try:
        for end in ("", "-wal", "-journal", ".mark"):
            if os.path.exists(f"{path}{end}"):
                shutil.copyfile(f"{path}{end}", f"{copy / path.name}{end}")
        with closing(Journal.open(copy / path.name)) as journal:
            journal.check()
            return tuple(journal.read(n).entries for n in range(1, journal.latest_number() + 1))
    finally:
        shutil.rmtree(copy)
