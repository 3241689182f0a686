"""The lights' current: at full light, each standing of a game stays within the supply's limit.

The controller dims a frame that would draw more (`firmware/core/limit.h`). Scenes may ask for more
for a moment, and then keep their hues with less light.
"""

from pathlib import Path
from typing import Final

import pytest
from pictures import (
    CALM,
    IN_PLAY,
    OVER,
    VIEWS,
    codex_view,
    covering,
    picture,
    playing,
    said,
    sampled,
    view,
)

from pi_table.common.geometry import LED_COUNT
from pi_table.devices.lights.canvas import LightFrame
from pi_table.devices.lights.picture import Picture
from pi_table.devices.lights.scenes import SCENES
from pi_table.games.announcer.standing import Standing
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import Identity

FIRMWARE: Final = Path(__file__).parents[2] / "firmware"
FACTS: Final = {
    name: value
    for name, value, *_ in map(str.split, (FIRMWARE / "vectors/facts.txt").read_text().splitlines())
    if value.isdigit()
}
BUDGET: Final = int(FACTS["DEFAULT_MA"])
CHANNEL_MA: Final = 20
"""Of a channel that is fully on, and below what every LED draws for itself: `core/limit.h`."""
IDLE_MA: Final = 1
GAMMA: Final = 2.2
DRAWN: Final[list[float]] = [CHANNEL_MA * (value / 255) ** GAMMA for value in range(256)]
NEARLY_ALL: Final = covering(
    *(Identity.RED,) * 8, *(Identity.BLUE,) * 8, *(Identity.BYSTANDER,) * 7
)
"""As much as can be covered of a game of 25 cards that goes on."""
FATAL: Final = covering(*NEARLY_ALL.values(), Identity.ASSASSIN)


def current(frame: LightFrame) -> float:
    """Return the current of a frame, in mA."""
    return IDLE_MA * LED_COUNT + sum(
        DRAWN[light >> 16] + DRAWN[light >> 8 & 0xFF] + DRAWN[light & 0xFF] for light in frame
    )


def test_the_numbers_are_the_firmwares() -> None:
    source = (FIRMWARE / "core/limit.h").read_text()
    assert f"#define CHANNEL_MA {CHANNEL_MA}u" in source
    assert f"#define IDLE_MA {IDLE_MA}u" in source


STANDS: Final = [
    *map(picture, [*VIEWS, *OVER, codex_view(), None]),
    *(picture(view(phase, turn, covered=NEARLY_ALL)) for phase in Phase for turn in Team),
    picture(view(Phase.OVER, covered=FATAL, outcome=CALM)),
    Picture(Standing(view(covered=covering(*IN_PLAY)), 1, urging=True, hurry=True)),
    Picture(Standing(sleeps=True)),
]


@pytest.mark.parametrize("of", STANDS)
def test_a_table_as_it_stands_is_never_beyond_its_budget(of: Picture) -> None:
    assert max(map(current, sampled(of, 8.0))) <= BUDGET


@pytest.mark.parametrize("what", SCENES)
def test_a_scene_is_beyond_it_for_moments_only(what: object) -> None:
    """On a table of many covered cells; printed is what it draws."""
    scene = SCENES[what]  # type: ignore[index]
    of = picture(view(covered=covering(*(IN_PLAY * 5))))
    drawn = [
        current(frame)
        for team in Team
        for frame in sampled(playing(of, said(what, team=team)), scene.seconds)  # type: ignore[arg-type]
    ]
    beyond = sum(each > BUDGET for each in drawn) / len(drawn)
    mean = sum(drawn) / len(drawn)
    print(f"{what}: mean {mean:.0f} mA, peak {max(drawn):.0f} mA, beyond the budget {beyond:.0%}")
    assert mean <= BUDGET
    assert beyond <= 0.35
