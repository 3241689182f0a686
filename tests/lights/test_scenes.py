"""The lights' scenes for announcements, frame by frame."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final

import pytest
from msgspec.structs import replace
from pictures import (
    CALM,
    IN_PLAY,
    NOW,
    brightness,
    cell,
    codex_view,
    covering,
    film,
    flashes,
    guessed,
    picture,
    playing,
    said,
    sampled,
    shown,
    view,
)

from pi_table.common.geometry import LED_COUNT, PLACE_COUNT, leds_of
from pi_table.devices.lights.canvas import LightFrame
from pi_table.devices.lights.light import FRAME_SECONDS, light
from pi_table.devices.lights.picture import Attention, Held, Picture
from pi_table.devices.lights.scenes import ABOUT_TO_ANSWER, SCENES
from pi_table.games.announcer.announcement import ARMED_ECHO, ECHO, TENSION, What
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import Identity
from pi_table.games.rules.word_games.views import NukeView, PublicView
from pi_table.lab.seeing.srgb import luminance
from pi_table.protocols.ipc.messages import AnyView

SEEN_IN_HOW_IT_STANDS: Final = {
    What.LAY: "the ground has the colour and the shape of the team that lays",
    What.HAND: "the same",
    What.CHOSEN: "no light: a word is not told by lights, and the card is still in the hand",
    What.GUESSES: "no light: a number is not told by lights, and the clue's answer has just been",
    What.HURRY: "the rim swells",
    What.PAUSE: "everything is dim",
    What.LONGER: "no light: the agent stays, and so does the light of their cell",
    What.VOTE: "the cell of the agent who votes is white",
    What.NEW_CODE: "no light: it is chosen at the hidden screen",
    What.EXPLAIN: "no light: it explains in words what the lights show anyway",
    What.PEEK: "the far edge is violet",
    What.STILL_PLAYING: "the cells in the middle breathe",
    What.SLEEPS: "slow swells of light",
    What.WIPE: "a bar of light goes to and fro",
    What.SERVICE: "what is tried, and nothing of a game",
    What.CLOSED: "no light: nobody is invited any more",
    What.FAULT: "a cross",
}
"""Announcements without a scene, and the lights that show them instead."""
WHATEVER_HAPPENS: Final = [
    view(covered=covering(*IN_PLAY)),
    view(Phase.CLUE, Team.BLUE),
    view(Phase.OVER, outcome=CALM),
    codex_view(),
    None,
]
FOUND: Final = (
    Identity.RED,
    Identity.BLUE,
    Identity.BYSTANDER,
    Identity.DECOY,
    Identity.ASSASSIN,
    Identity.NUKE,
)
MOST_FLASHES: Final = 3
"""Pairs of opposing changes that any second may have (WCAG 2.2, 2.3.1)."""


def scene_of(what: What, of: PublicView | None = WHATEVER_HAPPENS[0], **fields: object) -> Picture:  # type: ignore[assignment]
    return playing(picture(of), said(what, **fields))


def test_everything_that_is_announced_is_seen() -> None:
    assert {*SCENES} | {*SEEN_IN_HOW_IT_STANDS} == {*What}
    assert not {*SCENES} & {*SEEN_IN_HOW_IT_STANDS}


@pytest.mark.parametrize("what", SCENES)
def test_a_scene_changes_the_table_and_ends_as_the_table_stands(what: What) -> None:
    for of in WHATEVER_HAPPENS:
        for team in Team:
            scene, calm = playing(picture(of), said(what, team=team)), picture(of)
            ends = NOW + SCENES[what].seconds + FRAME_SECONDS
            assert shown(scene, ends) == shown(calm, ends)
            assert light(scene, ends).wakes == light(calm, ends).wakes
            instants = [NOW + at * FRAME_SECONDS for at in range(round(SCENES[what].seconds * 50))]
            assert any(shown(scene, at) != shown(calm, at) for at in instants)


def test_wins_and_losses_take_five_to_ten_seconds() -> None:
    assert 5.0 <= SCENES[What.WIN].seconds <= 10.0
    assert 5.0 <= SCENES[What.LOSS].seconds <= 10.0


# When the lights want to change


def scenes_and_stands() -> Iterator[tuple[str, Picture, float]]:
    for what, scene in SCENES.items():
        yield what.value, scene_of(what), scene.seconds + 1.0
    over = view(Phase.OVER, outcome=CALM, covered=covering(*IN_PLAY))
    stands: dict[str, AnyView] = {"clue": view(Phase.CLUE), "over": over, "codex": codex_view()}
    for name, of in stands.items():
        yield name, picture(of), 6.0
    yield "hold", picture(view(), Attention(hold=Held(3, NOW + 0.013, NOW + 0.413))), 1.0
    yield "wet", picture(view(), Attention(blocked=True)), 3.0
    for name in ("urging", "hurry", "asks", "sleeps"):
        yield name, Picture(Standing(view(), 1, **{name: True})), 3.0  # type: ignore[arg-type]
    later = said(What.TURN)
    yield "later", playing(picture(view()), replace(later, after=1.9)), 4.0


@pytest.mark.parametrize(("name", "of", "seconds"), [*scenes_and_stands()])
def test_between_two_instants_at_which_they_want_to_change_the_lights_stand_still(
    name: str, of: Picture, seconds: float
) -> None:
    """Where only what a game shows at rest moves, they want to every 0.1 s; what a frame between
    would show beside that is no more than that slow motion makes in that time."""
    drawn = film(of, seconds, NOW + 0.0003)
    ends = [now for now, _ in drawn.frames[1:]] + [drawn.rests or NOW + seconds]
    if drawn.rests is not None:
        ends[-1] = drawn.rests + 30.0
    for (now, frame), until in zip(drawn.frames, ends, strict=True):
        for share in (0.3, 0.6, 0.9):
            between = light(of, now + share * (until - now)).frame
            if until - now < 2.5 * FRAME_SECONDS or drawn.rests is not None:
                assert between == frame
            else:
                assert apart(between, frame) < 16


def apart(one: LightFrame, other: LightFrame) -> int:
    """The most that a channel of a light differs, of 255."""
    return max(
        abs((a >> shift & 0xFF) - (b >> shift & 0xFF))
        for a, b in zip(one, other, strict=True)
        for shift in (16, 8, 0)
    )


# Reveals


def after_a_guess(identity: Identity) -> Picture:
    """A red guess of E5 found this; blue's turn, the end or another guess follows from it."""
    before = view(guesses=1, covered=covering(*IN_PLAY))
    cells = {**before.cells, "E5": replace(before.cells["E5"], covered=identity)}
    match identity:
        case Identity.RED:
            after = replace(before, guesses=2, guesses_left=1)
        case Identity.ASSASSIN | Identity.NUKE:
            ended = Outcome(Team.BLUE, (Team.RED,), Why.ASSASSIN)
            after = view(Phase.OVER, outcome=ended)
        case _:
            after = view(Phase.CLUE, Team.BLUE)
    return guessed(before, replace(after, cells=cells))


