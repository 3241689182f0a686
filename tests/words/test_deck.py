"""Dealing: nothing comes again before its time, and everything is equally likely."""

import random
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_table.common.errors import InputError
from pi_table.common.geometry import CELL_COUNT
from pi_table.games.words.deck import Deal, current_round, deal
from pi_table.games.words.pack import Audience, Pack


def pack_of(size: int, first: int = 0) -> Pack:
    return Pack(
        name="numbers",
        title="Numbers",
        language="en",
        audience=Audience.EVERYBODY,
        source="these tests",
        licence="MIT",
        words=tuple(f"W{number}" for number in range(first, first + size)),
    )


def deal_on(
    pack: Pack,
    stored: list[bytes],
    chooser: random.Random,
    sure: tuple[str, ...] = (),
    count: int = CELL_COUNT,
) -> Deal:
    """One more deal by a table that has just been started and knows nothing but its journal."""
    decoder = msgspec.json.Decoder(Deal)
    deals = [decoder.decode(line) for line in reversed(stored)]
    last = deals[0].fresh if deals else ()
    dealt = deal(pack, *current_round(deals), chooser, last=last, sure=sure, count=count)
    stored.append(msgspec.json.encode(dealt))
    return dealt


# CN-1, CN-23
@settings(deadline=None, max_examples=60)
@given(size=st.integers(25, 140), deals=st.integers(1, 30), seed=st.integers(0, 2**32))
def test_no_word_comes_again_before_the_pack_is_used_up(size: int, deals: int, seed: int) -> None:
    pack, stored, chooser = pack_of(size), list[bytes](), random.Random(seed)
    whole = set(pack.words)
    waiting = set(whole)  # what is still to come in this round
    for _ in range(deals):
        words = deal_on(pack, stored, chooser).words
        assert len(words) == len(set(words)) == CELL_COUNT
        assert whole.issuperset(words)
        assert waiting.issuperset(words) if len(waiting) >= CELL_COUNT else waiting.issubset(words)
        # The deal that takes the last words of a round is the first of the next one.
        waiting = waiting - set(words) or whole - set(words)


@pytest.mark.parametrize("size", [25, 26, 30, 40, 49, 50, 51, 60, 74, 75, 76, 100, 110])
def test_as_few_words_of_the_last_game_come_again_as_the_pack_allows(size: int) -> None:  # CN-23
    pack, stored, chooser = pack_of(size), list[bytes](), random.Random(size)
    before = set(deal_on(pack, stored, chooser).words)
    for _ in range(60):
        words = set(deal_on(pack, stored, chooser).words)
        assert len(words & before) == max(0, 2 * CELL_COUNT - size)
        before = words


@settings(deadline=None, max_examples=60)
@given(
    size=st.integers(50, 140),
    evening=st.lists(
        st.tuples(st.sampled_from([24, 25]), st.sets(st.integers(0, 200), max_size=25)),
        max_size=30,
    ),
    seed=st.integers(0, 2**32),
)
def test_guests_words_are_all_dealt_and_the_rest_comes_in_its_turn(
    size: int, evening: list[tuple[int, set[int]]], seed: int
) -> None:  # CN-23, AL-1, DU-3
    pack, stored, chooser = pack_of(size), list[bytes](), random.Random(seed)
    waiting = set(pack.words)
    for count, numbers in evening:
        sure = tuple(f"W{number}" for number in [*numbers][:count])  # some are the pack's, too
        words = deal_on(pack, stored, chooser, sure, count).words
        assert len(words) == len(set(words)) == count
        assert set(sure).issubset(words)
        drawn = set(words) - set(sure)
        assert drawn.issubset(pack.words)
        free = waiting - set(sure)
        if len(free) >= len(drawn):
            assert free.issuperset(drawn)
            waiting -= drawn
        else:
            assert free.issubset(drawn)
            waiting = set()
        waiting = waiting or set(pack.words) - drawn


