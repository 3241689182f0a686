"""Updates of the table's own packages, in quiet hours or soon after boot, never during a game.

A new version is rolled back in two cases: the table does not start properly with it, or the new
version could not install a later update.
"""
