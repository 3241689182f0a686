"""How a light looks on a screen: an LED at a tenth of its power still glows, a pixel does not."""

GAMMA = 2.2


def glow(colour: int) -> int:
    """The colour 0xRRGGBB of a pixel that looks as an LED of this ``colour`` does."""
    seen = 0
    for shift in (16, 8, 0):
        channel = (colour >> shift & 0xFF) / 255
        seen |= round(255 * channel ** (1 / GAMMA)) << shift
    return seen
