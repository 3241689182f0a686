"""Whole games as a page gets them: the public messages of a table in virtual time."""

from pi_table.lab.recording import Message, recorded

__all__ = ["Message", "recorded"]