def test_guests_words_use_up_nothing_and_lie_anywhere_in_the_grid() -> None:  # DU-3
    sure = tuple(f"GUEST {letter}" for letter in "ABCDE")
    dealt = deal(pack_of(60), 2, (), random.Random(1), sure=sure)
    assert dealt.round == 2
    assert set(dealt.fresh) == set(dealt.words) - set(sure)
    assert current_round([dealt]) == (2, frozenset(dealt.fresh))

    places: Counter[str] = Counter()
    chooser = random.Random(2024)
    for _ in range(2000):
        words = deal(pack_of(60), 0, (), chooser, sure=sure).words
        places.update(str(words.index(word)) for word in sure)
    # With 24 degrees of freedom, 51 is passed by chance once in a thousand.
    assert chi_square(places, tuple(str(place) for place in range(CELL_COUNT))) < 51


def test_a_word_of_the_pack_that_is_like_a_guests_waits_for_another_deal() -> None:  # DU-3
    pack = msgspec.structs.replace(pack_of(24), words=("PONY", "CAFÉ", *pack_of(24).words))
    dealt = deal(pack, 0, (), random.Random(1), sure=("PONIES", "CAFE"))
    assert {"PONY", "CAFÉ"}.isdisjoint(dealt.words)
    assert {"PONIES", "CAFE"}.issubset(dealt.words)
    assert {"PONY", "CAFÉ"}.issubset(
        deal_on(pack, [msgspec.json.encode(dealt)], random.Random(1)).words
    )


def test_a_deal_of_guests_words_alone_takes_none_of_the_pack() -> None:  # DU-3
    sure = tuple(f"GUEST {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY")
    dealt = deal(pack_of(30), 1, ("W1",), random.Random(1), sure=sure)
    assert (dealt.round, dealt.fresh) == (1, ())
    assert sorted(dealt.words) == list(sure)


@pytest.mark.parametrize(
    ("size", "sure", "count", "saying"),
    [
        (60, tuple(f"GUEST {number}" for number in range(26)), 25, "26 words up to 25"),
        (60, tuple(f"GUEST {number}" for number in range(25)), 24, "25 words up to 24"),
        (25, ("GUEST",), 27, "1 words up to 27"),
        (60, ("CAT", "CATS"), 25, "'CATS' is the same as 'CAT'"),
    ],
)
def test_what_makes_no_deal_is_told(
    size: int, sure: tuple[str, ...], count: int, saying: str
) -> None:  # DU-3
    with pytest.raises(InputError, match=saying):
        deal(pack_of(size), 0, (), random.Random(1), sure=sure, count=count)


def test_the_deal_that_ends_a_round_is_the_first_of_the_next() -> None:  # CN-23
    pack, chooser = pack_of(60), random.Random(1)
    used = pack.words[:50]
    dealt = deal(pack, 3, used, chooser, last=pack.words[25:50])
    assert dealt.round == 4
    assert set(dealt.words) >= set(pack.words[50:])
    assert not set(dealt.words) & set(pack.words[25:50])
    assert sorted(dealt.fresh) == sorted(dealt.words)
    assert current_round([dealt]) == (4, frozenset(dealt.fresh))


def test_a_deal_within_a_round_uses_up_all_its_words() -> None:  # CN-23
    pack, chooser = pack_of(60), random.Random(1)
    dealt = deal(pack, 3, pack.words[:34], chooser)
    assert dealt.round == 3
    assert set(dealt.words) < set(pack.words[34:])
    assert sorted(dealt.fresh) == sorted(dealt.words)


def test_a_deal_of_exactly_the_last_words_ends_its_round() -> None:  # CN-23
    pack, chooser = pack_of(60), random.Random(1)
    dealt = deal(pack, 3, pack.words[:35], chooser)
    assert (dealt.round, set(dealt.words)) == (4, set(pack.words[35:]))


def test_a_pack_without_a_word_left_begins_a_round_with_any_of_them() -> None:
    pack = pack_of(50)
    dealt = deal(pack, 0, pack.words, random.Random(1))
    assert dealt.round == 1
    assert sorted(dealt.fresh) == sorted(dealt.words)


