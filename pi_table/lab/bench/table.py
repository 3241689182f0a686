"""Measures the speed of the whole table, and its memory and processor time at rest. The real
program runs in a separate process.

The table's journal is on a real disk (``/var/tmp``), with every fsync. Its touches and lights go
through a pseudo-terminal, which behaves as a serial device does.
"""

import os
import select
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Final

import msgspec

from pi_table.common.geometry import CELL_COUNT, CELLS, leds_of
from pi_table.devices.lights.scenes import ABOUT_TO_ANSWER
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import step
from pi_table.games.rules.seat import Role, seat_of
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.drawing import EveryKey
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.lab.bench import stamps
from pi_table.lab.bench.checking import BusyDesk
from pi_table.lab.bench.cost import cost_of
from pi_table.lab.bench.games import PROFILE
from pi_table.lab.bench.measurement import Measurement, percentiles
from pi_table.lab.bench.relayed import Relay
from pi_table.lab.bench.rounds import clue_number, next_cell
from pi_table.lab.running_table import PROGRAM, TRY_AGAIN, Console, RunningTable, cover_of
from pi_table.table.engine.touches.intents import MOVEMENT_SECONDS
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

GUESSES: Final = 1500
REST_SECONDS: Final = 20.0
EVENTS: Final = 10_000
STARTS: Final = 7
FIRST_GUESSES: Final = 50
BRIEF: Final = {"guesses": 100, "first": 10, "rest": 4.0, "starts": 3}
RECORDS: Final = 20
"""Number of requests for the list of finished games before each guess. The answers, 25 kB in all,
wait until the console reads them."""
STILL_SECONDS: Final = 1.5 * MOVEMENT_SECONDS
"""Seconds without a finger between two guesses. The table would treat faster touches as a single
movement, and a busy table notices a lifted finger late."""
RECORDED: Final = 2500
"""Number of events of finished games in the journal. These are some sixty games."""
DISK: Final = "/var/tmp"
WALL: Final = "2026-01-01T00:00:00.000+00:00"
ANSWERED: Final = f"#{ABOUT_TO_ANSWER:06x}"


