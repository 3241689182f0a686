"""What the engine knows of each family of games: one object a family, and the one table of them."""

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
    """How the table plays the games of one family: a module that has these functions.

    A ``board`` is what everybody may know, a ``state`` the whole game; ``time`` is in seconds of
    the game, ``now`` in seconds of the table's clock.
    """

    SEATS_ARE_PEOPLE: bool
    """Does the same person have a seat in each game of an evening, so that a phone keeps it?"""

    def touched(self, place: int, state: Any, chance: Chance, /) -> tuple[Seat, AnyAct] | None:
        """The act that touching a place is, and whose; None where it is nobody's."""

    def urging(self, board: Any, time: float, /) -> bool:
        """Has a time run out, so that the table urges the players?"""

    def hurried_by(self, board: Any, /) -> Countdown | None:
        """The time of whose last seconds everybody is told; None where there is none."""

    def has_hourglass(self, board: Any, /) -> bool:
        """Can an hourglass be turned over now?"""

    def public_message(
        self, view: Any, out_of_order: bool, said: tuple[Said, ...], /
    ) -> AnyPublicMessage:
        """What the public socket shows, made of the public view and of what was announced."""

    def console_message(
        self, state: Any, view: Any, time: float, peeks: Seat | None, common: dict[str, Any], /
    ) -> AnyTableMessage:
        """What the hidden screen shows; ``common`` are the fields of every family's message.

        The message holds what is hidden only while somebody ``peeks``, in that seat.
        """

    def sight(self, state: Any, seat: Seat, /) -> object:
        """What a seat may look at on the hidden screen now, without the secret itself: the same
        value for as long as the same thing is to be seen. Raises Refused."""

    def look(self, state: Any, seat: Seat, time: float, may_be_told: bool, /) -> Any:
        """What a seat is told that asks for a look. It is told what is hidden, too, where it
        ``may_be_told`` that."""

    def phone(
        self, state: Any, seat: Seat, time: float, may: tuple[str, ...], holds: bool, /
    ) -> Shown:
        """What the phone of a seat shows. Of the acts that the rules allow the seat now, ``may``
        are those that a phone may ask for at all. What is hidden is shown only while a finger
        ``holds``."""

    def next_game(self, opening: Any, board: Any, swaps: bool, /) -> tuple[dict[str, Any], Wish]:
        """What the next game takes over from the one that began with ``opening`` and ended with
        ``board``, besides its profile and settings: fields of the game as JSON, and what words it
        is to have (CN-23). Where it ``swaps``, the team starts that did not."""

    def sentences(self, history: Iterable[Event], /) -> Iterator[Sentence]:
        """The sentences that tell of events as everybody saw them."""

    def is_open(self, board: Any, /) -> bool:
        """Was what the game hid made public?"""

    def hidden(self, state: Any, /) -> Iterator[Words]:
        """The sentences that tell what the game hid."""


FAMILIES: Final[dict[Family, FamilyOfGames]] = {Family.WORDS: word_games, Family.CODEX: codex}


def family_of(board: AnyBoard) -> FamilyOfGames:
    """The family of the game that is played on this board."""
    return FAMILIES[profile_named(board.profile).family]
