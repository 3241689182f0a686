"""The canvas of the lights: scenes are painted on it, each scene over the earlier ones."""

from collections.abc import Iterable, Sequence

from pi_table.common.geometry import CELL_COUNT, LED_COUNT, leds_of
from pi_table.devices.lights.colours import OFF, dim, mix

LightFrame = tuple[int, ...]
"""A colour 0xRRGGBB for each of the 104 LEDs."""


class Canvas:
    def __init__(self) -> None:
        self.leds = [OFF] * LED_COUNT

    def place(self, place: int, colour: int) -> None:
        for led in leds_of(place):
            self.leds[led] = colour

    def corners(self, cell: int, colours: Sequence[int]) -> None:
        first = leds_of(cell).start
        self.leds[first : first + len(colours)] = colours

    def mix(self, place: int, colour: int, share: float) -> None:
        for led in leds_of(place):
            self.leds[led] = mix(self.leds[led], colour, share)

    def dim(self, share: float) -> None:
        alike = {colour: dim(colour, share) for colour in {*self.leds}}
        self.leds = [alike[colour] for colour in self.leds]

    def wash(self, colour: int, shares: Iterable[float]) -> None:
        """Mix a colour into every LED. ``shares`` has the colour's share (0 … 1) for each LED."""
        self.leds = [
            mix(old, colour, share) if share > 0.0 else old
            for old, share in zip(self.leds, shares, strict=True)
        ]

    def frame(self) -> LightFrame:
        return tuple(self.leds)


CELLS = range(CELL_COUNT)
