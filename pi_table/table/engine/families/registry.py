"""The engine's interface to the families of games: one module a family, and the table of these
modules."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol

from pi_table.common.language import Words
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.countdown import Countdown
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import AnyAct, AnyBoard
from pi_table.games.rules.profile import Family, profile_named
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import AnyPublicMessage, AnyTableMessage, Said
from pi_table.table.engine.dealing import Wish
from pi_table.table.engine.families.codex import family as codex
from pi_table.table.engine.families.sentences import Sentence
from pi_table.table.engine.families.word_games import family as word_games
from pi_table.table.engine.phones.shown import Shown


class FamilyOfGames(Protocol):
    """The interface of a module with the functions by which the table plays one family of games.

    A ``board`` is public information, a ``state`` the whole game; ``time`` is in seconds of the
    game, ``now`` in seconds of the table's clock.
    """

    SEATS_ARE_PEOPLE: bool
    """True if a person keeps the same seat in each game of an evening. Then that person's phone
    keeps the seat as well."""

    def act_of_touch(self, place: int, state: Any, chance: Chance, /) -> tuple[Seat, AnyAct] | None:
        """Return the act that a touch of a place means, and its seat; None if the touch means
        nothing."""

    def urging(self, board: Any, time: float, /) -> bool:
        """True if the time for something has run out, so that the table urges the players."""

    def announced_countdown(self, board: Any, /) -> Countdown | None:
        """Return the countdown whose last seconds are announced; None if no such countdown runs."""

    def has_hourglass(self, board: Any, /) -> bool:
        """True if an hourglass can be turned over now."""

    def public_message(
        self, view: Any, out_of_order: bool, said: tuple[Said, ...], /
    ) -> AnyPublicMessage:
        """Return the message for the public socket, made from the public view and the
        announcements."""

    def console_message(
        self, state: Any, view: Any, time: float, peeks: Seat | None, common: dict[str, Any], /
    ) -> AnyTableMessage:
        """Return the message for the hidden screen; ``common`` are the fields that every family
        has.

        The message contains hidden information only while somebody ``peeks``, in that seat.
        """

    def sight(self, state: Any, seat: Seat, /) -> object:
        """Return an id of the secrets that a seat may see on the hidden screen now, without the
        secrets.

        The id stays the same as long as the same secrets are visible. Raises Refused if the seat
        may see none.
        """

    def look(self, state: Any, seat: Seat, time: float, may_be_told: bool, /) -> Any:
        """Return the view of the game for a seat that requests one (``look``). The view includes
        hidden information if the seat ``may_be_told``."""

    def phone(
        self, state: Any, seat: Seat, time: float, may: tuple[str, ...], holds: bool, /
    ) -> Shown:
        """Return the private view for the phone of a seat.

        ``may`` are the acts that the rules allow the seat now and that a phone may request. Hidden
        information is included only while a finger ``holds``.
        """

    def next_game(self, opening: Any, board: Any, swaps: bool, /) -> tuple[dict[str, Any], Wish]:
        """Return the inherited part of the next game, besides profile and settings: fields of the
        game as JSON, and the words of the game (CN-23).

        The previous game began with ``opening`` and ended with ``board``. With ``swaps``, the other
        team starts.
        """

    def sentences(self, history: Iterable[Event], /) -> Iterator[Sentence]:
        """Yield sentences that describe events as everybody saw them."""

    def is_open(self, board: Any, /) -> bool:
        """True if the secrets of the game were made public."""

    def secrets(self, state: Any, /) -> Iterator[Words]:
        """Yield sentences that describe the secrets of the game."""


FAMILIES: Final[dict[Family, FamilyOfGames]] = {Family.WORDS: word_games, Family.CODEX: codex}


def family_of(board: AnyBoard) -> FamilyOfGames:
    """Return the family of the game on this board."""
    return FAMILIES[profile_named(board.profile).family]
