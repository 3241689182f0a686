"""Capacitances and counts of the electrodes, calculated from the design's figures and lengths.

Lengths are in millimetres, capacitances in picofarads. The model is a first-order approximation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardware import capacity, places
from hardware.capacity import EPSILON
from hardware.dimensions import MM
from hardware.figures import read, values

FILE: Final = Path(__file__).with_name("electrodes.toml")
BENT: Final = 0.0139
"""Factor k in the deflection k·F·b²/D of a plate under the force F. b is the plate's width, D its
bending stiffness. The plate is held at its edges and is 1.25 times as long as wide."""
POISSON: Final = 0.35
"""Poisson's ratio of acrylic."""


@dataclass(frozen=True)
class Design:
    """The electrodes' calculation. Its inputs are figures (electrodes.toml) and lengths
    (dimensions.toml)."""

    figures: Mapping[str, float] = field(default_factory=lambda: values(read(FILE)))
    mm: Mapping[str, float] = field(default_factory=lambda: MM)

    # A pad at rest

    @property
    def plate(self) -> float:
        """Capacitance in pF from an electrode to the ground of the tiles, through the air of the
        light cells.

        The formula is for two plates without holes; Palmer's formula adds the effect of their
        edges. The figure ``plate_share`` is the share of this capacitance that remains, because the
        tile has a hole and other electrodes are near.
        """
        gap = self.mm["light_depth"] - self.mm["electrode_thickness"]
        across, down = self.mm["electrode_across"], self.mm["electrode_down"]
        whole = EPSILON * across * down / gap
        edges = capacity.edges(across, gap) * capacity.edges(down, gap)
        return whole * edges * self.figures["plate_share"]

    @property
    def neighbours(self) -> float:
        """Capacitance in pF from an electrode to the electrodes beside it.

        The electrodes count as flat strips, with a field only above them, because the tiles' ground
        is below. The figure ``neighbours_share`` is the share that remains near other conductors.
        """
        across, down = self.mm["electrode_across"], self.mm["electrode_down"]
        beside = capacity.strips(across, self.mm["pitch_across"] - across) * down
        before = capacity.strips(down, self.mm["pitch_down"] - down) * across
        return 2 * (beside + before) * self.figures["neighbours_share"]

    def lead_metres(self, place: str) -> float:
        """Return the length in metres of a lead from the carrier to a tile's plug J3 or to a guard.
        ``place`` is a cell, a pad, or a guard: far, near, left, right."""
        guards = self.guards
        way = places.metres(places.CARRIER, guards.get(place) or places.centre(place))
        spare = self.figures["guard_spare"] if place in guards else 0.0
        return way * self.figures["lead_slack"] + self.figures["lead_ends"] + spare

    @property
    def guards(self) -> dict[str, tuple[float, float]]:
        """Middle of each guard in mm, in the coordinates of `places.centre`. A guard is a
        touch-sensitive strip of foil along a side of the table."""
        beyond = self.mm["guard_gap"] + self.mm["guard_width"] / 2
        across = 2.5 * self.mm["pitch_across"] + beyond
        down = 2.5 * self.mm["pitch_down"] + beyond
        return {
            "far": (0.0, down),
            "near": (0.0, -down - self.mm["pitch_down"]),
            "left": (-across, 0.0),
            "right": (across, 0.0),
        }

    @property
    def lead_alone(self) -> float:
        """Capacitance in pF/m from a single lead to the tiles' ground above it, with the formula
        for a wire over a plane."""
        height, radius = self.figures["lead_height"], self.figures["lead_radius"]
        return capacity.wire(height, radius)

    @property
    def lead_in_row(self) -> float:
        """Capacitance in pF/m of a lead between two rows of cells. The comb holds it beside the
        leads of the same side of these rows."""
        return self._bundled((0, 1, 5, 6, 11))

    @property
    def lead_in_drop(self) -> float:
        """Capacitance in pF/m of a lead on the way down to the carrier's plug, among all leads of
        its chip."""
        return self._bundled(range(12))

    def lead(self, place: str) -> float:
        """Return the capacitance in pF of a lead to the tiles' ground and to the other leads of its
        chip. The chip grounds these while it measures."""
        metres = self.lead_metres(place)
        drop = min(self.figures["lead_drop"], metres)
        return self.lead_in_drop * drop + self.lead_in_row * (metres - drop)

    def bundling(self, place: str) -> float:
        """Return the capacitance in pF that a lead gets from the other leads of its chip."""
        return self.lead(place) - self.lead_alone * self.lead_metres(place)

    def _bundled(self, channels: Iterable[int]) -> float:
        figures = self.figures
        places = [channel * figures["lead_pitch"] for channel in channels]
        return capacity.bundled(places, figures["lead_height"], figures["lead_radius"])

    def rest(self, place: str) -> float:
        """Return the total capacitance in pF of a pad while no hand is near."""
        return self.plate + self.neighbours + self.lead(place) + self.figures["chip"]

    # A finger

    def finger(
        self, area: float, overlay: float | None = None, air: float = 0.0, cards: int = 1
    ) -> float:
        """Return the capacitance in pF that a finger of this contact area (mm²) adds to an
        electrode.

        Cards, overlay, glue and an air gap are between the finger and the electrode. Two more
        capacitances are in series: from the body to earth, and from the supply to earth.
        """
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
        """Return the counts by which a pad's value falls if its capacitance C grows by ``more`` pF.
        The value is proportional to 1/C."""
        return self.figures["full_counts"] * more / (self.rest(place) + more)

    def charge(self, place: str) -> float:
        """Return the current in µA that charges a pad in 1 µs to the level required by the chip's
        auto-configuration."""
        return self.rest(place) * self.figures["supply"] * self.figures["full_counts"] / 1024

    def touch_counts(self, place: str, overlay: float | None = None, air: float = 0.0) -> float:
        """Return the counts by which a light finger lowers a pad's value."""
        return self.counts(place, self.finger(self.figures["fingertip"], overlay, air))

    def snr(self, place: str, overlay: float | None = None) -> float:
        """Return the signal-to-noise ratio: a light finger's counts divided by the width of the
        noise band."""
        return self.touch_counts(place, overlay) / self.figures["noise_band"]

    @property
    def farthest(self) -> str:
        """The pad with the longest lead, which therefore has the fewest counts."""
        return max([*places.chain(places.wiring())], key=self.lead_metres)

    # What else moves the counts

    def press_effect(self, newton: float) -> tuple[float, float]:
        """Return the effect of a force on the overlay, between a cell's walls: the overlay's
        largest bend in mm, and the counts that the electrode loses.

        The electrode loses counts because it comes nearer to ground. The stiffness of the board
        glued to the overlay is left out.
        """
        thick, stiff = self.mm["overlay_thickness"], self.figures["acrylic_stiffness"]
        plate = stiff * thick**3 / (12 * (1 - POISSON**2))
        width = self.mm["pitch_down"] - self.mm["wall"]
        bent = BENT * newton * width**2 / plate
        return bent, self.nearer(bent)

    def nearer(self, millimetres: float) -> float:
        """Return the counts that pad C3 loses if its electrode comes this many millimetres nearer
        to ground."""
        gap = self.mm["light_depth"] - self.mm["electrode_thickness"]
        return self.counts("C3", self.plate * millimetres / (gap - millimetres))

    def coupling_per_metre(self, spacing: float) -> float:
        """Return the capacitance between two leads side by side below the tiles, pF/m."""
        figures = self.figures
        return capacity.coupling(spacing, figures["lead_height"], figures["lead_radius"], 1.0)

    def crosstalk(self, place: str, per_metre: float) -> float:
        """Return the counts by which the neighbouring lead of another chip shifts one sample.

        The other lead has this effect only if both leads are charged in the same microsecond. Leads
        of the same chip have no effect, because a chip grounds its other leads while it measures
        one.
        """
        coupled = per_metre * self.lead_metres(place)
        return self.figures["full_counts"] * coupled / self.rest(place)

    def light_edge(self, place: str) -> float:
        """Return the counts by which an edge of a light's current shifts the one charge that it
        hits: it moves the ground of the tiles, which is one plate of the electrode."""
        return self._step(place, self.figures["ground_step"] / 1000, self.plate)

    def data_edge(self, place: str) -> float:
        """Return the same for an edge of the lights' data."""
        return self._step(place, self.figures["data_volts"], self.figures["data_coupling"])

    def _step(self, place: str, volts: float, coupled: float) -> float:
        return 1024 / self.figures["supply"] * volts * coupled / self.rest(place)

    def sleeve(self) -> float:
        """Return the counts by which an arm in a sleeve lowers the value of the far guard."""
        figures = self.figures
        area = self.mm["guard_width"] * figures["sleeve_length"]
        depth = self.mm["overlay_thickness"] / figures["overlay_permittivity"]
        arm = EPSILON * area / (depth + figures["sleeve_air"])
        lead = self.lead("far") + self.lead_alone * figures["guard_tail"]
        rest = figures["guard_per_metre"] * 0.5 + lead + figures["chip"]
        return figures["full_counts"] * arm / (rest + arm)

    # Tiles, row boards, and pads on the tile itself

    @property
    def trace_per_metre(self) -> float:
        """Capacitance in pF/m of a row board's trace over the board's ground. A row board has all
        lights of a row of cells; this design was compared, not chosen."""
        figures = self.figures
        height = self.mm["tile_thickness"]
        return capacity.trace(figures["trace"], height, figures["board_permittivity"])

    @property
    def coupling_of_traces(self) -> float:
        """Capacitance in pF/m between two traces side by side on a row board (see
        ``trace_per_metre``)."""
        width, height = self.figures["trace"], self.mm["tile_thickness"]
        seen = capacity.effective_permittivity(width, height, self.figures["board_permittivity"])
        return capacity.coupling(self.figures["trace_spacing"], height, width / 4, seen)

    @property
    def pad_on_tile(self) -> float:
        """Capacitance in pF from an electrode to its tile's ground, in a design that was not
        chosen: the electrodes are copper on the tiles, and the tiles are glued to the overlay."""
        area = self.mm["electrode_across"] * self.mm["electrode_down"]
        return EPSILON * self.figures["board_permittivity"] * area / self.mm["tile_thickness"]