def test_until_a_guess_is_answered_the_lights_are_the_same_whatever_it_is() -> None:
    """Every LED at every instant, and the instants at which they change: hushed are the turn, the
    pads, the winner and who may touch."""
    for attention in (
        Attention(),
        Attention(deaf=frozenset({7, 24})),
        Attention(perhaps=8),
        Attention(hold=Held(8, NOW + 0.3, NOW + 0.7)),
    ):
        first, *others = (
            replace(after_a_guess(identity), attention=attention) for identity in FOUND
        )
        before = film(first, TENSION - FRAME_SECONDS).frames
        assert len(before) == round(TENSION / FRAME_SECONDS)
        for other in others:
            assert film(other, TENSION - FRAME_SECONDS).frames == before


def test_a_time_a_peek_and_an_hourglass_tell_no_sooner_what_a_guess_was() -> None:
    right, fatal = after_a_guess(Identity.RED), after_a_guess(Identity.ASSASSIN)
    busy = replace(right.standing, hurry=True, peeking=True, hourglass=True, urging=True)
    for at in (0.0, 0.3, TENSION - FRAME_SECONDS):
        assert shown(replace(right, standing=busy), NOW + at) == shown(fatal, NOW + at)


def test_an_armed_nuke_tells_no_sooner_either() -> None:  # AL-11
    alias = view(profile="alias-24")
    frames = {
        shown(
            playing(
                picture(replace(alias, nuke=NukeView("mad", armed))), said(What.REVEALING, place=3)
            ),
            NOW + at,
        )
        for armed in (False, True)
        for at in (0.5,)
    }
    assert len(frames) == 1


def test_once_it_is_answered_everything_that_can_be_found_looks_different_at_once() -> None:
    frames = [shown(after_a_guess(identity), NOW + TENSION + 0.1) for identity in FOUND]
    assert len({*frames}) == len(FOUND)


def test_what_follows_from_a_guess_comes_when_its_answer_was_seen() -> None:
    of = after_a_guess(Identity.BYSTANDER)
    (turn,) = (each for each in of.playing if each.said.what is What.TURN)
    assert turn.at == pytest.approx(NOW + TENSION + ECHO)


