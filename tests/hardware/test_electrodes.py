"""The electrodes' design holds, its formulas are those of the books, and each check can fail."""

import re
from itertools import pairwise

import pytest

from hardware import capacity, parts
from hardware.dimensions import MM
from hardware.electrode_design import FILE, Design
from hardware.electrodes import boards, faults, others
from hardware.figures import fact, read, values

FIGURES = values(read(FILE))


def design(**other: float) -> Design:
    """The table's design, but for these figures and lengths."""
    lengths = {name: value for name, value in other.items() if name in MM}
    assert not {*other} - {*MM} - {*FIGURES}
    rest = {name: value for name, value in other.items() if name in FIGURES}
    return Design({**FIGURES, **rest}, {**MM, **lengths})


def test_the_design_of_the_table_holds() -> None:
    assert [*faults(Design())] == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (design(electrode_across=99), "99 mm across stands out of its cell of 98.4 mm"),
        (design(electrode_down=78.4), "78.4 mm down stands out of its cell of 78.4 mm"),
        (design(electrode_across=80), "80 mm across covers the lights of its cell"),
        (
            design(overlay_thickness=5.5),
            "E1: a light finger gives [\\d.]+ counts, less than 1.5 times",
        ),
        (design(overlay_thickness=6), "E1: a light finger is 4[.]. times the noise"),
        (design(noise_band=4), "E1: a light finger is [34][.]. times the noise"),
        (design(light_depth=1.6), "E1: a light finger gives 5[.]. counts"),
        (design(lead_height=0.2), "E1: a light finger gives "),
        (design(chip=15), "E1: its capacity takes 6[0-9][.]. µA for 1 µs; a chip gives 63 µA"),
        (design(light_depth=4), "A hard press bends the overlay by as much as"),
        (design(sleeve_air=300), "A sleeve on the guard gives"),
    ],
)
def test_what_does_not_hold_is_said(wrong: Design, why: str) -> None:
    assert [each for each in faults(wrong) if re.search(why, each)], [*faults(wrong)]


def test_the_tests_finger_is_one_that_the_design_expects() -> None:
    """The finger of the firmware's model, 16 counts on a pad of 17 to 25 pF, is within the design.

    It is no stronger than a light finger at the least sensitive place.
    """
    reckoned = Design()
    assert 16 <= reckoned.touch_counts(reckoned.farthest) <= 18
    assert reckoned.touch_counts(reckoned.farthest) < reckoned.touch_counts("C3")
    assert 17 <= reckoned.rest(reckoned.farthest) <= 25
    assert fact("DEFAULT_TOUCH") < reckoned.touch_counts(reckoned.farthest) / 2


def test_the_lights_are_reckoned_to_stay_below_a_tenth_of_a_count() -> None:
    reckoned = Design()
    for place in ("C3", reckoned.farthest):
        current, data = reckoned.light_edge(place), reckoned.data_edge(place)
        assert 0.1 < current < 0.3
        assert 1 < data < 3
        assert max(current, data) / FIGURES["samples"] < 0.1
    assert design(ground_step=4).light_edge("C3") == pytest.approx(2 * reckoned.light_edge("C3"))
    table = [row for row in others(reckoned) if "the lights'" in row]
    assert [row.split("|")[2].strip() for row in table] == ["0.1", "1.6"]


def test_a_board_without_parts_has_the_price_class_of_the_parts_list() -> None:
    bare = next(part for part in parts.read() if part.id == "electrode-board")
    low, high = parts.PRICES[bare.price_class]
    (row,) = [row for row in boards(Design()) if "has to be changed" in row]
    assert f"| {low:g} to {high:g} |" in row


