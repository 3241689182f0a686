"""The lights of a game at rest: the identity of each cell, the team in turn, the next act."""

from itertools import combinations, pairwise, product
from typing import Final

import pytest
from lit_cells import cells_lit_as
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
    codex_view,
    covering,
    film,
    picture,
    playing,
    said,
    sampled,
    shown,
    view,
)

from pi_table.common.geometry import (
    AGENT_CELLS,
    CELL_COUNT,
    CELLS,
    END_TURN,
    HOURGLASS,
    PLACE_COUNT,
    SIDE,
    leds_of,
)
from pi_table.common.palettes import Palette
from pi_table.devices.lights.canvas import LightFrame
from pi_table.devices.lights.colours import OFF, WHITE
from pi_table.devices.lights.identities import Corners
from pi_table.devices.lights.light import FRAME_SECONDS, LOCATE_SECONDS, PAUSED, light
from pi_table.devices.lights.picture import Held, Look, Picture
from pi_table.devices.lights.word_games import OPEN, OUTSHONE
from pi_table.games.announcer.announcement import What
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.countdown import TimerView
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import Identity, Key
from pi_table.games.rules.word_games.views import PublicView
from pi_table.lab.seeing.lights import shapes_apart
from pi_table.lab.seeing.srgb import luminance

KEY = Key.read("rrrrrrrrrbbbbbbbbnnnnnnna")
INSTANTS = (NOW, NOW + 0.3, NOW + 0.75, NOW + 1.1, NOW + 2.9)


@pytest.mark.parametrize("of", VIEWS + OVER)
@pytest.mark.parametrize("more", [{}, {"urging": True}, {"hurry": True}, {"peeking": True}])
def test_a_covered_cell_is_told_from_all_that_are_not(
    of: PublicView, more: dict[str, bool]
) -> None:
    """Brighter, and of another shape or colour, whatever else the table shows."""
    found = {CELLS.index(n): c.covered for n, c in of.cells.items() if c.covered}
    for now in INSTANTS:
        frame = shown(Picture(replace(Standing(of, 1), **more)), now)
        faces = {place: cell(frame, place) for place in range(CELL_COUNT)}
        ground = [faces[place] for place in range(CELL_COUNT) if place not in found]
        assert not {*ground} & {faces[place] for place in found}
        if not more:
            shares = (PAUSED,) if of.paused else (1.0, OUTSHONE)
            assert cells_lit_as(frame, shares) == {CELLS[place]: i for place, i in found.items()}


@pytest.mark.parametrize("of", [v for v in VIEWS if v.phase is not Phase.CLUE] + OVER)
def test_all_uncovered_cells_look_alike(of: PublicView) -> None:  # ALL-1
    for now in INSTANTS:
        frame = shown(picture(of), now)
        uncovered = {cell(frame, CELLS.index(n)) for n, c in of.cells.items() if not c.covered}
        assert len(uncovered) == 1


def test_while_a_clue_is_awaited_a_wave_runs_over_the_rows_and_cells_of_a_row_look_alike() -> None:
    waves = []
    for now in (NOW + 0.1 * step for step in range(40)):
        frame = shown(picture(view(Phase.CLUE)), now)
        rows = [{cell(frame, row * SIDE + at) for at in range(SIDE)} for row in range(SIDE)]
        assert all(len(row) == 1 for row in rows)
        lit = [brightness(*row) for row in rows]  # type: ignore[arg-type]
        waves.append([lit.index(light) for light in (min(lit), max(lit))])
    assert len({tuple(wave) for wave in waves}) > 3


def test_it_shows_by_colour_and_by_shape_whose_turn_it_is_and_whether_they_may_touch() -> None:
    for turn in Team:
        lights = cell(shown(picture(view(Phase.GUESS, turn))), 7)
        assert (len({*lights}) == 1) is (turn is Team.RED)
        assert (lights[0] >> 16 > 2 * (lights[0] & 0xFF)) is (turn is Team.RED)
    for one, other in combinations(product((Phase.CLUE, Phase.GUESS, Phase.PENALTY), Team), 2):
        assert shown(picture(view(*one))) != shown(picture(view(*other)))
    assert light(picture(view(Phase.GUESS)), NOW).wakes is None
    assert light(picture(view(Phase.CLUE)), NOW).wakes is not None


