"""The keys with which something is written, letter by letter."""

from typing import Final

from pi_table.language import Lang, say

ENTER: Final = "\n"
BACKSPACE: Final = "\b"
ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz-'"
ACCENTED: Final[dict[Lang, str]] = {"en": "", "it": "àèéìòù"}
"""What words of a language are written with, besides."""
SPACE_KEY: Final = say("Space")
ERASE_KEY: Final = say("Erase")
DONE_KEY: Final = say("Done")
