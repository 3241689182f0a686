"""Somebody who tries everything at the hidden screen, at random but the same every time."""

import random
from collections.abc import Iterator, Sequence

from codex_table import (
    BACK,
    LEFT,
    NICKNAMES,
    OWN_CODES,
    PEEK,
    PRESS,
    RIGHT,
    UNPEEK,
    CodexTable,
    desk,
    digits,
)
from playing import Desk

from pi_table.common.language import Lang
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import deal
from pi_table.games.rules.codex.identikit import Fact
from pi_table.games.rules.seat import AGENTS
from pi_table.screens.console.codex.code_entry import EnterCode
from pi_table.screens.console.console_events import Happening, Typed
from pi_table.screens.console.model import Model

KEYS = "0123456789abcdefghijklmnoqrstuvwxyz\b\n"
"""But p, which is a PEEK of its own."""
WIDE = ("WWWWWWWWWWWW", "MMMMMMMMMMMM", "Wonderwomans", "Incognitoooo", "ÀÀÀÀÀÀÀÀÀÀÀÀ", "i")
ROLE_PAIRS = (("hacker", "profiler"), ("infiltrator", "informer"), ("informer", "inquisitor"))


class Seeded(Chance):
    """A chance that is the same every time."""

    def __init__(self, seed: object) -> None:
        self._random = random.Random(repr(seed))

    def below(self, count: int) -> int:
        return self._random.randrange(count)


def table(
    roles: tuple[str, str], seed: int, names: Sequence[str] = NICKNAMES, lang: Lang = "en"
) -> CodexTable:
    """A game of these roles, dealt by ``seed``."""
    dealt = []
    for identikit in deal.draw(roles, names, Seeded((roles, seed))):
        given: dict[str, object] = {}
        for fact in Fact:
            value = getattr(identikit, fact.value)
            given[fact.value] = getattr(value, "value", value)
        dealt.append(given)
    return CodexTable(dealt, lang=lang)


def delivered(given: CodexTable, seed: int) -> CodexTable:
    """The lap of sending is over; who sent what to whom, and was named as a target, goes by
    ``seed``, and nobody else can tell."""
    number = given.message().public.number
    chance = Seeded(("sent", seed, number))
    for _ in AGENTS:
        seat = given.turn
        others = [other.value for other in AGENTS if other.value != seat]
        given.enter()
        fact = ("nickname", "faction", "role", "position")[chance.below(4)]
        facts = [fact] if chance.below(2) or fact == "role" else [fact, "role"]
        given.do(seat, "send", to=others[chance.below(5)], facts=facts)
        if number == 1:
            given.do(seat, "hack", target=others[chance.below(5)])
        given.visit_ends()
    return given


def walk(desks: Sequence[Desk], seed: object, steps: int, peeks: bool = False) -> Iterator[None]:
    """The same things happen at all these consoles, at the same times; after each of them it is
    the caller's turn. What happens goes by what can be seen at the first, and by ``seed``."""
    chance = random.Random(repr(seed))
    tables = [one.table for one in desks]
    for _ in range(steps):
        for happening in _next(desks[0], chance, peeks):
            for one in desks:
                one.happen(happening)
            yield
        if chance.random() < 0.03:
            now = tables[0].now + chance.choice((2.5, 20.0, 45.0))
            for one, at in zip(desks, tables, strict=True):
                at.tick(now)
                one.hear()
            yield


def _next(first: Desk, chance: random.Random, peeks: bool) -> Sequence[Happening]:
    message: object = first.table.message()
    door = getattr(message, "door", None)
    if door is not None and door.code in ("choose", "enter") and chance.random() < 0.4:
        code = OWN_CODES[AGENTS.index(door.seat)]
        home = (BACK,) * len(first.model.screens)
        twice = 2 if door.code == "choose" else 1
        return (*home, PRESS, *digits(code * twice))
    if isinstance(first.model.screen, EnterCode) and chance.random() < 0.2:
        return (*(PRESS,) * chance.randrange(3, 13), Typed("\n"), PRESS)
    if peeks and chance.random() < 0.15:
        return (chance.choice((PEEK, PEEK, UNPEEK)),)
    if chance.random() < 0.1:
        return (Typed(chance.choice(KEYS)),)
    (given,) = chance.choices((PRESS, RIGHT, LEFT, BACK), (45, 30, 10, 8))
    return (given,)


def of_codex(lang: Lang) -> Iterator[tuple[Model, float]]:
    """The console in very many states of games with long names, and when."""
    for roles in ROLE_PAIRS:
        for given in (
            table(roles, 1, WIDE, lang),
            delivered(table(roles, 2, WIDE, lang), 1),
            all_revealed(table(roles, 3, WIDE, lang)),
        ):
            one = desk(given)
            for _ in walk([one], (roles, lang), 120, peeks=True):
                yield one.model, given.now
        given.do("operator", "abandon")
        yield one.hear().model, given.now
        given.do("operator", "reveal")
        yield one.hear().model, given.now


def all_revealed(given: CodexTable) -> CodexTable:
    """The first agent has nothing left that the truth machine could reveal, and all have voted."""
    for fact in ("faction", "role", "position", "fragment"):
        at_machine(given, 1).enter().do(given.turn, "reveal", fact=fact)
    return at_machine(given, 1, "agent-2")


def at_machine(given: CodexTable, seed: int, who: str = "agent-1") -> CodexTable:
    """After the laps everybody has voted for this agent."""
    delivered(given, seed).visits(*({},) * 6)
    given.do("operator", "end-discussion")
    other = "agent-2" if who == "agent-1" else "agent-1"
    while given.message().public.turn is not None:
        given.do(given.turn, "vote", target=other if given.turn == who else who)
    return given
