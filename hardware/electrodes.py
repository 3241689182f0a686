"""The electrodes' design: what a finger does to a pad's counts, and what stands against it.

`python -m hardware.electrodes` prints the reckoning and exits with 1 if something does not hold.
Lengths are in millimetres, capacities in picofarads. All of it is of first order, and only a table
can confirm it: `pi-table calibrate --report` does. What it begins with stands in electrodes.toml,
what the parts share in dimensions.toml.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardware import capacity, places
from hardware.capacity import EPSILON
from hardware.dimensions import MM
from hardware.figures import fact, lines_of, percent, read, values
from pi_table.bring_up.pad_quality import LEAST_SNR

FILE: Final = Path(__file__).with_name("electrodes.toml")
BENT: Final = 0.0139
"""By so much of F·b²/D a plate bends that is held at its edges, and 1.25 times as long as wide."""
POISSON: Final = 0.35
"""Of acrylic: by how much it gives sideways."""


@dataclass(frozen=True)
class Design:
    """The reckoning, from its figures and lengths."""

    figures: Mapping[str, float] = field(default_factory=lambda: values(read(FILE)))
    mm: Mapping[str, float] = field(default_factory=lambda: MM)

    # A pad at rest

    @property
    def plate(self) -> float:
        """Electrode to the ground of its tile, through the air of the light cell. Each side's edge
        adds as of a strip of that width (Palmer's formula)."""
        gap = self.mm["light_depth"] - self.mm["electrode_thickness"]
        across, down = self.mm["electrode_across"], self.mm["electrode_down"]
        return (
            EPSILON * across * down / gap * capacity.edges(across, gap) * capacity.edges(down, gap)
        )

    @property
    def neighbours(self) -> float:
        """The four electrodes beside one: as flat strips in the half of space above, for the tiles'
        ground takes the half below. An upper bound."""
        across, down = self.mm["electrode_across"], self.mm["electrode_down"]
        beside = capacity.strips(across, self.mm["pitch_across"] - across) * down
        before = capacity.strips(down, self.mm["pitch_down"] - down) * across
        return 2 * (beside + before)

    def lead_metres(self, place: str) -> float:
        """From the carrier to the tile."""
        way = places.metres(places.CARRIER, places.centre(place))
        return way * self.figures["lead_slack"] + self.figures["lead_ends"]

    @property
    def lead_per_metre(self) -> float:
        """A lead to the tiles' ground that it runs along: a wire over a plane."""
        height, radius = self.figures["lead_height"], self.figures["lead_radius"]
        return capacity.wire(height, radius)

    def rest(self, place: str) -> float:
        """A pad with all that hangs on it, nobody near."""
        lead = self.lead_per_metre * self.lead_metres(place)
        return self.plate + self.neighbours + lead + self.figures["chip"]

    # A finger

    def finger(
        self, area: float, overlay: float | None = None, air: float = 0.0, cards: int = 1
    ) -> float:
        """A finger of that area to the electrode, through cards, overlay, glue and an air gap, in
        series with the body and the way back through the supply."""
        figures = self.figures
        overlay = self.mm["overlay_thickness"] if overlay is None else overlay
        depth = (
            overlay / figures["overlay_permittivity"]
            + cards * figures["card"] / figures["card_permittivity"]
            + figures["glue"] / figures["glue_permittivity"]
            + air
        )
        tip = EPSILON * area * figures["finger_edges"] / depth
        return 1 / (1 / tip + 1 / figures["body"] + 1 / figures["supply_to_earth"])

    def counts(self, place: str, more: float) -> float:
        """By how many counts so much more capacity lowers a pad's value: counts go as 1/C."""
        return self.figures["full_counts"] * more / (self.rest(place) + more)

    def touched(self, place: str, overlay: float | None = None, air: float = 0.0) -> float:
        """The counts of a light finger."""
        return self.counts(place, self.finger(self.figures["fingertip"], overlay, air))

    def snr(self, place: str, overlay: float | None = None) -> float:
        """A light finger's counts for each count of the noise's band."""
        return self.touched(place, overlay) / self.figures["noise_band"]

    @property
    def farthest(self) -> str:
        """The pad with the longest lead, and so the fewest counts."""
        return max([*places.chain(places.wiring())], key=self.lead_metres)

    # What else moves the counts

    def pressed(self, newton: float) -> tuple[float, float]:
        """How far a force bends the overlay between a cell's walls, at most, and the counts that
        the electrode loses, nearer to ground. The glued board's stiffness is left out."""
        thick, stiff = self.mm["overlay_thickness"], self.figures["acrylic_stiffness"]
        plate = stiff * thick**3 / (12 * (1 - POISSON**2))
        width = self.mm["pitch_down"] - self.mm["wall"]
        bent = BENT * newton * width**2 / plate
        gap = self.mm["light_depth"] - self.mm["electrode_thickness"]
        return bent, self.counts("C3", self.plate * bent / (gap - bent))

    def coupling_per_metre(self, spacing: float) -> float:
        """Between two leads side by side below the tiles."""
        figures = self.figures
        return capacity.coupled(spacing, figures["lead_height"], figures["lead_radius"], 1.0)

    def crosstalk(self, place: str, per_metre: float) -> float:
        """The counts by which a lead of another chip beside that of the pad moves one sample, if it
        is charged in the same microsecond. A chip grounds its own other leads meanwhile."""
        coupled = per_metre * self.lead_metres(place)
        return self.figures["full_counts"] * coupled / self.rest(place)

    def sleeve(self) -> float:
        """The counts of a sleeved arm on the guard at the far side."""
        figures = self.figures
        area = self.mm["guard_width"] * figures["sleeve_length"]
        depth = self.mm["overlay_thickness"] / figures["overlay_permittivity"]
        arm = EPSILON * area / (depth + figures["sleeve_air"])
        lead = self.lead_per_metre * (0.2 * figures["lead_slack"] + figures["lead_ends"])
        rest = figures["guard_per_metre"] * 0.5 + lead + figures["chip"]
        return figures["full_counts"] * arm / (rest + arm)

    # Tiles, row boards, and pads on the tile itself

    @property
    def trace_per_metre(self) -> float:
        """A trace of a row board over its ground."""
        figures = self.figures
        height = self.mm["tile_thickness"]
        return capacity.trace(figures["trace"], height, figures["board_permittivity"])

    @property
    def coupling_of_traces(self) -> float:
        """Between two traces of a row board side by side, for a metre."""
        width, height = self.figures["trace"], self.mm["tile_thickness"]
        seen = capacity.seen_by_trace(width, height, self.figures["board_permittivity"])
        return capacity.coupled(self.figures["trace_spacing"], height, width / 4, seen)

    @property
    def pad_on_tile(self) -> float:
        """An electrode on the tile itself, over its ground, were the tile glued to the overlay."""
        area = self.mm["electrode_across"] * self.mm["electrode_down"]
        return EPSILON * self.figures["board_permittivity"] * area / self.mm["tile_thickness"]


LIGHT: Final = 5.0
"""The side of a WS2812B."""


def faults(design: Design) -> Iterator[str]:
    """What does not hold, each a sentence."""
    for way in ("across", "down"):
        size, room = design.mm[f"electrode_{way}"], design.mm[f"pitch_{way}"] - design.mm["wall"]
        if size >= room:
            yield f"An electrode of {size:g} mm {way} stands out of its cell of {room:g} mm."
        elif size > design.mm[f"led_{way}"] - LIGHT:
            yield f"An electrode of {size:g} mm {way} covers the lights of its cell."
    pad, touch = design.farthest, fact("DEFAULT_TOUCH")
    weakest = design.touched(pad)
    if weakest < 1.5 * touch:
        yield (
            f"{pad}: a light finger gives {weakest:.1f} counts, less than 1.5 times the threshold "
            f"of {touch} that a new controller begins with."
        )
    if design.snr(pad) < LEAST_SNR:
        yield (
            f"{pad}: a light finger is {design.snr(pad):.1f} times the noise, and calibration "
            f"refuses what is less than {LEAST_SNR:g} times."
        )
    pressed = design.pressed(design.figures["press"])[1]
    if pressed >= touch / 2:
        yield f"A hard press bends the overlay by as much as {pressed:.1f} counts."
    if design.sleeve() < touch:
        yield f"A sleeve on the guard gives {design.sleeve():.1f} counts, which nobody would feel."


OVERLAYS: Final = (2.0, 3.0, 4.0, 5.0, 6.0)
GAPS: Final = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)