def test_the_end_turn_pad_is_lit_when_the_turn_may_be_ended() -> None:  # CN-12, CN-13, CN-26
    def pad(of: PublicView) -> set[int]:
        return {*cell(shown(picture(of)), END_TURN)}

    assert pad(view(guesses=0)) == {OFF}
    assert OFF not in pad(view(guesses=1))
    assert pad(view(Phase.CLUE)) == {OFF}
    assert pad(view(Phase.CHALLENGE)) == {OFF}


def test_the_hourglass_pad_is_lit_where_there_is_an_hourglass_and_brighter_at_its_end() -> None:
    # CN-24, CN-26
    def pad(of: PublicView, **more: bool) -> float:
        frame = shown(Picture(replace(Standing(of, 1), **more)))
        return brightness(cell(frame, HOURGLASS))

    runs = TimerView("hourglass", 60.0, running=True, urging=False)
    has = replace(view(), timer=runs)
    assert pad(has) == 0.0
    late = replace(has, timer=replace(runs, left=0.0, running=False, urging=True))
    assert 0.0 < pad(has, hourglass=True) < pad(late, hourglass=True, urging=True)
    assert pad(view(), hourglass=True) > 0.0


def test_a_pause_dims_everything() -> None:
    playing = view(covered=covering(*IN_PLAY))
    before, after = (shown(picture(replace(playing, paused=paused))) for paused in (False, True))
    for place in range(PLACE_COUNT):
        dimmed, full = brightness(cell(after, place)), brightness(cell(before, place))
        assert dimmed < 0.5 * full or dimmed == full == 0.0


def test_a_paused_game_asks_for_one_frame_and_no_more() -> None:
    for of in VIEWS:
        if of.paused:
            assert light(picture(of), NOW).wakes is None


def test_without_a_game_the_cells_are_lit_alike_and_the_pads_are_dark() -> None:
    frame = shown(picture(None))
    assert len({cell(frame, place) for place in range(CELL_COUNT)}) == 1
    assert brightness(cell(frame, 0)) > 0.0
    assert {*cell(frame, END_TURN), *cell(frame, HOURGLASS)} == {OFF}


def test_the_end_of_a_game_looks_of_its_winner() -> None:
    assert len({cell(shown(picture(over)), CELL_COUNT - 1) for over in OVER}) == 3


def test_a_key_that_was_opened_is_shown_darker_and_at_rest() -> None:  # ALL-5
    over = view(Phase.OVER, outcome=CALM, covered=covering(Identity.RED), open_key=KEY)
    first, later = shown(picture(over)), shown(picture(over), NOW + 1.7)
    hidden = {
        name: identity
        for name, identity in zip(CELLS, map(KEY.identity, range(25)), strict=True)
        if name != "A1"
    }
    assert cells_lit_as(first, (OPEN,)) == hidden
    assert first[leds_of(0).stop :] == later[leds_of(0).stop :]
    assert cells_lit_as(first) == {"A1": Identity.RED}


def test_a_time_that_has_run_out_swells_slowly_and_never_stands_still() -> None:  # CN-24
    drawn = film(Picture(Standing(view(), 1, urging=True)), 3.0)
    assert drawn.rests is None
    levels = [brightness(lights) for lights in drawn.of(24)]
    assert max(levels) > 1.5 * min(levels) > 0.0
    moves = [b > a for a, b in pairwise(levels) if a != b]
    assert sum(a != b for a, b in pairwise(moves)) in (3, 4)  # two swells


