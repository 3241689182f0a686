"""The word games at the hidden screen: the grid, the key during a peek, and the menus.

The screens are in `game_menu`, `clue_entry`, `cover`, `lay_out` and `blanks`; their drawing is in
`grid`, `panel`, `headline` and `referee_says`.
"""
