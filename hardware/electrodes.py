"""The electrodes' design: how a finger changes a pad's counts, and all that weakens this change.

`python -m hardware.electrodes` prints the calculation and exits with 1 if a requirement fails.
Lengths are in millimetres, capacitances in picofarads. The model is a first-order approximation;
only a measurement on a real table (`pi-table calibrate --report`) can confirm it. Inputs are in
electrodes.toml and dimensions.toml.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from hardware import parts, places
from hardware.electrode_design import Design
from hardware.figures import fact, lines_of, percent
from pi_table.maintenance.bring_up.pad_quality import MIN_SNR

CHARGE: Final = 63.0
"""Largest charging current of an MPR121 in µA, from its data sheet."""
LIGHT: Final = 5.0
"""Side length in mm of a WS2812B, an LED with its own controller chip."""


def faults(design: Design) -> Iterator[str]:
    """Yield a sentence for each requirement that fails."""
    for way in ("across", "down"):
        size, room = design.mm[f"electrode_{way}"], design.mm[f"pitch_{way}"] - design.mm["wall"]
        if size >= room:
            yield f"An electrode of {size:g} mm {way} stands out of its cell of {room:g} mm."
        elif size > design.mm[f"led_{way}"] - LIGHT:
            yield f"An electrode of {size:g} mm {way} covers the lights of its cell."
    pad, touch = design.farthest, fact("DEFAULT_TOUCH")
    weakest = design.touch_counts(pad)
    if weakest < 1.5 * touch:
        yield (
            f"{pad}: a light finger gives {weakest:.1f} counts, less than 1.5 times the threshold "
            f"of {touch} that a new controller begins with."
        )
    if design.charge(pad) > CHARGE:
        yield (
            f"{pad}: its capacity takes {design.charge(pad):.1f} µA for 1 µs; a chip gives "
            f"{CHARGE:g} µA."
        )
    if design.snr(pad) < MIN_SNR:
        yield (
            f"{pad}: a light finger is {design.snr(pad):.1f} times the noise, and calibration "
            f"refuses what is less than {MIN_SNR:g} times."
        )
    pressed = design.press_effect(design.figures["press"])[1]
    if pressed >= touch / 2:
        yield f"A hard press bends the overlay by as much as {pressed:.1f} counts."
    if design.sleeve() < touch:
        yield f"A sleeve on the guard gives {design.sleeve():.1f} counts, which nobody would feel."


OVERLAYS: Final = (2.0, 3.0, 4.0, 5.0, 6.0)
GAPS: Final = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)


def pads(design: Design) -> Iterator[str]:
    """Yield the lines of the table that compares the nearest and the farthest pad."""
    near, far = "C3", design.farthest
    figures = design.figures

    def row(what: str, mark: str, value: Callable[[str], float], unit: str) -> tuple[str, ...]:
        return what, *(f"{value(place):.1f} {unit}".strip() for place in (near, far)), mark

    def firm(place: str) -> float:
        return design.counts(place, design.finger(figures["fingertip_firm"]))

    rows = [
        row("to the tiles' ground", "C", lambda _: design.plate, "pF"),
        row("to its neighbours", "C", lambda _: design.neighbours, "pF"),
        row(f"its lead, {design.lead_in_row:.1f} pF/m", "P", design.lead, "pF"),
        row("of this from the other leads of its chip", "P", design.bundling, "pF"),
        row("chip, breakout, carrier", "P", lambda _: figures["chip"], "pF"),
        row("**at rest**", "P", design.rest, "pF"),
        row(f"charging current for 1 µs ({CHARGE:g} µA available)", "P", design.charge, "µA"),
        row("capacity of a light finger", "P", lambda _: design.finger(figures["fingertip"]), "pF"),
        row("**counts of a light finger**", "P", design.touch_counts, ""),
        row("counts of a firm finger", "P", firm, ""),
        row("a light finger's counts over the noise (SNR)", "P", design.snr, ""),
    ]
    return lines_of(("a pad, through overlay and card", near, far, "mark"), rows)


def overlays(design: Design) -> Iterator[str]:
    """Yield the lines of the table that compares thicknesses of the overlay."""
    far = design.farthest
    rows = [
        (
            f"{thick:g}",
            f"{design.touch_counts('C3', thick):.1f}",
            f"{design.touch_counts(far, thick):.1f}",
            f"{design.snr(far, thick):.1f}",
            "" if design.snr(far, thick) >= MIN_SNR else "calibration refuses it",
        )
        for thick in OVERLAYS
    ]
    return lines_of(("overlay, mm", "counts, C3", f"counts, {far}", "SNR", ""), rows)


def gaps(design: Design) -> Iterator[str]:
    """Yield the lines of the table of counts with a gap of air between finger and electrode, such
    as under an uneven card."""
    far = design.farthest
    flat = design.touch_counts(far)
    rows = [
        (
            f"{air:g}",
            f"{design.touch_counts(far, air=air):.1f}",
            percent(design.touch_counts(far, air=air) / flat),
        )
        for air in GAPS
    ]
    return lines_of(("air, mm", f"counts, {far}", "of the counts without air"), rows)


def others(design: Design) -> Iterator[str]:
    """Yield a table of what else changes an electrode's counts, line by line."""
    far, figures = design.farthest, design.figures
    rows = []
    for force, who in (("press", "a finger that presses"), ("elbow", "an elbow")):
        bent, counts = design.press_effect(figures[force])
        what = f"{who} with {figures[force]:g} N bends the overlay by {bent:.2f} mm at most"
        rows.append((what, f"{counts:.1f}"))
    rows.append(("loose foil that hangs by 1 mm", f"{design.nearer(1.0):.1f}"))
    for name in ("lead_spacing", "lead_pitch"):
        couples = design.coupling_per_metre(figures[name])
        one = design.crosstalk(far, couples)
        what = f"a lead of another chip, {figures[name]:g} mm beside that of {far}"
        rows.append((f"{what} ({couples:.1f} pF/m), charged in the same microsecond", f"{one:.0f}"))
        share = f"{one / figures['samples']:.1f}"
        rows.append((f"the same in a reading, the mean of {figures['samples']:g}", share))
    for what, one in (("current", design.light_edge(far)), ("data", design.data_edge(far))):
        rows.append((f"an edge of the lights' {what}, in the charge that it hits", f"{one:.1f}"))
        rows.append(("the same in a reading", f"{one / figures['samples']:.2f}"))
    afloat = replace(design, figures={**figures, "supply_to_earth": figures["afloat"]})
    rows.append((f"a light finger on {far}", f"{design.touch_counts(far):.1f}"))
    what = f"the same where the table's ground has {figures['afloat']:g} pF to earth"
    rows.append((what, f"{afloat.touch_counts(far):.1f}"))
    rows.append(("a sleeved arm on the guard", f"{design.sleeve():.0f}"))
    return lines_of(("what", "counts (P)"), rows)


