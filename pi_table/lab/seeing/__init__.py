"""What a colour is to an eye: how far two are apart, how they contrast, what a colour-blind eye
sees.

A colour is an int 0xRRGGBB in sRGB (IEC 61966-2-1), as it should look on a screen.
"""
