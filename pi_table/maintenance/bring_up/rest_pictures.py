"""The three pictures of the lights under which the untouched pads are measured: dark, white and
moving. The functions are pure.

White light at the current limit switches current in all rows. The moving picture also uses the data
line, and lights two or three rows at a time, each with a larger share of the limit.
"""

import enum
from collections.abc import Mapping
from typing import Final

from pi_table.common.geometry import LED_COUNT, PLACE_COUNT, SIDE, for_each_led
from pi_table.common.language import Say, say
from pi_table.devices.hal.contracts import LightFrame


class Picture(enum.Enum):
    """What the lights show. Reports have these names."""

    DARK = "dark"
    WHITE = "white"
    MOVING = "moving"


Noises = Mapping[Picture, float]
"""The noise of one pad in counts, under each picture that was measured."""

FRAME_SECONDS: Final = 0.04
"""Seconds for which the moving picture shows a frame: 25 frames a second."""
WHITE: Final = 0xFFFFFF
ROW_FRAMES: Final = 2
"""Number of frames after which the moving picture lights the next row."""
LIT_FRAMES: Final = 5
"""Number of frames for which a row is lit. As this is odd, each frame changes one row."""
TURN_FRAMES: Final = ROW_FRAMES * (SIDE + 1)
"""Number of frames after which the moving picture repeats. Each row flashes twice a second (more
than three flashes a second can trigger a seizure)."""


def delay_of(number: int) -> float:
    """Return the seconds by which a frame of the moving picture is late: up to 15 ms, each time
    another. Otherwise the chips might always be read at the same time after a frame, and its data
    would never show in the counts."""
    return 0.015 * (number * 0.618 % 1)


def number_of(seconds: float) -> int:
    """Return the number of the moving picture's frame at this time."""
    return int(seconds / FRAME_SECONDS)


def frame_of(picture: Picture, seconds: float) -> LightFrame:
    """Return the frame that the picture shows this many seconds after its beginning."""
    match picture:
        case Picture.DARK:
            return (0,) * LED_COUNT
        case Picture.WHITE:
            return (WHITE,) * LED_COUNT
        case Picture.MOVING:
            number = number_of(seconds)
            rows = range(SIDE + 1)
            lit = [(number - ROW_FRAMES * row) % TURN_FRAMES < LIT_FRAMES for row in rows]
            return for_each_led([WHITE * lit[place // SIDE] for place in range(PLACE_COUNT)])


def worst(noises: Noises) -> float:
    """Return the noise under the worst picture."""
    return max(noises.values())


def advice(picture: Picture) -> Say:
    """Return what to do about a pad that is quiet in the dark, and too noisy under this picture."""
    if picture is Picture.MOVING:
        return say(
            "Moving light adds the lights' data: lead their wire and the pad's wire apart. If that "
            "does not help, check the row's supply and ground wires (hardware/ELECTRODES.md)."
        )
    return say(
        "White light moves the row's ground: check plugs and joints of its supply and ground "
        "wires, and lead them away from the pad's wire. If that does not help, hatch the pad's "
        "copper (hardware/ELECTRODES.md)."
    )