def test_while_a_guess_is_answered_its_cell_keeps_the_eye() -> None:
    """The table steps back, and a light runs round the cell, faster and faster."""
    of = after_a_guess(Identity.RED)
    calm = shown(picture(view(covered=covering(*IN_PLAY))))
    turns: list[int] = []
    for at in range(50):
        frame = shown(of, NOW + at * FRAME_SECONDS)
        around = [brightness(cell(frame, place)) for place in range(3, 24)]
        assert max(around) < max(brightness(cell(calm, place)) for place in range(3, 24))
        lights = [luminance(colour) for colour in cell(frame, 24)]
        if not turns or turns[-1] != lights.index(max(lights)):
            turns.append(lights.index(max(lights)))
    assert all((after - before) % 4 == 1 for before, after in pairwise(turns))
    assert len(turns) >= 8
    assert cell(shown(of), 24)[1] == ABOUT_TO_ANSWER, "benchmarks wait for it"


# Flashes


def test_flashes_are_counted() -> None:
    assert flashes([0.0, 0.2] * 100) == 25
    assert flashes([0.0, 0.09] * 100) == 0
    assert flashes(([0.0] * 10 + [1.0] * 10) * 10) == 2
    assert flashes(([0.0] * 5 + [1.0] * 5) * 10) == 5


def busiest() -> Iterator[tuple[str, Picture, float]]:
    yield from scenes_and_stands()
    for identity in FOUND:
        yield f"guess of {identity.value}", after_a_guess(identity), 14.0
    every = covering(*(FOUND * 4))
    yield "everything", picture(view(covered=every)), 6.0


@pytest.mark.parametrize(("name", "of", "seconds"), [*busiest()])
def test_nothing_flashes_more_than_three_times_a_second(
    name: str, of: Picture, seconds: float
) -> None:
    """Neither the table as a whole, nor a quarter of its lights, nor a cell as a whole, which is
    all that a cell of one light shows. In a cell of four a light may run round faster."""
    levels = [[LUMINANCE(colour) for colour in frame] for frame in sampled(of, seconds)]
    assert flashes([sum(frame) / LED_COUNT for frame in levels]) <= MOST_FLASHES
    each = (flashes([frame[led] for frame in levels]) for led in range(LED_COUNT))
    assert sum(count > MOST_FLASHES for count in each) < LED_COUNT / 4
    for place in range(PLACE_COUNT):
        lights = leds_of(place)
        whole = [sum(frame[led] for led in lights) / len(lights) for frame in levels]
        assert flashes(whole) <= MOST_FLASHES, place


LUMINANCE: Final = cache(luminance)


def restlessness(of: Picture, seconds: float) -> float:
    """Return the change of light from frame to frame, in all; 1: the whole table lights up once."""
    frames = [[LUMINANCE(colour) for colour in frame] for frame in sampled(of, seconds)]
    return sum(
        abs(after - before) / LED_COUNT
        for one, other in pairwise(frames)
        for before, after in zip(one, other, strict=True)
    )


def test_the_assassin_and_the_nuke_are_the_most_striking_of_what_a_guess_can_find() -> None:
    """In the seconds after the answer their table changes most, and has the brightest instant."""
    changing, brightest = {}, {}
    for identity in FOUND:
        of = after_a_guess(identity)
        answer = [each for each in of.playing if each.said.identity is not None]
        scene = playing(replace(of, playing=()), *(replace(a.said, after=0.0) for a in answer))
        changing[identity] = restlessness(scene, 3.0)
        brightest[identity] = max(
            sum(map(LUMINANCE, frame)) / LED_COUNT for frame in sampled(scene, 3.0)
        )
    fatal = {Identity.ASSASSIN, Identity.NUKE}
    for measure in (changing, brightest):
        others = max(value for identity, value in measure.items() if identity not in fatal)
        print({identity.value: round(value, 3) for identity, value in measure.items()})
        assert all(measure[identity] > 1.5 * others for identity in fatal)


def test_a_scene_that_keeps_to_its_cell_leaves_all_others_alone() -> None:
    for what, scene in SCENES.items():
        if scene.local and what is not What.REVEALING:
            of = picture(view())
            calm, frame = shown(of), shown(playing(of, said(what)), NOW + 0.1)
            changed = {p for p in range(PLACE_COUNT) if cell(frame, p) != cell(calm, p)}
            assert changed == {12}


def test_of_two_scenes_that_fill_the_table_the_newer_one_is_seen() -> None:
    both = playing(picture(view()), said(What.TURN), replace(said(What.TIME_UP), after=0.3))
    assert shown(both, NOW + 0.4) == shown(
        playing(picture(view()), said(What.TIME_UP), at=NOW + 0.3), NOW + 0.4
    )


def test_what_follows_the_arming_of_the_nuke_lets_its_lights_play_to_their_end() -> None:
    assert SCENES[What.NUKE_ARMED].seconds <= ARMED_ECHO
