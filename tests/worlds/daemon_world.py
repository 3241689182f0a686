"""An evening at the whole daemon, with everything that can be seen of it by no spymaster.

The daemon is the real one, with its journal, its sockets and the simulated table's link; only the
time, the wall clock and the chance are the test's.
"""

import asyncio
import functools
import itertools
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import datetime, tzinfo
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock

import msgspec
import virtual_loop
from bridge_session import Bridged, without_ids
from daemon_session import WALL, Session
from desk_in_a_hand import DeskInAHand
from desk_in_a_hand import prepare as prepare_card
from evenings import Evening, coin
from game_scripts import Line, keys_drawn
from pages_session import Pages, lines_of_the_sealed_socket
from seen import Seen, told_by_error
from sounders import listening_to_sounders, sound_of
from surroundings import (
    Printed,
    files,
    listening_to_announcements,
    listening_to_logs,
    listening_to_warnings,
    process,
)
from twin_deals import Story, as_json, story_of
from twin_keys import KeySource, Told, told_by

from pi_table import cli
from pi_table.common import arguments, config
from pi_table.common.geometry import CELL_COUNT, CELLS
from pi_table.games.rules import games
from pi_table.games.rules.codex.events import AgentsDealt
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.table.engine.presentation import speaker
from pi_table.table.engine.process import daemon
from pi_table.table.store.journal import Journal

FOLDER: Final = Path("/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp")
"""Where worlds are built, in memory if that is possible."""
PARSER: Final = functools.cache(arguments.parser)
"""To build the command line's parser takes longer than most of the commands."""

CONFIG: Final = """\
[table]
cards = "{cards}"
[lights]
frames_per_second = 10
[touch]
intent = "{intent}"
[simulated]
link = "{folder}/runtime/link.sock"
[sound]
driver = "simulated"
[house]
volume = {sound.volume}
speech = "{sound.speech}"
[console]
screen = "{screen}"
[paths]
state = "{folder}/state"
runtime = "{folder}/runtime"
bridge = "{folder}/bridge"
"""


SCREEN_OF: Final = "screen of "
"""Prefix of the names of observables that only one agent sees."""


class Stage(NamedTuple):
    """When an agent saw something: the game, its phase, and whether messages are still sent."""

    game: int
    phase: int
    sending: bool


class Watched(NamedTuple):
    """The observations of an evening, and the facts that it disclosed of its keys."""

    seen: list[Seen]
    drawn: tuple[str, ...]
    told: dict[str, Told]
    wrong_covers: tuple[int, ...]
    """The numbers of the requests, from 1, for covers that were refused."""
    stories: dict[int, Story]
    """Stories of the games of Codex, by their numbers."""


def watch(
    evening: Evening,
    keys: Sequence[str] = (),
    prepare: Callable[[Path], None] = lambda journal: None,
) -> Watched:
    """Spend the evening in the world in which these keys are drawn, or else those of its seed.

    ``prepare`` may write a journal to the path that it is given, for the table to find. A fault
    that ends the evening is seen, as ``fault``.
    """
    spare = keys_drawn(f"{evening.seed}/spare")
    drawn = itertools.chain(keys, spare) if keys else keys_drawn(evening.seed)
    draw = KeySource(drawn, coin(evening.seed))
    with ExitStack() as stack:
        world = World(evening, draw, stack)
        prepare(world.config.paths.journal)
        try:
            virtual_loop.run(world.spend)
        except Exception as fault:
            world.saw("fault", told_by_error(fault))
        world.saw("output", world.printed.text())
        told, stories = world.told(), world.stories()
        wrong_covers = tuple(cover.number for cover in world.wrong_covers)
    # Clients that are served in the same instant are served in no order that is promised.
    seen = sorted(world.seen, key=lambda seen: (seen.at, seen.what))
    return Watched(seen, tuple(draw.drawn), told, wrong_covers, stories)


