"""Each team's lights are of its colour, in every ground and scene and for every kind of eyes.

The grounds and scenes are those that `pi-table colours` lists.
"""

from functools import cache
from typing import Final

import pytest
from lit_cells import cells_lit_as
from msgspec.structs import replace
from pictures import NOW, brightness, cell, covering, picture, sampled, shown, view

from pi_table.common.house_settings import MIN_BRIGHTNESS
from pi_table.common.palettes import Palette
from pi_table.devices.lights.colours import AMBER, PALETTES
from pi_table.devices.lights.light import PAUSED
from pi_table.devices.lights.picture import Look, Picture
from pi_table.devices.lights.word_games import GROUNDS as COLOURED
from pi_table.devices.lights.word_games import URGE_SECONDS, WAVE_SECONDS
from pi_table.games.announcer.announcement import What
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import AGENT_OF
from pi_table.lab.seeing.difference import distance, hue_between
from pi_table.lab.seeing.lights import DIMMED
from pi_table.lab.seeing.team_lights import (
    GROUNDS,
    MEASURED,
    PLAYED,
    TeamLight,
    neutral_light,
    team_lights,
)
from pi_table.lab.seeing.vision import Vision, simulate_vision

NEUTRAL: Final = ("is challenged", What.CHALLENGE.value)
"""Nobody may touch, and so neither team's colour is shown."""
OF_ANOTHER_COLOUR: Final = {
    What.BEGINS.value: "a warm ring runs before the team's",
    What.LAID_OUT.value: "a warm band shows the whole table",
    What.NEW_KEY.value: "the same",
    What.ALLOWED.value: "a white ring calms the table",
    What.PENALTY.value: "an amber band runs before the team's",
}
"""Scenes that mean another colour as well."""
MORE_THAN_LIGHTS_OF_THE_TEAM: Final = {What.WIN.value: "the rockets have white sparks"}
LEVELS: Final = (1.0, DIMMED, MIN_BRIGHTNESS / 100)
LEAST_APART: Final = {1.0: 25.0, DIMMED: 11.0, MIN_BRIGHTNESS / 100: 2.5}
"""CIEDE2000 distance of the teams' mean lights. In the least light an LED has one step, and only
its hue tells."""
LEAST_FROM_WARM: Final = {
    (Team.RED, 1.0): 4.5,  # a little red in the warm white, told by eyes that see red
    (Team.RED, DIMMED): 4.5,
    (Team.BLUE, 1.0): 25.0,
    (Team.BLUE, DIMMED): 10.0,
    (Team.BLUE, MIN_BRIGHTNESS / 100): 2.5,
}
MOST_OFF: Final = 25.0
"""Degrees of hue. Red and blue are 95 apart, warm ground and blue 125."""


@cache
def lights_of(team: Team, palette: Palette, level: float) -> dict[str, TeamLight]:
    return {each.name: each for each in team_lights(team, Look(palette, level))}


COLOURED_BY_TEAM: Final = [
    name
    for name in (*GROUNDS, *(what.value for what in PLAYED))
    if name not in NEUTRAL and name not in OF_ANOTHER_COLOUR
]


def test_every_phase_and_every_scene_with_a_teams_colour_is_measured() -> None:
    assert {*COLOURED} | {Phase.CHALLENGE, Phase.OVER} == {*GROUNDS.values()} == {*Phase}
    assert {*lights_of(Team.RED, Palette.STANDARD, 1.0)} >= {*OF_ANOTHER_COLOUR, *COLOURED_BY_TEAM}


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", COLOURED_BY_TEAM)
def test_a_teams_light_has_the_teams_hue(name: str, level: float, palette: Palette) -> None:
    """In the least light an LED has red or blue, and nothing between."""
    for team in Team:
        own = PALETTES[palette].team(team)
        mean = lights_of(team, palette, level)[name].mean
        if level > MIN_BRIGHTNESS / 100:
            assert hue_between(mean, own) <= MOST_OFF, f"{mean:06x}"
        strongest = {Team.RED: mean >> 16, Team.BLUE: mean & 0xFF}
        assert strongest[team] >= 2 * strongest[team.other], f"{mean:06x}"


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "name", [n for n in COLOURED_BY_TEAM if n not in MORE_THAN_LIGHTS_OF_THE_TEAM]
)
def test_no_light_of_blue_is_brown_or_violet_at_any_instant(
    name: str, level: float, palette: Palette
) -> None:
    """Brown and violet have red in them."""
    for frame in lights_of(Team.BLUE, palette, level)[name].frames:
        for colour in {frame[led] for led in MEASURED}:
            red, green, blue = colour.to_bytes(3, "big")
            assert red <= 0.3 * blue, f"{colour:06x}"
            assert green <= blue, f"{colour:06x}"


