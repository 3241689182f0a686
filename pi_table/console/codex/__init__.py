"""Codex at the hidden screen: six agents, one at a time.

`visit` says who is in, and takes out of what the table tells all that is not to be seen now; the
other files are screens (`public`, `own_code`, `inside`, `attempt`, `papers`, `nicknames`) and how
they are drawn (`drawing`, `board`, `pages`).
"""
