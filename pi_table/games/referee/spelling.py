"""Normal forms of words, for comparing them without regard to hyphens, apostrophes or accents."""

import re
from typing import Final

from pi_table.common.lettering import plain, without_accents

__all__ = ["join_letters", "tidy", "without_accents", "without_separators"]

_SPELLED: Final = re.compile(r"\w([- ]\w){2,}")
_EDGES: Final = " .,;:!?…\"'“”«»()[]-"
"""Characters that are removed from the beginning and end of a clue."""


def tidy(text: str) -> str:
    """Return ``text`` as plain Unicode, with single spaces and without punctuation at its ends."""
    return plain(text).strip(_EDGES)


def join_letters(clue: str) -> str:
    """Return a clue as one word if it was spelled letter by letter: *horse* for *h-o-r-s-e*."""
    return re.sub("[- ]", "", clue) if _SPELLED.fullmatch(clue) else clue


def without_separators(word: str) -> str:
    """Return only the letters and digits of ``word``, without spaces, hyphens and other
    punctuation."""
    return "".join(filter(str.isalnum, word))
