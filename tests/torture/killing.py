"""Killing a whole table at random moments of play, and looking how it stands afterwards.

The table is a process of its own, played through its link and its console by somebody who does one
thing at a time; any game is played, and it may be far on when the table starts for the first time.
SIGKILL is no power cut (what was written survives it, synced or not: the power-cut tests of the
journal and of games are for that); but it stops the program between any two of its instructions.
"""

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from random_player import next_act
from shipped_packs import shipped_pack
from virtual_table import VirtualTable

from pi_table.games.rules import games
from pi_table.games.rules.codex import events as codex
from pi_table.games.rules.codex.hidden import State as CodexState
from pi_table.games.rules.events import Event, GameEnded
from pi_table.games.rules.outcome import Why
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.events import Ended
from pi_table.lab.running_table import Console, RunningTable, Wire
from pi_table.table.engine.dealing import Shelf
from pi_table.table.engine.touches.intents import MOVEMENT_SECONDS
from pi_table.table.store.entries import StoredEntry
from pi_table.table.store.journal import Journal

SETTINGS: Final = '[touch]\nintent = "tap"\n'
SHELF: Final = Shelf((shipped_pack("english"), shipped_pack("italiano")))

Seen = dict[str, Any] | None
Game = tuple[str, dict[str, Any]]


@dataclass
class Witness:
    """The last messages of a table's sockets before its kill. Its lights answer a guess a second
    after it was stored and published; `tests/engine/test_durable.py` checks them."""

    console: Seen = None
    public: Seen = None


@dataclass
class Killer:
    """Plays one kind of game at tables in ``folder`` and kills them; ``random`` says when."""

    folder: Path
    random: Random
    game: Game
    seconds: float = 0.15
    """The most that a table is played before it is killed."""
    kills: int = 0
    acts: int = 0
    not_shown: int = 0
    """Number of kills between the storing of an act and its showing."""

    def begin(self, acts: int) -> None:
        """Play so many acts in virtual time, for tables to go on from there."""
        profile, options = self.game
        table = VirtualTable(self.folder / "state" / "journal.sqlite", shelf=SHELF)
        table.do("start", profile=profile, options=options)
        for _ in range(acts):
            self.act_at(table)
            table.advance(self.random.choice((0.1, 0.5, 1.0)))
        table.switch_off()

    def act_at(self, table: VirtualTable) -> None:
        if table.table.game is None or table.game.board.outcome is not None:
            table.do("next")
        do = next_act(table.known, self.random)
        if "touch" in do:
            table.hold(do["touch"])
        else:
            table.ask(**do)

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
            witness = self._play(table, self.random.uniform(0.0, self.seconds))
        self._judge(witness)

    def check(self) -> None:
        """Start the table once more, and see that it stands as it is stored."""
        with RunningTable(self.folder, SETTINGS) as table:
            table.wait()
            console = Console(self.folder / "run" / "console.sock")
            peek(console)
            assert agrees(private(console.table), self._just_stored())
            console.close()
            assert table.stop() == 0, table.log.read_text()

    def _just_stored(self) -> list[Seen]:
        """Return the possible states of a table that has just started. Time alone may have changed
        it."""
        return [standing.console for standing in stored(self.folder)[-2:]]

    def _play(self, table: RunningTable, seconds: float) -> Witness:
        console = Console(self.folder / "run" / "console.sock")
        world, public = table.world(), table.public()
        wires = (console, world, public)
        peek(console)
        stands = private(console.table)
        witness = Witness(stands, bare(console.table["public"]))
        assert agrees(stands, self._just_stored()), "It does not stand as it is stored."
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
                    world.read()
        except ConnectionError:
            timer.join()
            for _ in rest_of(console):
                pass
            witness.console = private(console.table)
            for message in rest_of(public):
                witness.public = bare(message["view"])
            return witness
        finally:
            for wire in wires:
                wire.close()

    def _act(self, console: Console, world: Wire) -> None:
        """Do something that is possible, and wait until it is shown or refused."""
        peek(console)
        before = console.table
        view = before["public"]
        if view is None or view["phase"] == "over":
            profile, options = self.game
            number = console.begin("start", profile=profile, options=options)
        else:
            do = next_act(before, self.random)
            if "touch" in do:
                time.sleep(MOVEMENT_SECONDS)  # quicker from cell to cell is one movement
                world.send({"touch": do["touch"]}, {"release": do["touch"]})
                # Of a hand that was too quick, or of a touch that was refused, nothing comes. What
                # comes may be that time runs out: that is no answer.
                was = private(before)
                console.within(1.0, lambda table: private(table) != was)
                return
            number = console.begin(**do)
        answer = console.answer_to(number)
        if answer["ok"] and answer["told"] is None:
            before = console.table
            while console.table is before:
                console.read()

    def _judge(self, witness: Witness) -> None:
        """It must stand as it was last shown, or after the one act that was stored and not shown:
        the next look at it will say how it stands, and compare it with what is stored."""
        *_, before, now = stored(self.folder)
        for shown in (witness.console, witness.public):
            possible = (before.console, now.console, before.public, now.public)
            assert agrees(shown, possible), f"Shown was {shown}; stored is {now}, before {before}."
        is_shown = agrees(witness.console, [now.console]) or now.public == witness.public
        self.not_shown += not is_shown


