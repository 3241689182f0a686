"""The lights' answers to hands: held, refused, unclear, wet, or not felt."""

from itertools import pairwise

import pytest
from msgspec.structs import replace
from pictures import (
    CALM,
    IN_PLAY,
    NOW,
    OVER,
    STILL,
    VIEWS,
    brightness,
    cell,
    covering,
    film,
    picture,
    playing,
    said,
    shown,
    view,
)

from pi_table.common.geometry import CELL_COUNT, CELLS, END_TURN, HOURGLASS, PLACE_COUNT, SIDE
from pi_table.devices.lights.colours import AMBER, OFF
from pi_table.devices.lights.light import FRAME_SECONDS, WIPE_SECONDS, light
from pi_table.devices.lights.picture import Attention, Held, Picture
from pi_table.devices.lights.scenes import REFUSED_SECONDS
from pi_table.games.announcer.announcement import What
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import Key
from pi_table.games.rules.word_games.views import PublicView

HOLD = Held(5, NOW, NOW + 0.4)
PLAYING = view(covered=covering(*IN_PLAY))
IN_PLAY_CELL = next(place for place, each in enumerate(PLAYING.cells.values()) if each.covered)
AT_REST = [each for each in [*VIEWS, *OVER] if each.phase is not Phase.CLUE or each.paused]


def held(of: PublicView | None, hold: Held = HOLD) -> Picture:
    return picture(of, Attention(hold=hold))


@pytest.mark.parametrize("of", [*AT_REST, None])
def test_a_finger_is_answered_in_its_first_frame_and_nowhere_else(of: PublicView | None) -> None:
    place = CELL_COUNT - 1
    before, after = shown(picture(of)), shown(held(of, Held(place, NOW, NOW + 0.4)))
    assert brightness(cell(after, place)) > 1.5 * brightness(cell(before, place))
    assert {p for p in range(PLACE_COUNT) if cell(after, p) != cell(before, p)} == {place}


@pytest.mark.parametrize("place", [5, 24, END_TURN])
def test_a_suspected_finger_is_answered_more_faintly_and_nowhere_else(place: int) -> None:
    before, suspected, felt = (
        shown(picture(PLAYING, attention))
        for attention in (
            Attention(),
            Attention(perhaps=place),
            Attention(hold=Held(place, NOW, NOW + 0.4)),
        )
    )
    levels = [brightness(cell(lights, place)) for lights in (before, suspected, felt)]
    assert 1.2 * levels[0] < levels[1] < levels[2] / 1.1
    assert {p for p in range(PLACE_COUNT) if cell(suspected, p) != cell(before, p)} == {place}


@pytest.mark.parametrize("of", [PLAYING, *OVER, None])
def test_a_suspicion_where_a_touch_means_nothing_is_not_shown(of: PublicView | None) -> None:
    place = IN_PLAY_CELL
    assert shown(picture(of, Attention(perhaps=place))) == shown(picture(of))


@pytest.mark.parametrize("place", [5, END_TURN])
def test_a_held_place_fills_with_light_until_its_time_is_over(place: int) -> None:
    drawn = film(held(view(), Held(place, NOW, NOW + 0.4)), 0.4 - FRAME_SECONDS / 2)
    levels = [brightness(lights) for lights in drawn.of(place)]
    assert len(levels) >= 20
    assert all(before < after for before, after in pairwise(levels))
    assert levels[-1] > 2.0 * levels[0]


def test_a_held_cell_is_as_bright_as_it_gets_while_its_touch_is_stored() -> None:
    full = shown(held(view()), NOW + 0.4)
    storing = picture(view(), Attention(storing=HOLD))
    assert cell(shown(storing, NOW + 2.0), 5) == cell(full, 5)
    assert light(storing, NOW + 2.0).wakes is None


def test_a_hold_that_ends_between_two_beats_takes_up_the_lights_way_with_no_frame() -> None:
    hold, ends = Held(5, NOW - 0.39, NOW + 0.01), NOW + 0.0101
    before = light(picture(view(), Attention(hold=hold)), NOW)
    storing = picture(view(), Attention(storing=hold))
    after = light(storing, ends)
    assert after.frame == before.frame
    assert after.wakes == pytest.approx(NOW + FRAME_SECONDS)
    later = light(storing, after.wakes or 0.0)
    assert brightness(cell(later.frame, 5)) > brightness(cell(after.frame, 5))
    assert later.wakes is None


def test_a_first_tap_glows_and_needs_no_redrawing() -> None:
    waiting = light(held(view(), Held(5, NOW, None)), NOW)
    assert brightness(cell(waiting.frame, 5)) > 2 * brightness(cell(shown(picture(view())), 5))
    assert waiting.wakes is None


