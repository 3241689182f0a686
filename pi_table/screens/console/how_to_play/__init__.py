"""How each game is played, in six pages or fewer, for people who have never seen the table.

`page` says what a page is, `pictures` what its drawing is made of; `word_game_drawings` and
`codex_drawings` hold the drawings, `lines/how_to_play.py` the words. `screens` lets people turn
them, and `drawn` puts one on the screen.
"""
