"""Test whether a text can be shown, printed and spoken, and whether two texts are the same word.

Packs, guests' words, clues, nicknames and titles of packs are checked here before they are stored.
Texts that are already in a journal are never checked again: a stored game stays as it was played.
"""

import unicodedata
from enum import StrEnum
from typing import Final


class Misfit(StrEnum):
    """Reasons why a text cannot be used."""

    EMPTY = "empty"
    """The text has no letter and no digit, so it cannot be read out."""
    UNSEEN = "unseen"
    """The text has control characters or other invisible characters."""
    FOREIGN = "foreign"
    """The text has letters, digits or signs that our typefaces lack. Some of them look like letters
    that we have."""


_LATIN_1: Final = (
    "¡¢£¤¥¦§¨©ª«¬®¯°±²³´¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
)
_LATIN_EXTENDED: Final = (
    "ĀāĂăĄąĆćĊċČčĎďĐđĒēĖėĘęĚěĞğĠġĢģĦħĪīĮįİıĶķĹĺĻļĽľŁłŃńŅņŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŪūŮůŰűŲųŴŵŶŷŸŹźŻżŽž"
    "ȘșȚțȷẀẁẂẃẄẅỲỳ"
)
_SIGNS: Final = "˘˙˚˛˜˝–—‘’‚“”„†‡•…‰‹›⁄€™℮∂∏∑−∕∙√∞∫≈≠≤≥◊"
SIGNS: Final = frozenset((*map(chr, range(0x20, 0x7F)), *_LATIN_1, *_LATIN_EXTENDED, *_SIGNS))
"""Characters that a text may have: the Latin letters, digits and signs in every typeface of the
hidden screen and of printed cards.

A test compares this with the font files. The web pages need no such list, because a browser takes a
missing letter from another typeface.
"""

_SPACES: Final = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_WRITTEN: Final = str.maketrans(
    {
        **dict.fromkeys(_SPACES + "\u202f\u205f\u3000", " "),
        **dict.fromkeys("‐‑", "-"),
        "‒": "–",
        "―": "—",
        **dict.fromkeys("ʼ‛′", "’"),
        **{sign: unicodedata.normalize("NFKC", sign) for sign in "ﬀﬁﬂﬃﬄﬅﬆĲĳ"},
    }
)
"""Lookalike characters and ligatures. Each has a replacement that our typefaces contain."""

_APOSTROPHES: Final = dict.fromkeys("’‘ʼ‛′´`", "'")
_DASHES: Final = dict.fromkeys("‐‑‒–—―−﹘﹣", "-")
_PLAIN: Final = str.maketrans(_APOSTROPHES | _DASHES)

_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Fillers, joiners and selectors. They are invisible, although Unicode classes them as letters,
marks and symbols."""

LOST: Final = "\N{REPLACEMENT CHARACTER}"
"""The replacement character, which marks a letter that was lost when a file was read."""

_BASE_LETTERS: Final = str.maketrans(
    dict(zip("đðħıȷłøŧ", "ddhijlot", strict=True)) | {"æ": "ae", "œ": "oe", "þ": "th"}
)
"""The plain letters for small letters with strokes and for ligatures, which Unicode does not
decompose."""


def misfit(text: str) -> Misfit | None:
    """Return why a text cannot be shown, printed and spoken; None if it can."""
    if text.isascii() and text.isprintable():  # fast path for nearly all texts: the rules need it
        return None if any(map(str.isalnum, text)) else Misfit.EMPTY
    if unseen(text.strip()):
        return Misfit.UNSEEN
    if not any(map(_is_letter, text)):
        return Misfit.EMPTY
    return Misfit.FOREIGN if foreign(text) else None


def clean(text: str) -> str:
    """Return a text as it is stored: in composed Unicode, without spaces at its ends.

    Hyphens, apostrophes, spaces and ligatures become those that our typefaces have. Invisible
    characters stay, so that `misfit` finds them.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_WRITTEN)
    return text.strip()


def unseen(text: str) -> str:
    """Return the control characters and other invisible characters of a text."""
    if text.isascii() and text.isprintable():
        return ""
    return "".join(sign for sign in text if _is_unseen(sign))


def _is_unseen(sign: str) -> bool:
    category = unicodedata.category(sign)
    return category[0] == "C" or category in ("Zl", "Zp") or sign in _FILLERS


def foreign(text: str) -> str:
    """Return the letters, marks, digits and signs that are not in `SIGNS`, each once.

    A text is also shown in capitals, so its capital letters must be in `SIGNS` too.
    """
    if text.isascii():
        return ""
    shown = clean(text)
    return "".join(dict.fromkeys(s for s in shown + clean(shown.upper()) if s not in SIGNS))


def same(text: str) -> str:
    """Return a key that is equal for two texts if they are the same word.

    Only letters and digits count. Case, accents, apostrophes, dashes, punctuation, spaces, width
    and ligatures do not count. Two texts without letters and digits have equal keys if they have
    the same characters.
    """
    if text.isascii():
        folded = "".join(filter(str.isalnum, text.lower()))
    else:
        # Remove signs first, because NFKD turns ™ into letters.
        folded = "".join(sign for sign in text if unicodedata.category(sign)[0] in "LMN")
        folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", folded).casefold())
        folded = "".join(filter(_is_letter, folded.translate(_BASE_LETTERS)))
    return folded or "".join(clean(text).split())


def _is_letter(sign: str) -> bool:
    """True for a letter or digit. Modifier letters do not count, because most of them look like
    apostrophes."""
    if sign.isascii():
        return sign.isalnum()
    return unicodedata.category(sign) in _LETTERS and sign not in _FILLERS


_LETTERS: Final = frozenset(("Lu", "Ll", "Lt", "Lo", "Nd", "Nl", "No"))


def letters(text: str) -> str:
    """Return the letters and digits of a text in lower case, with their accents."""
    return "".join(filter(_is_letter, unicodedata.normalize("NFC", text.casefold())))


def plain(text: str) -> str:
    """Return a text in composed Unicode, with plain apostrophes and hyphens, and single spaces.

    Wide letters and ligatures become the usual letters; symbols such as ™ are dropped.
    """
    if not text.isascii():
        # Done before NFKC, which turns ´ into a space with an accent, and ™ into letters.
        text = "".join(filter(_is_no_symbol, text.translate(_PLAIN)))
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.translate(_PLAIN).split())


def _is_no_symbol(sign: str) -> bool:
    """True for every character that is not a symbol. Invisible and replacement characters count as
    no symbols, so that a later check finds them."""
    return unicodedata.category(sign) != "So" or sign == LOST or _is_unseen(sign)


def without_accents(text: str) -> str:
    """Return a text without the marks on its letters."""
    if text.isascii():
        return text
    signs = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(s for s in signs if not unicodedata.combining(s)))
