"""A power cut in the middle of a game, of any kind: it goes on as it was last shown (ALL-2).

Games are played at a real table, session and journal on a recorded disk. Power is cut at points of
the recording; each image is opened by another table, which must stand as the first one had last
shown that it did, or after the one act that was being stored, and know the time to five seconds.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock

import msgspec
import pytest
from powercut import memory_folder
from powercut_recorder import BareDisk, RecordedDisk, Recorder
from powercut_scribe import DATABASE, lay_out
from powercut_surface import Fate, Surface
from random_player import GAMES, next_act
from shipped_packs import shipped_pack
from virtual_table import HeldDisk, VirtualTable

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import events as codex
from pi_table.games.rules.codex.hidden import State as CodexState
from pi_table.games.rules.codex.identikit import code_of
from pi_table.games.rules.events import Event
from pi_table.table.engine.dealing import Cards, Dealer, Shelf
from pi_table.table.engine.game_queue import GameQueue
from pi_table.table.engine.outputs import Audience
from pi_table.table.engine.state import game_in_play
from pi_table.table.engine.state.game_in_play import NOTE_SECONDS
from pi_table.table.engine.storage import storage as storage_module
from pi_table.table.engine.storage.order import Order
from pi_table.table.engine.storage.orders import Note, Store
from pi_table.table.engine.storage.storage import Storage
from pi_table.table.engine.storage.workers import Hear
from pi_table.table.store.disk import Disk
from pi_table.table.store.journal import Journal

SHELF = Shelf((shipped_pack("english"), shipped_pack("italiano")))
ACTS = 70
ACTS_OF_CODEX = 160
GAPS = (0.2, 0.2, 0.2, 1.0, 5.5, 9.0)
"""Seconds between acts; now and then a note of the time falls due."""
AT_RANDOM = 5
"""Cuts of a recording anywhere, and as many after a time when nothing was stored; beside those in
the storing of each kind of event."""
MANY_SEEDS, MANY_AT_RANDOM = 20, 150
A_HAIR = 1e-6


class Standing(NamedTuple):
    """The state of a game and its public view, without whatever runs by itself."""

    state: games.AnyState | None
    public: Any
    console: Any
    urging: bool


class Shown(NamedTuple):
    """From now on this was shown."""

    standing: Standing


class Storing(NamedTuple):
    """These events are about to be stored; all of their game is then this history."""

    happened: tuple[Event, ...]
    history: tuple[Event, ...]


class Clock(NamedTuple):
    """It is so late in the game's time."""

    at: float


class Drawn(Chance):
    """Chance that can be had again."""

    def __init__(self, random: Random) -> None:
        self.below = random.randrange  # type: ignore[assignment]


class MarkingDisk(HeldDisk):
    """Marks among the operations of a disk what it is about to store, which it does when all else
    that came with the order was done: as late as a thread of its own would."""

    def __init__(self, marks: list[Any], of: Storage) -> None:
        super().__init__(of)
        self.marks = marks
        self.history: tuple[Event, ...] = ()

    def give(self, order: Order, hear: Hear) -> None:
        if isinstance(order, Store):
            self.history = (*(self.history if order.game is not None else ()), *order.happened)
            self.marks += [Clock(order.happened[-1].at), Storing(order.happened, self.history)]
        elif isinstance(order, Note):
            self.marks.append(Clock(order.at))
        super().give(order, hear)


class RecordedTable(VirtualTable):
    """A table that marks what it shows among the operations of its disk."""

    marks: list[Any]

    def publish(self, audience: Audience) -> None:
        super().publish(audience)
        if audience is Audience.CONSOLE:
            self.marks += [Clock(self.time), Shown(standing(self))]

    def after(self) -> None:
        assert isinstance(self.workers, MarkingDisk)
        while self.workers.busy:
            self.workers.let_go()


def standing(table: VirtualTable) -> Standing:
    public, console = (
        msgspec.to_builtins(message) for message in (table.table.public_message(), table.message)
    )
    for message in (public, console):  # whether anybody is there is found out anew
        del message["idle"], message["idle_left"]
        del message["said"]  # it is of the time since the table was switched on
    timer = (public["view"] or {}).get("timer")
    for view in (public["view"], console["public"], (console.get("agent") or {}).get("public")):
        if view is not None:
            view["timer"] = None
    urging = timer is not None and timer["urging"]
    game = table.table.game
    return Standing(None if game is None else game.state, public, console, urging)


@contextmanager
def journals_on(disk: Disk) -> Iterator[None]:
    """Let tables have their journals on this disk."""

    class Journals:
        open = staticmethod(partial(Journal.open, disk=disk))

        class open_to_read:  # noqa: N801 - words may come again here
            def __init__(self, path: Path) -> None:
                self.close = lambda: None
                self.openings = lambda: ()

    with mock.patch.object(storage_module, "Journal", Journals):
        yield


