"""The colours of the lights, as people should see them; each driver converts them for its LEDs."""

from typing import Final

import msgspec

from pi_table.common.palettes import Palette
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.key import Identity

OFF: Final = 0x000000
WARM: Final = 0xFFB060
"""The neutral light of the table."""
AMBER: Final = 0xFFA000
"""The colour that asks for attention: because of a refusal, a wet table, or a time limit."""
WHITE: Final = 0xFFF0DC
VIOLET: Final = 0xB040FF


class Colours(msgspec.Struct, frozen=True):
    """The colours of teams and cards. The lights of a cell also show its identity by shape and
    motion; see `identities`."""

    red: int
    blue: int
    harmless: int
    """Colour of bystanders and decoys."""
    fatal: int
    """Colour of the assassin and the nuke. Both show it together with white."""

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


PALETTES: Final[dict[Palette, Colours]] = {
    Palette.STANDARD: Colours(0xF01008, 0x0A14C8, 0xFFF6D8, 0xE38BF7),
    Palette.RED_GREEN: Colours(0xF02010, 0x0010B0, 0xFFFFCA, 0xD8BEFF),
    Palette.BLUE_YELLOW: Colours(0xFF0808, 0x29B0FF, 0xF7F0C8, 0x7A10D8),
}
"""For each kind of colour vision, the four colours that people with it distinguish best. A search
program found them, by comparing the colours at full brightness and dimmed."""


def dim(colour: int, share: float) -> int:
    """Return ``colour`` at this share (0 … 1) of its brightness, as the eye perceives it."""
    return mix(OFF, colour, share)


def mix(one: int, other: int, share: float) -> int:
    """Return ``one`` mixed with this share (0 … 1) of ``other``, channel by channel."""
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
