"""Writes the journal that this version leaves to later ones: ``python tests/store/release.py``.

To be run once for each release, and committed with it. A journal that was released is never
written anew.
"""

import json
import shutil
import sys
import tempfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from shipped_packs import shipped_pack

import pi_table
from pi_table.games.rules import games
from pi_table.table.engine.dealing import Shelf
from pi_table.table.engine.state.game_in_play import NOTE_SECONDS
from pi_table.table.store.disk import companions, mark_of
from pi_table.table.store.journal import Journal

sys.path.extend([str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "engine")])
from random_player import GAMES, next_act
from virtual_table import VirtualTable

RELEASED: Final = Path(__file__).parent / "released"
SHELF: Final = Shelf((shipped_pack("english"), shipped_pack("italiano")))
ACTS: Final = 20
LAST_ACTS: Final = 9
PAUSE: Final = NOTE_SECONDS + 2.0
"""Seconds after the last act: the clock is noted on the way."""


def write(folder: Path) -> None:
    """Plays a game of each profile and one that goes on; keeps their journal, and what it says."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "journal.sqlite"
        chance = Random("released")
        one_of_each = dict(reversed(GAMES))
        table = VirtualTable(path, shelf=SHELF)
        for profile, options in one_of_each.items():
            play(table, chance, profile, options, ACTS)
            if table.game.board.outcome is None:
                table.ask(seat="operator", act="abandon")
        table.switch_off()
        table = VirtualTable(path, shelf=SHELF)
        play(table, chance, "codenames", one_of_each["codenames"], LAST_ACTS)
        table.advance(PAUSE)
        expected = read(path)
        keep(path, folder / "running")
        table.switch_off()
        keep(path, folder / "closed")
    lines = ",\n".join(json.dumps(game, ensure_ascii=False) for game in expected)
    (folder / "expected.json").write_text(f"[\n{lines}\n]\n")


def play(table: VirtualTable, chance: Random, profile: str, options: Any, acts: int) -> None:
    table.do("start", profile=profile, options=options)
    for _ in range(acts):
        if table.game.board.outcome is not None:
            return
        do = next_act(table.known, chance)
        if "touch" in do:
            table.hold(do["touch"])
        else:
            table.ask(**do)
        table.advance(chance.choice((0.2, 1.0, 5.5)))


def keep(path: Path, folder: Path) -> None:
    """Copies what a journal consists of, but for what SQLite makes anew."""
    folder.mkdir(parents=True)
    wal, _, _ = companions(path)
    for file in (path, wal, mark_of(path)):
        if file.exists():
            shutil.copyfile(file, folder / file.name)


def read(path: Path) -> list[Any]:
    """Return each game of a journal, and the meaning of its events."""
    with closing(Journal.open_to_read(path)) as journal:
        return [told(journal, listed.number) for listed in journal.games()]


def told(journal: Journal, number: int) -> Any:
    game = journal.read(number)
    state = games.replay([games.decode(entry.body) for entry in game.entries])
    assert state is not None
    said = {
        "begun": game.begun,
        "events": len(game.entries),
        "last_at": game.entries[-1].at,
        "noted_at": game.noted_at,
        "bodies": sha256(b"".join(entry.body for entry in game.entries)).hexdigest(),
        "public": games.public_view(state.board, game.noted_at),
    }
    return msgspec.json.decode(msgspec.json.encode(said))


if __name__ == "__main__":
    write(RELEASED / pi_table.__version__)
    print(f"Written: {RELEASED / pi_table.__version__}")
