"""The geometry of the abuse, and what it takes for a finger."""

from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import product, zip_longest

import pytest
from abused_table import play
from evenings_of_abuse import (
    FINE,
    HELD,
    NEVER_ANEW,
    Evening,
    Incident,
    Loads,
    Touch,
    lookalikes,
    plan,
    shapes,
)
from surface import (
    COUNTS_PER_MM2,
    GROUNDED,
    MAX_COUNTS,
    PADS,
    Body,
    Capsule,
    Ellipse,
    Shape,
    areas,
    disc,
    floating,
    loads,
)
from weak_policies import WEAK

from pi_table.common.geometry import PLACES

SHAPES = (
    disc(85.0, 60.0, 18.0),
    Ellipse(140.0, 100.0, 70.0, 25.0, 0.7),
    Ellipse(400.0, 90.0, 12.0, 30.0, -0.4),
    Capsule(-60.0, 20.0, 150.0, 130.0, 30.0),
    Capsule(100.0, -60.0, 100.0, 120.0, 20.0),
    Capsule(300.0, 200.0, 180.0, 300.0, 15.0),
)


def within(shape: Shape, x: float, y: float) -> bool:
    bounds = shape.bounds
    if not bounds.left < x < bounds.right:
        return False
    far, near = shape.chord(x)
    return far < y < near


@pytest.mark.parametrize("shape", SHAPES)
def test_areas_are_those_that_counting_finds(shape: Shape) -> None:
    found = areas(shape)
    bounds = shape.bounds
    for name, pad in PADS.items():
        counted = sum(
            within(shape, x + 0.5, y + 0.5)
            for x, y in product(
                range(int(max(bounds.left, pad.left)) - 1, int(min(bounds.right, pad.right)) + 1),
                range(int(max(bounds.far, pad.far)) - 1, int(min(bounds.near, pad.near)) + 1),
            )
            if pad.left < x + 0.5 < pad.right and pad.far < y + 0.5 < pad.near
        )
        assert found.get(name, 0.0) == pytest.approx(counted, rel=0.05, abs=12.0)


def test_pads_lie_as_they_are_to_lie() -> None:
    a1, b2, e5 = (PADS[name] for name in ("A1", "B2", "E5"))
    assert (a1.right - a1.left, a1.near - a1.far) == (76.0, 52.0)
    assert (b2.left - a1.left, b2.far - a1.far) == (100.0, 80.0)
    end_turn, hourglass, (x, y) = PADS["end-turn"], PADS["hourglass"], PADS["C3"].middle
    assert end_turn.middle == (x - 100.0, y + 240.0)
    assert hourglass.middle == (x + 100.0, y + 240.0)
    assert {end_turn.right - end_turn.left, hourglass.right - hourglass.left} == {76.0}
    assert (a1.left, a1.far) == (500.0 - e5.right, 14.0)
    near, right = PADS["near"], PADS["right"]
    assert (PADS["far"].near, PADS["left"].right, right.left, near.far) == (-5, -5, 505, 485)
    assert {near.near - near.far, right.right - right.left} == {20.0}


def test_a_fingertip_makes_16_counts_and_more_of_it_more() -> None:
    tip = loads([Body(disc(*PADS["C3"].middle, 5.0))])
    assert tip == {"C3": pytest.approx(16.0, rel=0.01)}
    assert loads([Body(disc(*PADS["C3"].middle, 10.0))])["C3"] == pytest.approx(64.0, rel=0.01)
    assert loads([Body(disc(*PADS["C3"].middle, 100.0))])["C3"] == MAX_COUNTS


def test_a_body_that_floats_counts_by_what_else_it_lies_on() -> None:
    middle = PADS["C3"].middle
    between = (PADS["C3"].right + PADS["D3"].left) / 2, middle[1]
    alone = loads([floating(disc(*middle, 8.0))])
    assert alone["C3"] < 0.3 * loads([Body(disc(*middle, 8.0))])["C3"]
    both = loads([floating(disc(*between, 30.0))])
    assert both["C3"] == pytest.approx(both["D3"])
    one = floating(disc(*between, 30.0))
    held = loads([Body(one.shape, one.contact, GROUNDED)])
    assert 0.5 < both["C3"] / held["C3"] < 0.8


