"""The lights of an idle table are computed beforehand, with the same result as at once."""

import pytest

from pi_table.devices.lights import positions
from pi_table.devices.lights.attract import DRIFT_SECONDS, SWELL_SECONDS, attract
from pi_table.devices.lights.canvas import Canvas
from pi_table.devices.lights.colours import AMBER, VIOLET, WARM, dim, mix
from pi_table.devices.lights.motion import breath


@pytest.mark.parametrize("now", [0.0, 0.04, 3.3, 5.5, 1234.56])
def test_two_swells_cross_each_other(now: float) -> None:
    canvas = Canvas()
    attract(canvas, now)
    for (x, y), colour in zip(positions.LEDS, canvas.leds, strict=True):
        drift = breath(now + x / 90.0, DRIFT_SECONDS)
        swell = breath(now + (x + 2.0 * y) / 135.0, SWELL_SECONDS)
        between = mix(AMBER, VIOLET, 0.7 * drift * drift)
        assert colour == mix(dim(WARM, 0.12), between, 0.45 * swell)
