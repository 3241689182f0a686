"""Dealing: fresh words until the pack is used up, and a key for every game (CN-23)."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from random import Random

import pytest
from given_keys import GivenKeys
from msgspec.structs import replace
from shipped_packs import shipped_pack
from virtual_table import RED_KEY, VirtualTable

from pi_table.common.errors import InputError, StorageError
from pi_table.common.geometry import CELL_COUNT
from pi_table.games.rules import games
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games import events
from pi_table.games.rules.word_games.key import CLASSIC, Key, Layout
from pi_table.games.words.pack import Fault, Pack, Packs
from pi_table.table.engine.dealing import Dealer, Shelf, WordSource, shelf_of

MakeTable = Callable[..., VirtualTable]
PACK = shipped_pack("english")
SHELF = Shelf((PACK,))
OTHER = Pack("other", "", "en", PACK.audience, "", "", PACK.words)
GAME = {"profile": "codenames"}
OWN = {**GAME, "words": [f"card {number}" for number in range(CELL_COUNT)]}


class RedStarts(GivenKeys):
    def key(self, layout: Layout = CLASSIC, starts: Team | None = None) -> Key:
        return RED_KEY


def dealer(*earlier: bytes) -> Dealer:
    """A dealer at a table that has had these games, the first one first."""
    dealer = Dealer(SHELF, RedStarts(), Random(1))
    dealer.set_openings(lambda: reversed(earlier))
    return dealer


def dealt(dealer: Dealer) -> events.Dealt:
    deal = dealer.deal(GAME, WordSource("dealt"))
    assert isinstance(deal, events.Dealt)
    dealer.mark_dealt(deal)
    return deal


def test_no_word_comes_again_before_the_pack_is_used_up() -> None:  # CN-23
    used: list[str | None] = []
    table = dealer()
    for _ in range(len(PACK.words) // CELL_COUNT):
        used += dealt(table).words or ()
    assert len({*used}) == len(used)
    assert {*used} <= {*PACK.words}
    assert len({*PACK.words} - {*used}) < CELL_COUNT


def test_it_makes_no_difference_whether_a_table_is_switched_off_in_between() -> None:  # CN-23
    earlier: list[bytes] = []
    used: list[str | None] = []
    for _ in range(len(PACK.words) // CELL_COUNT):
        deal = dealt(dealer(*earlier))
        earlier.append(games.encode(deal))
        used += deal.words or ()
    assert len({*used}) == len(used)


def test_a_game_that_began_as_its_journal_was_opened_again_does_not_hide_the_ones_before() -> None:
    stored: list[bytes] = []
    table = dealer()
    used: list[str | None] = []
    for _ in range(len(PACK.words) // CELL_COUNT):  # CN-23
        deal = table.deal(GAME, WordSource("dealt"))
        assert isinstance(deal, events.Dealt)
        stored.append(games.encode(deal))
        table.set_openings(lambda: reversed(stored))
        table.mark_dealt(deal)
        used += deal.words or ()
    assert len({*used}) == len(used)


def test_a_game_that_was_not_begun_has_used_nothing() -> None:  # CN-23
    table = dealer()
    for _ in range(100):
        deal = table.deal(GAME, WordSource("dealt"))
    assert deal.deck is not None
    assert deal.deck.round == 0


def test_games_with_cards_of_the_players_use_nothing_of_the_pack() -> None:
    own = games.encode(dealer().deal(GAME, WordSource("own")))
    named = games.encode(dealer().deal(OWN, WordSource("dealt")))
    first = dealt(dealer())
    earlier = [games.encode(first), own, named]
    again = dealt(dealer(*earlier))
    assert not {*(first.words or ())} & {*(again.words or ())}


def test_words_that_the_game_names_stay() -> None:
    assert dealer().deal(OWN, WordSource("dealt")).words == tuple(OWN["words"])
    assert dealer().deal(GAME, WordSource("own")).words is None


@pytest.mark.parametrize(
    ("profile", "options", "sizes"),
    [
        ("codenames", {"dealing": "shared"}, (13, 12)),
        ("codenames", {"dealing": "shared", "players": "cooperative"}, (25, 0)),
        ("alias-24", {"dealing": "shared"}, (12, 12)),
    ],
)
@pytest.mark.parametrize("starts", Team)
def test_where_the_teams_lay_out_the_words_each_has_a_hand_of_them(
    profile: str, options: dict[str, str], sizes: tuple[int, int], starts: Team
) -> None:
    # DU-2: one more for the team that starts, of cards that are odd; NC-3: a group has all
    game = {"profile": profile, "options": options, "starts": starts.value}
    deal = dealer().deal(game, WordSource("dealt", blanks=("OUR JOKE", "NONNA")))
    assert isinstance(deal, events.Dealt)
    assert (deal.words, deal.starts) == (None, starts)
    assert deal.hands is not None
    red, blue = deal.hands
    assert (len(red), len(blue)) == (sizes if starts is Team.RED else sizes[::-1])
    assert len({*red, *blue}) == sum(sizes)
    assert {*red, *blue} - {*PACK.words} == {"OUR JOKE", "NONNA"}  # DU-3
    assert deal.deck is not None
    assert {*deal.deck.fresh} == {*red, *blue} - {"OUR JOKE", "NONNA"}  # CN-23


def test_a_hand_is_random() -> None:  # DU-2
    table = dealer()
    game = {**GAME, "options": {"dealing": "shared"}, "starts": "red"}
    deals = [table.deal(game, WordSource("dealt", blanks=("our joke",))) for _ in range(30)]
    red = sum("OUR JOKE" in (deal.hands or ((), ()))[0] for deal in deals)  # type: ignore[union-attr]
    assert 5 < red < 25


def test_hands_that_the_game_names_stay() -> None:
    hands = {"red": OWN["words"][:13], "blue": OWN["words"][13:]}
    game = {**GAME, "options": {"dealing": "shared"}, "starts": "red", "hands": hands}
    for source in (WordSource("dealt"), WordSource("own")):
        deal = dealer().deal(game, source)
        assert isinstance(deal, events.Dealt)
        assert deal.hands == (tuple(hands["red"]), tuple(hands["blue"]))
        assert deal.deck is None


def test_games_with_another_pack_are_passed_over() -> None:
    other = Dealer(Shelf((OTHER,)), RedStarts())
    elsewhere = [games.encode(dealt(other)) for _ in range(len(PACK.words) // CELL_COUNT + 1)]
    deal = dealt(dealer(*elsewhere))
    assert deal.deck is not None
    assert (deal.deck.round, len(deal.deck.fresh)) == (0, CELL_COUNT)


@pytest.mark.parametrize("size", [50, 60])
def test_no_word_of_the_last_game_comes_again_where_there_are_others(size: int) -> None:  # CN-23
    words = tuple(f"W{number}" for number in range(size))
    shelf = Shelf((replace(PACK, words=words),))
    earlier: list[bytes] = []
    before: set[str | None] = set()
    table = Dealer(shelf, RedStarts(), Random(1))
    for number in range(12):
        if number % 3 == 0:  # switched off in between
            table = Dealer(shelf, RedStarts(), Random(number))
            table.set_openings(lambda: reversed(earlier))
        deal = dealt(table)
        earlier.append(games.encode(deal))
        assert not before & {*(deal.words or ())}
        before = {*(deal.words or ())}


def test_a_usual_pack_with_a_fault_is_left_out_and_the_table_deals_from_another() -> None:
    fault = Fault("ours.txt", 9, "it has an emoji.")
    packs = Packs((PACK,), (), (fault,))
    assert shelf_of(packs, "ours").pack_for("codenames", "en", None) == PACK
    assert shelf_of(packs, PACK.name).usual == PACK.name
    with pytest.raises(InputError, match="There is no word pack 'hours'"):
        shelf_of(packs, "hours")


def test_a_pack_is_dealt_and_usual_by_the_name_that_people_type() -> None:
    packs = Packs((shipped_pack("italiano"), PACK, shipped_pack("after-dark")), (), ())
    shelf = shelf_of(packs, "Italian")
    assert shelf.usual == "italiano"
    for typed, meant in (("Italian", "italiano"), ("english", "english"), ("eng", "english")):
        assert shelf.pack_for("codenames", "en", typed).name == meant
    with pytest.raises(InputError, match="no word pack 'After dark'"):  # not offered (DU-1)
        shelf.pack_for("codenames", "en", "After dark")


def test_games_of_another_version_are_passed_over() -> None:
    first = dealt(dealer())
    deal = dealt(dealer(games.encode(first), b'{"event":"tarot-laid","at":0.0}'))
    assert not {*(first.words or ())} & {*(deal.words or ())}


def test_games_with_values_within_values_are_passed_over() -> None:
    nested = games.encode(dealt(dealer()))[:-1] + b',"x":%b}' % (b"[" * 5000 + b"]" * 5000)
    assert dealt(dealer(nested)).words


def test_a_table_that_deals_no_words_does_not_look_for_them() -> None:
    def never() -> Iterable[bytes]:
        raise AssertionError

    table = Dealer(SHELF, RedStarts())
    table.set_openings(never)
    table.mark_dealt(table.deal(GAME, WordSource("own")))
    table.mark_dealt(table.deal(OWN, WordSource("dealt")))


def test_a_table_that_cannot_know_what_was_used_deals_nothing_and_tries_again() -> None:
    broken = True

    def openings() -> Iterator[bytes]:
        if broken:
            raise StorageError("The card is loose.")
        return iter([])

    table = Dealer(SHELF, RedStarts())
    table.set_openings(openings)
    with pytest.raises(StorageError):
        table.deal(GAME, WordSource("dealt"))
    broken = False
    assert table.deal(GAME, WordSource("dealt")).words


def test_what_makes_no_game_is_refused() -> None:
    with pytest.raises(InputError):
        dealer().deal({"profile": "chess"}, WordSource("dealt"))


def test_a_damaged_game_of_long_ago_keeps_words_from_being_dealt_and_nothing_else(
    make_table: MakeTable,
) -> None:
    table = make_table(cards="dealt")
    table.start()
    table.do("abandon")
    table.start()
    table.do("abandon")
    table.switch_off()
    with closing(sqlite3.connect(table.path, isolation_level=None)) as connection:
        connection.execute("UPDATE events SET at = at + 1 WHERE game = 1")
    again = make_table(cards="dealt")
    verdict = again.ask("next")
    assert verdict.reason == "cannot-store"
    assert verdict.sentence is not None
    assert "event 1 of game 1" in verdict.sentence
    again.do("start", profile="codenames", cards="own")