def play(folder: Path, profile: str, options: dict[str, Any], seed: str) -> list[Any]:
    """Play a game, and another if it ends; the operations of the disk, with marks between them."""
    lay_out(folder, {})
    chance = Random(f"{profile}/{options}/{seed}")
    marks: list[Any] = []
    disk = RecordedDisk(recorder=Recorder(marks, names_synced=True))
    with journals_on(disk):
        table = RecordedTable(
            folder / DATABASE,
            cards=_cards(seed),
            make_workers=partial(MarkingDisk, marks),
            dealer=Dealer(SHELF, Drawn(chance), chance),
        )
        table.marks = marks
        marks.append(Shown(standing(table)))
        table.do("start", profile=profile, options=options)
        is_shared = table.view.phase.value == "place"
        for _ in range(ACTS_OF_CODEX if profile == "codex" else ACTS + 30 * is_shared):
            if table.view.phase.value == "over" and chance.random() < 0.5:
                table.do("next")
            do = next_act(table.known, chance, right_code(table))
            if "touch" in do:
                table.hold(do["touch"])
            else:
                table.ask(**do)
            marks.append(Shown(standing(table)))
            table.advance(chance.choice(GAPS))
        table.switch_off()
    return marks


def _cards(seed: str) -> Cards:
    return "own" if Random(seed).random() < 0.5 else "dealt"


def right_code(table: VirtualTable) -> str:
    """The code of the agent's faction who is at the screen."""
    state = table.game.state
    if not isinstance(state, CodexState) or state.board.turn is None:
        return ""
    six = state.secrets.identikits
    return code_of(six[state.board.turn].faction, six)


class Cutter:
    """Cuts the power of a recording, and looks what is left."""

    def __init__(self, folder: Path, marks: list[Any], label: str, seed: str) -> None:
        self.folder = folder
        self.marks = marks
        self.label = f"{label}, seed {seed}"
        self.seed = seed
        self.chance = Random(f"{label}/cuts")
        self.clocks = [place for place, mark in enumerate(marks) if isinstance(mark, Clock)]
        self.shown = [place for place, mark in enumerate(marks) if isinstance(mark, Shown)]
        self.images = 0

    def cuts(self, at_random: int) -> list[int]:
        """Where to cut: somewhere in the storing of each kind of event, at the end of a time when
        nothing was stored, and anywhere."""
        windows: dict[str, list[tuple[int, int]]] = {}
        for place, mark in enumerate(self.marks):
            if isinstance(mark, Storing):
                end = self.shown[bisect_right(self.shown, place)]
                for event in mark.happened:
                    windows.setdefault(type(event).__name__, []).append((place + 1, end))
        chosen = [self.chance.randint(*self.chance.choice(found)) for found in windows.values()]
        anywhere = range(self.shown[0] + 1, len(self.marks) + 1)
        chosen += self.chance.choices(self.clocks[2:], k=at_random)
        return sorted(chosen + self.chance.choices(anywhere, k=at_random))

    def losses(self, at_random: int) -> Iterator[str]:
        """Yield the faults of the damaged images."""
        surface = Surface()
        for image, cut in enumerate(self.cuts(at_random)):
            surface.apply(self.marks[surface.time : cut])
            fate = Fate(Random(f"{self.label}/{image}"), cut)
            lay_out(self.folder, surface.left(fate))
            self.images += 1
            if wrong := self.fault_of_image(cut):
                yield f"{self.label}, cut after {cut}, {fate.mood} arrived: {wrong}"

    def fault_of_image(self, cut: int) -> str | None:
        """Return the fault of another table that reads the image; None if there is none."""
        with journals_on(BareDisk()):
            table = VirtualTable(
                self.folder / DATABASE, now=70_000.0, shelf=SHELF, cards=_cards(self.seed)
            )
        try:
            found, time = standing(table), table.time if table.table.game else 0.0
            fault = table.table.fault
            table.advance(A_HAIR)  # the time was rounded
            urging = standing(table).urging
        finally:
            table.switch_off()
        if fault is not None:
            return fault
        last = self.shown[bisect_right(self.shown, cut - 1) - 1]
        shown = self.marks[last].standing
        after = [mark for mark in self.marks[last:cut] if isinstance(mark, Storing)]
        if found.state not in (shown.state, *(games.replay(one.history) for one in after[:1])):
            return "it stands neither as it was shown nor after the act that was being stored"
        if found.state == shown.state:
            for one, other in ((found.public, shown.public), (found.console, shown.console)):
                # A game that has just ended counts at once then, not only when its end was seen.
                names = one.keys() - {"tonight"}
                if different := [name for name in names if one[name] != other.get(name)]:
                    return f"it does not show the same {different} that it showed"
            if shown.urging > urging:
                return "it does not urge any more"
        return None if found.state is None else self.fault_of_time(cut, found.state, time)

    def fault_of_time(self, cut: int, state: games.AnyState, time: float) -> str | None:
        """Return the fault of the game's time; None if there is none."""
        countdown = state.board.countdown
        if countdown is None or countdown.ends is None:
            return None
        before = self.marks[self.clocks[bisect_right(self.clocks, cut - 1) - 1]].at
        waiting = cut < len(self.marks) and isinstance(self.marks[cut], Clock)
        later = self.marks[cut].at if waiting else before
        if time > before + A_HAIR:
            return f"it is {time} in the game, and was {before}"
        if min(later, countdown.ends) - time > NOTE_SECONDS + A_HAIR and later > before:
            return f"it is {time} in the game, and was nearly {later}"
        return None