class _StandingClock(datetime):
    """The clock on the wall in the house: it always shows the same time."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "_StandingClock":
        return cls.fromisoformat(WALL).replace(tzinfo=tz)


class _WrongCover(NamedTuple):
    number: int
    letters: str
    cell: int
    team: Team
    covered: bool


class World:
    """A daemon, everything that it can be seen by, and everybody who looks."""

    def __init__(self, evening: Evening, draw: KeySource, stack: ExitStack) -> None:
        sound = sound_of(evening.seed)
        self.evening = evening
        self.draw = draw
        self.deals = [*evening.deals]
        self.chooser = Random(f"{evening.seed}/words")
        self.loop: virtual_loop.VirtualLoop | None = None
        self.seen: list[Seen] = []
        self.asked: list[Line] = []
        self.table: dict[str, Any] = {}
        """The newest message about the table on the console."""
        self.key = ""
        """The key in force when somebody asked for a cover last."""
        self.peeks: str | None = None
        """The seat that peeks, as far as the table has told."""
        self.wrong_covers: list[_WrongCover] = []
        self.keys_read: set[int] = set()
        """The games whose whole key was told."""
        self.bridged: Bridged | None = None
        """The process of the bridge, while there is one."""
        self.pages: Pages | None = None
        """The process of the pages, while there is one."""
        self.folder = FOLDER / f"worlds-{os.getpid()}"
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "runtime").mkdir(parents=True)
        stack.callback(shutil.rmtree, self.folder)
        self.file = self.folder / "config.toml"
        self.file.write_text(
            CONFIG.format(
                folder=self.folder,
                cards=evening.cards,
                intent=evening.intent,
                sound=sound,
                screen="none" if evening.desk else "hidden",
            )
        )
        self.config = config.load(self.file)
        self.desk: DeskInAHand | None = None
        """The operator's phone, at a table without a hidden screen."""
        if evening.desk:
            self.desk = DeskInAHand(self, prepare_card(self.folder / "state"))
        self.printed = stack.enter_context(Printed(self.folder))
        stack.enter_context(listening_to_logs(lambda text: self.saw("log", text)))
        stack.enter_context(listening_to_warnings(lambda text: self.saw("warning", text)))
        stack.enter_context(mock.patch("time.sleep", self.sleep))
        stack.enter_context(mock.patch.object(daemon, "utc_now", return_value=WALL))
        stack.enter_context(mock.patch.object(daemon, "datetime", _StandingClock))
        stack.enter_context(mock.patch.object(speaker, "datetime", _StandingClock))
        stack.enter_context(listening_to_announcements(lambda told: self.saw("announced", told)))
        if evening.pages:
            stack.enter_context(lines_of_the_sealed_socket(self.saw))
        stack.enter_context(listening_to_sounders(self.saw, self.the_loop, sound.stall))

    def saw(self, what: str, value: object) -> None:
        self.seen.append(Seen(what, value, 0.0 if self.loop is None else self.loop.time()))

    def sleep(self, seconds: float) -> None:
        self.the_loop().advance(seconds)

    def the_loop(self) -> virtual_loop.VirtualLoop:
        assert self.loop is not None
        return self.loop

    async def spend(self, loop: virtual_loop.VirtualLoop) -> None:
        self.loop = loop
        loop.set_exception_handler(self.went_wrong)
        for happenings in _between_restarts(self.evening.happenings):
            await Session(self, loop).spend(happenings)

    def went_wrong(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Where the real program would stop, this one goes on, to show more."""
        self.saw("fault", (context["message"], told_by_error(context.get("exception"))))

    def look_around(self) -> None:
        self.saw("files", files(self.folder))
        self.saw("process", process())
        self.saw("output's length", self.printed.length())

    def read_records(self, numbers: Sequence[int]) -> None:
        self.command("record")
        for number in numbers:
            self.command("record", str(number))
            self.note_key_read(number)

    def note_key_read(self, number: int) -> None:
        """The key of a game that another has followed is told with its record (ALL-4)."""
        if number < (self.table.get("game") or 0):
            self.keys_read.add(number)

    def command(self, *words: str) -> None:
        """Run `pi-table` with these words, and record its output."""
        before = self.printed.length()
        with mock.patch.object(cli, "parser", PARSER):
            status = cli.main([*words, "--config", str(self.file)])
        self.saw(f"pi-table {' '.join(words)}", (status, self.printed.text()[before:]))

    def chosen(self, act: Line) -> Line:
        """The same, with the word in the place of the hand that it has: what lies open is the same
        in every world."""
        public = self.table.get("public") or {}
        words = (public.get("hands") or {}).get(public.get("turn")) or ["none"]
        place = act.get("word")
        return {**act, "word": words[place % len(words)] if isinstance(place, int) else place}

    def heard_console(self, line: bytes) -> None:
        """A line for the hidden screen. While nobody peeks, every byte of it must be the same in
        both worlds; while somebody does, all but the key, or but for what is for that agent alone.
        """
        message = msgspec.json.decode(line) if line else {}
        match message:
            case {"kind": "table" | "codex"}:
                self.table = message
                self.peeks = (message["peek"] or {}).get("seat")
        match message:
            case {"kind": "answer", "id": number, "told": told} if number < 0:
                self.key = (told or {}).get("key") or ""
                return  # the test's own question
            case {"kind": "table", "peek": {}, "key": key}:
                line = line.replace(key.encode(), b"?" * len(key))
                message = {**message, "key": None}
            case {"kind": "codex", "peek": {"seat": seat}, "agent": agent, "may": may}:
                value = msgspec.json.encode((agent, may.pop(seat)))
                self.saw_on_screen(seat, message["game"], value)
                message = {**message, "agent": None}
                line = b""  # what the agent may see may have any length
            case {"kind": "answer", "id": number} if number > 0:
                act = self.asked[number - 1]
                seat = str(act["seat"])
                if act.get("act") == "phone" and self.pages is not None:
                    if message["ok"]:
                        link = message["told"]["link"]
                        self.pages.linked(link)
                        line = line.replace(link.encode(), b"?" * len(link))
                    else:
                        self.pages.not_linked()
                if message["ok"] and act.get("act") in ("peek", "unpeek"):
                    self.peeks = seat if act["act"] == "peek" else None
                if seat == self.peeks and seat.startswith("agent-"):
                    told = msgspec.json.encode(message.pop("told"))
                    self.saw_on_screen(seat, self.table["game"], (number, told))
                    line = b""  # what the agent is told may have any length
                if message["reason"] in ("not-own-agent", "not-to-cover"):
                    self.note_wrong_cover(number, act)
                if act.get("act") == "record" and message["ok"]:
                    self.note_key_read(act["game"])
                if act.get("act") == "look" and "spymaster" in act["seat"] and message["told"]:
                    del message["told"]["key"]  # theirs
                    line = b""
        self.saw("console", line or msgspec.json.encode(message))

    def heard_public(self, line: bytes) -> None:
        """A line for everybody, which says how the game stands where no console does."""
        if line:
            self.table = {"public": msgspec.json.decode(line)["view"]}

    def heard_house(self, line: bytes) -> None:
        """A line for whoever looks after several tables: the same in both worlds, but for the id of
        a game, which is chance."""
        self.saw("house socket", without_ids(line))

    def saw_on_screen(self, seat: str, game: int | None, value: object) -> None:
        """Record a value that only the agent of this seat sees, and its stage of the game."""
        public = self.table["public"] or {}
        when = Stage(game or 0, public.get("number", 0), public.get("phase") == "send")
        self.saw(f"{SCREEN_OF}{seat}", (when, value))

    def note_wrong_cover(self, number: int, act: Line) -> None:
        table, cell, team = self.table, act["cell"], Seat(act["seat"]).team
        assert team is not None
        public = table["public"]
        if public["phase"] == "cover" or public["profile"] == "alias-24":
            team = team.other  # it is one of theirs that is to be covered
        covered = public["cells"][cell]["covered"] is not None
        cover = _WrongCover(number, self.key, CELLS.index(cell), team, covered)
        self.wrong_covers.append(cover)

    def told(self) -> dict[str, Told]:
        """Return the facts disclosed by the journal and by covers that were refused."""
        told: dict[str, Told] = {}
        for number, happened in self.happened().items():
            if not isinstance(happened[0], AgentsDealt):
                of_game = told_by(happened)
                if number in self.keys_read and of_game:
                    [*of_game.values()][-1].cells.update(range(CELL_COUNT))
                told |= of_game
        for cover in self.wrong_covers:
            if not cover.covered:
                told[cover.letters].refused(cover.cell, cover.team)
        return told

    def stories(self) -> dict[int, Story]:
        return {
            number: story_of(happened)
            for number, happened in self.happened().items()
            if isinstance(happened[0], AgentsDealt)
        }

    def happened(self) -> dict[int, list[games.AnyEvent]]:
        """The events of every game, as the journal has them, by the number of the game."""
        path = self.config.paths.journal
        if not path.exists():
            return {}
        with closing(Journal.open_to_read(path)) as journal:
            return {
                game.number: [
                    games.decode(entry.body) for entry in journal.read(game.number).entries
                ]
                for game in journal.games()
            }

    def next_deal(self) -> list[dict[str, Any]]:
        """The next deal of Codex, as JSON; the last one again for whoever asks for more."""
        return as_json(self.deals.pop(0) if len(self.deals) > 1 else self.deals[0])


def _between_restarts(happenings: Sequence[Line]) -> Iterator[list[Line]]:
    """The evening in pieces: in each the table runs without a break."""
    piece: list[Line] = []
    for happening in happenings:
        if "restart" in happening:
            yield piece
            piece = []
        else:
            piece.append(happening)
    yield piece
