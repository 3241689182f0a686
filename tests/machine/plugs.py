"""Pulling the plug of a booted machine, over and over: it must continue where it was.

As a program, `plugs.py ARCH PULLS SEED FOLDER` prints each pulled plug as a line of JSON.
"""

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from card import Card, Lost
from machine import IMAGES
from played import PlayedTable, Standing, booted

MAX_PLAY_SECONDS: Final = 8.0
"""Seconds of play before a plug is pulled, at most."""


class Pulled(msgspec.Struct, frozen=True):
    """A plug that was pulled, and what was found after the next start."""

    ready: float
    """Seconds from power-on until the table answered."""
    told: int
    """Guesses that were answered before."""
    lost: Lost
    faults: tuple[str, ...]
    """The differences from the state before; empty if all is well."""


def evenings(
    arch: str,
    card: Card,
    scratch: Path,
    chance: random.Random,
    pulls: int,
    spoil: Callable[[PlayedTable], None] = lambda table: None,
    cores: int = 1,
) -> Iterator[Pulled]:
    """Play, and pull the plug so many times, or until something is not as it stood.

    ``spoil`` does something to a machine that has just become ready, for a planted fault."""
    before: Standing | None = None
    under_way: dict[str, Any] = {}
    told, lost = 0, Lost(0, 0, 0)
    for number in range(pulls + 1):
        with booted(arch, card, scratch, cores=cores) as table:
            ready = table.look()
            if before is not None:
                faults = [*compared(before, table.stands, under_way), *of_the_machine(table)]
                yield Pulled(ready, told, lost, tuple(faults))
                if faults:
                    return
            if number == pulls:
                break
            spoil(table)
            told, under_way = play_and_pull(table, chance)
            before = table.stands
        lost = card.power_cut(chance if chance.random() < 0.5 else None)
    card.power_cut()


def play_and_pull(table: PlayedTable, chance: random.Random) -> tuple[int, dict[str, Any]]:
    """Play, and pull the plug in the middle of whatever is being done then. Answers with the
    guesses that were answered, and with what was under way."""
    told, end = 0, time.monotonic() + chance.uniform(1.0, MAX_PLAY_SECONDS)
    while time.monotonic() < end:
        told += table.step(chance) is not None
    return told, _begin(table, chance)


def _begin(table: PlayedTable, chance: random.Random) -> dict[str, Any]:
    """Begin something, and pull the plug at an instant while it is done."""
    stands = table.stands
    what: dict[str, Any] = {}
    if stands.phase == "guess":
        cell = chance.choice(sorted(set(_open(stands))))
        table.press(cell)
        what = {"cell": cell}
    elif stands.phase == "clue":
        assert stands.view is not None
        table.ask(act="clue", seat=f"{stands.view['turn']}-spymaster", number=2)
        what = {"clue": 2}
    else:
        table.ask(act="start", seat="operator", profile="codenames", cards="own")
        what = {"start": True}
    table.pause(chance.uniform(0.0, 1.2))
    table.machine.pull_the_plug()
    return what


def _open(stands: Standing) -> list[str]:
    assert stands.view is not None
    return [cell for cell in stands.view["cells"] if cell not in stands.covered]


def compared(before: Standing, after: Standing, under_way: dict[str, Any]) -> list[str]:
    """Return the differences between two standings that the act under way does not explain."""
    if before.view == after.view:
        return []
    if before.view is None or after.view is None:
        well = after.view is not None and "start" in under_way
        return [] if well else [f"There was {before.view}, and now there is {after.view}."]
    if "start" in under_way and before.phase == "over":
        well = after.phase == "clue" and not after.covered
        return [] if well else [f"After a game's end there is {after.view}."]
    if "clue" in under_way and before.phase == "clue":
        well = after.phase == "guess" and after.covered == before.covered
        return [] if well else [f"After a clue there is {after.view}, and there was {before.view}."]
    more = {cell for cell in after.covered if cell not in before.covered}
    same = all(after.covered.get(cell) == what for cell, what in before.covered.items())
    if same and more == {under_way.get("cell")}:
        return []
    return [f"There was {before.covered}, and now there is {after.covered} ({under_way})."]


def of_the_machine(table: PlayedTable) -> list[str]:
    """Return the faults that the machine still reports when it has settled."""
    faults = table.settled_faults()
    said = table.machine.ran(
        "sh", "-c",
        "systemctl --failed --no-legend --plain; "
        "grep -q ' /var/lib/pi-table ext4 rw,' /proc/mounts || echo The state cannot be written.; "
        "journalctl -b -q --no-pager -o cat -t systemd-fsck | grep -iE 'unexpected|manually|error'"
        "; true",
    )  # fmt: skip
    return faults + [line for line in said.splitlines() if line.strip()]


def new_card(arch: str, folder: Path) -> Card:
    """A card with the image on it, in this folder."""
    subprocess.run(
        ["cp", "--sparse=always", IMAGES / arch / "card.img", folder / "card.img"], check=True
    )
    return Card(folder / "card.img", folder)


if __name__ == "__main__":
    arch, pulls, seed, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chance = random.Random(seed)
    for pulled in evenings(arch, new_card(arch, folder), folder, chance, pulls):
        print(msgspec.json.encode(pulled).decode(), flush=True)
