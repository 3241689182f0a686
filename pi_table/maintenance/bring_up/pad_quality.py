"""Judges each pad by a touch: its quality, and the best thresholds. The functions are pure."""

import enum
from typing import Final

import msgspec

from pi_table.common.language import say
from pi_table.devices.wire.settings import (
    HEAVY_ABOVE_TOUCH,
    MAX_HEAVY_COUNTS,
    MAX_TOUCH_COUNTS,
    MIN_TOUCH_COUNTS,
    PADS,
)
from pi_table.maintenance.bring_up.raw_touch import Touch, reacts, snr
from pi_table.maintenance.bring_up.rest_pictures import Noises, Picture, advice, worst

MIN_SNR: Final = 5.0
"""Minimum signal-to-noise ratio of a good pad, as makers of touch chips recommend."""

ALIKE: Final = 0.7
"""Minimum share (0 … 1) of the strongest pad's counts at which another pad counts as joined to it.
A neighbour has about a tenth (proposed, not measured)."""


class Thresholds(msgspec.Struct, frozen=True):
    """The thresholds of one pad, in counts below its baseline."""

    touch: int
    release: int
    heavy: int


class Quality(enum.Enum):
    """The quality of a pad: fine, or the kind of its fault."""

    FINE = "fine"
    UNREADABLE = "unreadable"
    NOTHING = "nothing"
    MIXED_UP = "mixed up"
    JOINED = "joined"
    WEAK = "weak"
    STAYS = "stays"


class Judgement(msgspec.Struct, frozen=True):
    """The quality of a pad, as one touch shows it."""

    pad: int
    quality: Quality
    delta: float = 0.0
    """Number of counts by which a finger lowers the pad's value."""
    noise: float = 0.0
    """Noise in counts under the worst picture of the lights."""
    other: int | None = None
    """Number (0 … 30) of another pad that reacted as much or more; None if no other pad did."""
    other_delta: float = 0.0
    dark_noise: float = 0.0
    disturbed_by: Picture | None = None
    """The picture of the lights under which the pad is too noisy, if it would be good in the dark.
    """

    @property
    def snr(self) -> float:
        return snr(self.delta, self.noise)

    def sentence(self) -> str:
        """Return a sentence about the pad's quality or fault, and advice."""
        name = PADS[self.pad]
        match self.quality:
            case Quality.FINE:
                return say(
                    "{name} is fine: a finger of {delta} counts over a noise of {noise}, SNR "
                    "{snr}.",
                    name=name,
                    delta=f"{self.delta:.0f}",
                    noise=f"{self.noise:.1f}",
                    snr=f"{self.snr:.1f}",
                )
            case Quality.UNREADABLE:
                return say(
                    "{name} cannot be read: its touch chip does not answer, or finds its "
                    "wire out of range. Check the chip's four wires, its address, and that "
                    "the pad touches no metal (hardware/wiring.csv says which chip and "
                    "channel).",
                    name=name,
                )
            case Quality.NOTHING:
                return say(
                    "{name} shows nothing. Was the finger on it? Then check its wire "
                    "(hardware/wiring.csv says which chip and channel), that the foil is "
                    "whole, and that there is no air between it and the top.",
                    name=name,
                )
            case Quality.MIXED_UP:
                assert self.other is not None
                other = PADS[self.other]
                return say(
                    "{name} was expected, but {other} reacted more ({other_delta} counts against "
                    "{delta}): either {other_2} was touched, or the wires of {name_2} and "
                    "{other_3} are mixed up. Compare them with hardware/wiring.csv.",
                    name=name,
                    other=other,
                    other_delta=f"{self.other_delta:.0f}",
                    delta=f"{self.delta:.0f}",
                    other_2=other,
                    name_2=name,
                    other_3=other,
                )
            case Quality.JOINED:
                assert self.other is not None
                other = PADS[self.other]
                return say(
                    "{name} was expected, but {other} reacts alike ({delta} and {other_delta} "
                    "counts): either a finger was on both, or something joins {name_2} and "
                    "{other_2}: flux or damp, or leads side by side.",
                    name=name,
                    other=other,
                    delta=f"{self.delta:.0f}",
                    other_delta=f"{self.other_delta:.0f}",
                    name_2=name,
                    other_2=other,
                )
            case Quality.WEAK if self.disturbed_by is Picture.MOVING:
                return say(
                    "{name} is fine in the dark, but the lights disturb it: a finger of {delta} "
                    "counts over a noise of {dark} in the dark and {noise} in moving light, SNR "
                    "{snr}. {advice}",
                    **self._disturbed(self.disturbed_by),
                )
            case Quality.WEAK if self.disturbed_by is not None:
                return say(
                    "{name} is fine in the dark, but the lights disturb it: a finger of {delta} "
                    "counts over a noise of {dark} in the dark and {noise} in white light, SNR "
                    "{snr}. {advice}",
                    **self._disturbed(self.disturbed_by),
                )
            case Quality.WEAK:
                return say(
                    "{name} is weak: a finger of {delta} counts over a noise of {noise}, SNR "
                    "{snr}; below {least_snr} a finger is lost in the noise. Take a larger "
                    "foil, a shorter wire, or a thinner top without air under it; keep power "
                    "wires away.",
                    name=name,
                    delta=f"{self.delta:.0f}",
                    noise=f"{self.noise:.1f}",
                    snr=f"{self.snr:.1f}",
                    least_snr=f"{MIN_SNR:.0f}",
                )
            case Quality.STAYS:
                return say(
                    "{name} still feels something. Take off whatever is on it, and dry it.",
                    name=name,
                )

    def _disturbed(self, picture: Picture) -> dict[str, str]:
        return {
            "name": PADS[self.pad],
            "delta": f"{self.delta:.0f}",
            "dark": f"{self.dark_noise:.1f}",
            "noise": f"{self.noise:.1f}",
            "snr": f"{self.snr:.1f}",
            "advice": advice(picture),
        }


