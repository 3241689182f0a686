"""Findings about the untouched pads: whether a finger would differ clearly from their noise."""

from collections.abc import Sequence
from typing import Final

from pi_table.common.geometry import CELL_COUNT, SIDE
from pi_table.common.language import Say, join_texts, say
from pi_table.devices.wire.settings import PAD_COUNT, PADS, Settings
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.pad_quality import MIN_SNR, disturbing
from pi_table.maintenance.bring_up.raw_touch import Quiets, snr
from pi_table.maintenance.bring_up.rest import Rest
from pi_table.maintenance.bring_up.rest_pictures import Noises, Picture, advice


def electrodes(rest: Rest, settings: Settings) -> Finding:
    """Return the finding about all pads: their noise at rest, and each pad's SNR (signal-to-noise
    ratio) for a finger whose counts are twice the touch threshold."""
    quiets, disturbed = rest.worst, rest.noisy[Picture.DARK]
    unreadable, loaded, noisy = [], [], []
    lit: dict[Picture, list[str]] = {}
    for pad, one in enumerate(quiets):
        noises = rest.noises(pad)
        if one is None or noises is None:
            unreadable.append(PADS[pad])
        elif rest.raw.baseline[pad] - one.level >= settings.touch[pad]:
            loaded.append(PADS[pad])
        elif (picture := _disturbing(pad, noises, rest, settings)) is not None:
            lit.setdefault(picture, []).append(PADS[pad])
        elif expected_snr(pad, quiets, settings) < MIN_SNR:
            noisy.append(PADS[pad])
    rows = (*_rows(quiets, settings), rest.summary())
    figures: dict[str, object] = {
        "pads": {
            PADS[pad]: None
            if one is None
            else {
                "count": one.level,
                "baseline": rest.raw.baseline[pad],
                "noise": round(one.noise, 1),
                "snr": round(expected_snr(pad, quiets, settings), 1),
                "noises": {
                    picture.value: round(noise, 1)
                    for picture, noise in (rest.noises(pad) or {}).items()
                },
            }
            for pad, one in enumerate(quiets)
        },
        "noisy": [PADS[pad] for pad in sorted(disturbed)],
        "pictures": [picture.value for picture in rest.quiets],
        "disturbed": {picture.value: names for picture, names in lit.items()},
    }
    says: str
    do: str
    if unreadable:
        verdict = Verdict.BROKEN
        says = say("Cannot be read: {unreadable}.", unreadable=", ".join(unreadable))
        do = say(
            "Check the touch chip that they are on, and their wires (hardware/wiring.csv). Their "
            "cells are out of use; play goes on with the others."
        )
        if any(rest.dark[pad] is not None for pad, one in enumerate(quiets) if one is None):
            do = join_texts(" ", (do, FADES))
    elif disturbed:
        verdict, says = Verdict.LOOK, _swung(disturbed, loaded)
        do = say(
            "Unplug chargers and dimmed lamps near the table, one after the other, take phones "
            "off it, and check again. If none of them was it, ground the supply: take one whose "
            "plug has an earth pin, in a socket that has earth."
        )
    elif loaded:
        verdict, says = Verdict.LOOK, say("Something is on {loaded}.", loaded=", ".join(loaded))
        do = say("Take everything off the table, dry it, and check again.")
    elif noisy:
        verdict = Verdict.LOOK
        says = say("Too much noise to tell a finger from it: {noisy}.", noisy=", ".join(noisy))
        do = say(
            "Was somebody touching? Otherwise keep power wires away from the pads' and use "
            "another power supply; then `pi-table calibrate`."
        )
    elif lit:
        verdict = Verdict.LOOK
        says = join_texts(" ", (_lit(picture, names) for picture, names in lit.items()))
        do = join_texts(" ", (advice(picture) for picture in lit))
    else:
        noise = max(one.noise for one in quiets if one is not None)
        least = min(expected_snr(pad, quiets, settings) for pad in range(PAD_COUNT))
        verdict, do = Verdict.OK, ""
        says = say(
            "{pad_count} pads, noise at most {noise} counts, SNR at least {least}.",
            pad_count=PAD_COUNT,
            noise=f"{noise:.1f}",
            least=f"{least:.0f}",
        )
    return Finding("electrodes", verdict, says, do, rows, figures)


FADES: Final = say(
    "Some can be read in the dark: then measure the chips' 3.3 V while the table is white."
)


def _disturbing(pad: int, noises: Noises, rest: Rest, settings: Settings) -> Picture | None:
    """Return the picture of the lights that makes a pad too noisy; None if none does, or if the pad
    is too noisy in the dark, too."""
    picture = disturbing(noises, 2 * settings.touch[pad])
    if picture is not None or snr(2 * settings.touch[pad], noises[Picture.DARK]) < MIN_SNR:
        return picture
    swung = (lit for lit in rest.quiets if lit is not Picture.DARK and pad in rest.noisy[lit])
    return next(swung, None)


def _lit(picture: Picture, names: Sequence[str]) -> Say:
    if picture is Picture.MOVING:
        return say("Quiet in the dark, too noisy in moving light: {names}.", names=", ".join(names))
    return say("Quiet in the dark, too noisy in white light: {names}.", names=", ".join(names))


def _swung(disturbed: frozenset[int], loaded: Sequence[str]) -> str:
    """Return a sentence about the noisy pads ``disturbed``. It also names the pads ``loaded``, on
    which an object seems to rest."""
    names = ", ".join(PADS[pad] for pad in sorted(disturbed))
    says = say(
        "Noise from outside swings the counts by as much as a touch, to and fro, at {names}: "
        "no touch counts there while it lasts.",
        names=names,
    )
    if not loaded:
        return says
    return say(
        "{says} Something is on {loaded}, or noise looks like it.",
        says=says,
        loaded=", ".join(loaded),
    )


def expected_snr(pad: int, quiets: Quiets, settings: Settings) -> float:
    """Return a pad's signal-to-noise ratio for a finger whose counts are twice the touch
    threshold."""
    one = quiets[pad]
    return 0.0 if one is None else snr(2 * settings.touch[pad], one.noise)


def _rows(quiets: Quiets, settings: Settings) -> tuple[str, ...]:
    """Return lines with each pad's noise and signal-to-noise ratio. The lines show the table's
    cells as a grid."""

    def noise_and_snr(pad: int) -> str:
        one = quiets[pad]
        if one is None:
            return "–"
        return f"{one.noise:.1f}/{expected_snr(pad, quiets, settings):.0f}"

    grid = [
        f"{row + 1} "
        + "".join(f"{noise_and_snr(row * SIDE + column):>7}" for column in range(SIDE))
        for row in range(SIDE)
    ]
    rest = "  ".join(f"{PADS[pad]} {noise_and_snr(pad)}" for pad in range(CELL_COUNT, PAD_COUNT))
    head = "  " + "".join(f"{column:>7}" for column in "ABCDE") + "  noise/SNR"
    return (head, *grid, rest)
