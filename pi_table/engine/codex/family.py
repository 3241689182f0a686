"""Codex, as the engine plays it: `engine.families` says what each function does."""

from pi_table.engine.codex.lights import can_be_touched, hand, lights, urging
from pi_table.engine.codex.messages import console_message, look, public_message
from pi_table.engine.codex.next_game import next_game
from pi_table.engine.codex.record import hidden, is_open, sentences
from pi_table.engine.codex.sight import sight
from pi_table.engine.codex.touches import touched

__all__ = [
    "can_be_touched",
    "console_message",
    "hand",
    "hidden",
    "is_open",
    "lights",
    "look",
    "next_game",
    "public_message",
    "sentences",
    "sight",
    "touched",
    "urging",
]
