"""The lights of an idle table: first they ask if players are still there, later they invite new
players."""

from typing import Final

from pi_table.devices.lights import positions
from pi_table.devices.lights.canvas import Canvas
from pi_table.devices.lights.colours import AMBER, VIOLET, WARM, dim, mix
from pi_table.devices.lights.motion import breath

DRIFT_SECONDS: Final = 11.0
SWELL_SECONDS: Final = 7.0
ASK_SECONDS: Final = 2.5
NEAR_MM: Final = 155.0
# Precomputed where possible, because an idle table shows this all night.
FAINTEST: Final = dim(WARM, 0.12)
DRIFTS: Final = [mix(AMBER, VIOLET, part / 256) for part in range(256)]
AHEAD: Final = [(x / 90.0, (x + 2.0 * y) / 135.0) for x, y in positions.LEDS]
"""For each LED, the time offsets in seconds of two waves of light. The offsets make the waves move
over the table."""


def attract(canvas: Canvas, now: float) -> None:
    for led, (ahead, crossing) in enumerate(AHEAD):
        drift = breath(now + ahead, DRIFT_SECONDS)
        swell = breath(now + crossing, SWELL_SECONDS)
        colour = DRIFTS[int(0.7 * drift * drift * 256)]
        canvas.leds[led] = mix(FAINTEST, colour, 0.45 * swell)


def ask(canvas: Canvas, now: float) -> None:
    """Paint a slowly pulsing light on the middle cell and its neighbours."""
    share = breath(now, ASK_SECONDS)
    for led, far in enumerate(positions.DISTANCES[positions.MIDDLE]):
        if far < NEAR_MM:
            canvas.leds[led] = mix(canvas.leds[led], AMBER, share)
