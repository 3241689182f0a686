"""The word games at the hidden screen: the grid, with the key while somebody peeks, and beside it
what spymasters do. The screens are in `game_menu`, `clue_entry`, `cover`, `lay_out` and `blanks`;
how they are drawn is in `grid`, `panel`, `headline` and `referee_says`.
"""