def test_the_last_seconds_are_seen_on_the_rim_and_nowhere_else() -> None:
    calm, hurried = (
        shown(Picture(Standing(view(), 1, hurry=hurry)), NOW + 0.1) for hurry in (False, True)
    )
    changed = {place for place in range(PLACE_COUNT) if cell(calm, place) != cell(hurried, place)}
    assert changed == {p for p in range(CELL_COUNT) if p // SIDE in (0, 4) or p % SIDE in (0, 4)}


@pytest.mark.parametrize("of", [None, *VIEWS, *OVER])
def test_a_table_that_is_out_of_order_looks_like_nothing_else(of: PublicView | None) -> None:
    broken = Picture(Standing(of, 1, out_of_order=True))
    frame = shown(broken)
    lit = [place for place in range(CELL_COUNT) if brightness(cell(frame, place))]
    assert lit == [0, 4, 6, 8, 12, 16, 18, 20, 24]  # a cross
    assert {*cell(frame, END_TURN), *cell(frame, HOURGLASS)} == {OFF}
    assert light(broken, NOW).wakes is None
    everything = frozenset(range(PLACE_COUNT))
    at_once = replace(STILL, deaf=everything, blocked=True, waiting=True)
    assert shown(replace(broken, attention=at_once)) == frame


@pytest.mark.parametrize("of", [None, *VIEWS, *OVER])
def test_a_table_that_is_out_of_order_blinks_when_it_is_located(of: PublicView | None) -> None:
    broken = Picture(Standing(of, 1, out_of_order=True))
    located = replace(broken, standing=replace(broken.standing, located=True))
    frames = {*sampled(located, 2 * LOCATE_SECONDS)}
    assert frames == {shown(broken), shown(located, 0.0)}
    lit = [place for place in range(CELL_COUNT) if {*cell(shown(located, 0.0), place)} == {WHITE}]
    assert lit == [*range(CELL_COUNT)]
    wakes = light(located, NOW).wakes
    assert wakes is not None
    assert NOW < wakes <= NOW + FRAME_SECONDS + 1e-6


def test_a_house_can_have_less_light() -> None:
    of = picture(view(covered=covering(*IN_PLAY)))
    full, half = shown(of), shown(replace(of, look=Look(brightness=0.5)))
    for bright, dark in zip(full, half, strict=True):
        for shift in (16, 8, 0):
            assert abs((dark >> shift & 0xFF) - (bright >> shift & 0xFF) / 2) <= 1


def test_lights_are_a_function_of_what_they_are_given() -> None:
    for of in VIEWS:
        assert light(picture(of), NOW + 0.123) == light(picture(of), NOW + 0.123)


def test_the_sign_of_a_peek_leaves_what_was_found_in_the_far_row_as_it_is() -> None:
    of = view(covered=covering(*IN_PLAY))
    calm, peeked = (
        shown(Picture(replace(Standing(of, 1), peeking=peeking))) for peeking in (False, True)
    )
    changed = {place for place in range(CELL_COUNT) if cell(calm, place) != cell(peeked, place)}
    assert changed == {3, 4}


ENDS: Final = {
    "red wins": Outcome(Team.RED, (Team.BLUE,), Why.AGENTS),
    "blue wins": Outcome(Team.BLUE, (Team.RED,), Why.AGENTS),
    "the group loses": Outcome(None, (Team.RED,), Why.ASSASSIN),
    "stopped": CALM,
}


def corners_of(frame: LightFrame, place: int) -> Corners:
    a, b, c, d = cell(frame, place)
    return (a, b, c, d)


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("brightness", [1.0, 0.45])
def test_who_has_won_shows_on_every_cell_to_every_kind_of_eyes(
    palette: Palette, brightness: float
) -> None:
    """By shape, which no eyes confuse; and the pads are the winner's."""
    frames = {}
    for name, outcome in ENDS.items():
        of = view(Phase.OVER, covered=covering(*IN_PLAY), outcome=outcome)
        frames[name] = shown(replace(picture(of), look=Look(palette, brightness)))
    faces = {name: corners_of(frame, CELL_COUNT - 1) for name, frame in frames.items()}
    assert faces.pop("stopped") == faces["the group loses"]
    for one, other in combinations(faces, 2):
        assert shapes_apart(faces[one], faces[other]) >= 0.4
    pads = {name: (cell(frame, END_TURN), cell(frame, HOURGLASS)) for name, frame in frames.items()}
    assert len({*pads.values()}) == 3
    assert {*pads["stopped"][0], *pads["stopped"][1]} == {OFF}


def test_the_table_of_a_winner_moves_as_its_agents_do() -> None:
    for team in Team:
        of = picture(view(Phase.OVER, outcome=Outcome(team, (team.other,), Why.AGENTS)))
        assert len({*sampled(of, 4.0)}) > 10
        assert light(of, NOW).wakes is not None


def test_a_winner_outshines_what_was_found_of_others_but_not_what_ended_the_game() -> None:
    outcome = Outcome(Team.BLUE, (Team.RED,), Why.ASSASSIN)
    frame = shown(picture(view(Phase.OVER, covered=covering(*Identity), outcome=outcome)))
    whole = {*cells_lit_as(frame, (1.0,)).values()}
    assert whole == {Identity.BLUE, Identity.ASSASSIN, Identity.NUKE}
    assert {*cells_lit_as(frame, (OUTSHONE,)).values()} == {*Identity} - whole


@pytest.mark.parametrize("winner", Team)
def test_between_the_agents_the_table_is_the_winning_faction_s(winner: Team) -> None:
    won = codex_view(outcome=Outcome(winner, (winner.other,), Why.CODE))
    lost = codex_view(outcome=Outcome(None, (*Team,), Why.CODE))
    frame = shown(picture(won))
    middle = cell(frame, CELL_COUNT // 2)
    of = picture(view(Phase.OVER, outcome=Outcome(winner, (winner.other,), Why.AGENTS)))
    assert middle == cell(shown(of), CELL_COUNT // 2)
    assert {*cell(shown(picture(lost)), CELL_COUNT // 2)} == {OFF}
    assert cell(frame, AGENT_CELLS[0]) == cell(shown(picture(lost)), AGENT_CELLS[0]) != middle
    assert len({*sampled(picture(won), 4.0)}) > 10
    assert light(picture(won), NOW).wakes is not None


MARKS: Final = ("D1", "B3", "E5")


def marked(of: PublicView, palette: Palette = Palette.STANDARD, share: float = 1.0) -> LightFrame:
    return shown(Picture(Standing(of, 1, marks=MARKS), look=Look(palette, share)))


@pytest.mark.parametrize("turn", Team)
def test_marks_are_seen_at_their_cells_and_nowhere_else(turn: Team) -> None:
    of = view(turn=turn, covered=covering(*IN_PLAY))
    plain, frame = shown(picture(of)), marked(of)
    changed = {place for place in range(PLACE_COUNT) if cell(plain, place) != cell(frame, place)}
    assert changed == {CELLS.index(name) for name in MARKS}
    assert len({cell(frame, place) for place in changed}) == 1
    assert light(Picture(Standing(view(), 1, marks=MARKS)), NOW).wakes is None


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("share", [1.0, 0.45])
@pytest.mark.parametrize("turn", Team)
def test_a_mark_is_told_by_its_shape_from_what_is_open_and_from_all_that_is_covered(
    turn: Team, share: float, palette: Palette
) -> None:
    of, look = view(turn=turn), Look(palette, share)
    face = corners_of(marked(of, palette, share), CELLS.index("B3"))
    ground = corners_of(shown(replace(picture(of), look=look)), CELLS.index("B3"))
    assert shapes_apart(face, ground) >= 0.4
    for identity in (*IN_PLAY, Identity.DECOY):  # after the others nobody guesses any more
        covered = view(covered=covering(identity))
        for frame in sampled(replace(picture(covered), look=look), 8.0):
            assert shapes_apart(face, corners_of(frame, 0)) >= 0.4, identity


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("turn", Team)
def test_a_mark_is_brighter_than_what_is_open_and_weaker_than_a_finger(
    turn: Team, palette: Palette
) -> None:
    of, look, place = view(turn=turn), Look(palette), CELLS.index("B3")
    touched = replace(STILL, hold=Held(place, NOW, NOW + 0.4))
    held = cell(shown(Picture(Standing(of, 1), touched, look=look)), place)
    glows = cell(marked(of, palette), place)
    ground = cell(shown(replace(picture(of), look=look)), place)
    assert brightness(ground) < brightness(glows) < 0.6 * brightness(held)
    assert max(map(luminance, glows)) < min(map(luminance, held))


def test_a_finger_at_a_marked_cell_is_answered_as_at_any_other() -> None:
    touched = replace(STILL, hold=Held(CELLS.index("B3"), NOW, NOW + 0.4))
    one, other = (Picture(Standing(view(), 1, marks=marks), touched) for marks in ((), MARKS))
    assert cell(shown(one), CELLS.index("B3")) == cell(shown(other), CELLS.index("B3"))


def test_while_a_guess_is_about_to_be_answered_no_mark_is_seen() -> None:  # ALL-1
    of = Picture(Standing(view(guesses=1), 1, marks=MARKS))
    hushed = playing(of, said(What.REVEALING, after=0.0))
    without = replace(hushed, standing=replace(hushed.standing, marks=()))
    assert shown(hushed, NOW + 0.1) == shown(without, NOW + 0.1)
