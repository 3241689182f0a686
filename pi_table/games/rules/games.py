"""One interface for all games, so that callers need not know which game is played.

The state of any game has a public ``board`` and a hidden part. Every board has ``profile``,
``settings``, ``phase``, ``paused``, ``countdown`` and ``outcome``. Only the `Game` of the board's
`Family` knows the other fields of the board.
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
"""The new state of a game, and the events that led to it."""


class Game(Protocol):
    """The rules of one family: a module with these functions.

    Most of them are explained below, at the functions of `games.py` with the same names.
    """

    @property
    def SEATS(self) -> tuple[Seat, ...]:  # noqa: N802 - a module's constant
        """All seats in games of this family. A single game may have only some of them."""

    def explain(self, profile: Profile, /) -> Iterator[str]:
        """Yield the lines of `pi-table play --explain` about the acts of a game."""

    def read_opening(
        self,
        given: Mapping[str, Any],
        profile: Profile,
        settings: Settings,
        chance: Chance,
        at: float,
        /,
    ) -> Any: ...
    def read_act(self, given: Mapping[str, Any], state: Any, chance: Chance, /) -> Any: ...
    def decide(self, state: Any, seat: Seat, act: Any, now: float, /) -> tuple[Event, ...]: ...
    def evolve(self, state: Any, event: Any, /) -> Any: ...
    def evolve_all(self, state: Any, happened: Iterable[Any], /) -> Any:
        """Return the state after all these events of a game that has begun."""

    def lapse(self, state: Any, now: float, /) -> Event | None:
        """Return the next event that is due at ``now`` because time has passed; else None."""

    def seats(self, board: Any, /) -> tuple[Seat, ...]: ...
    def clues(self, board: Any, /) -> Any: ...
    def may(self, state: Any, seat: Seat, /) -> tuple[str, ...]: ...
    def view(self, state: Any, seat: Seat, now: float, /) -> Any: ...
    def public_view(self, board: Any, now: float, /) -> Any: ...
    def private_result(self, state: Any, seat: Seat, happened: tuple[Event, ...], /) -> Any: ...


_GAMES: Final[dict[Family, Game]] = {Family.WORDS: word_game, Family.CODEX: codex_game}
"""The rules of each family. The functions below find a game's rules by its profile."""
_OF: Final = {profile.id: _GAMES[profile.family] for profile in PROFILES.values()}


def game_of(profile: Profile) -> Game:
    return _OF[profile.id]


def read_opening(given: object, chance: Chance, at: float = 0.0) -> Opening:
    """Return the first event of the game that a JSON object describes. Raises InputError.

    The object has the fields ``profile`` and ``options``, and those of the game's family.
    """
    if not isinstance(given, dict):
        raise InputError(say("A game is a JSON object with at least a profile."))
    profile = profile_named(given.get("profile"))
    options = given.get("options")
    settings = settings_for(profile, {} if options is None else options)
    opening: Opening = _OF[profile.id].read_opening(given, profile, settings, chance, at)
    return opening


def opening_of(history: Sequence[Event]) -> Opening:
    opening = history[0]
    assert isinstance(opening, Opening)
    return opening


def read_act(given: Mapping[str, Any], state: AnyState, chance: Chance) -> AnyAct:
    """Return the act that a JSON object describes. Raises Refused for missing or wrong fields."""
    act: AnyAct = _game(state).read_act(given, state, chance)
    return act


def evolve(state: AnyState | None, event: Event) -> AnyState:
    """Return the state after ``event``. Before the first event of a game, ``state`` is None."""
    profile = event.profile if isinstance(event, Opening) else state.board.profile  # type: ignore[union-attr]
    after: AnyState = _OF[profile].evolve(state, event)
    return after


def replay(history: Iterable[Event]) -> AnyState | None:
    """Return the state after all these events; None if there are no events."""
    state: AnyState | None = None
    for event in history:
        state = evolve(state, event)
    return state


def decide(state: AnyState, seat: Seat, act: AnyAct, now: float) -> tuple[Event, ...]:
    """Return the events that follow if ``seat`` does ``act`` at ``now``.

    Raises Refused if the rules forbid the act.
    """
    return _game(state).decide(state, seat, act, now)


def settle(state: S, now: float) -> Step[S]:
    """Return the state at ``now`` (seconds of game time), and the events that became due."""
    game, happened = _game(state), []
    while (event := game.lapse(state, now)) is not None:
        happened.append(event)
        state = game.evolve(state, event)
    return state, tuple(happened)


def step(state: S, seat: Seat, act: AnyAct, now: float) -> Step[S]:
    """Return the state after ``seat`` does ``act`` at ``now``, and the events. Raises Refused."""
    game = _OF[state.board.profile]
    happened = game.decide(state, seat, act, now)
    return game.evolve_all(state, happened), happened


def seats(board: AnyBoard) -> tuple[Seat, ...]:
    return _OF[board.profile].seats(board)


def read_seat(given: object, board: AnyBoard) -> Seat:
    """Return the seat of this game with the name ``given``. Raises Refused if there is none."""
    for seat in seats(board):
        if seat.value == given:
            return seat
    raise Refused(Reason.UNKNOWN_SEAT)


def may(state: AnyState, seat: Seat) -> tuple[str, ...]:
    return _game(state).may(state, seat)


def read_time(given: object, last: float) -> float:
    """Return the time of an act, in seconds. Raises Refused if it is invalid or before ``last``."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise Refused(Reason.BAD_TIME)
    if not last <= given <= MAX_GAME_SECONDS:
        raise Refused(Reason.BAD_TIME)
    return float(given)


MAX_GAME_SECONDS: Final = 1e6
"""Latest time of an act, in seconds of game time (eleven days). A later time must be a mistake."""


def clues(board: AnyBoard) -> Any:
    """Return all clues so far. Raises Refused if the game has no clues."""
    return _OF[board.profile].clues(board)


def private_result(state: AnyState, seat: Seat, happened: tuple[Event, ...]) -> Any:
    """Return the part of an act's result that only ``seat`` may see, or None.

    ``state`` is the state after the act.
    """
    return _game(state).private_result(state, seat, happened)


def view(state: AnyState, seat: Seat, now: float) -> Any:
    return _game(state).view(state, seat, now)


def public_view(board: AnyBoard, now: float) -> Any:
    return _OF[board.profile].public_view(board, now)


def _game(state: AnyState) -> Game:
    return _OF[state.board.profile]


def encode(event: Event) -> bytes:
    """Encode an event as JSON, including its secrets. Only the journal may use the result."""
    return msgspec.json.encode(event)


def decode(body: bytes) -> AnyEvent:
    """Decode an event that `encode` wrote. Raises msgspec.DecodeError or RecursionError."""
    return _DECODER.decode(body)


_DECODER: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent)
