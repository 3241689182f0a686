"""Every game behind one front: whoever keeps a game in play need not know which it is.

A state of any game is a ``board``, on which all that is public lies, and what is hidden beside it.
Boards have in common their ``profile``, ``settings``, ``phase``, ``paused``, ``countdown`` and
``outcome``; everything else is known to the games of their `Family` alone, which are the functions
of its `Game`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import say
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import acts as codex_acts
from pi_table.games.rules.codex import events as codex_events
from pi_table.games.rules.codex import game as codex_game
from pi_table.games.rules.codex.board import Board as CodexBoard
from pi_table.games.rules.codex.hidden import State as CodexState
from pi_table.games.rules.events import Event
from pi_table.games.rules.profile import (
    PROFILES,
    Family,
    Profile,
    Settings,
    profile_named,
    settings_for,
)
from pi_table.games.rules.refusal import Reason, Refused
from pi_table.games.rules.seat import Seat
from pi_table.games.rules.word_games import acts, events
from pi_table.games.rules.word_games import game as word_game
from pi_table.games.rules.word_games.board import Board, State

AnyState = State | CodexState
AnyBoard = Board | CodexBoard
AnyAct = acts.Act | codex_acts.Act
AnyEvent = events.AnyEvent | codex_events.AnyEvent
Opening = events.Dealt | codex_events.AgentsDealt

S = TypeVar("S", bound=AnyState)
Step = tuple[S, tuple[Event, ...]]
"""How the game stands, and what happened to bring it there."""


class Game(Protocol):
    """How the games of one family are played: a module that has these functions."""

    @property
    def SEATS(self) -> tuple[Seat, ...]:  # noqa: N802 - a module's constant
        """The seats that there can be in its games."""

    def explained(self, profile: Profile, /) -> Iterator[str]:
        """The lines of `pi-table play --explain` about what the seats of a game can do."""

    def read_opening(
        self,
        given: Mapping[str, Any],
        profile: Profile,
        settings: Settings,
        chance: Chance,
        at: float,
        /,
    ) -> Any:
        """The first event of a game given as JSON. Raises InputError."""

    def read_act(self, given: Mapping[str, Any], state: Any, chance: Chance, /) -> Any:
        """The act that JSON describes, as the game stands. Raises Refused."""

    def decide(self, state: Any, seat: Seat, act: Any, now: float, /) -> tuple[Event, ...]:
        """What follows from an act. Raises Refused."""

    def evolve(self, state: Any, event: Any, /) -> Any:
        """The state after an event."""

    def lapse(self, state: Any, now: float, /) -> Event | None:
        """The next thing that time alone has brought about."""

    def seats(self, board: Any, /) -> tuple[Seat, ...]:
        """The seats that there are in a game."""

    def clues(self, board: Any, /) -> Any:
        """Every clue so far. Raises Refused in a game that has none."""

    def may(self, state: Any, seat: Seat, /) -> tuple[str, ...]:
        """The names of the acts that a seat may do now."""

    def view(self, state: Any, seat: Seat, now: float, /) -> Any:
        """What a seat may see."""

    def public_view(self, board: Any, now: float, /) -> Any:
        """What everybody may see."""

    def told(self, state: Any, seat: Seat, happened: tuple[Event, ...], /) -> Any:
        """What the seat alone is told of what it did, as the game stands after it."""


_GAMES: Final[dict[Family, Game]] = {Family.WORDS: word_game, Family.CODEX: codex_game}
"""The one table of families: everything below asks the game of its profile."""
_OF: Final = {profile.id: _GAMES[profile.family] for profile in PROFILES.values()}


def game_of(profile: Profile) -> Game:
    """How this game is played."""
    return _OF[profile.id]


def read_opening(given: object, chance: Chance, at: float = 0.0) -> Opening:
    """The first event of the game that a JSON object describes: ``profile``, ``options``, and what
    its family reads besides. Raises InputError."""
    if not isinstance(given, dict):
        raise InputError(say("A game is a JSON object with at least a profile."))
    profile = profile_named(given.get("profile"))
    options = given.get("options")
    settings = settings_for(profile, {} if options is None else options)
    opening: Opening = _OF[profile.id].read_opening(given, profile, settings, chance, at)
    return opening


def opening_of(history: Sequence[Event]) -> Opening:
    """The first of the events of a game."""
    opening = history[0]
    assert isinstance(opening, Opening)
    return opening


def read_act(given: Mapping[str, Any], state: AnyState, chance: Chance) -> AnyAct:
    """The act that a JSON object describes. Raises Refused for what it lacks or gets wrong."""
    act: AnyAct = _game(state).read_act(given, state, chance)
    return act


def evolved(state: AnyState | None, event: Event) -> AnyState:
    """The state after ``event``; an opening makes one out of nothing."""
    profile = event.profile if isinstance(event, Opening) else state.board.profile  # type: ignore[union-attr]
    after: AnyState = _OF[profile].evolve(state, event)
    return after


def replay(history: Iterable[Event]) -> AnyState | None:
    """The state after all these events, None if there are none."""
    state: AnyState | None = None
    for event in history:
        state = evolved(state, event)
    return state


def decided(state: AnyState, seat: Seat, act: AnyAct, now: float) -> tuple[Event, ...]:
    """The events that follow when ``seat`` does ``act`` at ``now``. Raises Refused."""
    return _game(state).decide(state, seat, act, now)


def settle(state: S, now: float) -> Step[S]:
    """Let time run to ``now`` (seconds of game time): all that it alone brought about by then."""
    game, happened = _game(state), []
    while (event := game.lapse(state, now)) is not None:
        happened.append(event)
        state = game.evolve(state, event)
    return state, tuple(happened)


def step(state: S, seat: Seat, act: AnyAct, now: float) -> Step[S]:
    """Let ``seat`` do ``act`` at ``now``. Raises Refused."""
    game = _OF[state.board.profile]
    happened = game.decide(state, seat, act, now)
    for event in happened:
        state = game.evolve(state, event)
    return state, happened


def seats(board: AnyBoard) -> tuple[Seat, ...]:
    """The seats that there are in this game."""
    return _OF[board.profile].seats(board)


def read_seat(given: object, board: AnyBoard) -> Seat:
    """The seat of this game that has this name. Raises Refused."""
    for seat in seats(board):
        if seat.value == given:
            return seat
    raise Refused(Reason.UNKNOWN_SEAT)


def may(state: AnyState, seat: Seat) -> tuple[str, ...]:
    """The names of the acts that this seat may do now."""
    return _game(state).may(state, seat)


def read_time(given: object, last: float) -> float:
    """The time of an act (seconds), not before ``last``. Raises Refused."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise Refused(Reason.BAD_TIME)
    if not last <= given <= LATEST:
        raise Refused(Reason.BAD_TIME)
    return float(given)


LATEST: Final = 1e6
"""Seconds of game time, eleven days; longer is a mistake."""


def clues(board: AnyBoard) -> Any:
    """Every clue so far. Raises Refused in a game that has none."""
    return _OF[board.profile].clues(board)


def told(state: AnyState, seat: Seat, happened: tuple[Event, ...]) -> Any:
    """What ``seat`` alone is told of an act that led to ``state``; None for nothing."""
    return _game(state).told(state, seat, happened)


def view(state: AnyState, seat: Seat, now: float) -> Any:
    """What ``seat`` may see at ``now``."""
    return _game(state).view(state, seat, now)


def public_view(board: AnyBoard, now: float) -> Any:
    """What everybody may see at ``now``."""
    return _OF[board.profile].public_view(board, now)


def _game(state: AnyState) -> Game:
    return _OF[state.board.profile]


def encode(event: Event) -> bytes:
    """An event as JSON, with all that it hides: this is for the journal alone."""
    return msgspec.json.encode(event)


def decode(body: bytes) -> AnyEvent:
    """The event that `encode` wrote. Raises msgspec.DecodeError (a ValueError); RecursionError for
    values within values within values."""
    return _DECODER.decode(body)


_DECODER: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent)
