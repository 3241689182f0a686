"""Killing a whole table at random moments of play, and looking how it stands afterwards.

The table is a process of its own, played through its link and its console by somebody who does one
thing at a time. SIGKILL is no power cut (what was written survives it, synced or not: the power-cut
tests of the journal are for that); but it stops the program between any two of its instructions.
"""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from pi_table.bench.running import Console, RunningTable, Wire
from pi_table.engine.intents import MOVEMENT_SECONDS
from pi_table.engine.colours import COVER
from pi_table.geometry import CELLS
from pi_table.rules import events, games
from pi_table.rules.board import Why
from pi_table.rules.events import Ended
from pi_table.rules.evolve import evolve
from pi_table.rules.views import public_view
from pi_table.store.journal import Journal

View = dict[str, Any] | None
SETTINGS: Final = '[touch]\nintent = "tap"\n'
WEIGHTS: Final = {"clue": 6, "guess": 12, "correct": 2, "cover": 0, "record": 0, "start": 0}
"""How likely an act is, where it is possible; 1 for the others."""
COLOURS: Final = {f"#{colour:06x}": identity.value for identity, colour in COVER.items()}


@dataclass
class Witness:
    """What a table last showed, at each of its ends, before it was killed."""

    console: View = None
    public: View = None
    lit: dict[str, str] | None = None
    """The cells whose light said that they are covered, and by what."""


@dataclass
class Killer:
    """Plays tables in ``folder`` and kills them; ``random`` says when."""

    folder: Path
    random: Random
    kills: int = 0
    acts: int = 0
    not_shown: int = 0
    """How often an act was stored that nobody had been shown."""
    _before: View = field(default=None, repr=False)

    def kill_once(self) -> None:
        """Start the table, look how it stands, play, kill it. Raises AssertionError."""
        self.kills += 1
        with RunningTable(self.folder, SETTINGS) as table:
            if self.random.random() < 0.1:  # while it starts
                timer = threading.Timer(self.random.uniform(0.0, 0.3), table.process.kill)
                timer.start()
                timer.join()
                table.kill()
                return
            table.wait()
            witness = self._play(table, self.random.uniform(0.0, 0.15))
        self._judge(witness)

    def check(self) -> None:
        """Start the table once more, and see that it stands as it is stored."""
        with RunningTable(self.folder, SETTINGS) as table:
            table.wait()
            console = table.console()
            assert bare(console.table["public"]) == stored(self.folder)[-1]
            console.close()
            assert table.stop() == 0, table.log.read_text()

    def _play(self, table: RunningTable, seconds: float) -> Witness:
        console, world, public = table.console(), table.world(), table.public()
        wires = (console, world, public)
        stands = bare(console.table["public"])
        witness = Witness(stands, stands)
        assert stands == stored(self.folder)[-1], "It does not stand as it is stored."
        timer = threading.Timer(seconds, table.process.kill)
        timer.start()
        try:
            while True:
                self._act(console, world)
                self.acts += 1
                # Whoever does not read is told the newest only when they read again.
                while public.waiting():
                    witness.public = bare(public.read()["view"])
                while world.waiting():
                    witness.lit = lit(world.read())
        except ConnectionError:
            timer.join()
            for message in rest_of(console):
                if message["kind"] == "table":
                    console.table = message
            witness.console = bare(console.table["public"])
            for message in rest_of(public):
                witness.public = bare(message["view"])
            for message in rest_of(world):
                witness.lit = lit(message)
            return witness
        finally:
            for wire in wires:
                wire.close()

    def _act(self, console: Console, world: Wire) -> None:
        """Do something that is possible, and wait until it is shown or refused."""
        before = console.table
        view = before["public"]
        if view is None or view["phase"] == "over":
            options = {"timer": self.random.choice(["off", "clock", "hourglass"])}
            console.begin("start", profile="codenames", options=options)
        else:
            seat, act = self.random.choice(likely(before["may"]))
            if act == "guess" or (act == "stop" and self.random.random() < 0.5):
                free = [name for name, cell in view["cells"].items() if cell["covered"] is None]
                name = "end-turn" if act == "stop" else self.random.choice(free)
                time.sleep(MOVEMENT_SECONDS)  # quicker from cell to cell is one movement
                world.send({"touch": name}, {"release": name})
            else:
                console.begin(act, seat, number=self.random.choice([None, 1, 2, 3]))
        while console.table is before:
            message = console.read()
            if message["kind"] == "answer" and not message["ok"]:
                return

    def _judge(self, witness: Witness) -> None:
        """It must stand as it was last shown, or after the one act that was stored and not shown:
        the next look at it will say how it stands, and compare it with what is stored."""
        *_, before, now = stored(self.folder)
        for shown in (witness.console, witness.public):
            assert shown in (before, now), f"Shown was {shown}; stored is {now}, before {before}."
        self.not_shown += now not in (witness.console, witness.public)
        # In a pause the lights are dimmed.
        if witness.lit is not None and not any(view and view["paused"] for view in (before, now)):
            assert witness.lit in (covered(before), covered(now)), witness.lit


def likely(may: dict[str, list[str]]) -> list[tuple[str, str]]:
    """What can be done now: seats and acts, those that move the game more than once."""
    acts = [(seat, act) for seat, doable in may.items() for act in doable]
    return [done for done in acts for _ in range(WEIGHTS.get(done[1], 1))]


def rest_of(wire: Wire) -> Iterator[Any]:
    """What had been sent before the end and was not read yet."""
    try:
        while True:
            yield wire.read()
    except ConnectionError:
        return


def bare(view: Any) -> View:
    """A public view without what runs by itself."""
    if view is None or view["timer"] is None:
        return view  # type: ignore[no-any-return]
    return {**view, "timer": {**view["timer"], "left": None}}


def lit(message: Any) -> dict[str, str]:
    """The cells whose light says that they are covered, and by what."""
    cells = zip(CELLS, message["lights"], strict=False)
    return {name: COLOURS[colour] for name, colour in cells if colour in COLOURS}


def covered(view: View) -> dict[str, str]:
    cells = {} if view is None else view["cells"]
    return {name: cell["covered"] for name, cell in cells.items() if cell["covered"]}


def stored(folder: Path) -> list[View]:
    """The public views after each act of the two latest games, as the journal has them; first, for
    a table that has had none, two empty ones."""
    found: list[View] = [None, None]
    if not (folder / "state" / "journal.sqlite").exists():
        return found
    journal = Journal.open_to_read(folder / "state" / "journal.sqlite")
    try:
        for number in [listed.number for listed in journal.games()][-2:]:
            state = None
            for entry in journal.read(number).entries:
                event = games.decode(entry.body)
                state = evolve(state, event)
                view = msgspec.json.decode(msgspec.json.encode(public_view(state.board, entry.at)))
                if follows(event):
                    found.pop()
                found.append(bare(view))
    finally:
        journal.close()
    return found


def follows(event: events.Event) -> bool:
    """Is this an event that is stored together with the one before it?"""
    match event:
        case events.PenaltyDue():
            return True
        case events.TurnEnded():
            return event.why in (Ended.GUESS, Ended.LAST_GUESS)
        case events.GameEnded():
            return event.outcome.why is not Why.STOPPED
        case _:
            return False
