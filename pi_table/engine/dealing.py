"""A new game's cards and key: the only place where chance enters the table."""

import random
import secrets
from collections.abc import Callable, Iterable
from typing import Final, Literal

from msgspec.structs import replace

from pi_table.rules import events, text
from pi_table.rules.key import Key, draw
from pi_table.words.deck import Chooser, Deal, deal, used_so_far
from pi_table.words.pack import Pack

Cards = Literal["own", "dealt"]
CARDS: Final[tuple[Cards, ...]] = ("own", "dealt")

Openings = Callable[[], Iterable[bytes]]
"""Gives the first events of the earlier games, newest first. Raises StorageError."""


class Dealer:
    """Deals games: own cards or words of a pack, and a key from the operating system.

    ``draw_key`` and ``chooser`` are other than the operating system's in tests only.
    """

    def __init__(
        self,
        pack: Pack,
        draw_key: Callable[[], Key] = lambda: draw(secrets.randbelow),
        chooser: Chooser | None = None,
    ) -> None:
        self._pack = pack
        self._round, self._used = 0, frozenset[str]()
        self._openings: Openings | None = None
        self._chooser = chooser or random.SystemRandom()
        self.draw_key = draw_key

    def remember(self, openings: Openings) -> None:
        """Learn from ``openings`` which words the earlier games used, when words are first dealt:
        a table whose players have cards of their own need not look through all its games."""
        self._openings = openings

    def deal(self, game: object, cards: Cards) -> events.Dealt:
        """The deal of a game given as JSON, as `rules.text.read_game` reads it.

        Words that the game names itself stay; without them, ``cards`` decides. Raises InputError,
        and StorageError if it cannot be known which words were used.
        """
        dealt = text.read_game(game, self.draw_key)
        if dealt.words is not None or cards == "own":
            return dealt
        if self._openings is not None:
            earlier = _deals_from(self._pack.name, self._openings())
            self._round, self._used = used_so_far(earlier)
            self._openings = None
        drawn = deal(self._pack, self._round, self._used, self._chooser)
        deck = events.FromPack(self._pack.name, drawn.round, drawn.fresh)
        return replace(dealt, words=drawn.words, deck=deck)

    def dealt(self, game: events.Dealt) -> None:
        """Take note that this game was begun: its words are used."""
        deck = game.deck
        if deck is None or deck.pack != self._pack.name:
            return
        used = self._used if deck.round == self._round else frozenset()
        self._round, self._used = deck.round, used | {*deck.fresh}


def _deals_from(pack: str, openings: Iterable[bytes]) -> Iterable[Deal]:
    """The deals from ``pack`` among the first events of games, in their order, one at a time."""
    for body in openings:
        try:
            event = events.decode(body)
        except ValueError:
            continue  # of another version, which has packs of its own
        if isinstance(event, events.Dealt) and event.deck is not None and event.deck.pack == pack:
            yield Deal(event.words or (), event.deck.round, event.deck.fresh)
