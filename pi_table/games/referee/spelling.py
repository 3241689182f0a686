"""Words as they are compared: case, apostrophes, hyphens, accents."""

import re
from typing import Final

from pi_table.common.lettering import plain, without_accents

__all__ = ["joined", "tidy", "unspelled", "without_accents"]

_SPELLED: Final = re.compile(r"\w([- ]\w){2,}")
_EDGES: Final = " .,;:!?…\"'“”«»()[]-"
"""What may stand around a word without being of it."""


def tidy(text: str) -> str:
    """``text`` in composed Unicode, with one space between words, plain apostrophes and hyphens,
    and without the punctuation around it."""
    return plain(text).strip(_EDGES)


def unspelled(clue: str) -> str:
    """A clue that was spelled out, as a word: *h-o-r-s-e* → *horse*."""
    return re.sub("[- ]", "", clue) if _SPELLED.fullmatch(clue) else clue


def joined(word: str) -> str:
    """``word`` without the spaces, hyphens, apostrophes and dots with which some write it."""
    return "".join(filter(str.isalnum, word))
