"""The colours of the lights, as they should look; whatever drives the LEDs corrects for them."""

from typing import Final, Literal

import msgspec

from pi_table.rules.team import Team
from pi_table.rules.word_games.key import Identity

OFF: Final = 0x000000
WARM: Final = 0xFFB060
"""The light of a table at which nothing is meant."""
AMBER: Final = 0xFFA000
"""What wants to be noticed: refused, wet, late."""
WHITE: Final = 0xFFF0DC
VIOLET: Final = 0xB040FF

PaletteName = Literal["standard", "red-green", "blue-yellow"]


class Palette(msgspec.Struct, frozen=True):
    """The colours that mean something. Shape and motion mean the same; see `identities`."""

    red: int
    blue: int
    harmless: int
    """Of bystanders and decoys."""
    fatal: int
    """Of the assassin and the nuke, beside white."""

    def team(self, team: Team) -> int:
        return self.red if team is Team.RED else self.blue

    def identity(self, identity: Identity) -> int:
        match identity:
            case Identity.RED:
                return self.red
            case Identity.BLUE:
                return self.blue
            case Identity.BYSTANDER | Identity.DECOY:
                return self.harmless
        return self.fatal


PALETTES: Final[dict[PaletteName, Palette]] = {
    "standard": Palette(0xFF2A14, 0x2858FF, 0xE8C080, 0xC040FF),
    "red-green": Palette(0xFF4A00, 0x2050FF, 0xFFF0B8, 0xB060FF),
    "blue-yellow": Palette(0xFF1030, 0x00A8C0, 0xFFD8C0, 0xD000A0),
}
"""By the kind of vision that each is for: everybody's, red-green and blue-yellow deficiencies."""


def dim(colour: int, share: float) -> int:
    """``colour`` with this share (0 … 1) of its light, as the eye takes it."""
    return mix(OFF, colour, share)


def mix(one: int, other: int, share: float) -> int:
    """``one`` with this share (0 … 1) of ``other``, channel by channel."""
    if share <= 0.0:
        return one
    if share >= 1.0:
        return other
    part = int(share * 256)
    rest = 256 - part
    # Red and blue in one multiplication: each has sixteen bits to itself.
    red_blue = ((one & 0xFF00FF) * rest + (other & 0xFF00FF) * part) >> 8 & 0xFF00FF
    green = ((one & 0x00FF00) * rest + (other & 0x00FF00) * part) >> 8 & 0x00FF00
    return red_blue | green
