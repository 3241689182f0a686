"""Random play: walks through games, for properties that hold in every one of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from hypothesis import strategies as st

from pi_table.geometry import CELL_COUNT
from pi_table.rules import acts, key
from pi_table.rules.board import UNLIMITED, Number, State
from pi_table.rules.events import Dealt, Event
from pi_table.rules.evolve import evolve
from pi_table.rules.game import settle, step
from pi_table.rules.key import Key
from pi_table.rules.phases import TABLE, may
from pi_table.rules.profile import Settings
from pi_table.rules.refusal import Reason, Refused
from pi_table.rules.seat import Seat

KINDS = {acts.name_of(row.act): row.act for row in TABLE}
NUMBERS: tuple[Number, ...] = (2, 1, 3, 9, 25, UNLIMITED, 0)
WILD_NUMBERS: tuple[Number, ...] = (-1, 26, 10**9)
OFTEN = {"guess": 12, "clue": 6, "cover": 4, "resume": 4, "stop": 3, "uphold": 3, "challenge": 2}
"""How much likelier than the others an act is where it is allowed: games are to come to an end."""

keys = st.integers(min_value=0, max_value=10**12).map(lambda n: key.draw(lambda below: n % below))

settings = st.builds(
    Settings,
    zero=st.booleans(),
    unlimited=st.booleans(),
    penalty=st.booleans(),
    timer=st.sampled_from(["off", "hourglass", "clock"]),
    hourglass_seconds=st.sampled_from([1, 10, 3600]),
    clue_seconds=st.sampled_from([1, 10, 3600]),
    guess_seconds=st.sampled_from([1, 10, 3600]),
    clock_end=st.sampled_from(["urge", "end-turn"]),
)


class Choice(NamedTuple):
    """What is to be done next, in numbers that stand for one of what there is to choose from."""

    wild: bool
    """Anything by anybody, rather than something that is allowed."""
    which: int
    detail: int
    """0 … 255"""
    wait: float


WAITS = (0.0, 0.0, 0.25, 3.0, 15.0)


def choices(drawn: bytes) -> Iterator[Choice]:
    """A choice for every four bytes: they are quick to draw, and zeroes choose something plain."""
    for first, *which, last in zip(*[iter(drawn)] * 4, strict=True):
        wild, wait = first % 5 == 4, WAITS[first // 5 % len(WAITS)]
        yield Choice(wild, int.from_bytes(which), last, wait)


class Walked(NamedTuple):
    """One step of a walk: time ran ``waited`` seconds to ``now``, then somebody acted."""

    before: State
    lapsed: tuple[Event, ...]
    settled: State
    seat: Seat
    act: acts.Act
    now: float
    waited: float
    happened: tuple[Event, ...]
    refused: Reason | None
    after: State


class Walk(NamedTuple):
    dealt: Dealt
    steps: tuple[Walked, ...]

    @property
    def states(self) -> list[State]:
        """Every state that was reached."""
        begun = evolve(None, self.dealt)
        return [begun, *(s for step in self.steps for s in (step.settled, step.after))]

    @property
    def events(self) -> list[Event]:
        return [self.dealt, *(e for step in self.steps for e in (*step.lapsed, *step.happened))]


@st.composite
def walks(draw: Callable[..., object], length: int = 70) -> Walk:
    """A game, and as many acts, most of them allowed."""
    dealt = Dealt(0.0, "codenames", draw(settings), None, draw(keys))  # type: ignore[arg-type]
    drawn = draw(st.binary(min_size=4 * length, max_size=4 * length))
    return Walk(dealt, tuple(walked(dealt, choices(drawn))))  # type: ignore[arg-type]


def walked(dealt: Dealt, chosen: Iterable[Choice]) -> Iterator[Walked]:
    state, now = evolve(None, dealt), dealt.at
    for choice in chosen:
        before = state
        now += choice.wait
        settled, lapsed = settle(before, now)
        if not choice.wild and settled.board.open_key is not None:
            continue  # nobody can do anything any more
        seat, act = _choose(settled, choice)
        try:
            state, happened = step(settled, seat, act, now)
            refused = None
        except Refused as refusal:
            state, happened, refused = settled, (), refusal.reason
        yield Walked(before, lapsed, settled, seat, act, now, choice.wait, happened, refused, state)


def _choose(state: State, choice: Choice) -> tuple[Seat, acts.Act]:
    """First what is done, then who does it."""
    can = {seat: may(state.board, seat) for seat in Seat}
    who = {name: [seat for seat in Seat if choice.wild or name in can[seat]] for name in KINDS}
    names = [name for name, seats in who.items() if seats for _ in range(OFTEN.get(name, 1))]
    name = names[choice.which % len(names)]
    if name == "abandon" and choice.detail < 250:
        name = names[0]
    return who[name][choice.which // len(names) % len(who[name])], made(state, name, choice)


def made(state: State, name: str, choice: Choice) -> acts.Act:
    """An act of this name, with details as chosen: unless that is wild, a cell that is open."""
    kind, detail = KINDS[name], choice.detail
    numbers = WILD_NUMBERS if choice.wild else NUMBERS
    number = numbers[detail % len(numbers)]
    if kind is acts.GiveClue:
        return acts.GiveClue(number, "" if choice.wild else ("a clue", None)[detail % 2])
    if kind is acts.Guess or kind is acts.Cover:
        cells = [*range(CELL_COUNT)]
        if not choice.wild:  # and seldom the assassin, or few games would last
            assassin = state.key.letters.index("a") if detail % 16 else None
            covered = state.board.covered
            cells = [cell for cell in cells if covered[cell] is None and cell != assassin]
        return kind(cells[detail % len(cells)])
    if kind is acts.Correct:
        return acts.Correct(number if detail % 3 == 0 else None)
    if kind is acts.NewKey:
        return acts.NewKey(key.draw(lambda below: detail**3 % below))
    return kind()


def in_another_world(letters: str, known: set[int]) -> Key:
    """A key that has the same under the ``known`` cells, and the rest of it the other way round."""
    hidden = iter([letter for cell, letter in enumerate(letters) if cell not in known][::-1])
    return Key("".join(x if cell in known else next(hidden) for cell, x in enumerate(letters)))
