"""Random play of Codex: walks through games, for properties that hold in every one of them."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import acts
from pi_table.games.rules.codex.board import INDEX, OVER
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.identikit import Fact, code_of
from pi_table.games.rules.codex.phases import ROWS, SEATS
from pi_table.games.rules.events import Event
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat

Json = dict[str, Any]

NAMES = tuple(acts.name_of(kind) for kind in ROWS)
OFTEN = {
    "ready": 60,
    "send": 12,
    "hack": 6,
    "extort": 6,
    "ask": 6,
    "attempt": 3,
    "enter-code": 6,
    "pair": 8,
}
"""Weights of the acts that are allowed; 1 if not listed. They keep games moving."""
SELDOM = {
    "abandon": 0.02,
    "pause": 0.02,
    "new-code": 0.02,
    "correct": 0.02,
    "choose-code": 0.1,
    "unpair": 0.05,
}
"""Probability that an act is considered at all."""
FACTS = tuple(fact.value for fact in Fact)
WAITS = (0.0, 0.0, 0.0, 0.0, 5.0, 15.0, 30.0, 30.0, 30.0, 75.0)
OPTIONS = {"visit_seconds": 30, "discussion_seconds": 60}
"""The settings of every walk; whether visits wait for their agents, and whether agents may have
phones, its seed says."""


class Drawn(Chance):
    """The values that a game draws in one walk."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def below(self, count: int) -> int:
        return self._random.randrange(count)


class Walked(NamedTuple):
    """One step: time ran to ``now``, then somebody acted."""

    before: State
    lapsed: tuple[Event, ...]
    settled: State
    seat: Seat
    line: Json
    now: float
    happened: tuple[Event, ...]
    refused: Reason | None
    after: State
    told: object = None


class Walk(NamedTuple):
    opening: games.Opening
    steps: tuple[Walked, ...]

    @property
    def states(self) -> list[State]:
        begun = games.evolve(None, self.opening)
        assert isinstance(begun, State)
        return [begun, *(s for step in self.steps for s in (step.settled, step.after))]

    @property
    def events(self) -> list[Event]:
        return [self.opening, *(e for step in self.steps for e in (*step.lapsed, *step.happened))]


def walk(seed: str, length: int = 150, wild: float = 0.15, sure: float = 0.05) -> Walk:
    """A game that is drawn, and so many acts, most of them allowed.

    ``wild``: how often anything is tried by anybody; ``sure``: how often a code is right.
    """
    random = Random(seed)
    game = {"profile": "codex", "options": options_of(seed)}
    opening = games.read_opening(game, Drawn(random))
    return Walk(opening, tuple(_walked(opening, random, length, wild, sure)))


def options_of(seed: str) -> Json:
    """The settings of a walk."""
    starts = Random(f"{seed}/visits").choice(("at-once", "at-once", "ready"))
    screens = Random(f"{seed}/screens").choice(("hidden", "hidden", "phones"))
    return {**OPTIONS, "visit_starts": starts, "screens": screens}


def _walked(
    opening: games.Opening, random: Random, length: int, wild: float, sure: float
) -> Iterator[Walked]:
    state = games.evolve(None, opening)
    assert isinstance(state, State)
    now = opening.at
    for _ in range(length):
        before = state
        now += random.choice(WAITS)
        settled, lapsed = games.settle(before, now)
        assert isinstance(settled, State)
        is_wild = random.random() < wild
        told, refused, state = None, None, settled
        happened: tuple[Event, ...] = ()
        chosen = _choose(settled, random, is_wild, sure)
        if chosen is None:
            yield Walked(
                before, lapsed, settled, Seat.OPERATOR, {"act": "tick"}, now, (), None, state
            )
            continue
        seat, line = chosen
        try:
            act = games.read_act(line, settled, Drawn(random))
            after, happened = games.step(settled, seat, act, now)
            assert isinstance(after, State)
            state, told = after, games.private_result(after, seat, happened)
        except Refused as refusal:
            refused = refusal.reason
        yield Walked(before, lapsed, settled, seat, line, now, happened, refused, state, told)
        if state.board.phase is OVER and random.random() < 0.5:
            return


def _choose(state: State, random: Random, wild: bool, sure: float) -> tuple[Seat, Json] | None:
    """Mostly the one whose turn it is does something; None: there is nothing to do."""
    board = state.board
    seat = random.choice(SEATS)
    if board.settings.screens == "phones" and not board.phones and random.random() < 0.5:
        seat = random.choice(SEATS[:6])
        return seat, {"seat": seat.value, "act": "pair"}
    if not wild and random.random() < 0.9:
        seat = Seat.OPERATOR
        if board.visiting and not board.paused:
            seat = SEATS[random.choice(board.visiting) if board.together else board.visiting[0]]
    names = [
        name
        for name in (NAMES if wild else games.may(state, seat))
        for _ in range(OFTEN.get(name, 1))
        if random.random() < SELDOM.get(name, 1.0)
    ]
    if not names:
        return None
    return seat, made(state, seat, random.choice(names), random, sure)


def made(state: State, seat: Seat, name: str, random: Random, sure: float) -> Json:
    """An act of this name, with details that may be right."""
    target = random.choice(SEATS[:6]).value
    fact = random.choice(FACTS)
    line: Json = {"seat": seat.value, "act": name}
    if name == "send":
        line |= {"to": target, "facts": random.sample(FACTS, random.choice((1, 1, 2)))}
    elif name in ("hack", "vote", "new-code", "unpair"):
        line |= {"target": target}
    elif name == "extort":
        line |= {"fact": fact}
    elif name == "ask":
        line |= {"message": random.choice((1, 1, 2, 3)), "fact": fact}
    elif name == "attempt":
        line |= {"code": _code(state, seat, random, sure)}
    elif name in ("choose-code", "enter-code"):
        line |= {"code": random.choice(("0000", "0000", "0000", "0000", "1111", "00x0"))}
    elif name == "reveal" and state.board.phase is not OVER:
        line |= {"fact": fact}
    return line


def _code(state: State, seat: Seat, random: Random, sure: float) -> str:
    if seat is Seat.OPERATOR:
        return ""
    identikits = state.secrets.identikits
    if random.random() < sure:
        return code_of(identikits[INDEX[seat]].faction, identikits)
    return "".join(one.fragment for one in random.sample(identikits, 3))


def replayed(history: Iterable[Event]) -> State:
    """The game that these events make, written and read again as a journal does."""
    state = games.replay(games.decode(games.encode(event)) for event in history)
    assert isinstance(state, State)
    return state
