"""Codex at the hidden screen: six agents, one at a time.

`visit` determines who is at the screen, and removes everything from the table's message that must
not be visible now. The screens are in `public_menu`, `own_code`, `visit_menu`, `entry_prompts`,
`code_entry`, `page` and `nickname_screens`; their drawing is in `drawn_screens`,
`drawn_pages` and `round_table`.
"""
