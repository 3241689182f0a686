"""The word games at the hidden screen: the grid, the key during a peek, and the menus.

The screens are in `game_menu`, `clue_entry`, `cover`, `hands` and `lay_out`. Their drawing is in
`grid`, `panel`, `headline`, `drawn_hands` and `referee_says`.
"""