def rest_of(wire: Wire) -> Iterator[Any]:
    """Yield the messages that were sent before the end and are still unread."""
    try:
        while True:
            yield wire.read()
    except ConnectionError:
        return


def bare(view: Any) -> Seen:
    """A public view without what runs by itself."""
    if view is None or view["timer"] is None:
        return view  # type: ignore[no-any-return]
    return {**view, "timer": {**view["timer"], "left": None, "urging": None}}


def private(message: Any) -> Seen:
    """Return the hidden screen's content, without timers."""
    seen: dict[str, Any] = {"public": bare(message["public"])}
    if message.get("key") is not None:
        seen["key"] = message["key"]
    if message.get("door") is not None:
        seen["door"] = message["door"]["code"], message["door"]["tries_left"]
    if message.get("agent") is not None:
        seen["agent"] = message["agent"]["entered"], message["agent"]["received"]
    return seen


def agrees(shown: Seen, possible: Sequence[Seen]) -> bool:
    """True if the shown content is one of these. Parts that only a peek shows may be missing."""
    return any(
        shown == one or (shown is not None and one is not None and {**one, **shown} == one)
        for one in possible
    )


def peek(console: Console) -> None:
    """Look at what is hidden, where there is something to look at."""
    table = console.table
    seats = [seat for seat in table["may"] if seat.endswith("-spymaster")]
    if table.get("door") is not None and table["door"]["code"] == "open":
        seats = [table["door"]["seat"]]
    if seats and table["peek"] is None:
        console.ask("peek", seats[0])


@dataclass(frozen=True)
class Standing:
    """Messages of a table in one state."""

    public: Seen = None
    console: Seen = field(default_factory=lambda: {"public": None})


def stored(folder: Path) -> list[Standing]:
    """Return a table's state after each act of the two latest games, by its journal.

    The first two are the state of a table that has had no game.
    """
    found = [Standing(), Standing()]
    if not (folder / "state" / "journal.sqlite").exists():
        return found
    journal = Journal.open_to_read(folder / "state" / "journal.sqlite")
    try:
        for number in [listed.number for listed in journal.games()][-2:]:
            state, last = None, None
            for entry in journal.read(number).entries:
                event = games.decode(entry.body)
                state = games.evolve(state, event)
                if follows(event, entry, last):
                    found.pop()
                found.append(standing(state, entry.at))
                last = entry
    finally:
        journal.close()
    return found


def standing(state: games.AnyState, at: float) -> Standing:
    public = games.public_view(state.board, at)
    message: dict[str, Any] = {"public": public}
    if isinstance(state, CodexState):
        for seat in games.seats(state.board):
            if state.board.at_screen(seat):
                agent = games.view(state, seat, at)
                message["door"] = {"code": agent.code, "tries_left": agent.tries_left}
                message["agent"] = agent
    elif state.key is not None:
        message["key"] = state.key.letters
    read = msgspec.json.decode(msgspec.json.encode(message))
    return Standing(bare(read["public"]), private(read))


TOGETHER: Final = (events.PenaltyDue, events.KeyDrawn, codex.TakenToMachine, codex.NobodyTaken)
"""Stored together with the event before them."""
BY_TIME: Final = (codex.VisitEnded, codex.VisitExtended, codex.VisitPassed, codex.DiscussionEnded)
"""Events that a slow table may store several of."""


def follows(event: Event, entry: StoredEntry, last: StoredEntry | None) -> bool:
    """True if this event is stored together with the one before it."""
    match event:
        case events.TurnEnded():
            return event.why in (Ended.GUESS, Ended.LAST_GUESS)
        case GameEnded():
            return event.outcome.why is not Why.STOPPED
    if isinstance(event, BY_TIME):
        return last is not None and last.wall == entry.wall
    return isinstance(event, TOGETHER)
