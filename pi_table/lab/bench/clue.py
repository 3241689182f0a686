"""Measures the referee's speed and memory, in a separate process for each language.

The words come from a shipped word pack. 25 of them are on the table. The others are given as clues,
each only once. An answer is *warm* if the words on the table were looked up before. In a game, this
is so from the second clue on.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

from pi_table.lab.bench.cost import memory_of
from pi_table.lab.bench.measurement import Measurement, percentiles

PACKS: Final = {"en": "english", "it": "italiano"}
BOARD: Final = 25
CLUES: Final = 800
BRIEF: Final = {"clues": 400}


def measure(clues: int = CLUES) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench clue`, with at most ``clues`` clues for each
    language."""
    for lang in PACKS:
        command = [sys.executable, "-m", "pi_table.lab.bench.clue", lang, str(clues)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        yield from map(json.loads, run.stdout.splitlines())


def measure_here(lang: str, clues: int) -> Iterator[Measurement]:
    """Measure one language in this process. The process must not have loaded a referee before."""
    from pi_table.games.referee.opinion import opinion, warm
    from pi_table.games.words.pack import pack_named

    words = list(pack_named(PACKS[lang]).words)
    Random(1).shuffle(words)
    board, others = words[:BOARD], words[BOARD:][:clues]
    before, began = _pss(), perf_counter()
    warm(lang)
    yield {"name": f"clue/{lang}/load", "value": _ms(began), "unit": "ms"}
    began = perf_counter()
    opinion(others[0], 1, board, (), lang)
    yield {"name": f"clue/{lang}/first_of_a_game", "value": _ms(began), "unit": "ms"}
    times = []
    for word in others[1:]:
        began = perf_counter()
        opinion(word, 1, board, (), lang)
        times.append(perf_counter() - began)
    yield {"name": f"clue/{lang}/warm", "words": len(board)} | percentiles(times)
    yield {"name": f"clue/{lang}/pss", "value": round(_pss() - before, 1), "unit": "MiB"}


def _ms(began: float) -> float:
    return round((perf_counter() - began) * 1000, 3)


def _pss() -> float:
    return memory_of(Path("/proc/self/smaps_rollup").read_bytes())["Pss"]


if __name__ == "__main__":
    for measurement in measure_here(sys.argv[1], int(sys.argv[2])):
        print(json.dumps(measurement))
