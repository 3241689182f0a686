"""The comb that holds the leads of one chip under the deck. It is printed with its teeth up.

A cable tie holds it: it comes down through one slot of the deck, goes across in a groove, and up
through the next. The holes allow for a tie along both axes, so one part serves for leads along x
and along y.
"""

from build123d import Shape

from enclosure import plugs
from enclosure.dimensions import MM
from enclosure.leads import CHANNELS, COMB_PLATE, LEAD, TEETH_AT, TIE, lane
from enclosure.shapes import block

TOOTH = 3.4
"""Height in mm of the teeth."""
LIP = 0.15
"""Each tooth reaches so many mm over the slot beside it, at its tip: the lead snaps in."""
BAR = 5.0
"""Width in mm of the row of teeth, along the leads."""
GROOVE = 1.4
"""Depth in mm of the grooves for the tie, which is flush with the plate."""
REACH = 6.5
"""Distance in mm from the tie's middle to the edges of the plate."""


def lead_comb() -> Shape:
    """Return the comb: its tie is at the origin, its teeth are in a row along y at -x."""
    up, tie, slot = COMB_PLATE, MM["tie"] / 2 + MM["play"], LEAD / 2 + 0.1
    end = lane(0) + plugs.PITCH
    near, far = -TEETH_AT - BAR / 2, -TEETH_AT + BAR / 2
    solid = block(near, REACH, -REACH, REACH, 0, up)
    solid += block(near, far, -end, end, 0, up + TOOTH)
    taken = [
        block(-tie, tie, -TIE, TIE, up - GROOVE, up + 1),
        block(-TIE, TIE, -tie, tie, up - GROOVE, up + 1),
    ]
    for x, y in ((-TIE, 0.0), (TIE, 0.0), (0.0, -TIE), (0.0, TIE)):
        taken.append(block(x - tie, x + tie, y - tie, y + tie, -1, up + 1))
    for channel in range(CHANNELS):
        y, top = lane(channel), up + TOOTH
        taken.append(block(near - 1, far + 1, y - slot, y + slot, up, top - 0.8))
        narrow = slot - LIP
        taken.append(block(near - 1, far + 1, y - narrow, y + narrow, up, top + 1))
    return solid - taken
