"""The word games, as the engine plays them: `engine.families` says what each function does."""

from pi_table.engine.word_games.lights import can_be_touched, hand, lights, urging
from pi_table.engine.word_games.messages import console_message, look, public_message
from pi_table.engine.word_games.next_game import next_game
from pi_table.engine.word_games.record import hidden, is_open, sentences
from pi_table.engine.word_games.sight import sight
from pi_table.engine.word_games.touches import touched

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