def cut(profile: str, options: dict[str, Any], seed: str, at_random: int) -> tuple[int, list[str]]:
    """Play and cut; how many images there were, and what was wrong with them."""
    with memory_folder() as folder:
        marks = play(folder, profile, options, seed)
        cutter = Cutter(folder, marks, f"{profile} {options}", seed)
        losses = [*cutter.losses(at_random)]
        return cutter.images, losses


PLAYED: Final = [*((*game, "0") for game in GAMES), (*GAMES[-1], "3")]
"""Each game, and its seed. All that can happen comes in one of them or another."""


@pytest.mark.parametrize(("profile", "options", "seed"), PLAYED)
def test_a_game_whose_power_is_cut_goes_on_as_it_was_shown(
    profile: str, options: dict[str, Any], seed: str
) -> None:  # ALL-2, CN-24, CX-19
    images, losses = cut(profile, options, seed, AT_RANDOM)
    assert not losses, losses[0]
    assert images > AT_RANDOM + 5


@pytest.mark.torture
@pytest.mark.parametrize(("profile", "options"), GAMES)
def test_many_games_whose_power_is_cut_go_on_as_they_were_shown(
    profile: str, options: dict[str, Any]
) -> None:  # ALL-2, CN-24, CX-19
    total = 0
    for seed in range(MANY_SEEDS):
        images, losses = cut(profile, options, f"many/{seed}", MANY_AT_RANDOM)
        assert not losses, losses[0]
        total += images
    print(f"{profile} {options}: {total} images of {MANY_SEEDS} games.")


def test_power_is_cut_in_the_storing_of_everything_that_can_happen_in_codex() -> None:
    """Without this coverage the tests above would prove little."""
    kinds: Counter[str] = Counter()
    for profile, options, seed in PLAYED:
        if profile != "codex":
            continue
        with memory_folder() as folder:
            for mark in play(folder, profile, options, seed):
                if isinstance(mark, Storing):
                    kinds.update(type(event).__name__ for event in mark.happened)
    assert {kind.__name__ for kind in EXPECTED} <= {*kinds}, kinds


EXPECTED = (
    codex.MessageSent,
    codex.HackNamed,
    codex.OwnCodeChosen,
    codex.OwnCodeEntered,
    codex.VisitEnded,
    codex.Asked,
    codex.Demanded,
    codex.CodeTried,
    codex.DiscussionEnded,
    codex.Voted,
    codex.TakenToMachine,
    codex.FactRevealed,
)


# It can fail


@contextmanager
def showing_before_storing() -> Iterator[None]:
    original = GameQueue.store

    def store(self: GameQueue, move: Any, *more: Any, **options: Any) -> Any:
        if move.begins is None and self.game is not None:
            self.game = msgspec.structs.replace(self.game, state=move.state)
        return original(self, move, *more, **options)

    with mock.patch.object(GameQueue, "store", store):
        yield


@contextmanager
def storing_no_code_of_ones_own() -> Iterator[None]:
    original = games.encode

    def encode(event: Event) -> bytes:
        if isinstance(event, codex.OwnCodeChosen):
            event = msgspec.structs.replace(event, code="0000")
        return original(event)

    with mock.patch.object(games, "encode", encode):
        yield


@contextmanager
def storing_half_an_act() -> Iterator[None]:
    original = storage_module.store

    def store(journal: Journal, game: int | None, happened: Sequence[Event], wall: str) -> int:
        for event in happened:
            game = original(journal, game, [event], wall)
        assert game is not None
        return game

    with mock.patch.object(storage_module, "store", store):
        yield


def noting_the_time_seldom() -> AbstractContextManager[Any]:
    return mock.patch.object(game_in_play, "NOTE_SECONDS", 50.0)


@pytest.mark.parametrize(
    ("profile", "fault"),
    [
        ("codenames", noting_the_time_seldom),
        pytest.param("codex", storing_no_code_of_ones_own, marks=pytest.mark.mutation),
        pytest.param("codenames", showing_before_storing, marks=pytest.mark.mutation),
        pytest.param("codex", showing_before_storing, marks=pytest.mark.mutation),
        pytest.param("nome-in-codice", storing_half_an_act, marks=pytest.mark.mutation),
    ],
)
def test_a_table_that_loses_something_is_caught(
    profile: str, fault: Callable[[], AbstractContextManager[Any]]
) -> None:
    options = next(options for name, options in GAMES if name == profile)
    assert not cut(profile, options, "caught/0", 20)[1]
    for seed in range(4):
        with fault():
            losses = cut(profile, options, f"caught/{seed}", 20)[1]
        if losses:
            print(losses[0])
            return
    pytest.fail("No loss was found.")