def pads(design: Design) -> Iterator[str]:
    """The table of the nearest and the farthest pad."""
    near, far = "C3", design.farthest
    figures = design.figures

    def row(what: str, mark: str, value: Callable[[str], float], unit: str) -> tuple[str, ...]:
        return what, *(f"{value(place):.1f} {unit}".strip() for place in (near, far)), mark

    def lead(place: str) -> float:
        return design.lead_per_metre * design.lead_metres(place)

    def firm(place: str) -> float:
        return design.counts(place, design.finger(figures["fingertip_firm"]))

    rows = [
        row("to its tile's ground", "C", lambda _: design.plate, "pF"),
        row("to its neighbours, at most", "C", lambda _: design.neighbours, "pF"),
        row(f"its lead, {design.lead_per_metre:.1f} pF/m", "P", lead, "pF"),
        row("chip, breakout, carrier", "P", lambda _: figures["chip"], "pF"),
        row("**at rest**", "P", design.rest, "pF"),
        row("a light finger", "P", lambda _: design.finger(figures["fingertip"]), "pF"),
        row("**its counts**", "P", design.touched, ""),
        row("a firm finger's counts", "P", firm, ""),
        row("a light finger for each count of noise (SNR)", "P", design.snr, ""),
    ]
    return lines_of(("a pad, through overlay and card", near, far, "mark"), rows)


