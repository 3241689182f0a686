"""Measures the speed of the game rules with complete random games of each profile. A package from
PyPI also plays the classic profile, for comparison.

That package, the *peer*, is ``codenames``. If the environment variable ``PI_TABLE_PEER`` names a
Python interpreter that has it, pi-table and the peer play rounds in turn. Each round is a separate
process on the same core. If that interpreter also has msgspec, pi-table plays rounds in it too. So
a difference between interpreters cannot change the result.

valgrind counts the instructions of seeded games. Unlike times, the counts do not depend on what
else the machine does.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from shutil import which
from statistics import median
from typing import Final, NamedTuple

import pi_table
from pi_table.games.rules.profile import PROFILES, Family
from pi_table.lab.bench.measurement import Measurement
from pi_table.lab.bench.rounds import COUNTED, Round

PEER: Final = "PI_TABLE_PEER"
OURS: Final = "pi_table.lab.bench.games"
THEIRS: Final = "pi_table.lab.bench.peer"
CLASSIC: Final = "codenames"
OTHERS: Final = {
    profile.id: (OURS, profile.id)
    if profile.family is Family.WORDS
    else ("pi_table.lab.bench.codex_game",)
    for profile in PROFILES.values()
    if profile.id != CLASSIC
}
"""For each profile but the classic one, the module that plays it, with its arguments."""
ROUNDS: Final = 5
SECONDS: Final = 1.0
"""Processor time in seconds of one round."""
GAMES: Final = 200
"""Number of games whose instructions are counted, of each profile and of the peer."""
COUNTER: Final = (
    *("valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no"),
    "--cachegrind-out-file=/dev/null",
)
BRIEF: Final = {"rounds": 2}


def measure(
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
    games: int = GAMES,
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench rules`.

    For the measurement ``times_peer``, both programs run in the peer's Python, if it can run
    pi-table's core. For ``times_peer_elsewhere``, each program runs in its own Python.
    """
    peer = os.environ.get(PEER)
    contest: dict[str, tuple[str, ...]] = {"ours": (sys.executable, OURS, CLASSIC)}
    if peer is not None and _can_run(peer, THEIRS):
        contest["peer"] = (peer, THEIRS)
        if _can_run(peer, OURS):
            contest["ours there"] = (peer, OURS, CLASSIC)
    contest |= {name: (sys.executable, *program) for name, program in OTHERS.items()}
    played: dict[str, list[Round]] = {side: [] for side in contest}
    with _one_core():
        for _ in range(rounds):
            for side, (python, module, *game) in contest.items():
                played[side].append(_round(python, module, seconds, *game))

    yield from _instructions(contest, games)
    yield _measurement(f"rules/{CLASSIC}/games_per_s", played["ours"])
    for name in OTHERS:
        yield _measurement(f"rules/{name}/games_per_s", played[name])
    if "peer" not in played:
        yield {
            "name": f"rules/{CLASSIC}/times_peer",
            "value": None,
            "unit": "times",
            "why": f"{PEER} names no Python that has the package 'codenames'.",
        }
        return
    yield _measurement("rules/peer/games_per_s", played["peer"])
    for side, name in (("ours there", "times_peer"), ("ours", "times_peer_elsewhere")):
        if side in played:
            yield {
                "name": f"rules/{CLASSIC}/{name}",
                "value": _times(played[side], played["peer"]),
                "unit": "times",
                "ours_in": played[side][0]["versions"],
                "peer_in": played["peer"][0]["versions"],
            }


class Count(NamedTuple):
    """Instructions and acts of some games."""

    instructions: int
    acts: int
    games: int


def _instructions(contest: dict[str, tuple[str, ...]], games: int) -> Iterator[Measurement]:
    """Yield the instructions of a game of each profile, and the peer's to ours.

    The classic game is counted in the peer's Python, if it can run pi-table's core. Random games
    differ in length, so the peer is compared by the instructions of an act.
    """
    sides = {
        CLASSIC: contest.get("ours there", contest["ours"]),
        **{name: contest[name] for name in OTHERS},
    }
    names = {name: f"rules/{name}/instructions" for name in sides}
    if "peer" in contest:
        sides["peer"] = contest["peer"]
        names["peer"] = f"rules/{CLASSIC}/times_peer_in_instructions"
    if which(COUNTER[0]) is None:
        for side, name in names.items():
            unit = "times" if side == "peer" else "thousands"
            yield {"name": name, "value": None, "unit": unit, "why": "valgrind is missing."}
        return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(sides, pool.map(_count, sides.values(), repeat(games)), strict=True))
    for side, name in names.items():
        count = counts[side]
        per_game = count.instructions / count.games / 1000
        measured: Measurement = {"name": name, "value": round(per_game, 1), "unit": "thousands"}
        if side == "peer":
            ours = counts[CLASSIC]
            times = count.instructions / count.acts / (ours.instructions / ours.acts)
            measured |= {"value": round(times, 2), "unit": "times"}
            measured["peer_thousands"] = round(per_game, 1)
        yield measured | {
            "acts_per_game": round(count.acts / count.games, 2),
            "games": count.games,
        }


def _count(program: tuple[str, ...], games: int) -> Count:
    """Count the instructions of some games: those of a process that plays them less those of one
    that does not."""
    python, module, *game = program
    amount = f"{COUNTED}{games}"
    done = _run(*COUNTER, python, "-m", module, amount, *game, check=True)
    found = re.findall(r"I +refs: +([\d,]+)", done.stderr)
    fewer, more = sorted(int(each.replace(",", "")) for each in found)
    return Count(more - fewer, int(done.stdout), games)


def _measurement(name: str, played: list[Round]) -> Measurement:
    """Return the median number of games per second over these rounds, as a measurement."""
    return {
        "name": name,
        "value": round(median(map(_games_per_second, played)), 1),
        "unit": "1/s",
        "acts_per_game": round(sum(r["acts"] for r in played) / sum(r["games"] for r in played), 2),
        "rounds": len(played),
        "games": sum(r["games"] for r in played),
        "played_in": played[0]["versions"],
    }


def _times(ours: list[Round], peer: list[Round]) -> float:
    """Return how many times faster we play than the peer: the median over pairs of rounds."""
    pairs = zip(map(_games_per_second, ours), map(_games_per_second, peer), strict=True)
    return round(median(our / their for our, their in pairs), 2)


def _games_per_second(played: Round) -> float:
    return played["games"] / played["seconds"]


def _round(python: str, module: str, seconds: float, *game: str) -> Round:
    output = _run(python, "-m", module, str(seconds), *game, check=True).stdout
    played: Round = json.loads(output)
    return played


def _can_run(python: str, module: str) -> bool:
    try:
        return _run(python, "-c", f"import {module}").returncode == 0
    except OSError:
        return False


def _run(program: str, *arguments: str, check: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a program so that Python in it can import pi-table's source tree, and repeats itself."""
    path = (str(Path(pi_table.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    return subprocess.run(
        [program, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=check,
    )


@contextmanager
def _one_core() -> Iterator[None]:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