def test_air_below_the_overlay_costs_counts_and_a_thinner_overlay_gives_more() -> None:
    courses = [Design().touch_counts("C3", air=air) for air in (0, 0.1, 0.2, 1)]
    assert all(more > less for more, less in pairwise(courses))
    assert courses[1] == pytest.approx(0.92 * courses[0], rel=0.01)
    assert (
        Design().touch_counts("C3", 2.0)
        > Design().touch_counts("C3")
        > Design().touch_counts("C3", 4.0)
    )


def test_a_finger_of_twice_the_size_has_twice_the_capacity_but_for_the_body() -> None:
    alone = design(body=1e9, supply_to_earth=1e9)
    assert alone.finger(100) == pytest.approx(2 * alone.finger(50))
    assert Design().finger(50) < alone.finger(50)


def test_every_pad_can_be_charged_in_a_microsecond_by_the_current_that_the_chip_has() -> None:
    assert 0 < Design().charge("C3") < Design().charge(Design().farthest) <= 63


def test_a_table_afloat_feels_less() -> None:
    assert design(supply_to_earth=10).touch_counts("C3") < design(supply_to_earth=100).touch_counts(
        "C3"
    )


# The formulas, against figures that are known


def test_two_plates_without_edges_are_those_of_the_book() -> None:
    """1 m² at 1 m has 8.854 pF; the edges of wide and near plates add little."""
    plates = design(electrode_across=70, electrode_down=50, light_depth=10.8, plate_share=1)
    bare = capacity.EPSILON * 70 * 50 / 10
    assert bare == pytest.approx(3.099, abs=0.001)
    assert plates.plate == pytest.approx(bare * 1.2175 * 1.2831, rel=1e-3)
    assert capacity.edges(1000, 1) == pytest.approx(1.003, abs=0.001)
    assert capacity.edges(10, 10) == pytest.approx(1.90, abs=0.01)


def test_a_wire_over_a_plane_is_that_of_the_book() -> None:
    """Of radius 1 at height 10: 2πε / arcosh 10 = 55.63 / 2.993 pF/m."""
    assert capacity.wire(10, 1) == pytest.approx(18.59, abs=0.01)


def test_two_strips_at_the_ratio_where_both_integrals_are_equal_have_half_epsilon() -> None:
    """k² = 1/2 makes K(k) = K(k')."""
    k = 0.5**0.5
    width = (1 / k - 1) / 2
    assert capacity.strips(width, 1) == pytest.approx(capacity.EPSILON / 2)


def test_a_trace_of_fifty_ohms_has_its_known_capacity() -> None:
    """FR4 of 1.6 mm: a trace of 0.2 mm has some 147 Ω, and 38 pF/m."""
    assert capacity.trace(0.2, 1.6, 4.4) == pytest.approx(38, abs=1)


def test_the_others_of_a_bundle_add_to_a_wire_by_their_distance() -> None:
    """Two wires: own potential 5.6, of the other 2.56; 55.6 · 5.6 / (5.6² - 2.56²) = 12.5 pF/m."""
    alone = capacity.bundled([0], 21.6, 0.16)
    assert alone == pytest.approx(capacity.wire(21.6, 0.16), rel=1e-4)
    assert capacity.bundled([0, 3.35], 21.6, 0.16) == pytest.approx(12.5, abs=0.1)
    courses = [capacity.bundled([i * apart for i in range(5)], 21.6, 0.16) for apart in (1, 2, 9)]
    assert courses == sorted(courses, reverse=True)
    assert courses[-1] > alone


def test_to_bundle_the_leads_of_a_chip_costs_less_than_a_sixth_of_the_counts() -> None:
    table, far = Design(), Design().farthest
    unbundled = table.rest(far) - table.bundling(far)
    assert 0 < table.bundling(far) < unbundled / 6


def test_leads_farther_apart_and_nearer_to_ground_couple_less() -> None:
    assert capacity.coupling(20, 5, 0.16, 1) < capacity.coupling(10, 5, 0.16, 1) / 2
    assert capacity.coupling(10, 2, 0.16, 1) < capacity.coupling(10, 5, 0.16, 1) / 2
