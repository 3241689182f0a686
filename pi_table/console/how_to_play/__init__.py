"""How each game is played, in six pages or fewer, for people who have never seen the table.

`page` says what a page is, `pictures` what its drawing is made of; `word_game_pages` and
`codex_pages` hold the pages. `screens` lets people turn them, and `drawn` puts one on the screen.
"""
