"""Codex at the hidden screen: six agents, one at a time.

`visit` says who is in, and takes out of what the table tells all that is not to be seen now. The
screens are in `public_menu`, `own_code`, `visit_menu`, `entry_prompts`, `code_entry`,
`dossier_pages` and `nickname_screens`; how they are drawn is in `drawn_screens`, `drawn_pages` and
`round_table`.
"""
