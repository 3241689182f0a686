"""The order of light updates: first the place that somebody waits for, and never too many."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace
from pictures import VIEWS

from pi_table.common.geometry import leds_of
from pi_table.devices.hal.contracts import LightFrame
from pi_table.devices.lights.light import light, start_of_answer
from pi_table.devices.lights.picture import Attention, Held, Look, Picture, Playing
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.word_games.board import Phase
from pi_table.table.engine.presentation.light_player import (
    SECOND_FRAME_SECONDS,
    WHOLE_TABLE_SECONDS,
    LightPlayer,
)

NOW = 1000.0
PLACE = 7
HOLD = Attention(hold=Held(PLACE, NOW, NOW + 0.4))


class Shown:
    """Lights that remember each frame."""

    def __init__(self) -> None:
        self.frames: list[LightFrame] = []

    def show(self, frame: LightFrame) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        """There is nothing to let go of."""


def playing(frames_per_second: int = 25) -> tuple[LightPlayer, Shown]:
    lights = Shown()
    player = LightPlayer(lights, frames_per_second)
    player.show(Picture(), NOW - 1.0)
    lights.frames.clear()
    return player, lights


def changed(before: LightFrame, after: LightFrame) -> set[int]:
    return {led for led, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]}


def test_a_finger_s_place_is_lit_before_all_that_changes_with_it() -> None:
    player, lights = playing()
    calm = light(Picture(), NOW).frame
    both = Picture(Standing(sleeps=True), HOLD)
    player.show(both, NOW)
    assert changed(calm, lights.frames[0]) == {*leds_of(PLACE)}
    assert player.wakes == pytest.approx(NOW + SECOND_FRAME_SECONDS)
    player.play(NOW + SECOND_FRAME_SECONDS)
    assert lights.frames[-1] == light(both, NOW + SECOND_FRAME_SECONDS).frame
    assert len(lights.frames) == 2


def test_a_suspected_place_is_lit_before_all_and_once() -> None:
    player, lights = playing()
    view = next(each for each in VIEWS if each.phase is Phase.GUESS)
    player.show(Picture(Standing(view)), NOW)
    before = lights.frames[-1]
    place = next(at for at, each in enumerate(view.cells.values()) if each.covered is None)
    suspected = Picture(Standing(view, urging=True), Attention(perhaps=place))
    player.show(suspected, NOW + 0.1)
    assert changed(before, lights.frames[-1]) == {*leds_of(place)}
    told = len(lights.frames)
    player.show(suspected, NOW + 0.101)
    assert changed(before, lights.frames[-1]) >= {*leds_of(place)}
    assert len(lights.frames) <= told + 1


def test_a_cell_that_is_about_to_be_answered_is_lit_before_the_rest_goes_quiet() -> None:
    player, lights = playing()
    calm = light(Picture(), NOW).frame
    said = Announcement(What.REVEALING, "…", place=PLACE)
    answering = Picture(playing=(Playing(said, NOW),), attention=Attention(waiting=True))
    player.show(answering, NOW)
    assert changed(calm, lights.frames[0]) == {*leds_of(PLACE)}
    assert lights.frames[0][leds_of(PLACE)[1]] != calm[leds_of(PLACE)[1]]
    player.play(NOW + SECOND_FRAME_SECONDS)
    assert changed(calm, lights.frames[1]) > {*leds_of(PLACE)}


def test_the_same_hold_is_no_news() -> None:
    player, lights = playing()
    player.show(Picture(attention=HOLD), NOW)
    player.show(Picture(Standing(sleeps=True), HOLD), NOW + 0.1)
    assert lights.frames[-1] == light(Picture(Standing(sleeps=True), HOLD), NOW + 0.1).frame


def test_what_moves_by_itself_comes_no_faster_than_it_may() -> None:
    player, lights = playing(10)
    said = Announcement(What.RESUMED, "…")
    player.show(Picture(playing=(Playing(said, NOW),)), NOW)
    for millisecond in range(1000):
        player.play(NOW + millisecond / 1000)
    assert 8 <= len(lights.frames) <= 10


def test_a_frame_that_changes_nothing_is_not_shown() -> None:
    player, lights = playing()
    player.show(Picture(), NOW)
    assert lights.frames == []


def test_a_guess_that_is_being_stored_keeps_the_line_free_for_its_answer() -> None:
    player, lights = playing()
    storing = Picture(Standing(sleeps=True), Attention(storing=HOLD.hold))
    player.show(storing, NOW + 0.4)
    assert lights.frames == []
    assert player.wakes == pytest.approx(NOW + 0.4 + SECOND_FRAME_SECONDS)
    player.play(NOW + 0.4 + SECOND_FRAME_SECONDS)  # the disk is slow
    assert lights.frames == [light(storing, NOW + 0.4 + SECOND_FRAME_SECONDS).frame]
    player.show(Picture(attention=Attention(storing=HOLD.hold)), NOW + 0.43)
    assert len(lights.frames) == 2  # only its beginning waits


def test_before_the_end_of_a_hold_the_line_is_kept_free_for_its_answer() -> None:
    player, lights = playing(60)
    player.show(Picture(attention=HOLD), NOW)
    for millisecond in range(400):
        shown = len(lights.frames)
        player.play(NOW + millisecond / 1000)
        if len(lights.frames) > shown:
            last = NOW + millisecond / 1000
    assert len(lights.frames) >= 8
    assert last <= NOW + 0.4 - WHOLE_TABLE_SECONDS
    assert player.wakes == NOW + 0.4


def test_after_the_first_place_nothing_moves_before_the_rest() -> None:
    player, _ = playing(1000)
    moving = Announcement(What.RESUMED, "…")
    player.show(Picture(playing=(Playing(moving, NOW),)), NOW)
    player.show(Picture(playing=(Playing(moving, NOW),), attention=HOLD), NOW + 0.1)
    assert player.wakes == pytest.approx(NOW + 0.1 + SECOND_FRAME_SECONDS)


ATTENTIONS = (
    *(Attention(), HOLD, Attention(storing=HOLD.hold), Attention(perhaps=PLACE)),
    *(Attention(waiting=True), Attention(blocked=True), Attention(unclear=frozenset({PLACE}))),
    *(Attention(deaf=frozenset({PLACE})), Attention(deaf=frozenset({PLACE + 1}))),
)
SURPRISES: tuple[dict[str, Any], ...] = (
    {},
    *({name: True} for name in ("out_of_order", "located", "hurry", "peeking")),
)


def answering(picture: Picture, place: int) -> Picture:
    said = Announcement(What.REVEALING, "…", place=place)
    return replace(picture, playing=(*picture.playing, Playing(said, NOW)))


def test_the_first_light_of_an_answer_is_the_one_that_it_begins_with() -> None:
    sweeping = Playing(Announcement(What.CLUE, "…"), NOW - 0.3)
    known = 0
    for view, attention, more, brightness, playing in product(
        VIEWS, ATTENTIONS, SURPRISES, (1.0, 0.35), ((), (sweeping,))
    ):
        look = Look(brightness=brightness)
        picture = Picture(Standing(view, **more), attention, playing, look)
        colours = start_of_answer(picture, PLACE)
        if colours is not None:
            begun = light(answering(picture, PLACE), NOW).frame
            assert colours == begun[leds_of(PLACE)[0] : leds_of(PLACE)[-1] + 1]
            known += attention in (HOLD, Attention(storing=HOLD.hold))
    assert known == 2 * len(VIEWS) * 3 * 2 * 2  # whenever nothing is wrong with the table


def test_an_answer_begins_with_its_cell_and_is_sent_once() -> None:
    player, lights = playing()
    player.expect_answer(PLACE)
    assert lights.frames == []
    player.answer()
    calm = light(Picture(), NOW).frame
    assert changed(calm, lights.frames[0]) == {*leds_of(PLACE)}
    player.answer()
    player.show(answering(Picture(Standing(sleeps=True)), PLACE), NOW)
    assert len(lights.frames) == 1
    assert player.wakes == pytest.approx(NOW + SECOND_FRAME_SECONDS)


def test_an_answer_goes_over_the_newest_frame() -> None:
    player, lights = playing()
    player.expect_answer(PLACE)
    asleep = Picture(Standing(sleeps=True))
    player.show(asleep, NOW)
    player.answer()
    assert changed(light(asleep, NOW).frame, lights.frames[-1]) == {*leds_of(PLACE)}
    player.show(Picture(), NOW + 1.0)
    shown = len(lights.frames)
    player.answer()
    assert len(lights.frames) == shown  # the answer is given once


@pytest.mark.parametrize("attention", [Attention(waiting=True), Attention(deaf=frozenset({PLACE}))])
def test_what_came_over_the_cell_while_the_disk_was_slow_stays(attention: Attention) -> None:
    player, lights = playing()
    player.expect_answer(PLACE)
    player.show(Picture(attention=attention), NOW)
    player.play(NOW + SECOND_FRAME_SECONDS)
    shown = [*lights.frames]
    player.answer()
    assert lights.frames == shown


def test_an_answer_has_the_brightness_of_its_moment() -> None:
    player, lights = playing()
    player.expect_answer(PLACE)
    dimmed = Picture(look=Look(brightness=0.2))
    player.show(dimmed, NOW)
    player.answer()
    assert lights.frames[-1][leds_of(PLACE)[0]] == (start_of_answer(dimmed, PLACE) or ())[0]


def test_when_something_else_is_stored_no_answer_is_shown() -> None:
    player, lights = playing()
    player.expect_answer(PLACE)
    player.expect_answer(None)
    player.answer()
    assert lights.frames == []
