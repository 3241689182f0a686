"""Choice of the words and the key of a new game. Random draws during a game use the machine's
`Chance`."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from pi_table.common.errors import InputError
from pi_table.common.house_settings import House, offers
from pi_table.common.language import did_you_mean, say
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.events import Event
from pi_table.games.rules.games import Opening
from pi_table.games.rules.profile import profile_named
from pi_table.games.rules.word_games.board import Hands, hand_sizes
from pi_table.games.rules.word_games.events import Dealt, FromPack
from pi_table.games.rules.word_games.key import LAYOUTS
from pi_table.games.words.deck import current_round, deal
from pi_table.games.words.drawing import Chooser
from pi_table.games.words.kinship import Kinship, kinship
from pi_table.games.words.pack import Audience, Pack, Packs, resolve_name, spelt
from pi_table.games.words.word import Words, display_form, fault_of
from pi_table.protocols.ipc.messages import OfferedPack

Cards = Literal["own", "dealt"]
CARDS: Final[tuple[Cards, ...]] = ("own", "dealt")

Openings = Callable[[], Iterable[bytes]]
"""A function that returns the first event of each earlier game, newest game first. Raises
StorageError."""


class WordSource(msgspec.Struct, frozen=True):
    """Where the words of a requested game come from. If ``pack`` is None, `Shelf.pack_for` chooses
    a pack."""

    cards: Cards
    pack: str | None = None
    blanks: tuple[str, ...] = ()
    """Words that guests wrote on blank cards. The game contains all of them (DU-3)."""


class Shelf(msgspec.Struct, frozen=True):
    """The word packs of a table. `pack_for` chooses the pack for a game."""

    packs: tuple[Pack, ...]
    house: House = House()
    """The venue's settings, which exclude some packs (DU-1)."""
    usual: str = ""
    """Name of the default pack. It is dealt if it fits the game and no other pack is requested."""

    def offered_packs(self) -> tuple[OfferedPack, ...]:
        """Return one entry for each pack, even for a pack that the house does not offer."""
        return tuple(
            OfferedPack(pack.name, pack.title, pack.language, pack.audience is Audience.ADULTS)
            for pack in self.packs
        )

    def pack_for(self, profile: str, lang: str, wanted: str | None) -> Pack:
        """Return the pack to deal from, in the spelling that the house prefers.

        ``wanted`` is the name of a pack. If it is None, a pack in ``lang`` is chosen, preferably
        one for the same guests (adults or all) as the game. Of several such packs, the default pack
        is preferred. Raises InputError if ``wanted`` does not exist, or if no pack is in ``lang``.
        """
        pack = self._pack_for(profile, lang, wanted)
        return spelt(pack, american=self.house.spelling == "american")

    def _pack_for(self, profile: str, lang: str, wanted: str | None) -> Pack:
        allowed = self._packs_to_deal()
        if wanted is not None:
            names = [pack.name for pack in allowed]
            meant = resolve_name(wanted, names)
            if meant in names:
                return allowed[names.index(meant)]
            raise InputError(
                say(
                    "There is no word pack {wanted}; {did_you_mean}",
                    wanted=repr(wanted),
                    did_you_mean=did_you_mean(wanted, names),
                )
            )
        fitting = [pack for pack in allowed if pack.language == lang]
        if not fitting:
            raise InputError(
                say(
                    "There is no word pack in the language {lang}: choose another one.",
                    lang=repr(lang),
                )
            )
        adults = profile_named(profile).adults

        def fits(pack: Pack) -> tuple[bool, bool]:
            return (pack.audience is Audience.ADULTS) is adults, pack.name == self.usual

        return max(fitting, key=fits)  # of equal packs, the first

    def _packs_to_deal(self) -> list[Pack]:
        return [
            pack
            for pack in self.packs
            if offers(self.house, pack.name, pack.audience is Audience.ADULTS)
        ]


def shelf_of(packs: Packs, usual: str) -> Shelf:
    """Return a shelf of these packs with the default pack ``usual``.

    A pack with faults is not on the shelf. If the default pack has faults, the table starts without
    it, because an update may find faults that the old version did not find. Raises InputError if
    there is no pack of that name, with or without faults.
    """
    names = [pack.name for pack in packs.packs]
    usual = resolve_name(usual, names)
    if usual and usual not in names:
        if f"{usual}.txt" not in [fault.file for fault in packs.faults]:
            raise InputError(
                say(
                    "There is no word pack {usual}; {did_you_mean}",
                    usual=repr(usual),
                    did_you_mean=did_you_mean(usual, names),
                )
            )
        usual = ""
    return Shelf(packs.packs, usual=usual)