def test_lines_for_the_world_say_what_the_loads_are() -> None:
    evening = plan("lines")
    told: dict[str, list[tuple[float, float]]] = defaultdict(lambda: [(-0.01, 0.0)])
    for at, line in shapes(evening.abuse):
        _, _, pad, *points = line.split()
        for point in points:
            ms, count = point.split(":")
            told[pad].append((round(at + int(ms) / 1000, 2), float(count)))
    assert told.keys() == evening.abuse.keys()
    for pad, felt in evening.abuse.items():
        times = [at for at, _ in told[pad]]
        assert times == sorted(times)
        for step, load in enumerate(felt):
            after = bisect_right(times, step / 100)
            (at, from_), (until, to) = told[pad][after - 1], told[pad][min(after, len(times) - 1)]
            share = (step / 100 - at) / (until - at) if until > at else 0.0
            if load < MAX_COUNTS - 30.0:
                assert from_ + share * (to - from_) == pytest.approx(load, abs=3 * FINE)


def test_an_evening_is_known_by_its_seed() -> None:
    assert plan("same") == plan("same")
    assert plan("same") != plan("other")


# --- what is a finger, as far as anybody can tell


def course(*spans: tuple[float, float]) -> list[float]:
    """Loads for a second of nothing, and then so many counts for so many seconds each."""
    return [0.0] * 100 + [counts for counts, seconds in spans for _ in range(round(100 * seconds))]


STEPS = course((3.0, 0.3), (6.0, 0.3), (9.0, 0.3))
"""Drops, one after another."""


@pytest.mark.parametrize(
    ("felt", "is_like"),
    [
        ({"B2": course((16.0, 0.5), (0.0, 1.0))}, True),
        ({"B2": course((16.0, 0.3), (0.0, 1.0))}, False),
        ({"B2": course((3.0, 5.0), (0.0, 1.0))}, False),
        ({"near": course((16.0, 0.5), (0.0, 1.0))}, False),
        ({"B2": course((16.0, 0.2), (90.0, 0.2), (16.0, 1.0))}, False),
        ({"B2": course((16.0, 0.5), (90.0, 0.2), (16.0, 1.0))}, True),
        ({"B2": course((16.0, 0.5)), "B3": course((0.0, 0.2), (12.0, 1.0))}, False),
        ({"B2": course((16.0, 0.5)), "B3": course((0.0, 0.45), (12.0, 1.0))}, True),
        ({"B2": course((0.0, 0.7), (16.0, 0.5), (0.0, 1.0)), "far": course((30.0, 0.4))}, False),
        ({"B2": course((0.0, 1.0), (16.0, 0.5), (0.0, 1.0)), "far": course((30.0, 0.4))}, True),
        ({"B2": course((90.0, 1.0), (12.0, 2.0), (6.0, 3.0), (0.0, 1.0))}, False),
        ({"B2": course((90.0, 1.0), (1.0, 2.0), (12.0, 3.0), (0.0, 1.0))}, True),
        ({"B2": [*STEPS, *course((9.0, 0.3))[100:]]}, False),
        ({"B2": [*STEPS, *course((11.0, 0.02), (9.0, 0.1), (20.0, 0.5))[100:]]}, True),
        ({"B2": [*STEPS, *course((11.0, 0.06), (9.0, 0.1), (20.0, 0.5))[100:]]}, False),
    ],
)
def test_what_is_like_a_finger(felt: Loads, is_like: bool) -> None:
    assert bool(lookalikes(felt)) is is_like


