"""The word games, as the engine plays them: `engine.families` says what each function does."""

from pi_table.engine.word_games.messages import console_message, look, phone, public_message
from pi_table.engine.word_games.next_game import next_game
from pi_table.engine.word_games.record import hidden, is_open, sentences
from pi_table.engine.word_games.sight import sight
from pi_table.engine.word_games.time_left import has_hourglass, hurried_by, urging
from pi_table.engine.word_games.touches import touched

SEATS_ARE_PEOPLE = False

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