@pytest.mark.parametrize("place", [0, 5, END_TURN, HOURGLASS])
@pytest.mark.parametrize("at", [NOW, NOW + 2.4, 7.02, 86_400.12])
def test_a_refused_touch_flashes_twice_and_then_all_is_as_before(place: int, at: float) -> None:
    # CN-21
    of = picture(view())
    usual = shown(of)
    drawn = film(playing(of, said(What.REFUSED, place=place), at=at), 2.0, at)
    colours = drawn.of(place)
    changes = [
        (round(when - at, 6), {*after})
        for (when, _), before, after in zip(drawn.frames, [None, *colours], colours, strict=False)
        if before != after
    ]
    flashes = [(0.0, {AMBER}), (0.2, {OFF}), (0.4, {AMBER}), (0.6, {OFF})]
    ends = [] if {*cell(usual, place)} == {OFF} else [(0.8, {*cell(usual, place)})]
    assert changes == [*flashes, *ends]
    assert drawn.rests == pytest.approx(at + REFUSED_SECONDS, abs=FRAME_SECONDS)
    assert drawn.frames[-1][1] == usual
    for other in {*range(PLACE_COUNT)} - {place}:
        assert {*drawn.of(other)} == {cell(usual, other)}


def test_a_refusal_is_seen_on_a_table_that_is_out_of_order_and_in_a_reveal() -> None:
    broken = Picture(Standing(None, None, out_of_order=True))
    assert {*cell(shown(playing(broken, said(What.REFUSED, place=1))), 1)} == {AMBER}
    both = playing(picture(view()), said(What.REVEALING), said(What.REFUSED, place=1))
    assert {*cell(shown(both), 1)} == {AMBER}


def test_what_is_unclear_is_shown_where_it_is_and_everything_else_steps_back() -> None:
    unclear = Attention(unclear=frozenset({3, 4, END_TURN}), waiting=True)
    frame, before = shown(picture(PLAYING, unclear)), shown(picture(PLAYING))
    for place in range(PLACE_COUNT):
        if place in (3, 4, END_TURN):
            assert {*cell(frame, place)} == {AMBER}
        else:
            dim, usual = brightness(cell(frame, place)), brightness(cell(before, place))
            assert dim < 0.5 * usual or dim == usual == 0.0


@pytest.mark.parametrize("of", [*VIEWS, *OVER, None])
def test_while_the_table_settles_everything_is_dim(of: PublicView | None) -> None:
    settling, before = shown(picture(of, Attention(waiting=True))), shown(picture(of))
    for place in range(PLACE_COUNT):
        dim, usual = brightness(cell(settling, place)), brightness(cell(before, place))
        assert dim < 0.5 * usual or dim == usual == 0.0


@pytest.mark.parametrize("of", [*AT_REST, None])
def test_a_table_that_is_blocked_asks_to_be_wiped(of: PublicView | None) -> None:
    """A bar goes to and fro like a cloth: known by its shape and its walk, whatever its hue."""
    wet = Attention(blocked=True, waiting=True, unclear=frozenset({7}))
    walk: list[int] = []
    for now, frame in film(picture(of, wet), 4.0).frames:
        calm = shown(picture(of, Attention(waiting=True)), now)
        (column,) = {p % SIDE for p in range(CELL_COUNT) if cell(frame, p) != cell(calm, p)}
        bar = {cell(frame, place) for place in range(column, CELL_COUNT, SIDE)}
        assert len(bar) == 1
        free = [p for p in range(CELL_COUNT) if of is None or not of.cells[CELLS[p]].covered]
        lights = brightness(*bar)
        assert all(lights > 3 * brightness(cell(frame, p)) for p in free if p % SIDE != column)
        if not walk or walk[-1] != column:
            walk.append(column)
    assert {abs(one - other) for one, other in pairwise(walk)} == {1}
    assert {*walk} == {*range(SIDE)}
    assert len(walk) == pytest.approx(4.0 / WIPE_SECONDS, abs=2)


def test_cells_that_are_deaf_are_dark_unless_they_are_covered() -> None:
    of = replace(PLAYING, guesses=1)
    deaf = Attention(deaf=frozenset({0, 1, 9, END_TURN}))
    frame, before = shown(picture(of, deaf)), shown(picture(of))
    dark = {p for p in range(PLACE_COUNT) if cell(frame, p) != cell(before, p)}
    assert dark == {9, END_TURN}
    assert {light for place in dark for light in cell(frame, place)} == {OFF}
    assert brightness(cell(shown(picture(None, deaf)), 0)) == 0.0


def test_when_a_game_is_over_deaf_cells_show_its_end_too() -> None:  # ALL-5
    over = view(Phase.OVER, outcome=CALM)
    opened = view(Phase.OVER, outcome=CALM, open_key=Key.read("rrrrrrrrrbbbbbbbbnnnnnnna"))
    for ended in (over, opened):
        assert shown(picture(ended, Attention(deaf=frozenset({9})))) == shown(picture(ended))


def test_lights_that_rest_ask_for_nothing() -> None:
    for of in (view(), view(covered=covering(IN_PLAY[0])), view(Phase.CHALLENGE), None):
        assert light(picture(of, STILL), NOW).wakes is None
