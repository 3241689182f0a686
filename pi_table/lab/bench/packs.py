"""Measures how a table grows with the words of a pack: its start, its memory, the time to begin a
game, and the check of a pack before it is stored.

The table is the real program. It has one pack of its own beside the shipped ones.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, product
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final

from pi_table.games.words.families import entries
from pi_table.games.words.pack import Audience, Pack, text_of
from pi_table.games.words.word import Words, display_form, fault_of
from pi_table.lab.bench.cost import Cost, cost_of, memory_of, processor_seconds
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.bench.table import folder_on_disk
from pi_table.lab.running_table import Console, RunningTable
from pi_table.table.engine.storage.packs import PackFolder

SIZES: Final = (100, 1_000, 5_000, 20_000)
"""Numbers of words of a pack. A pack of 20,000 usual words has nearly the largest size."""
STARTS: Final = 5
GAMES: Final = 30
BRIEF: Final = {"starts": 2, "games": 5}
BLANKS: Final = ("BIRTHDAY CAKE", "LIGHTHOUSES")
"""Words that guests write on blank cards."""


def measure(
    starts: int = STARTS, games: int = GAMES, sizes: Iterable[int] = SIZES
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench packs`."""
    for size in sizes:
        yield from with_a_pack(size, starts, games)


def with_a_pack(size: int, starts: int, games: int) -> Iterator[Measurement]:
    name, text = f"packs/{size}_words", bench_pack(size)
    with folder_on_disk() as folder:
        packs = folder / "state" / "packs"
        packs.mkdir(parents=True)
        begun = process_time()
        assert PackFolder(packs).save(text, None).ok
        took = round(1000 * (process_time() - begun), 1)
        yield {"name": f"{name}/save", "value": took, "unit": "ms", "bytes": len(text)}
        ready, used = zip(*(_start(folder) for _ in range(starts)), strict=True)
        value, cpu = round(median(ready), 3), round(median(used), 3)
        yield {"name": f"{name}/ready_s", "value": value, "unit": "s", "cpu": cpu, "starts": starts}
        with ExitStack() as stack:
            table = stack.enter_context(RunningTable(folder))
            cost = stack.enter_context(cost_of(table.process.pid))
            table.wait()
            console = table.console()
            stack.callback(console.close)
            yield _begin_games(f"{name}/first_game", console, cost, 1)
            yield _begin_games(f"{name}/later_game", console, cost, games)
            yield _begin_games(f"{name}/game_with_blanks", console, cost, games, BLANKS)
            pss = round(memory_of(cost.counted.read())["Pss"], 2)
            yield {"name": f"{name}/pss", "value": pss, "unit": "MiB"}


def bench_pack(size: int) -> str:
    """Return the text of an English pack: words with known kin, and then invented words."""
    syllables = product(("ba", "ce", "di", "fo", "gu", "la", "mer", "nip", "rop", "sut"), repeat=5)
    known = (family.word for family in entries("en"))
    there, words = Words("en"), list[str]()
    for text in chain(known, map("".join, syllables)):
        if len(words) < size and fault_of(text, there) is None:
            words.append(display_form(text))
            there.add(words[-1])
    head = ("bench", "Bench", "en", Audience.EVERYBODY, "the bench", "none")
    return text_of(Pack(*head, words=tuple(words)))


def _start(folder: Path) -> tuple[float, float]:
    """Return the seconds until a table is ready, and its processor time."""
    with RunningTable(folder) as table:
        seconds = table.wait()
        used = processor_seconds(table.process.pid)
        table.stop()
    return seconds, used


def _begin_games(
    name: str, console: Console, cost: Cost, games: int, blanks: tuple[str, ...] = ()
) -> Measurement:
    """Measure the time from a request for a game until the answer, and the table's processor time
    in ``cpu``."""
    seconds, used = list[float](), processor_seconds(cost.pid)
    for _ in range(games):
        begun = perf_counter()
        answer = console.ask(
            "start", profile=PROFILE.id, cards="dealt", pack="bench", blanks=blanks, ending=True
        )
        assert answer["ok"], answer["sentence"]
        seconds.append(perf_counter() - begun)
    cpu = round(1000 * (processor_seconds(cost.pid) - used) / games, 1)
    if games == 1:
        return {"name": name, "value": round(1000 * seconds[0], 1), "unit": "ms", "cpu": cpu}
    return {"name": name, **percentiles(seconds), "cpu": cpu}
