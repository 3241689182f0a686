"""Writes curve.h, how strongly an LED is driven for each colour: `python3 curve.py >curve.h`.

A colour is told as it is to look, in sRGB, as a screen would be told. An LED gives light by pulses,
so twice the pulse is twice the light, and the eye does not see that as twice as bright. sRGB says
how much light each number means (IEC 61966-2-1); no other curve, or a screen and an LED that are
told the same would look different in hue. Needs nothing but the standard library.
"""

import sys

CHANNEL_MOST = 255


def light_of(channel: int) -> float:
    """How much light a channel (0 … 255) of an sRGB colour means: 0 … 1."""
    share = channel / CHANNEL_MOST
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def pulses() -> list[int]:
    """For each channel of a colour (0 … 255), the length of the LED's pulse (0 … 255)."""
    return [round(CHANNEL_MOST * light_of(channel)) for channel in range(CHANNEL_MOST + 1)]


def header() -> str:
    """The text of curve.h."""
    rows = [pulses()[at : at + 16] for at in range(0, CHANNEL_MOST + 1, 16)]
    table = ", \\\n    ".join(", ".join(map(str, row)) for row in rows)
    lines = [
        "/* Written by curve.py: change that, not this. */",
        "#ifndef CURVE_H",
        "#define CURVE_H",
        "",
        "/* The pulse for each channel of a colour as it is to look. */",
        f"#define CURVE {{ \\\n    {table}}}",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(header())
