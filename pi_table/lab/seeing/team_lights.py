"""The mean colour of each team's grounds and scenes, as the LEDs show it.

A ground is the light of the uncovered cells while nothing happens. A scene is the light that goes
with an announcement.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.geometry import CELL_COUNT, leds_of
from pi_table.devices.hal.led_curve import colour_of_pulses, pulses_of_colour
from pi_table.devices.lights.canvas import LightFrame
from pi_table.devices.lights.light import light
from pi_table.devices.lights.picture import Look, Picture, Playing
from pi_table.devices.lights.scenes import SCENES
from pi_table.devices.lights.word_games import WAVE_SECONDS
from pi_table.games.announcer.announcement import Announcement, What
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import Settings
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Board, Clue, Phase
from pi_table.games.rules.word_games.key import AGENT_OF
from pi_table.games.rules.word_games.views import public_view
from pi_table.lab.seeing.srgb import colour_of, linear

STEP_SECONDS: Final = 0.2
BEGUN: Final = 1000.0
"""Time in seconds, by the table's clock, at which every measured scene begins."""
CELL: Final = CELL_COUNT // 2
"""Number of the cell that was guessed. Its light is not measured, because it shows an identity."""
MEASURED: Final = [led for cell in range(CELL_COUNT) if cell != CELL for led in leds_of(cell)]
GROUNDS: Final = {
    "lays a card": Phase.PLACE,
    "waits for its clue": Phase.CLUE,
    "guesses": Phase.GUESS,
    "is challenged": Phase.CHALLENGE,
    "may cover a cell": Phase.PENALTY,
    "covers a cell": Phase.COVER,
    "has won": Phase.OVER,
}
"""For each ground (the light while nothing happens), by name, the game's phase that shows it."""
PLAYED: Final = {
    What.BEGINS: Phase.CLUE,
    What.LAID_OUT: Phase.CLUE,
    What.NEW_KEY: Phase.CLUE,
    What.TURN: Phase.CLUE,
    What.CLUE: Phase.GUESS,
    What.RIGHT: Phase.GUESS,
    What.WRONG: Phase.CLUE,
    What.BYSTANDER: Phase.CLUE,
    What.LAST_ONE: Phase.GUESS,
    What.CHALLENGE: Phase.CHALLENGE,
    What.ALLOWED: Phase.GUESS,
    What.PENALTY: Phase.PENALTY,
    What.WIN: Phase.OVER,
}
"""For each kind of announcement, the phase of the game while its scene plays."""


class TeamLight(msgspec.Struct, frozen=True):
    """One team's light: a ground (while nothing happens) or a scene (for an announcement)."""

    name: str
    team: Team
    frames: tuple[LightFrame, ...]
    """The colours of the LEDs in each frame. There are five frames per second."""

    @property
    def mean(self) -> int:
        """The mean colour of all measured cells over all frames."""
        lights = [_linear(frame[led]) for frame in self.frames for led in MEASURED]
        red, green, blue = (sum(channel) / len(lights) for channel in zip(*lights, strict=True))
        return colour_of((red, green, blue))


def team_lights(team: Team, look: Look) -> Iterator[TeamLight]:
    """Yield every ground of a team, then every scene of the team."""
    for name, phase in GROUNDS.items():
        yield _film(name, team, _picture(team, phase, look), WAVE_SECONDS)
    for what, phase in PLAYED.items():
        said = Announcement(what, "", 0.0, CELL, team, AGENT_OF[team])
        picture = replace(_picture(team, phase, look), playing=(Playing(said, BEGUN),))
        yield _film(what.value, team, picture, SCENES[what].seconds)


def neutral_light(look: Look) -> int:
    """Return the colour of warm ground: the light of uncovered cells that belongs to no team."""
    return _film("", Team.RED, _picture(Team.RED, Phase.CHALLENGE, look), STEP_SECONDS).mean


def _picture(team: Team, phase: Phase, look: Look) -> Picture:
    clue = Clue(team, None, 2) if phase in (Phase.GUESS, Phase.CHALLENGE) else None
    outcome = Outcome(team, (team.other,), Why.AGENTS) if phase is Phase.OVER else None
    board = Board(
        "codenames", Settings(), None, team, phase, team, (9, 8), clue=clue, outcome=outcome
    )
    return Picture(Standing(public_view(board, 0.0), 1), look=look)


def _film(name: str, team: Team, picture: Picture, seconds: float) -> TeamLight:
    instants = (BEGUN + number * STEP_SECONDS for number in range(round(seconds / STEP_SECONDS)))
    shown = (light(picture, now).frame for now in instants)
    return TeamLight(name, team, tuple(tuple(map(_as_led, frame)) for frame in shown))


_linear: Final = cache(linear)


@cache
def _as_led(colour: int) -> int:
    """Return the colour that an LED shows instead of this colour. A dim LED has only few steps."""
    return colour_of_pulses(pulses_of_colour(colour))
