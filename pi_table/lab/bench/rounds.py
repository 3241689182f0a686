"""One round of a speed contest between two programs that play games. Each round is a separate
process.

This module needs only the standard library, so each side can run it in its own Python.
"""

import json
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from random import Random, seed
from secrets import token_bytes
from time import process_time
from typing import NoReturn, TypedDict


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
SEED = 1
"""Seed of the games whose instructions are counted: every count is of the same games."""
COUNTED = "games="
"""Begins the argument of a program whose instructions are counted."""
WARM_UP_GAMES = 20
"""Number of games before those whose instructions are counted."""


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


def play_in_copy(play: Callable[[Random], int], games: int) -> NoReturn:
    """Play this many games in a copy of this process, print the number of acts, and end both.

    The copy begins where this process is. So whoever counts the instructions of both knows those of
    the games: the difference. Neither shuts Python down, because that is long.
    """
    random = Random(SEED)
    for _ in range(WARM_UP_GAMES):
        play(random)
    if copy := os.fork():
        _, status = os.waitpid(copy, 0)
        os._exit(os.waitstatus_to_exitcode(status))
    seed(SEED)  # The peer draws with the functions of `random`, and Python seeds them in a copy.
    print(sum(play(random) for _ in range(games)), flush=True)
    os._exit(0)


def main(play: Callable[[Random], int], package: str) -> None:
    """Run as a program. It prints JSON.

    Its argument is a number of seconds, for a round; or ``games=`` and a number, to play these
    games in a copy of the process, for a counter of instructions.
    """
    amount = sys.argv[1]
    if amount.startswith(COUNTED):
        play_in_copy(play, int(amount.removeprefix(COUNTED)))
    print(json.dumps(play_round(play, package, float(amount))))


def random_bytes() -> Callable[[int], bytes]:
    """Return the source of a game's chance: the operating system, or a seeded one for a count."""
    return Random(SEED).randbytes if sys.argv[1].startswith(COUNTED) else token_bytes


def clue_number(random: Random) -> int:
    return 1 + int(4 * random.random())


def next_cell(uncovered: list[int], random: Random) -> int:
    """Remove a random cell from the list, and return the cell. Both sides of the contest choose
    their guesses with this function."""
    return uncovered.pop(int(len(uncovered) * random.random()))
