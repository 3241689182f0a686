"""Words as they are compared: case, apostrophes, hyphens, accents."""

import re
import unicodedata
from typing import Final

_ALIKE: Final = str.maketrans("’‘ʼ`´‐‑–—", "'''''----")

_SPELLED: Final = re.compile(r"\w([- ]\w){2,}")


def tidy(text: str) -> str:
    """``text`` in composed Unicode, with one space between words, plain apostrophes and hyphens."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_ALIKE).split())


def unspelled(clue: str) -> str:
    """A clue that was spelled out, as a word: *h-o-r-s-e* → *horse*."""
    return re.sub("[- ]", "", clue) if _SPELLED.fullmatch(clue) else clue


def without_accents(word: str) -> str:
    parts = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not unicodedata.combining(c)))


def joined(word: str) -> str:
    """``word`` without the spaces, hyphens and apostrophes with which some write it."""
    return word.replace(" ", "").replace("-", "").replace("'", "")
