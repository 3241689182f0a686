"""Dealing words of which some are kin, and some have several senses: what may lie together."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from test_deck import chi_square, pack_of

from pi_table.common.geometry import CELL_COUNT
from pi_table.games.words.deck import Deal, current_round, deal
from pi_table.games.words.drawing import MIN_MANY
from pi_table.games.words.kinship import Kinship
from pi_table.games.words.pack import Pack, spelt

# CN-23 throughout


def akin(*groups: range | tuple[int, ...]) -> Kinship:
    """Words of which those of a group are all kin to one another."""
    kin: dict[str, set[str]] = {}
    for group in groups:
        for one, other in combinations([f"W{number}" for number in group], 2):
            kin.setdefault(one, set()).add(other)
            kin.setdefault(other, set()).add(one)
    return Kinship(kin={word: frozenset(others) for word, others in kin.items()})


def pairs_in(words: tuple[str, ...], kinship: Kinship) -> int:
    return sum(other in kinship.kin.get(one, ()) for one, other in combinations(words, 2))


def deals_of(
    pack: Pack, kinship: Kinship, count: int, seed: int, words: int = CELL_COUNT
) -> list[Deal]:
    chooser, deals = random.Random(seed), list[Deal]()
    for _ in range(count):
        so_far, last = current_round(reversed(deals)), deals[-1].fresh if deals else ()
        deals.append(deal(pack, *so_far, chooser, last=last, count=words, kinship=kinship))
        assert len({*deals[-1].words}) == words
    return deals


PAIRED = akin(*((number, number + 1) for number in range(0, 60, 2)))
TRIPLES = akin(*((number, number + 20, number + 40) for number in range(20)))
CHAINS = akin(*((number, number + 1) for number in range(60) if number % 5))


@pytest.mark.parametrize(
    ("size", "kinship"),
    [
        (60, PAIRED),  # all of them are kin to another: of each two, one waits
        (75, TRIPLES),
        (110, CHAINS),  # of five words, of which each is kin to the next one alone
        (75, akin(range(3))),
        (100, akin(range(4), range(4, 8), range(8, 10))),
        (110, akin(range(3), range(3, 6), range(6, 9))),
        (52, akin((0, 1))),
    ],
)
@pytest.mark.parametrize("seed", range(20))
def test_kin_wait_for_one_another_and_no_word_comes_again_before_its_turn(
    size: int, kinship: Kinship, seed: int
) -> None:
    pack = pack_of(size)
    waiting = {*pack.words}
    for dealt in deals_of(pack, kinship, 30, seed):
        assert pairs_in(dealt.words, kinship) == 0
        words = {*dealt.words}
        assert words <= waiting if len(waiting) >= CELL_COUNT else waiting <= words
        waiting = waiting - words or {*pack.words} - words


@settings(deadline=None, max_examples=40)
@given(
    size=st.integers(60, 140),
    edges=st.sets(st.tuples(st.integers(0, 140), st.integers(0, 140)), max_size=60),
    seed=st.integers(0, 2**32),
)
def test_kin_never_lie_together_however_they_are_kin(
    size: int, edges: set[tuple[int, int]], seed: int
) -> None:
    pack = pack_of(size)
    kinship = akin(*(edge for edge in edges if edge[0] != edge[1] and max(edge) < size))
    for dealt in deals_of(pack, kinship, 12, seed):
        # 35 words at least are kin to none, or the fewest of them to few: a deal without kin is
        # always there.
        assert pairs_in(dealt.words, kinship) == 0


# Packs in which kin cannot be kept apart. The fewest pairs of a deal are counted by hand.
@pytest.mark.parametrize(
    ("size", "kinship", "fewest"),
    [
        (25, akin(range(25)), 300),
        (25, akin((0, 1)), 1),
        (26, akin(range(26)), 300),
        (40, akin(range(40)), 300),
        (40, akin(range(20), range(20, 40)), 66 + 78),  # 12 and 13 of each
        (40, akin(range(20)), 10),  # all the 20 others, and 5 kin
        (60, akin(range(30), range(30, 60)), 66 + 78),
        (30, akin(*((n, n + 1) for n in range(0, 30, 2))), 10),  # 15 pairs: 10 of them whole
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_a_pack_full_of_kin_is_dealt_with_the_fewest_that_must_lie_together(
    size: int, kinship: Kinship, fewest: int, seed: int
) -> None:
    dealt = deals_of(pack_of(size), kinship, 20, seed)
    assert [pairs_in(each.words, kinship) for each in dealt] == [fewest] * 20


def test_a_round_of_nothing_but_kin_is_a_round_all_the_same() -> None:
    deals = deals_of(pack_of(40), akin(range(40)), 8, seed=3)
    assert {*deals[0].words, *deals[1].words} == {*pack_of(40).words}
    assert [each.round for each in deals] == [*range(8)]


def test_words_that_must_wait_beyond_the_round_come_in_the_next_ones() -> None:
    """30 words that are kin, and 70 others: four deals would have to be thirty."""
    pack, kinship = pack_of(100), akin(range(30))
    deals = deals_of(pack, kinship, 400, seed=1)
    assert all(pairs_in(each.words, kinship) == 0 for each in deals)
    assert [each.round for each in deals[:4]] == [0, 0, 1, 1]  # 27 of those that are kin wait
    assert {word for each in deals for word in each.words} == {*pack.words}


@pytest.mark.parametrize("seed", range(10))
def test_what_is_kin_to_a_guests_word_waits_for_another_deal(seed: int) -> None:
    pack, kinship = pack_of(60), akin((0, 1, 2, 3, 4, 200))
    dealt = deal(pack, 0, (), random.Random(seed), sure=("W200",), kinship=kinship)
    assert pairs_in(dealt.words, kinship) == 0
    used = current_round([dealt])
    again = deal(pack, *used, random.Random(seed), sure=("W200",), kinship=kinship)
    assert pairs_in(again.words, kinship) == 0


def test_guests_words_that_are_kin_are_dealt_all_the_same() -> None:
    sure = ("W200", "W201")
    dealt = deal(pack_of(60), 0, (), random.Random(1), sure=sure, kinship=akin((0, 1, 2, 200, 201)))
    assert {*sure} <= {*dealt.words}
    assert {"W0", "W1", "W2"}.isdisjoint(dealt.words)


def many(*numbers: int) -> Kinship:
    return Kinship(many=frozenset(f"W{number}" for number in numbers))


@pytest.mark.parametrize(
    ("size", "of_many", "least"),
    [
        (100, 100, 25),
        (400, 280, MIN_MANY),
        (400, 241, MIN_MANY),
        (400, 240, MIN_MANY),
        (400, 160, 10),  # two of five words: two of five in each deal
        (60, 1, 0),
        (60, 0, 0),
        (25, 3, 3),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_each_deal_has_its_share_of_words_with_several_senses(
    size: int, of_many: int, least: int, seed: int
) -> None:
    kinship = many(*range(of_many))
    for dealt in deals_of(pack_of(size), kinship, 100, seed):
        assert sum(word in kinship.many for word in dealt.words) >= least


def test_where_few_words_are_kin_every_set_of_strangers_is_equally_likely() -> None:
    """Of 6 words 3 are dealt, and two of them are kin: 20 - 4 sets are left."""
    pack, kinship = pack_of(6), akin((0, 1))
    chooser, sets = random.Random(2024), Counter[str]()
    for _ in range(8000):
        words = deal(pack, 0, ("W6",), chooser, count=2, kinship=kinship).words
        sets[" ".join(sorted(words))] += 1
    assert len(sets) == 14
    # With 13 degrees of freedom, 34.5 is passed by chance once in a thousand.
    assert chi_square(sets, tuple(sets)) < 34.5


def test_a_share_of_senses_makes_no_word_less_likely_than_those_of_its_kind() -> None:
    pack, kinship, chooser = pack_of(60), many(*range(30)), random.Random(2024)
    deals = [deal(pack, 0, (), chooser, kinship=kinship).words for _ in range(2000)]
    counts = Counter(word for words in deals for word in words)
    for kind in (pack.words[:30], pack.words[30:]):
        of_kind = Counter({word: counts[word] for word in kind})
        # With 29 degrees of freedom, 58 is passed by chance once in a thousand.
        assert chi_square(of_kind, kind) < 58


def test_the_end_of_a_round_has_its_share_too() -> None:
    kinship = many(*range(120))
    *_, last, closing = deals_of(pack_of(210), kinship, 9, seed=1)
    assert last.round == 0
    assert closing.round == 1
    for words in (last.words, closing.words):
        assert sum(word in kinship.many for word in words) >= 14


# Spelling


def test_a_word_used_in_one_spelling_is_used_in_the_other() -> None:
    british = replace(pack_of(60), twins={f"W{number}": f"X{number}" for number in range(0, 60, 2)})
    american = spelt(british, american=True)
    chooser, deals = random.Random(1), list[Deal]()
    for pack in (british, american, british, american, american, british):
        deals.append(deal(pack, *current_round(reversed(deals)), chooser))
        assert {*deals[-1].words} <= {*pack.words}
    ours = [[word.replace("X", "W") for word in each.words] for each in deals]
    assert [each.round for each in deals] == [0, 0, 1, 1, 2, 2]
    assert len({*ours[0], *ours[1]}) == 50
    assert {*ours[0], *ours[1], *ours[2]} == {*pack_of(60).words}
    again = [word.replace("X", "W") for each in deals[2:4] for word in each.fresh]
    assert len(again) == len({*again}) == 50


def test_a_guests_word_is_like_a_word_of_the_pack_in_either_spelling() -> None:
    pack = replace(pack_of(25), words=("HARBOUR", *pack_of(25).words), twins={"HARBOUR": "HARBOR"})
    for guests in ("HARBOUR", "HARBORS"):
        for each in (pack, spelt(pack, american=True)):
            dealt = deal(each, 0, (), random.Random(1), sure=(guests,))
            assert {*dealt.words} & {"HARBOUR", "HARBOR", "HARBORS"} == {guests}