def judge(pad: int, touch: Touch, noises: Noises | None = None) -> Judgement:
    """Judge a pad from a touch. The person had been asked to touch this pad.

    ``noises`` are the pad's noises under the pictures of the lights; None if there is only the
    noise of ``touch``, which was measured in the dark.
    """
    quiet, delta = touch.quiet[pad], touch.deltas[pad]
    if quiet is None or delta is None:
        return Judgement(pad, Quality.UNREADABLE)
    noises = noises or {Picture.DARK: quiet.noise}
    noise = worst(noises)
    strongest = touch.strongest()
    if touch.begun is None or strongest is None:
        return Judgement(pad, Quality.NOTHING, noise=noise)
    delta = max(0.0, delta)
    with_it = alike(touch)
    if pad in with_it and len(with_it) > 1:
        other = max(with_it - {pad}, key=lambda one: touch.deltas[one] or 0.0)
        return Judgement(pad, Quality.JOINED, delta, noise, other, touch.deltas[other] or 0.0)
    if strongest != pad:
        return Judgement(
            pad, Quality.MIXED_UP, delta, noise, strongest, touch.deltas[strongest] or 0.0
        )
    if snr(delta, noise) < MIN_SNR:
        return Judgement(
            pad,
            Quality.WEAK,
            delta,
            noise,
            dark_noise=noises[Picture.DARK],
            disturbed_by=disturbing(noises, delta),
        )
    return Judgement(pad, Quality.FINE if touch.lifted else Quality.STAYS, delta, noise)


def disturbing(noises: Noises, delta: float) -> Picture | None:
    """Return the picture of the lights that hides a finger of ``delta`` counts in noise. None if
    no picture does, or if the dark does, too."""
    hidden = [picture for picture in Picture if snr(delta, noises.get(picture, 0.0)) < MIN_SNR]
    return hidden[0] if hidden and hidden[0] is not Picture.DARK else None


def alike(touch: Touch) -> frozenset[int]:
    """Return the pads whose reaction was at least the share ``ALIKE`` of the strongest reaction."""
    strongest = touch.strongest()
    if strongest is None:
        return frozenset()
    most = touch.deltas[strongest] or 0.0
    return frozenset(
        pad
        for pad, delta in enumerate(touch.deltas)
        if reacts(touch.quiet[pad], delta) and (delta or 0.0) >= ALIKE * most
    )


def propose(delta: float) -> Thresholds:
    """Return thresholds for a pad on which a finger has ``delta`` counts, within the controller's
    limits.

    The threshold for a touch is half of ``delta``, for a release a quarter, and for a heavy touch
    four times ``delta``.
    """
    touch = min(MAX_TOUCH_COUNTS, max(MIN_TOUCH_COUNTS, round(delta / 2)))
    heavy = min(MAX_HEAVY_COUNTS, max(touch + HEAVY_ABOVE_TOUCH, round(4 * delta)))
    return Thresholds(touch, touch // 2, heavy)
