"""Codex, as the engine plays it: `engine.families` says what each function does."""

from pi_table.engine.codex.messages import console_message, look, phone, public_message
from pi_table.engine.codex.next_game import next_game
from pi_table.engine.codex.record import hidden, is_open, sentences
from pi_table.engine.codex.sight import sight
from pi_table.engine.codex.time_left import has_hourglass, hurried_by, urging
from pi_table.engine.codex.touches import touched

SEATS_ARE_PEOPLE = True

__all__ = [
    "SEATS_ARE_PEOPLE",
    "console_message",
    "has_hourglass",
    "hidden",
    "hurried_by",
    "is_open",
    "look",
    "next_game",
    "phone",
    "public_message",
    "sentences",
    "sight",
    "touched",
    "urging",
]
