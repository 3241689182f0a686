"""Random play: walks through games, for properties that hold in every one of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from given_keys import drawn
from hypothesis import strategies as st
from msgspec.structs import replace

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules import games
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import settle, step
from pi_table.games.rules.profile import (
    PROFILES,
    Family,
    Profile,
    Settings,
    options_of,
    settings_for,
)
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import acts
from pi_table.games.rules.word_games.board import UNLIMITED, Board, Number, State
from pi_table.games.rules.word_games.events import Dealt
from pi_table.games.rules.word_games.evolve import evolve
from pi_table.games.rules.word_games.key import LAYOUTS, NO_CARD, Key, Layout
from pi_table.games.rules.word_games.phases import TABLE

KINDS = {acts.name_of(row.act): row.act for row in TABLE}
NUMBERS: tuple[Number, ...] = (2, 1, 3, 9, 25, UNLIMITED, 0)
WILD_NUMBERS: tuple[Number, ...] = (-1, 26, 10**9)
OFTEN = {"guess": 12, "clue": 6, "cover": 4, "resume": 4, "stop": 3, "uphold": 3, "challenge": 2}
OFTEN |= {"place": 40, "choose": 5}
"""Weight of an act where it is allowed, 1 for the others: games have to end."""
CARDS = ("ace", None, "king", " A ce", "queen", "jack", None, "Queen", "ten", None)
HANDS = (
    tuple("red word " + x for x in "abcdefghijklm"),
    tuple("blue word " + x for x in "abcdefghijklm"),
)

WORDS_OF_HANDS = (*HANDS[0], *HANDS[1], "ace")

profiles = st.sampled_from([p for p in PROFILES.values() if p.family is Family.WORDS])

all_settings = st.builds(
    Settings,
    players=st.sampled_from(["teams", "cooperative", "shared-operative"]),
    nuke=st.sampled_from(["basic", "mad"]),
    dealing=st.sampled_from(["table", "table", "shared"]),
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
    """The next act, as numbers that select from the possibilities."""

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

    def __repr__(self) -> str:
        done = (
            f"{step.now:g}: {step.seat.value} {step.act}, {step.refused}" for step in self.steps
        )
        return "\n".join([repr(self.dealt), *done])

    @property
    def states(self) -> list[State]:
        """Every state that was reached."""
        begun = evolve(None, self.dealt)
        return [begun, *(s for step in self.steps for s in (step.settled, step.after))]

    @property
    def events(self) -> list[Event]:
        return [self.dealt, *(e for step in self.steps for e in (*step.lapsed, *step.happened))]


def a_key(number: int, layout: Layout, starts: Team | None = None) -> Key:
    """The key that this number chooses."""
    return drawn(lambda below: number % below, layout, starts)


def a_deal(profile: Profile, chosen: Settings, number: int) -> Dealt:
    """A game of this profile with its share of these settings; the number chooses the rest."""
    options = options_of(profile, chosen)
    dealt = Dealt(0.0, profile.id, settings_for(profile, options), None, None)
    drawn = a_key(number, LAYOUTS[profile.id])
    if not dealt.is_shared:
        return replace(dealt, key=drawn)
    given = drawn if number % 2 else None
    return replace(dealt, key=given, starts=drawn.starts, hands=HANDS if number % 3 else None)


deals = st.builds(a_deal, profiles, all_settings, st.integers(min_value=0, max_value=10**12))


@st.composite
def walks(draw: Callable[..., object], length: int = 70) -> Walk:
    """A game, and as many acts, most of them allowed; and more where cards are laid out first."""
    dealt = draw(deals)
    assert isinstance(dealt, Dealt)
    length += 25 * dealt.is_shared
    drawn = draw(st.binary(min_size=4 * length, max_size=4 * length))
    return Walk(dealt, tuple(walked(dealt, choices(drawn))))  # type: ignore[arg-type]


def walked(dealt: Dealt, chosen: Iterable[Choice]) -> Iterator[Walked]:
    state, now = evolve(None, dealt), dealt.at
    for choice in chosen:
        before = state
        now += choice.wait
        settled, lapsed = settle(before, now)
        what_by_whom = _choose(settled, choice)
        if what_by_whom is None:
            continue
        seat, act = what_by_whom
        try:
            state, happened = step(settled, seat, act, now)
            refused = None
        except Refused as refusal:
            state, happened, refused = settled, (), refusal.reason
        yield Walked(before, lapsed, settled, seat, act, now, choice.wait, happened, refused, state)


def _choose(state: State, choice: Choice) -> tuple[Seat, acts.Act] | None:
    """First what is done, then who does it; None where nobody can do anything any more: the key is
    open, or the game was abandoned before one was drawn."""
    seats = games.seats(state.board)
    can = {seat: games.may(state, seat) for seat in seats}
    who = {name: [seat for seat in seats if choice.wild or name in can[seat]] for name in KINDS}
    names = [name for name, seats in who.items() if seats for _ in range(OFTEN.get(name, 1))]
    if not names:
        return None
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
    if kind is acts.Choose:
        words = WORDS_OF_HANDS if choice.wild else state.board.hand or WORDS_OF_HANDS
        return acts.Choose(words[detail % len(words)])
    if kind is acts.Place:
        cells = cells_to_lay_on(state.board) if not choice.wild else ()
        cell = cells[detail % len(cells)] if cells else detail % CELL_COUNT
        hand = () if choice.wild else state.board.hand
        cards: Sequence[str | None] = (*hand, None) if hand else CARDS
        return placing(state, cell, cards[choice.which % len(cards)], detail**3)
    if kind is acts.Guess or kind is acts.Cover:
        cells = range(CELL_COUNT) if choice.wild else cells_to_touch(state, kind, detail)
        return kind(cells[detail % len(cells)])
    if kind is acts.Correct:
        return acts.Correct(number if detail % 3 == 0 else None)
    if kind is acts.NewKey:
        board = state.board
        return acts.NewKey(a_key(detail**3, board.layout, board.keeps_starting))
    return kind()


def placing(state: State, cell: int, word: str | None, number: int) -> acts.Place:
    """A card for this cell; if it is the last, with a key that the number chooses."""
    board = state.board
    if not board.is_last_card:
        return acts.Place(cell, word)
    return acts.Place(cell, word, state.kept or a_key(number, board.layout, board.starts))


def cells_to_lay_on(board: Board) -> Sequence[int]:
    placed = board.laying.placed if board.laying else ()
    without = (*placed, board.layout.without_card)
    return [cell for cell in range(CELL_COUNT) if cell not in without]


def cells_to_touch(state: State, kind: type[acts.Act], detail: int) -> Sequence[int]:
    """Open cells; seldom the assassin, or few games would last; mostly what can be covered."""
    board, key = state.board, state.key
    assert key is not None
    cells = [cell for cell, letter in enumerate(key.letters) if letter != NO_CARD]
    cells = [cell for cell in cells if cell not in board.covered]
    if kind is acts.Cover and detail % 4:
        return [cell for cell in cells if key.identity(cell).team is board.to_cover]
    return [cell for cell in cells if key.letters[cell] != "a" or detail % 16 == 0]


def in_another_world(letters: str, known: set[int]) -> Key:
    """A key that has the same under the ``known`` cells, and the rest of it the other way round."""
    known = known | {cell for cell, letter in enumerate(letters) if letter == NO_CARD}
    hidden = iter([letter for cell, letter in enumerate(letters) if cell not in known][::-1])
    return Key("".join(x if cell in known else next(hidden) for cell, x in enumerate(letters)))
