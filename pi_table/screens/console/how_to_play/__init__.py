"""The rules of each game in six pages or fewer, for people who have never seen the table.

`screens` has the pages and lets people turn them, `drawn` draws a page, and `pictures` has the
parts of the drawings. The drawings are in `word_game_drawings` and `codex_drawings`, the words in
`lines/how_to_play.py`.
"""