class Dealer:
    """Deals new games: a random key, and words from a pack unless the guests use their own cards.

    ``keep`` is called when a game with words of guests has begun. It receives the language and
    these words. ``chance`` and ``chooser`` default to the operating system's random numbers. Only
    tests replace them.
    """

    def __init__(
        self,
        shelf: Shelf,
        chance: Chance | None = None,
        chooser: Chooser | None = None,
        keep: Callable[[str, Sequence[str]], None] = lambda lang, words: None,
    ) -> None:
        self.shelf = shelf
        self._keep = keep
        self._used: dict[str, tuple[int, frozenset[str], frozenset[str]]] = {}
        """For each pack: the number of its current round, the words dealt in that round, and the
        words of the last deal. In a round, each word of the pack is dealt once."""
        self._kinship: dict[str, tuple[tuple[str, ...], Kinship]] = {}
        """Cache. For each pack: its words in the current spelling, and which of them
        are related."""
        self._openings: Openings = tuple
        self._chooser = chooser or random.SystemRandom()
        self.chance = chance or Chance()

    def set_openings(self, openings: Openings) -> None:
        """Set the function that returns earlier games, whose words count as used. This function is
        called at the first deal from each pack."""
        self._openings = openings
        self._used.clear()

    def deal(self, game: object, source: WordSource) -> Opening:
        """Return the opening of a new game. ``game`` is JSON for `games.rules.games.read_opening`.

        If that JSON has no words, ``source`` says where the words come from. Raises InputError.
        Raises StorageError if the words of earlier games cannot be read.
        """
        opening = games.read_opening(game, self.chance)
        if not isinstance(opening, Dealt) or opening.words is not None or opening.hands is not None:
            return opening
        if source.cards == "own":
            return opening
        pack = self.shelf.pack_for(opening.profile, opening.settings.lang, source.pack)
        blanks = _check_blanks(source.blanks, pack.language)
        round, used, last = self._words_used(pack.name)
        layout = LAYOUTS[opening.profile]
        drawn = deal(
            pack,
            round,
            used,
            self._chooser,
            last=last,
            sure=blanks,
            count=layout.cards,
            kinship=self._kinship_of(pack, blanks),
        )
        deck = FromPack(pack.name, drawn.round, drawn.fresh, blanks)
        if opening.is_shared:
            assert opening.starts is not None
            sizes = hand_sizes(layout, opening.settings, opening.starts)
            return replace(opening, hands=_hands(drawn.words, sizes), deck=deck)
        return replace(opening, words=_lay_out(drawn.words, layout.without_card), deck=deck)

    def mark_dealt(self, opening: Opening) -> None:
        """Record a started game: mark its words as used and store the words of guests."""
        deck = _deck_of(opening)
        if deck is None:
            return
        if deck.pack in self._used:  # otherwise `_words_used` reads it from the journal
            round, used, _ = self._used[deck.pack]
            before = used if deck.round == round else frozenset()
            fresh = frozenset(deck.fresh)
            self._used[deck.pack] = deck.round, before | fresh, fresh
        if deck.blanks:
            self._keep(opening.settings.lang, deck.blanks)

    def _words_used(self, pack: str) -> tuple[int, frozenset[str], frozenset[str]]:
        if pack not in self._used:
            decks = _decks(pack, self._openings())
            latest = [*islice(decks, 1)]
            round, used = current_round(chain(latest, decks))
            self._used[pack] = round, used, frozenset(w for deck in latest for w in deck.fresh)
        return self._used[pack]

    def _kinship_of(self, pack: Pack, blanks: tuple[str, ...]) -> Kinship:
        if blanks:
            return kinship((*pack.words, *blanks), pack.language)
        words, known = self._kinship.get(pack.name, ((), None))
        if known is None or words != pack.words:
            known = kinship(pack.words, pack.language)
            self._kinship[pack.name] = pack.words, known
        return known


def _deck_of(event: Event) -> FromPack | None:
    """Return how the words of a new game were dealt from a pack. None if they are not from a pack,
    or if the event does not begin a word game."""
    return event.deck if isinstance(event, Dealt) else None


def _check_blanks(blanks: Sequence[str], language: str) -> tuple[str, ...]:
    """Return guests' words in the form that cells show. Raises InputError if one cannot
    be dealt."""
    words = Words(language)
    for text in blanks:
        fault = fault_of(text, words)
        if fault is not None:
            raise InputError(
                say(
                    "The word {text} cannot be dealt ({why}): write another.",
                    text=repr(text),
                    why=fault.why,
                )
            )
        words.add(display_form(text))
    return tuple(display_form(text) for text in blanks)


def _lay_out(words: tuple[str, ...], gap: int | None) -> tuple[str | None, ...]:
    """Return one word for each cell; None for the cell number ``gap``, which gets no card."""
    return words if gap is None else (*words[:gap], None, *words[gap:])


def _hands(words: tuple[str, ...], sizes: tuple[int, int]) -> Hands:
    """Split the shuffled words into red's and blue's hand (DU-2)."""
    red, _ = sizes
    return words[:red], words[red:]


def _decks(pack: str, openings: Iterable[bytes]) -> Iterator[FromPack]:
    for body in openings:
        try:
            deck = _deck_of(games.decode(body))
        except (ValueError, RecursionError):
            continue  # stored by another version, which had other packs
        if deck is not None and deck.pack == pack:
            yield deck
