"""CN-2: every assignment is equally likely, and either team may start.

The same suite judges the real generator and a set of generators with a mistake planted in each. A
generator is rejected by a p-value below 1e-9, which an honest one meets once in a hundred million
runs or so. `pytest -s` prints what was caught by what.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest
from fairness import SUITE, chi_square_p, normal_p, p_values, poisson_below
from given_keys import drawn

from pi_table.games.rules.chance import Chance
from pi_table.games.rules.word_games.drawing import EveryKey

REJECTED = 1e-9
KEYS = 200_000
SEED = 2
SWAPPED = str.maketrans("rb", "br")


def caught_by(found: dict[str, float]) -> set[str]:
    return {name for name, p in found.items() if p < REJECTED}


def test_the_keys_that_the_table_draws_pass_the_whole_suite() -> None:
    # CN-2: from the operating system's generator, so no two runs see the same keys
    found = p_values([Chance().one_of(EveryKey()).letters for _ in range(KEYS)])
    assert not caught_by(found), found


# Generators with a mistake. What is random in them is seeded, so that they are the same every run.


def fair(rng: Random) -> str:
    return drawn(rng.randrange).letters


def pack(rng: Random) -> list[str]:
    """The 25 cards in order, either team starting."""
    return [*("rrrrrrrrrbbbbbbbbnnnnnnna" if rng.random() < 0.5 else "rrrrrrrrbbbbbbbbbnnnnnnna")]


def swap_with_any_place(rng: Random) -> Iterator[str]:
    """Every place is swapped with one among all 25, instead of one among those not yet done."""
    while True:
        cards = pack(rng)
        for place in range(25):
            other = rng.randrange(25)
            cards[place], cards[other] = cards[other], cards[place]
        yield "".join(cards)


def never_in_its_own_place(rng: Random) -> Iterator[str]:
    """Sattolo's cycle: Fisher and Yates' shuffle but for one, so that no card stays where it is."""
    while True:
        cards = pack(rng)
        for place in range(24, 0, -1):
            other = rng.randrange(place)
            cards[place], cards[other] = cards[other], cards[place]
        yield "".join(cards)


def byte_modulo_the_places(rng: Random) -> Iterator[str]:
    """Fisher and Yates' shuffle by the remainder of a byte: the low places come too often."""
    while True:
        cards = pack(rng)
        for place, byte in zip(range(24, 0, -1), rng.randbytes(24), strict=True):
            other = byte % (place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        yield "".join(cards)


def sort_by_a_byte(rng: Random) -> Iterator[str]:
    """The cards are sorted by one random byte each: those with the same byte stay in order."""
    while True:
        weights = rng.randbytes(25)
        cards = pack(rng)
        yield "".join(cards[place] for place in sorted(range(25), key=weights.__getitem__))


def four_heaps_and_a_cut(rng: Random) -> Iterator[str]:
    """Cards dealt onto four heaps, the heaps piled up, the pile cut: like cards lie together."""
    while True:
        cut = rng.randrange(25)
        cards = "".join(sorted_into_heaps(pack(rng), rng))
        yield cards[cut:] + cards[:cut]


def sorted_into_heaps(cards: list[str], rng: Random) -> list[str]:
    return sorted(cards, key=lambda card: rng.getrandbits(2))


def red_always_starts(rng: Random) -> Iterator[str]:
    while True:
        key = fair(rng)
        yield key if key.count("r") == 9 else key.translate(SWAPPED)


def the_teams_start_in_turn(rng: Random) -> Iterator[str]:
    while True:
        for agents in (9, 8):
            key = fair(rng)
            yield key if key.count("r") == agents else key.translate(SWAPPED)


def the_assassins_parity_starts(rng: Random) -> Iterator[str]:
    """Red starts where the assassin's cell is an even one."""
    while True:
        key = fair(rng)
        red = key.index("a") % 2 == 0
        yield key if (key.count("r") == 9) == red else key.translate(SWAPPED)


def seeded_by_the_clock(rng: Random) -> Iterator[str]:
    """Seeded anew for each key by a clock of whole seconds: five keys in four, so two are alike."""
    second = rng.randrange(10**9)
    while True:
        for elapsed in (0, 0, 1, 2, 3):
            yield fair(Random(second + elapsed))
        second += 4


def seeded_with_16_bits(rng: Random) -> Iterator[str]:
    """No key looks wrong, nor its follower, but there are 65,536 of them and no more."""
    while True:
        yield fair(Random(rng.getrandbits(16)))


# The generator, how many keys of it are judged, the tests that catch it.
PLANTED = [
    (swap_with_any_place, 8_000, {"identity by cell", "assassin by starting team"}),
    (never_in_its_own_place, 4_000, {"identity by cell", "assassin by starting team"}),
    (byte_modulo_the_places, 50_000, {"identity by cell"}),
    (sort_by_a_byte, KEYS, {"identity by cell"}),
    (four_heaps_and_a_cut, 4_000, {"neighbours"}),
    (red_always_starts, 4_000, {"starting team", "successive keys"}),
    (the_teams_start_in_turn, 4_000, {"successive keys"}),
    (the_assassins_parity_starts, 4_000, {"identity by cell", "assassin by starting team"}),
    (seeded_by_the_clock, 4_000, {"successive keys", "repeats"}),
    (seeded_with_16_bits, 4_000, {"repeats"}),
]


@pytest.mark.parametrize(
    ("generator", "count", "catchers"),
    [pytest.param(*row, marks=pytest.mark.mutation if row[1] == KEYS else ()) for row in PLANTED],
)
def test_a_planted_mistake_is_caught_by_the_tests_that_look_for_it_and_by_no_other(
    generator: Callable[[Random], Iterator[str]], count: int, catchers: set[str]
) -> None:  # CN-2
    found = p_values([*islice(generator(Random(SEED)), count)])
    print(f"\n{generator.__name__}, {count} keys:", {name: f"{p:.0e}" for name, p in found.items()})
    assert caught_by(found) == catchers


def test_every_test_of_the_suite_catches_some_planted_mistake() -> None:
    assert set().union(*(catchers for _, _, catchers in PLANTED)) == SUITE.keys()


def test_a_textbook_shuffle_passes_too() -> None:
    # The suite favours no method: this is how the planted shuffles would have been right.
    rng = Random(SEED)
    shuffled = []
    for _ in range(KEYS // 4):
        cards = pack(rng)
        rng.shuffle(cards)
        shuffled.append("".join(cards))
    assert not caught_by(found := p_values(shuffled)), found


def test_one_fair_sample_in_ten_has_a_p_value_below_a_tenth() -> None:
    # That no p-value is far too large or too small; but in so few keys nothing ever repeats.
    rng = Random(SEED)
    samples = [p_values([fair(rng) for _ in range(500)]) for _ in range(300)]
    for name in SUITE.keys() - {"repeats"}:
        assert 0.05 < sum(found[name] < 0.1 for found in samples) / len(samples) < 0.15, name


def test_the_p_values_are_those_of_the_printed_tables() -> None:
    assert normal_p(-1.95996) == pytest.approx(0.05, rel=1e-4)
    assert normal_p(6.10941) == pytest.approx(1e-9, rel=1e-4)
    assert chi_square_p(36.4150, 24) == pytest.approx(0.05, rel=1e-4)
    assert chi_square_p(51.1786, 24) == pytest.approx(0.001, rel=1e-4)
    assert poisson_below(2, 1.5) == pytest.approx(2.5 * 0.22313, rel=1e-4)