def evening_of(felt: Loads, touches: list[Touch], kind: str = "planted") -> Evening:
    lines = [(0.0, "noise 0.3"), *shapes(felt)]
    incident = Incident(kind, 0.0, 4.0, loads=felt)
    return Evening("planted", 4.0, touches, [incident], lines, unlike=None, abuse=felt)  # type: ignore[arg-type]


def test_what_nobody_can_tell_from_a_finger_is_taken_for_one() -> None:
    """A puddle of 2 ml that lies within one cell, and comes at once: no rule here helps."""
    counts = loads([floating(disc(*PADS["C3"].middle, 14.0))])["C3"]
    assert 7.0 < counts < 60.0
    felt = {"C3": course((counts, 2.0))}
    assert lookalikes(felt)
    ((at, place),) = play(evening_of(felt, [])).false
    assert PLACES[place] == "C3"
    assert 1.4 < at < 1.5


def test_a_drop_that_comes_as_a_finger_does_is_counted_apart() -> None:
    played = play(evening_of({"C3": course((16.0, 2.0))}, [], NEVER_ANEW))
    assert [place for _, place in played.alike] == [PLACES.index("C3")]
    assert played.false == []


def test_a_guess_by_drops_that_a_rule_should_have_told_is_false() -> None:
    """A policy that guesses at the first contact, of a drop that has not lain there for a hold."""
    felt = {"C3": course((16.0, 2.0))}
    played = play(evening_of(felt, [], NEVER_ANEW), intents=WEAK["taps"].make)
    assert [place for _, place in played.false] == [PLACES.index("C3")]
    assert played.alike == []


@pytest.mark.parametrize("dries_under_it", [True, False])
def test_a_hand_under_which_a_drop_dried_may_seem_to_come_as_a_finger_does(
    dries_under_it: bool,
) -> None:
    """The drop is in the baseline by then. The hand eases to little more, and presses again."""
    seconds = 9.0 if dries_under_it else 1.0
    drop = {"C3": [5.0] * round(100 * seconds)}
    rise = [11.0 + step for step in range(20)]
    hand = {"C3": [0.0] * 895 + [200.0] * 200 + [11.0] * 200 + rise + [30.0] * 50 + [0.0] * 50}
    both = [count + more for count, more in zip_longest(hand["C3"], drop["C3"], fillvalue=0.0)]
    evening = Evening(
        seed="planted",
        seconds=15.0,
        touches=[],
        incidents=[
            Incident(NEVER_ANEW, 0.0, seconds, loads=drop),
            Incident("planted", 8.95, 14.2, loads=hand),
        ],
        lines=[(0.0, "noise 0.3"), *shapes({"C3": both})],
        unlike=Counter(),
        abuse={"C3": both},
    )
    played = play(evening)
    assert [place for _, place in played.alike] == [PLACES.index("C3")] * dries_under_it
    assert played.false == []


def test_drips_are_played_as_they_fall_and_nothing_else_that_is_like_a_finger() -> None:
    evenings = [plan(f"as it falls/{number}", ("drip", "palm")) for number in range(20)]
    assert any(lookalikes(evening.abuse, HELD) for evening in evenings)
    for evening in evenings:
        assert evening.unlike.keys() <= {"palm"}
        palms = [one for one in evening.incidents if one.kind == "palm"]
        assert not any(lookalikes(palm.loads) for palm in palms)


def test_a_touch_that_is_meant_is_one_and_is_not_blamed() -> None:
    felt = {"C3": course((16.0, 0.5), (0.0, 1.0))}
    played = play(evening_of(felt, [Touch(PLACES.index("C3"), 1.0, 1.5)]))
    assert played.false == []


def test_a_share_of_a_pad_counts_as_much_as_its_area() -> None:
    edge = loads([Body(disc(PADS["C3"].left, PADS["C3"].middle[1], 6.0))])["C3"]
    assert edge == pytest.approx(0.5 * COUNTS_PER_MM2 * disc(0.0, 0.0, 6.0).area, rel=0.05)
