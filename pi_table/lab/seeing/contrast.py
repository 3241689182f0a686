"""The readability of one colour on another: the contrast ratio of WCAG 2.2."""

from pi_table.lab.seeing.srgb import linear


def contrast(one: int, other: int) -> float:
    """Return the contrast ratio of two colours, from 1 (equal colours) to 21 (black and white)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: int) -> float:
    """Return the relative luminance of a colour, 0 (black) to 1 (white)."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
