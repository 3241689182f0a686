"""How a fault is planted in the real code, for as long as a test takes."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final
from unittest import mock

import pytest
from planted import parameters
from seen import Difference

from pi_table.common.geometry import SIDE
from pi_table.games.rules.word_games import evolve
from pi_table.games.rules.word_games.board import State

Plant = Callable[[], AbstractContextManager[None]]
Check = Callable[[], list[Difference]]
"""Compares two worlds anew; the answer is what is not the same in both."""


@dataclass(frozen=True)
class Leak:
    """A planted fault."""

    name: str
    seen_in: str
    """The observable in which it must be found first."""
    by: str
    """What finds it: ``two worlds``, or ``refused covers``."""
    plant: Plant


class Leaks(list[Leak]):
    """A table of planted faults."""

    def enter(
        self, seen_in: str, by: str = "two worlds"
    ) -> Callable[[Callable[[], Iterator[None]]], None]:
        """Enter one, which must be found by this check, and in this observable first."""

        def entered(plant: Callable[[], Iterator[None]]) -> None:
            name = plant.__name__.replace("_", " ")
            self.append(Leak(name, seen_in, by, contextmanager(plant)))

        return entered


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
        "a file is named after the key",
        "a frame of lights is late",
        "a message is padded by the key",
        "a refused cover is published",
        "an announcement is ordered twice",
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
        "an event has a checksum",
        "operatives are sent the key",
    ),
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
        with leak.plant():
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


def method(kind: type, name: str, wrap: Callable[..., Any]) -> AbstractContextManager[Any]:
    """Let ``wrap(original, self, ...)`` be called in the place of a method."""
    original = getattr(kind, name)
    return mock.patch.object(
        kind, name, lambda self, *given, **more: wrap(original, self, *given, **more)
    )


class Hint:
    """What a fault knows of the key in force."""

    letters = "-" * SIDE * SIDE

    def assassin(self) -> int:
        """The assassin's cell; -1 before the first game."""
        return self.letters.find("a")

    def near(self, cell: int) -> bool:
        """Is the assassin one of the cells around this one?"""
        row, column = divmod(self.assassin(), SIDE)
        return max(abs(cell // SIDE - row), abs(cell % SIDE - column)) == 1

    def bit(self) -> bool:
        """One bit of a checksum."""
        return sum(ord(letter) * place for place, letter in enumerate(self.letters)) % 7 < 3


@contextmanager
def knowing() -> Iterator[Hint]:
    """A fault that remembers the key of the latest event, as a cache would."""
    hint = Hint()
    original = evolve.evolve

    def evolved(state: State | None, event: Any) -> State:
        after = original(state, event)
        key = after.key or after.kept
        hint.letters = Hint.letters if key is None else key.letters
        return after

    with instead_of(original, evolved):
        yield hint