@pytest.mark.parametrize("vision", Vision)
@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", COLOURED_BY_TEAM)
def test_a_teams_light_is_far_from_the_others_and_from_warm_ground(
    name: str, level: float, palette: Palette, vision: Vision
) -> None:
    def seen(colour: int) -> int:
        return simulate_vision(colour, vision)

    neutral = seen(neutral_light(Look(palette, level)))
    red, blue = (seen(lights_of(team, palette, level)[name].mean) for team in Team)
    assert distance(red, blue) >= LEAST_APART[level]
    for team, own in ((Team.RED, red), (Team.BLUE, blue)):
        if team is Team.BLUE or vision is Vision.NORMAL:
            assert distance(own, neutral) >= LEAST_FROM_WARM.get((team, level), 0.0)


@pytest.mark.parametrize("name", OF_ANOTHER_COLOUR)
def test_a_scene_with_another_colour_keeps_the_teams_apart(name: str) -> None:
    for palette in Palette:
        red, blue = (lights_of(team, palette, 1.0)[name].mean for team in Team)
        for vision in Vision:
            seen = (simulate_vision(each, vision) for each in (red, blue))
            assert distance(*seen) >= 12.0


@pytest.mark.parametrize("name", NEUTRAL)
def test_where_nobody_may_touch_both_teams_have_one_light(name: str) -> None:
    one, other = (lights_of(team, Palette.STANDARD, 1.0)[name].frames for team in Team)
    assert one == other


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("team", Team)
def test_when_a_time_has_passed_the_ground_swells_from_the_teams_colour_to_amber(
    team: Team, palette: Palette
) -> None:
    of = Picture(Standing(view(turn=team), 1, urging=True), look=Look(palette))
    calm = cell(shown(replace(picture(view(turn=team)), look=Look(palette))), 24)
    swell = [cell(frame, 24) for frame in sampled(of, URGE_SECONDS, NOW - NOW % URGE_SECONDS)]
    assert calm in swell
    peak = max(swell, key=brightness)
    assert all(hue_between(light, AMBER) <= 5.0 for light in peak)


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("level", [1.0, DIMMED])
@pytest.mark.parametrize("team", Team)
@pytest.mark.parametrize("paused", [False, True])
def test_a_found_agent_of_the_team_in_turn_is_told_from_its_ground_at_every_instant(
    paused: bool, team: Team, level: float, palette: Palette
) -> None:
    """No open cell ever has its look, not even in a wave. Beside a ground at rest it is half as
    bright again."""
    colours, covered = PALETTES[palette], covering(AGENT_OF[team])
    for phase in (Phase.CLUE, Phase.GUESS, Phase.PENALTY, Phase.COVER):
        of = view(phase, team, covered=covered, paused=paused)
        for frame in sampled(replace(picture(of), look=Look(palette, level)), 2 * WAVE_SECONDS):
            if not paused:
                assert {*cells_lit_as(frame, (level,), colours)} == {"A1"}
            if paused and level == 1.0:
                assert {*cells_lit_as(frame, (PAUSED,), colours)} == {"A1"}
            if phase is not Phase.CLUE and not paused:
                open_cells = max(brightness(cell(frame, place)) for place in range(1, 25))
                assert brightness(cell(frame, 0)) > 1.5 * open_cells
