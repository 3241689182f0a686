"""Normal forms of words for comparison: case, apostrophes, hyphens, accents."""

import re
from typing import Final

from pi_table.common.lettering import plain, without_accents

__all__ = ["join_letters", "tidy", "without_accents", "without_separators"]

_SPELLED: Final = re.compile(r"\w([- ]\w){2,}")
_EDGES: Final = " .,;:!?…\"'“”«»()[]-"
"""Characters around a word that do not belong to it."""


def tidy(text: str) -> str:
    """Return ``text`` as plain Unicode with single spaces, without punctuation around it."""
    return plain(text).strip(_EDGES)


def join_letters(clue: str) -> str:
    """Return a clue that was spelled out as a word: *h-o-r-s-e* → *horse*."""
    return re.sub("[- ]", "", clue) if _SPELLED.fullmatch(clue) else clue


def without_separators(word: str) -> str:
    """Return ``word`` without spaces, hyphens, apostrophes and dots."""
    return "".join(filter(str.isalnum, word))
