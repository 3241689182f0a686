"""Colours as eyes see them: distance, contrast, and colour blindness.

A colour is an int 0xRRGGBB in sRGB (IEC 61966-2-1), as it should look on a screen.
"""
