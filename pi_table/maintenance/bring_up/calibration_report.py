"""The log of a calibration as JSON lines: the settings, and the counts during every touch.

The field `shape` has the format of a touch in the simulated world: milliseconds and counts
(firmware/model/README.md). Tests can then use real touches instead of an assumed shape.
"""

import platform
from typing import Any, TextIO

from pi_table import __version__
from pi_table.common.language import to_json
from pi_table.devices.wire.messages import PROTOCOL, Hello
from pi_table.devices.wire.settings import PADS, Settings
from pi_table.maintenance.bring_up.pad_quality import Judgement, Thresholds
from pi_table.maintenance.bring_up.raw_touch import Quiets, Touch, reacts
from pi_table.maintenance.bring_up.rest import Rest


class Report:
    """Writes the log of a calibration. An interrupted calibration leaves a partial log."""

    def __init__(self, file: TextIO | None) -> None:
        """If ``file`` is None, write no log. ``touches`` has the last touch of each pad."""
        self._file = file
        self.touches: dict[int, Touch] = {}

    def log_start(self, hello: Hello, settings: Settings, wall: str) -> None:
        """Log the controller and its settings. ``wall`` is the date and time in ISO 8601."""
        self._line(
            what="begun",
            at=wall,
            versions={
                "pi-table": __version__,
                "python": platform.python_version(),
                "protocol": PROTOCOL,
                "firmware": ".".join(map(str, hello.firmware)),
            },
            machine=platform.machine(),
            chips=sorted(hello.chips),
            lights=hello.lights,
            origin=hello.settings.name.lower(),
            settings=thresholds_by_pad(settings),
            most_ma=settings.most_ma,
        )

    def log_rest(self, rest: Rest, seconds: float) -> None:
        """Log the measurement without touches, which took ``seconds`` seconds: each pad's level in
        the dark with its noise under the worst picture, and both under each picture."""
        self._line(
            what="rest",
            seconds=round(seconds, 3),
            pads=_by_pad(rest.worst),
            pictures={picture.value: _by_pad(quiets) for picture, quiets in rest.quiets.items()},
            why=rest.why,
        )

    def log_touch(self, judgement: Judgement, touch: Touch, proposed: Thresholds | None) -> None:
        """Log a touch, with the counts of every pad that reacted. Times are in ms after the
        contact."""
        self.touches[judgement.pad] = touch
        begun = touch.begun
        others = [
            pad
            for pad in range(len(PADS))
            if pad != judgement.pad and reacts(touch.quiet[pad], touch.deltas[pad])
        ]
        self._line(
            what="touch",
            pad=PADS[judgement.pad],
            quality=judgement.quality.value,
            counts=judgement.delta,
            noise=round(judgement.noise, 2),
            snr=round(judgement.snr, 2),
            disturbed_by=judgement.disturbed_by and judgement.disturbed_by.value,
            proposed=proposed,
            lifted=touch.lifted,
            shape=[] if begun is None else _shape(touch, judgement.pad, begun),
            others={} if begun is None else {PADS[p]: _shape(touch, p, begun) for p in others},
        )

    def log_end(self, settings: Settings | None) -> None:
        """Log the settings that were stored in the controller. ``settings`` is None if no settings
        were stored."""
        self._line(what="ended", stored=settings and thresholds_by_pad(settings))

    def _line(self, **fields: Any) -> None:
        if self._file is not None:
            self._file.write(to_json(fields).decode() + "\n")
            self._file.flush()


def _by_pad(quiets: Quiets) -> dict[str, list[float] | None]:
    return {
        name: None if pad is None else [pad.level, round(pad.noise, 2)]
        for name, pad in zip(PADS, quiets, strict=True)
    }


def thresholds_by_pad(settings: Settings) -> dict[str, Thresholds]:
    each = zip(settings.touch, settings.release, settings.heavy, strict=True)
    return {name: Thresholds(*three) for name, three in zip(PADS, each, strict=True)}


def _shape(touch: Touch, pad: int, begun: float) -> list[tuple[int, float | None]]:
    return [
        (round((at - begun) * 1000), None if (load := loads[pad]) is None else round(load, 1))
        for at, loads in touch.course
    ]