def overlays(design: Design) -> Iterator[str]:
    """The table of thicker and thinner overlays."""
    far = design.farthest
    rows = [
        (
            f"{thick:g}",
            f"{design.touched('C3', thick):.1f}",
            f"{design.touched(far, thick):.1f}",
            f"{design.snr(far, thick):.1f}",
            "" if design.snr(far, thick) >= LEAST_SNR else "calibration refuses it",
        )
        for thick in OVERLAYS
    ]
    return lines_of(("overlay, mm", "counts, C3", f"counts, {far}", "SNR", ""), rows)


def gaps(design: Design) -> Iterator[str]:
    """The table of air between electrode and overlay, or under a card that does not lie flat."""
    far = design.farthest
    flat = design.touched(far)
    rows = [
        (
            f"{air:g}",
            f"{design.touched(far, air=air):.1f}",
            percent(design.touched(far, air=air) / flat),
        )
        for air in GAPS
    ]
    return lines_of(("air, mm", f"counts, {far}", "of those without"), rows)


def others(design: Design) -> Iterator[str]:
    """The table of what else moves the counts."""
    far, figures = design.farthest, design.figures
    rows = []
    for force, who in (("press", "a finger that presses"), ("elbow", "an elbow")):
        bent, counts = design.pressed(figures[force])
        what = f"{who} with {figures[force]:g} N bends the overlay by {bent:.2f} mm at most"
        rows.append((what, f"{counts:.1f}"))
    for name in ("lead_spacing", "lead_bundled"):
        couples = design.coupling_per_metre(figures[name])
        one = design.crosstalk(far, couples)
        what = f"a lead of another chip, {figures[name]:g} mm beside that of {far}"
        rows.append((f"{what} ({couples:.1f} pF/m), charged in the same microsecond", f"{one:.0f}"))
        share = f"{one / figures['samples']:.1f}"
        rows.append((f"the same in a reading, the mean of {figures['samples']:g}", share))
    rows.append(("a sleeved arm on the guard", f"{design.sleeve():.0f}"))
    return lines_of(("what", "counts (P)"), rows)


def boards(design: Design) -> Iterator[str]:
    """The table of tiles, row boards, and pads on the tiles themselves."""
    mm, figures = design.mm, design.figures
    count = len(places.chain(places.wiring()))
    row_length, rows_of_cells = 5 * mm["pitch_across"], 6
    along = 2 * mm["pitch_across"] / 1000
    to_row = 2 * mm["pitch_down"] / 1000 * figures["lead_slack"] + figures["lead_ends"]
    far = design.farthest
    wired = design.lead_per_metre * design.lead_metres(far)
    traced = design.trace_per_metre * along + design.lead_per_metre * to_row
    apart = design.coupling_per_metre(figures["lead_spacing"]) * design.lead_metres(far)
    beside = design.coupling_of_traces * along / 2
    tip = design.finger(figures["fingertip"])
    bare = design.rest(far) - wired
    on_tile = bare - design.plate + design.pad_on_tile + wired

    def counts(rest: float) -> str:
        return f"{figures['full_counts'] * tip / (rest + tip):.1f}"

    price_row = rows_of_cells * row_length * mm["pitch_down"] / 100 * figures["price_of_area"]
    price_tiles = count * figures["price_tile"]
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
            f"{price_tiles:.0f}",
            f"{price_row:.0f}",
            f"{price_tiles:.0f}",
            "P",
        ),
        (
            "a board that has to be changed, €",
            f"{figures['price_tile']:.1f}",
            f"{price_row / rows_of_cells:.0f}",
            f"{figures['price_tile']:.1f}",
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
