"""Colours as numbers: sRGB (IEC 61966-2-1), linear light, and contrast."""

Linear = tuple[float, float, float]
"""The linear light of red, green and blue, each from 0 (none) to 1 (full)."""


def linear(colour: int) -> Linear:
    red, green, blue = (_decode((colour >> shift & 0xFF) / 255) for shift in (16, 8, 0))
    return red, green, blue


def colour_of(light: Linear) -> int:
    """Return the colour 0xRRGGBB nearest to this linear light. Values below 0 or above 1 are
    clipped."""
    red, green, blue = (round(255 * _encode(min(1.0, max(0.0, each)))) for each in light)
    return red << 16 | green << 8 | blue


def dim_light(colour: int, share: float) -> int:
    red, green, blue = linear(colour)
    return colour_of((red * share, green * share, blue * share))


def contrast(one: int, other: int) -> float:
    """Return the WCAG 2.2 contrast ratio of two colours, from 1 (equal) to 21 (black and white)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: int) -> float:
    """Return the relative luminance of a colour, 0 (black) to 1 (white)."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _decode(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _encode(light: float) -> float:
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
