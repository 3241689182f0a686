"""Colours as people's eyes see them: distance, contrast, and colour blindness.

A colour is an int 0xRRGGBB in sRGB (IEC 61966-2-1): the colour as it should look on a screen.
"""
