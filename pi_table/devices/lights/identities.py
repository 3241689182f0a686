"""The look of each identity on a cell: each has its own colour, shape and motion.

A cell has four lights, at its corners. For a red agent all four lights pulse slowly. For a blue
agent two opposite corners are lit, and this pair turns. For a bystander the far edge is lit, for a
decoy the near edge; both are at rest. For the assassin two pairs of corners, white and violet, swap
like a heartbeat, and the second beat is weaker. For the nuke the corners are violet, a white light
runs round them, and all swell with it. A cell with one light shows the mean of the corners. Each
motion can be seen in this mean, too."""

from typing import Final

from pi_table.devices.lights.colours import WHITE, Colours, dim, mix
from pi_table.devices.lights.motion import breath, running, turning
from pi_table.games.rules.word_games.key import Identity

Corners = tuple[int, int, int, int]
"""The colours of a cell's four lights, in the order far left, far right, near right, near left."""

BREATH_SECONDS: Final = 4.0
TURN_SECONDS: Final = 8.0
HEARTBEAT_SECONDS: Final = 0.9
"""Seconds in which the assassin's corners swap their colours and swap back."""
WEAK_BEAT: Final = 0.7
"""Brightness (0 … 1) of the assassin's second beat. If both beats were equally bright, a cell with
one light would show no beat, because the mean of the corners would never change."""
RUN_SECONDS: Final = 1.4
SWELL: Final = 0.2
"""Share (0 … 1) of the nuke's brightness that swells once in each round of its light."""
REST: Final = 0.12
"""Brightness (0 … 1) of the dim part of a shape."""


def corners(identity: Identity, colours: Colours, now: float, still: bool = False) -> Corners:
    """Return the colours of a cell's four lights at ``now`` (seconds), for this identity. If
    ``still`` is true, nothing moves: the lights stay in the position that people recognise best."""
    colour = colours.identity(identity)
    match identity:
        case Identity.RED:
            share = 1.0 if still else 0.8 + 0.2 * breath(now, BREATH_SECONDS)
            whole = dim(colour, share)
            return (whole, whole, whole, whole)
        case Identity.BLUE:
            turns = 0.0 if still else now / TURN_SECONDS
            one = dim(colour, REST + (1.0 - REST) * turning(0, turns))
            other = dim(colour, REST + (1.0 - REST) * turning(1, turns))
            return (one, other, one, other)
        case Identity.BYSTANDER:
            rest = dim(colour, REST)
            return (colour, colour, rest, rest)
        case Identity.DECOY:
            rest = dim(colour, REST)
            return (rest, rest, colour, colour)
        case Identity.ASSASSIN:
            first = still or now / HEARTBEAT_SECONDS % 1.0 < 0.5
            one, other = (WHITE, colour)
            if not first:
                one, other = dim(colour, WEAK_BEAT), dim(WHITE, WEAK_BEAT)
            return (one, other, one, other)
    turns = 0.0 if still else now / RUN_SECONDS
    share = 1.0 if still else 1.0 - SWELL + SWELL * breath(now, RUN_SECONDS)
    a, b, c, d = (dim(mix(colour, WHITE, running(corner, turns)), share) for corner in range(4))
    return (a, b, c, d)


MOVES_FAST: Final = frozenset({Identity.ASSASSIN, Identity.NUKE})
"""Identities with fast motions. They appear only at the end of a game, so their motion disturbs
nobody."""