def measure(
    guesses: int = GUESSES,
    first: int = FIRST_GUESSES,
    rest: float = REST_SECONDS,
    stored: int = EVENTS,
    starts: int = STARTS,
    steps: bool = False,
) -> Iterator[Measurement]:
    """Yield the measurements of `pi-table bench table`; with ``steps`` only those of ``--stamps``,
    about where the time of a guess goes."""
    if steps:
        yield from steps_of_a_guess(guesses)
        return
    yield commit_alone(guesses)
    yield guess_to_light(guesses)
    yield first_guess_to_light(first)
    yield guess_to_light(guesses, with_phones=True)
    yield guess_among_records(max(5, guesses // 30))
    yield guess_while_checking(max(5, guesses // 10))
    yield from at_rest(rest)
    yield from at_rest(rest, with_phones=True)
    yield ready(stored, starts)


def commit_alone(commits: int) -> Measurement:
    """Measure only the disk's part of a guess: how long it takes to store an act of two events."""
    random = Random()
    with folder_on_disk() as folder:
        journal = Journal.open(folder / "journal.sqlite")
        entries = build_game(random)
        game = journal.begin(entries[:1], WALL)
        seconds = []
        for _ in range(commits):
            begun = perf_counter()
            journal.append(game, entries[1:3], WALL)
            seconds.append(perf_counter() - begun)
            journal.settle()  # outside the measured time
        journal.close()
    return {"name": "table/commit", **percentiles(seconds)}


def guess_to_light(guesses: int, with_phones: bool = False) -> Measurement:
    """Measure the time from a touch until the lights confirm that its guess is stored.

    The time is measured at the other end of the pseudo-terminal: from writing the touch until the
    confirming light frame has been read. If ``with_phones`` is true, every seat has a phone, and
    forged messages keep the table decrypting as many messages as it accepts.
    """
    random = Random()
    with table_with_a_finger() as (table, console, finger), ExitStack() as stack:
        if with_phones:
            to_guess(console, random)
            _add_phones(stack, table, console)
        seconds = [finger.guess(console, random) for _ in range(guesses)]
    name = "table/guess_to_light_with_phones" if with_phones else "table/guess_to_light"
    return {"name": name, **percentiles(seconds)}


def steps_of_a_guess(guesses: int) -> Iterator[Measurement]:
    """Measure `guess_to_light` on a table that notes when each step of a guess is done."""
    random, seconds, touches = Random(), list[float](), list[float]()
    with ExitStack() as stack:
        notes = stack.enter_context(folder_on_disk()) / "notes"
        program = (sys.executable, "-m", stamps.__name__, str(notes))
        table, console, finger = stack.enter_context(table_with_a_finger(program=program))
        for _ in range(guesses):
            took = finger.guess(console, random)
            if took < TRY_AGAIN:
                seconds.append(took)
                touches.append(finger.touched)
        table.stop()
        noted = msgspec.json.decode(notes.read_bytes(), type=stamps.Notes)
    yield {"name": "table/stamps/seen", **percentiles(seconds)}
    yield from stamps.steps_of(noted, touches)


def first_guess_to_light(starts: int) -> Measurement:
    """Measure the time from a touch to the lights that confirm its guess, for the first guess after
    each of ``starts`` starts of the engine."""
    random, seconds = Random(), list[float]()
    for _ in range(starts):
        with table_with_a_finger() as (_, console, finger):
            seconds.append(finger.guess(console, random))
    return {"name": "table/first_guess_to_light", **percentiles(seconds)}


def _add_phones(stack: ExitStack, table: RunningTable, console: Console) -> None:
    relay = Relay(table.folder / "run")
    stack.callback(relay.close)
    relay.seat(console)


def guess_among_records(guesses: int) -> Measurement:
    """Measure a guess while the hidden screen requests the list of finished games again and
    again."""
    seconds = list[float]()
    with table_with_a_finger(finished=RECORDED) as (_, console, finger):
        while len(seconds) < guesses:
            seconds += _among_records(console, finger)
    return {
        "name": "table/guess_to_light_among_records",
        **percentiles(seconds),
        "events": RECORDED,
    }


def _among_records(console: Console, finger: "Finger") -> Iterator[float]:
    """Guess all agents but one of the team that starts. Yield the seconds of each guess.

    Before each guess, the list of games is requested several times. The table has answered hardly
    any of these requests when the finger comes.
    """
    console.do("start", profile=PROFILE.id)
    team = console.table["public"]["turn"]
    console.do("clue", f"{team}-spymaster", number="unlimited")
    own = [cell for cell, of in zip(CELLS, console.key, strict=True) if of == team[0]]
    for name in own[:-1]:
        sleep(STILL_SECONDS)
        asked = [console.begin("record") for _ in range(RECORDS)]
        took = finger.touch(name)
        finger.release(name)
        for number in asked:
            console.answer_to(number)
        if took is not None or _is_covered(console, name):
            yield took or TRY_AGAIN
    console.do("abandon")


def guess_while_checking(guesses: int) -> Measurement:
    """Measure a guess while the table checks a backup that takes as long as possible."""
    random, seconds = Random(), list[float]()
    with table_with_a_finger() as (table, console, finger), ExitStack() as stack:
        desk = BusyDesk(stack, table, console)
        while len(seconds) < guesses:
            desk.keep_checking()
            took = finger.guess(console, random)
            if desk.is_checking():
                seconds.append(took)
    return {"name": "table/guess_to_light_while_checking", **percentiles(seconds)}


@contextmanager
def table_with_a_finger(
    finished: int = 0, program: Sequence[str] = PROGRAM
) -> Iterator[tuple[RunningTable, Console, "Finger"]]:
    """Yield a running table with its journal on a disk, a client for its hidden screen, and a
    finger.

    The journal has at least ``finished`` events of finished games.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(folder_on_disk())
        if finished:
            _write_games(folder, finished)
        master, slave = os.openpty()
        stack.callback(os.close, master)
        settings = '[touch]\nintent = "tap"\n'
        table = stack.enter_context(
            RunningTable(folder, settings, os.ttyname(slave), program=program)
        )
        table.wait()
        os.close(slave)
        console = table.console()
        stack.callback(console.close)
        yield table, console, Finger(master)


class Finger:
    """A finger on the table, and an eye on its lights, at the other end of the table's
    pseudo-terminal."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._rest = b""
        self.touched = 0.0
        """Time of the latest touch, as `perf_counter` tells it."""

    def guess(self, console: Console, random: Random) -> float:
        """Play until a guess is possible, and make it. Return the seconds until the lights confirm
        it; `TRY_AGAIN` if that takes longer."""
        name = random.choice(to_guess(console, random))
        while True:
            sleep(STILL_SECONDS)
            seconds = self.touch(name)
            self.release(name)
            if seconds is not None:
                console.until(lambda table: cover_of(table, name) is not None)
                return seconds
            if _is_covered(console, name):
                return TRY_AGAIN

    def release(self, name: str) -> None:
        os.write(self._master, b'{"release":"%s"}\n' % name.encode())

    def touch(self, name: str) -> float | None:
        """Touch a cell. Return the seconds until a light frame shows that the guess is stored; None
        if that takes too long."""
        led = leds_of(CELLS.index(name))[1]
        while select.select([self._master], [], [], 0.0)[0]:
            # Drop old frames: they may show this cell as it was in the last game.
            *_, self._rest = (self._rest + os.read(self._master, 65536)).split(b"\n")
        begun = self.touched = perf_counter()
        os.write(self._master, b'{"touch":"%s"}\n' % name.encode())
        while (left := begun + TRY_AGAIN - perf_counter()) > 0:
            if not select.select([self._master], [], [], left)[0]:
                break
            *lines, self._rest = (self._rest + os.read(self._master, 65536)).split(b"\n")
            if any(msgspec.json.decode(line)["leds"][led] == ANSWERED for line in lines):
                return perf_counter() - begun
        return None


def _is_covered(console: Console, name: str) -> bool:
    """True if a touch was a guess, although no light confirmed it in time."""
    while console.waiting():
        console.read()
    return cover_of(console.table, name) is not None


def to_guess(console: Console, random: Random) -> list[str]:
    """Start a game or give a clue, if a guess needs that. Return the cells that can be guessed."""
    public = console.table["public"]
    if public is None:
        console.do("start", profile=PROFILE.id)
        public = console.table["public"]
    elif public["phase"] == "over":
        console.do("next", keep_phones=True)  # the same people play, and may have phones
        public = console.table["public"]
    if public["phase"] == "clue":
        console.do("clue", f"{public['turn']}-spymaster", number=clue_number(random))
        public = console.table["public"]
    return [name for name, cell in public["cells"].items() if cell["covered"] is None]


def at_rest(seconds: float, with_phones: bool = False) -> Iterator[Measurement]:
    """Measure memory and processor time while a game waits, with a running clock, a console and a
    public screen. If ``with_phones`` is true, every seat also has a phone, and forged messages
    arrive."""
    with ExitStack() as stack:
        table = stack.enter_context(RunningTable(stack.enter_context(folder_on_disk())))
        cost = stack.enter_context(cost_of(table.process.pid))
        table.wait()
        console = play_to_mid_game(stack, table)
        if with_phones:
            _add_phones(stack, table, console)
        sleep(min(1.0, seconds))
        name = "table/phones" if with_phones else "table/rest"
        yield from cost.at_rest(f"{name}_pss", f"{name}_cpu", seconds)


def play_to_mid_game(stack: ExitStack, table: RunningTable) -> Console:
    """Connect a console and a public screen, start a game with a clock, and guess five agents.
    Return the console."""
    console, public = table.console(), table.public()
    stack.callback(console.close)
    stack.callback(public.close)
    clock = {"timer": "clock", "clue_seconds": 3600, "guess_seconds": 3600}
    console.do("start", profile=PROFILE.id, options=clock)
    team = console.table["public"]["turn"]
    console.do("clue", f"{team}-spymaster", number=9)
    own = [cell for cell, of in zip(CELLS, console.key, strict=True) if of == team[0]]
    for cell in own[:5]:
        console.do("guess", f"{team}-operatives", cell=cell)
    return console


def ready(stored: int, starts: int) -> Measurement:
    """Measure how long a table with a long journal needs from its start until it is ready.

    The games in this journal were played with the players' own cards. So the table must read all of
    them to learn which words were dealt.
    """
    with folder_on_disk() as folder:
        count, games = _write_games(folder, stored)
        seconds = []
        for _ in range(starts):
            with RunningTable(folder) as table:
                seconds.append(table.wait())
                table.stop()
    return {
        "name": "table/ready_s",
        "value": round(median(seconds), 3),
        "unit": "s",
        "max": round(max(seconds), 3),
        "starts": starts,
        "events": count,
        "games": games,
    }


def _write_games(folder: Path, stored: int) -> tuple[int, int]:
    """Write a journal with at least this many events. Return the number of its events, and of its
    games."""
    random = Random()
    (folder / "state").mkdir()
    journal = Journal.open(folder / "state" / "journal.sqlite")
    count = games = 0
    while count < stored:
        entries = build_game(random)
        journal.begin(entries, WALL)
        count += len(entries)
        games += 1
    journal.close()
    return count, games


def build_game(random: Random) -> list[Entry]:
    """Return the events of a whole random game."""
    key = Chance().one_of(EveryKey())
    happened: list[Event] = [events.Dealt(0.0, PROFILE.id, PROFILE.defaults, None, key)]
    state = evolve(None, happened[0])
    uncovered = list(range(CELL_COUNT))
    while state.board.phase is not Phase.OVER:
        act: acts.Act
        if state.board.phase is Phase.CLUE:
            role, act = Role.SPYMASTER, acts.GiveClue(clue_number(random))
        else:
            role, act = Role.OPERATIVES, acts.Guess(next_cell(uncovered, random))
        state, new = step(state, seat_of(state.board.turn, role), act, float(len(happened)))
        happened += new
    return [Entry(event.at, games.encode(event)) for event in happened]


@contextmanager
def folder_on_disk() -> Iterator[Path]:
    with TemporaryDirectory(prefix="pi-table-", dir=DISK) as folder:
        yield Path(folder)