def boards(design: Design) -> Iterator[str]:
    """Yield the lines of the table that compares three designs: a tile for each cell, a board for
    each row of cells, and electrodes on the tiles."""
    mm, figures = design.mm, design.figures
    count = len(places.chain(places.wiring()))
    row_length, rows_of_cells = 5 * mm["pitch_across"], 6
    along = 2 * mm["pitch_across"] / 1000
    to_row = 2 * mm["pitch_down"] / 1000 * figures["lead_slack"] + figures["lead_ends"]
    far = design.farthest
    wired = design.lead(far)
    traced = design.trace_per_metre * along + design.lead_in_row * to_row
    apart = design.coupling_per_metre(figures["lead_spacing"]) * design.lead_metres(far)
    beside = design.coupling_of_traces * along / 2
    tip = design.finger(figures["fingertip"])
    bare = design.rest(far) - wired
    on_tile = bare - design.plate + design.pad_on_tile + wired

    def counts(rest: float) -> str:
        return f"{figures['full_counts'] * tip / (rest + tip):.1f}"

    price_row = rows_of_cells * row_length * mm["pitch_down"] / 100 * figures["price_of_area"]
    # A board without parts: the parts list has a tile with its flat parts soldered.
    blank = next(part for part in parts.read() if part.id == "electrode-board")
    cheap, dear = parts.PRICES[blank.price_class]
    price_tiles, price_tile = f"{count * cheap:.0f} to {count * dear:.0f}", f"{cheap:g} to {dear:g}"
    longest = f"{1000 * design.lead_metres(far):.0f} mm of wire"
    by_row = f"{1000 * along:.0f} mm of trace and {1000 * to_row:.0f} mm of wire"
    rows = [
        ("longest way to the carrier", longest, by_row, longest, "P"),
        (
            "that way, and its pad at rest, pF",
            *(
                f"{way:.1f}, {rest:.1f}"
                for way, rest in ((wired, bare + wired), (traced, bare + traced), (wired, on_tile))
            ),
            "P",
        ),
        (
            "a light finger's counts there",
            counts(bare + wired),
            counts(bare + traced),
            counts(on_tile),
            "P",
        ),
        ("to the lead beside it, pF", f"{apart:.2f}", f"{beside:.2f}", f"{apart:.2f}", "P"),
        (
            "boards without parts, €",
            price_tiles,
            f"{price_row:.0f}",
            price_tiles,
            "P",
        ),
        (
            "a board that has to be changed, €",
            price_tile,
            f"{price_row / rows_of_cells:.0f}",
            price_tile,
            "P",
        ),
        (
            "light depth below the overlay, mm",
            f"{mm['light_depth']:g}",
            f"{mm['light_depth']:g}",
            "none: the lights press on it",
            "P",
        ),
    ]
    head = (
        "",
        "tiles, electrodes on the overlay",
        "row boards, the same",
        "pads on the tiles",
        "mark",
    )
    return lines_of(head, rows)


TABLES: Final = (pads, overlays, gaps, others, boards)


def main() -> int:
    design = Design()
    for each in TABLES:
        print("\n".join([*each(design), ""]))
    wrong = [*faults(design)]
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
