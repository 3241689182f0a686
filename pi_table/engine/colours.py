"""The colours of the lights, as they should look; a driver maps them to its LEDs."""

from typing import Final

from pi_table.rules.team import Team
from pi_table.rules.word_games.key import Identity

OFF: Final = 0x000000
WARM: Final = 0x241808
AMBER: Final = 0xFFA000
WHITE: Final = 0xFFE8C8
VIOLET: Final = 0x7000C0
TEAM: Final = {Team.RED: 0xFF2410, Team.BLUE: 0x1030E0}
# Told apart by brightness too: bystander, red, blue, assassin, each about half as bright again as
# the next or more, and all of them three times as bright as a cell that nobody has covered.
COVER: Final = {
    Identity.RED: TEAM[Team.RED],
    Identity.BLUE: TEAM[Team.BLUE],
    Identity.BYSTANDER: 0xE0B070,
    Identity.ASSASSIN: 0x400068,
    Identity.DECOY: 0xE0B070,
    Identity.NUKE: 0x400068,
}
PAUSED: Final = 0.3
"""How much of its light a table that is paused shows."""
WAITING: Final = 0.25
"""How much of its light a table shows that waits until hands are lifted."""


def dim(colour: int, share: float) -> int:
    return mix(OFF, colour, share)


def mix(one: int, other: int, share: float) -> int:
    """``one`` with this share (0 … 1) of ``other``, channel by channel."""
    mixed = 0
    for shift in (16, 8, 0):
        a, b = one >> shift & 0xFF, other >> shift & 0xFF
        mixed |= round(a + (b - a) * share) << shift
    return mixed
