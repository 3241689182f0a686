"""Planting of faults in the real code, for the duration of a test."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, Final
from unittest import mock

import msgspec
import pytest
from planted import parameters
from seen import Difference

from pi_table.common.geometry import CELL_COUNT, SIDE
from pi_table.games.announcer.announcement import Announcement
from pi_table.games.rules.codex import evolve as evolve_of_codex
from pi_table.games.rules.codex import hidden
from pi_table.games.rules.codex.identikit import Identikit, Role
from pi_table.games.rules.seat import AGENTS
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import evolve
from pi_table.games.rules.word_games.board import State

Plant = Callable[[], AbstractContextManager[Any]]
Into = Callable[[Any], AbstractContextManager[Any]]
"""Plants the fault that it is given."""
Check = Callable[[], list[Difference]]
"""Compares two worlds anew; the answer is what is not the same in both."""


@dataclass(frozen=True)
class Leak:
    """A planted fault."""

    name: str
    seen_in: str
    """The observable in which it must be found first."""
    by: str
    """Check that finds it: ``two worlds``, or ``refused covers``."""
    plant: Plant


class Leaks(list[Leak]):
    """A table of planted faults."""

    def enter(
        self,
        seen_in: str,
        into: Into | None = None,
        by: str = "two worlds",
    ) -> Callable[[Callable[..., Any]], None]:
        """Enter one, which must be found by this check, and in this observable first.

        ``into`` plants the decorated function; without it that is a context manager, which plants
        the fault itself.
        """

        def entered(fault: Callable[..., Any]) -> None:
            name = fault.__name__.replace("_", " ")
            plant = contextmanager(fault) if into is None else partial(into, fault)
            self.append(Leak(name, seen_in, by, plant))

        return entered

    def prints_whole(
        self, name: str, seen_in: str, world: ModuleType, *kinds: type, richly: bool = False
    ) -> None:
        """Enter one that prints structs with all their fields, whenever ``world`` may print."""
        share, way = ("PRINTED_RICHLY", "__rich_repr__") if richly else ("PRINTED", "__repr__")

        @contextmanager
        def plant() -> Iterator[None]:
            with ExitStack() as stack:
                stack.enter_context(mock.patch.object(world, share, 1.0))
                for kind in kinds:
                    whole = getattr(msgspec.Struct, way)
                    stack.enter_context(mock.patch.object(kind, way, whole))
                yield

        self.append(Leak(name, seen_in, "two worlds", plant))


QUICK: Final = {
    "rules": (
        "a deal prints as it is stored",
        "a spymasters view prints whole",
        "a touch on an agent is refused twice",
        "an answer has an etag",
        "no card is laid where the assassin will be",
        "the assassins cell is one step bluer",
        "the lights hurry near the assassin",
        "the public view has the key",
        "what a spymaster may do depends on the key",
    ),
    "daemon": (
        "a frame of lights is late",
        "a message is padded by the key",
        "a refused cover is published",
        "an error that nobody catches has the key",
        "everything is heard a millisecond later under some keys",
        "something is printed",
        "the environment has the key",
        "the key is sent always",
        "the log names the assassins column",
    ),
    "speech": (),
    "other word games": (),
    "before the answer": (
        "the drum ends a little sooner before a bystander",
        "the first light of an answer is warmer for the assassin",
        "the drum is a little louder before an agent of red",
        "there is no drum before the assassin",
    ),
    "rules of codex": (
        "a deal of codex prints whole",
        "a dossier prints whole",
        "a refusal names the role",
        "the operators view of codex has a field too many",
        "the roles stand in the order of the seats",
    ),
    "codex": (),
    "codex on phones": ("a block is shorter the further the leader sits",),
    "pages": (
        "a frame is as long as what is in it",
        "operatives are sent the key",
    ),
    "no screen": ("an answer to the desk is as long as the assassin is far",),
    "codex without a screen": ("the leaders link seems to have been tried",),
    "bridge": (
        "how much is free depends on the key",
        "the house is told once more near the assassin",
    ),
}
"""The leaks of each comparison that `make test` plants: about one for each observable, found in the
first or second pair of worlds. What is spoken is compared as all sounds are, and an evening of
Codex as one on phones. `make mutations` plants all others."""


def planted(comparison: str, leaks: Iterable[Leak]) -> list[Any]:
    """Return a test's parameters: these leaks, all but the quick ones marked ``mutation``."""
    leaks = [*leaks]
    by_name = {leak.name: leak for leak in leaks}
    assert len(by_name) == len(leaks)
    return parameters(by_name, QUICK[comparison])


