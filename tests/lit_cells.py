"""As what a cell is lit: its identity, read back from the colours of its four lights."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pi_table.common.geometry import CELLS, leds_of
from pi_table.devices.lights.colours import PALETTES, Colours, dim
from pi_table.devices.lights.identities import corners
from pi_table.games.rules.word_games.key import Identity

PHASES: Final = [step * 0.01 for step in range(800)]
"""Instants (seconds) over which every identity goes through all that it shows."""
NEAR: Final = 4
"""Largest difference of each channel of a colour, of 255."""
STANDARD: Final = next(iter(PALETTES.values()))


@lru_cache
def _faces(colours: Colours, share: float) -> list[tuple[Identity, tuple[int, ...]]]:
    """All that a cell can look like that was found to be something, with this share of light."""
    return [
        (identity, face)
        for identity in Identity
        for face in dict.fromkeys(
            tuple(dim(colour, share) for colour in corners(identity, colours, phase, still))
            for phase in PHASES
            for still in (False, True)
        )
    ]


@lru_cache(maxsize=100_000)
def lit_as(
    lights: tuple[int, ...], colours: Colours = STANDARD, share: float = 1.0
) -> Identity | None:
    """Return the identity that four lights show with these colours at this share of their light.

    None if they show no identity that was found.
    """
    for identity, face in _faces(colours, share):
        if all(map(_is_near, lights, face)):
            return identity
    return None


def cells_lit_as(
    leds: Sequence[int], shares: Sequence[float] = (1.0,), colours: Colours = STANDARD
) -> dict[str, Identity]:
    """The cells of a frame that are shown to be something, with any of these shares of light."""
    found: dict[str, Identity] = {}
    for cell, name in enumerate(CELLS):
        lights = tuple(leds[led] for led in leds_of(cell))
        for share in shares:
            identity = lit_as(lights, colours, share)
            if identity is not None:
                found[name] = identity
                break
    return found


def _is_near(one: int, other: int) -> bool:
    return (
        abs((one >> 16) - (other >> 16)) <= NEAR
        and abs((one >> 8 & 0xFF) - (other >> 8 & 0xFF)) <= NEAR
        and abs((one & 0xFF) - (other & 0xFF)) <= NEAR
    )


class Lasting:
    """Which cells are lit as the same for half a second at least: a wave of light that runs over
    the table makes one look found for a moment."""

    def __init__(self, shares: Sequence[float]) -> None:
        """``shares`` of their light are what cells may be shown with."""
        self._shares = shares
        self._since: dict[tuple[str, Identity], float] = {}

    def take(self, leds: Sequence[int], at: float) -> dict[str, Identity]:
        """Those cells, now that the table shows this (seconds)."""
        lit = cells_lit_as(leds, self._shares).items()
        self._since = {each: self._since.get(each, at) for each in lit}
        return {
            name: identity for (name, identity), since in self._since.items() if at > since + HALF
        }


HALF: Final = 0.5
"""Seconds."""
