"""One round of a speed contest between two programs that play games. Each round is a separate
process.

This module needs only the standard library, so each side can run it in its own Python.
"""

import json
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from time import process_time
from typing import TypedDict


class Round(TypedDict):
    """The numbers of games and acts in a round, and the round's processor time in ``seconds``."""

    games: int
    acts: int
    seconds: float
    versions: dict[str, str]
    """Versions of Python and of the package that this side uses."""


WARM_UP = 0.2
"""Duration of the first games, which are not counted, as a share of the round's duration."""
BATCH = 10
"""Number of games after which the clock is read again."""


def play_round(play: Callable[[Random], int], package: str, seconds: float) -> Round:
    """Play games for about ``seconds`` of processor time.

    ``play`` plays one game and returns the number of its acts. Processor time is measured because
    other programs on a busy machine would lengthen wall-clock time.
    """
    random = Random()
    ready = process_time() + seconds * WARM_UP
    while process_time() < ready:
        play(random)
    games = acts = 0
    begun = now = process_time()
    while now < begun + seconds:
        acts += sum(play(random) for _ in range(BATCH))
        games += BATCH
        now = process_time()
    versions = {"python": platform.python_version(), package: version(package)}
    return Round(games=games, acts=acts, seconds=now - begun, versions=versions)


def main(play: Callable[[Random], int], package: str) -> None:
    """Run a round as a program. Its argument is the number of seconds; it prints the round as
    JSON."""
    print(json.dumps(play_round(play, package, float(sys.argv[1]))))


def clue_number(random: Random) -> int:
    return 1 + int(4 * random.random())


def next_cell(uncovered: list[int], random: Random) -> int:
    """Remove a random cell from the list, and return the cell. Both sides of the contest choose
    their guesses with this function."""
    return uncovered.pop(int(len(uncovered) * random.random()))