def found_in(leak: Leak, checks: Iterable[Check]) -> None:
    """The leak must be found by one of these checks, where it is expected."""
    for number, check in enumerate(checks, 1):
        with leak.plant(), knowing():
            found = check()
        if found:
            where = [difference.what for difference in found]
            print(f"{leak.name}: found by {leak.by} {number}, in {', '.join(where)}")
            assert any(what.startswith(leak.seen_in) for what in where), found[0]
            return
    pytest.fail("Nothing noticed it.")


@contextmanager
def instead_of(original: object, other: object) -> Iterator[None]:
    """Put a function in the place of another, wherever a module has it, in a table or by name."""
    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] != "pi_table":
                continue
            for where in (vars(module), *filter(_is_table, vars(module).values())):
                for key, value in where.items():
                    if value is original:
                        stack.enter_context(mock.patch.dict(where, {key: other}))
        yield


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def at(original: Callable[..., Any]) -> Into:
    """Plant a fault in the place of this function, or method of a class.

    The fault is called with the original, and with what the original was to be called with.
    """
    in_class, _, name = original.__qualname__.rpartition(".")

    def into(fault: Callable[..., Any]) -> AbstractContextManager[Any]:
        def called(*given: Any, **more: Any) -> Any:
            return fault(original, *given, **more)

        if in_class:
            kind = getattr(sys.modules[original.__module__], in_class)
            return mock.patch.object(kind, name, called)
        return instead_of(original, called)

    return into


def after(original: Callable[..., Any]) -> Into:
    """Plant a fault that changes what this function or method returns.

    The fault is called with that, and with what the original was called with.
    """

    def into(fault: Callable[..., Any]) -> AbstractContextManager[Any]:
        return at(original)(
            lambda original, *given, **more: fault(original(*given, **more), *given, **more)
        )

    return into


class Hint:
    """Facts of the game in play for faults. The functions that they replace do not get them."""

    UNKNOWN: Final = "-" * CELL_COUNT
    letters: str
    """The key in force."""
    codex: hidden.State | None
    """State of a game of Codex."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.letters, self.codex = self.UNKNOWN, None

    def assassin(self) -> int:
        """The assassin's cell; -1 before the first game."""
        return self.letters.find("a")

    def near(self, cell: int) -> bool:
        """True if the assassin is one of the cells around this one."""
        row, column = divmod(self.assassin(), SIDE)
        return max(abs(cell // SIDE - row), abs(cell % SIDE - column)) == 1

    def beside(self, said: Announcement) -> bool:
        """True if this is about a cell around the assassin's."""
        return said.place is not None and said.place < CELL_COUNT and self.near(said.place)

    def bit(self) -> bool:
        """One bit of a checksum."""
        return sum(ord(letter) * place for place, letter in enumerate(self.letters)) % 7 < 3

    def identikit(self, seat: object) -> Identikit | None:
        """The identikit of an agent's seat."""
        numbers = {known.value: agent for agent, known in enumerate(AGENTS)}
        if self.codex is None or seat not in numbers:
            return None
        return self.codex.secrets.dossiers[numbers[seat]].identikit

    def is_a(self, role: Role, seat: object) -> bool:
        identikit = self.identikit(seat)
        return identikit is not None and identikit.role is role

    def leader(self) -> int:
        """The seat of red's leader, 0 to 5; -1 before the first game."""
        if self.codex is None:
            return -1
        six = self.codex.secrets.identikits
        return [(one.role, one.faction) for one in six].index((Role.LEADER, Team.RED))


hint: Final = Hint()


@contextmanager
def knowing() -> Iterator[None]:
    """Let the hint know how the game stands after each act, as a cache would."""

    def remember(state: State, *_: Any) -> State:
        key = state.key or state.kept
        hint.letters = Hint.UNKNOWN if key is None else key.letters
        return state

    def remember_codex(state: hidden.State, *_: Any) -> hidden.State:
        hint.codex = state
        return state

    hint.forget()
    with ExitStack() as planted:
        for rules, fault in ((evolve, remember), (evolve_of_codex, remember_codex)):
            for function in (rules.evolve, rules.evolve_all):
                planted.enter_context(after(function)(fault))
        yield
