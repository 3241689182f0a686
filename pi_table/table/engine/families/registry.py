"""The engine's interface to the families of games: one module for each family, and the table of
these modules."""

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
from pi_table.table.engine.dealing import WordSource
from pi_table.table.engine.families.codex import family as codex
from pi_table.table.engine.families.sentences import Sentence
from pi_table.table.engine.families.word_games import family as word_games
from pi_table.table.engine.phones.shown import PhoneView


class FamilyOfGames(Protocol):
    """A module with the functions that the table needs for one family of games. ``board`` is the
    public part of a game, and ``state`` the whole game. ``time`` is in seconds of the game."""

    SEATS_ARE_PEOPLE: bool
    """True if a person keeps the same seat in each game of an evening. Then the person's phone
    keeps the seat, too."""

    def act_of_touch(self, place: int, state: Any, chance: Chance, /) -> tuple[Seat, AnyAct] | None:
        """Return the seat that a touch acts for, and its act; None if the touch means nothing."""

    def urging(self, board: Any, time: float, /) -> bool:
        """True if time has run out, so that the table urges the players."""

    def announced_countdown(self, board: Any, /) -> Countdown | None:
        """Return the running countdown whose last seconds are announced; None if there is none."""

    def has_hourglass(self, board: Any, /) -> bool:
        """True if an hourglass can be turned over now."""

    def public_message(
        self, view: Any, out_of_order: bool, said: tuple[Said, ...], /
    ) -> AnyPublicMessage: ...

    def console_message(
        self, state: Any, view: Any, time: float, peeks: Seat | None, common: dict[str, Any], /
    ) -> AnyTableMessage:
        """Return the message for the hidden screen. ``common`` has the message's fields that are
        the same for all families. ``peeks`` is the seat that peeks at its secret now. If ``peeks``
        is None, the message has no hidden information."""

    def sight(self, state: Any, seat: Seat, /) -> object:
        """Return an id of the secrets that a seat may see on the hidden screen now.

        The id contains no secret, and stays the same as long as the same secrets are visible.
        Raises Refused if the seat may see none.
        """

    def look(self, state: Any, seat: Seat, time: float, may_be_told: bool, /) -> Any:
        """Return a seat's view for the act ``look``. If ``may_be_told`` is True, the view has
        hidden information."""

    def phone(
        self, state: Any, seat: Seat, time: float, may: tuple[str, ...], holds: bool, /
    ) -> PhoneView:
        """Return what the phone of a seat shows. ``may`` are the acts that the seat may request by
        phone now. ``holds`` is True while a finger is held on the phone. Hidden information is
        shown only then."""

    def next_game(
        self, opening: Any, board: Any, swaps: bool, /
    ) -> tuple[dict[str, Any], WordSource]:
        """Return what the next game takes over from the previous one, besides profile and settings
        (CN-23): fields of the next game as JSON, and the source of its words.

        ``opening`` is the first event of the previous game, and ``board`` its final board. With
        ``swaps``, the other team starts the next game.
        """

    def sentences(self, history: Iterable[Event], /) -> Iterator[Sentence]:
        """Yield sentences that describe events as everybody saw them."""

    def is_open(self, board: Any, /) -> bool:
        """True if the secrets of the game were made public."""

    def secrets(self, state: Any, /) -> Iterator[Words]:
        """Yield sentences that describe the secrets of the game."""


FAMILIES: Final[dict[Family, FamilyOfGames]] = {Family.WORDS: word_games, Family.CODEX: codex}


def family_of(board: AnyBoard) -> FamilyOfGames:
    return FAMILIES[profile_named(board.profile).family]