def test_the_first_deal_of_all_is_of_round_nought() -> None:
    assert current_round([]) == (0, frozenset())
    assert deal(pack_of(30), 0, (), random.Random(1)).round == 0


def test_the_journal_is_read_no_further_than_the_round_goes() -> None:
    pack, stored = pack_of(60), list[bytes]()
    deals = [deal_on(pack, stored, random.Random(seed)) for seed in range(5)]
    assert [dealt.round for dealt in deals] == [0, 0, 1, 1, 2]

    def newest_first(last: int, unread: int) -> Iterator[Deal]:
        for number in range(last, unread, -1):
            yield deals[number]
        pytest.fail(f"deal {unread} was read, and says nothing on the round")

    begun_by_2 = frozenset(deals[2].fresh) | frozenset(deals[3].words)
    assert current_round(newest_first(3, unread=0)) == (1, begun_by_2)
    assert current_round(newest_first(4, unread=2)) == (2, frozenset(deals[4].fresh))


def test_a_round_that_no_leftover_began_ends_at_the_round_before() -> None:
    pack, stored = pack_of(50), list[bytes]()
    deals = [deal_on(pack, stored, random.Random(seed)) for seed in range(4)]
    assert [dealt.round for dealt in deals] == [0, 1, 2, 3]
    assert current_round(reversed(deals[:3])) == (2, frozenset(deals[2].words))


def test_the_deals_of_older_tables_are_read_as_they_were_meant() -> None:
    # Until version 0.8 the last words of a round were not used up in the next one.
    pack = pack_of(60)
    old = Deal(words=pack.words[35:], round=1, fresh=pack.words[45:])
    dealt = deal(pack, *current_round([old]), random.Random(1), last=old.fresh)
    assert dealt.round == 1
    assert set(dealt.words) <= set(pack.words[:45])


def test_a_word_that_is_written_in_another_way_today_is_used_all_the_same() -> None:
    pack = msgspec.structs.replace(pack_of(60), words=("CAFE", "DON’T", *pack_of(58).words))
    used = ("CAFÉ,", "DON'T", *pack.words[2:35])
    assert set(deal(pack, 0, used, random.Random(1)).words) == set(pack.words[35:])


def test_words_that_left_the_pack_do_no_harm_and_new_ones_wait_their_turn() -> None:  # CN-23
    stored, chooser = list[bytes](), random.Random(7)
    before = set(deal_on(pack_of(60), stored, chooser).words)
    changed = pack_of(60, first=20)  # W0 … W19 are gone, W60 … W79 are new
    unused = set(changed.words) - before
    assert len(unused) >= CELL_COUNT
    assert unused.issuperset(deal_on(changed, stored, chooser).words)


def test_the_same_chance_deals_the_same_words_in_the_same_places() -> None:
    first, again = (deal(pack_of(60), 0, (), random.Random(0)) for _ in range(2))
    assert first == again


def chi_square(counts: Counter[str], population: tuple[str, ...]) -> float:
    expected = counts.total() / len(population)
    return sum((counts[each] - expected) ** 2 / expected for each in population)


def test_every_word_is_equally_likely_in_the_first_deal() -> None:
    pack, chooser = pack_of(60), random.Random(2024)
    deals = [deal(pack, 0, (), chooser).words for _ in range(2000)]
    # With 59 degrees of freedom, 98 is passed by chance once in a thousand.
    assert chi_square(Counter(word for words in deals for word in words), pack.words) < 98
    for place in (0, 12, 24):  # a place alone: the first, the middle, the last
        assert chi_square(Counter(words[place] for words in deals), pack.words) < 98


def test_the_last_words_of_a_round_lie_anywhere_in_the_grid() -> None:
    pack, chooser = pack_of(35), random.Random(2024)
    places: Counter[str] = Counter()
    for _ in range(2000):
        dealt = deal(pack, 0, pack.words[10:], chooser)
        places.update(str(dealt.words.index(word)) for word in pack.words[:10])
    # With 24 degrees of freedom, 51 is passed by chance once in a thousand.
    assert chi_square(places, tuple(str(place) for place in range(CELL_COUNT))) < 51
