"""Recognize the form of a list's lines: a word with its markup, or a line without a word.

A pack has one bare word on each line. Lists from other sources also have bullets, numbers,
quotation marks, counts and comments. The check of a pack reports this markup, and ``plain_list``
removes it.
"""

import html
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

BETWEEN: Final = " = "
"""Separator between the two spellings of a word, the British one first."""


class Separator(StrEnum):
    """Separators that may be between the words of a list."""

    LINES = "lines"
    TAB = "tab"
    SEMICOLON = "semicolon"
    BAR = "bar"
    COMMA = "comma"
    DOT = "dot"
    SLASH = "slash"
    DASH = "dash"
    COLON = "colon"
    SPACE = "space"


SIGNS: Final = {
    Separator.TAB: "\t",
    Separator.SEMICOLON: ";",
    Separator.BAR: "|",
    Separator.COMMA: ",",
}
"""The separators that are never part of a word, with their characters."""
_BETWEEN_WORDS: Final = {
    **{separator: re.compile(re.escape(sign)) for separator, sign in SIGNS.items()},
    Separator.DOT: re.compile("[•·∙▪]"),
    Separator.SLASH: re.compile("/"),
    Separator.DASH: re.compile(" [-–—]{1,3} "),
    Separator.COLON: re.compile(": "),
    Separator.SPACE: re.compile(" "),
}
_MIN_PARTS: Final = {Separator.SLASH: 3, Separator.DASH: 3, Separator.COLON: 3, Separator.SPACE: 6}
"""A separator that may be part of a word counts only if it splits a line into at least this many
parts. For other separators two parts are enough."""


class Mark(StrEnum):
    """Kinds of markup beside a word."""

    BULLET = "bullet"
    NUMBER = "number"
    COUNT = "count"
    QUOTES = "quotes"
    COMMENT = "comment"
    ENDING = "ending"
    """A separator at the start or end of a line, or a full stop if nearly all lines end in one."""
    CODE = "code"
    """A character code of HTML, such as ``&egrave;``."""
    SPELLINGS = "spellings"
    """Two spellings that are separated by a slash, or by ``=`` without spaces."""


class NoWord(StrEnum):
    """Reasons why a line has no word, or no word that can be read with certainty."""

    COMMENT = "comment"
    HEADING = "heading"
    PROGRAM = "program"
    TWICE_ENCODED = "twice-encoded"
    LOST = "lost"


class Shape(msgspec.Struct, frozen=True):
    """A line, or a part of one, split into word and markup."""

    word: str
    """The bare word, which may be empty."""
    marks: tuple[Mark, ...] = ()
    """The markup that was removed or changed."""


class Habits(msgspec.Struct, frozen=True):
    """Markup that most lines of a list have. Rarer markup may be part of a word."""

    numbers: bool = False
    """True if numbers precede most words. If False, a number is part of the word, as in ``7 UP``.
    """
    counts: bool = False
    """True if numbers follow most words. If False, a number is part of the word, as in ``CATCH
    22``."""
    stops: bool = False
    signs: bool = False
    """True if signs such as a hyphen, a number sign or an emoji precede most words."""
    lettered: bool = False
    """True if a letter or a Roman number, with a full stop, precedes most words."""
    brackets: bool = False


MAX_LINE_LENGTH: Final = 200
"""Maximum number of characters of a line that is searched for markup: longer lines are slow."""
MIN_LINES: Final = 5
"""Minimum number of lines of a list in which `habits_of` looks for shared markup."""
_HABITS: Final = {
    "numbers": re.compile(r"#?\d{1,5}\s+(?=\D)"),
    "counts": re.compile(r".*\D\s+\d+(?:[.,]\d+)?\s*%?$"),
    "stops": re.compile(r".*\w\.$"),
    "signs": re.compile(r"[^\w\s\"'“”„«‘‚(\[{.]+\s*(?=\w)"),
    "lettered": re.compile(r"(?:[A-Za-z]|[IVXivx]{1,6})\.\s+"),
    "brackets": re.compile(r"\[.*\]$|\(.*\)$|\{.*\}$"),
}
_COMMENT: Final = re.compile(r"#|//|--\s|<!--")
_COMMENT_BEHIND: Final = re.compile(r"\s+(?:#|//)(?:\s.*)?$")
_BULLET: Final = re.compile(r"\s*(?:[•‣◦▪▫●·∙○■□►✓✔]\s*|[-+*>–—]\s+|\[[ xX]?\]\s+)")
_NUMBER: Final = re.compile(
    r"\s*(?:\(?\d{1,5}[.):]\s+|\(?\d{1,5}[.)](?=[^\W\d])|\(?[a-z]\)\s+|\d{1,5}\s+[-–—]\s+)"
)
_COUNT: Final = re.compile(
    r"\s*(?:[([]\s*[x×]?\d+\s*[x×]?[)\]]|:\s*\d+|\s[x×]\s?\d+|\s\d+[x×]|\s[-–—]\s+\d+)$"
)
_WEAK_NUMBER: Final = re.compile(r"#?\d{1,5}\s+")
_WEAK_COUNT: Final = re.compile(r"\s+\d+(?:[.,]\d+)?\s*%?$")
_ENDS: Final = ",;| \t"
_CODE: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_TAG: Final = re.compile(r"</?[A-Za-z!][^<>]*>")
_HEADING: Final = re.compile(r"\[[^\],\"]*\]$|(?:={2}|-{3}|\*{3}|_{3})")
_SPELLINGS: Final = re.compile(r"([^=]*\w\w[^=]*?)\s*=\s*([^=]*\w\w[^=]*)$")
_SLASHED: Final = re.compile(r"((\w)\w{3,})/(\2\w{3,})$", re.IGNORECASE)
"""Two words that begin alike, such as COLOUR/COLOR. AND/OR does not match."""
_QUOTES: Final = (
    *('""', "“”", "„“", "„”", "””", "«»", "»«", "‹›", "''", "‘’", "‚‘", "’’", "``", "**", "__"),
)
_TWICE: Final = ("cp1252", "mac-roman", "cp850")


def habits_of(lines: Sequence[str]) -> Habits:
    """Return the markup that at least 80 % of a word list's lines have."""
    if len(lines) < MIN_LINES:
        return Habits()
    looked_at = [line.strip() for line in lines if len(line) <= MAX_LINE_LENGTH]
    return Habits(
        **{
            name: 5 * sum(pattern.match(line) is not None for line in looked_at) >= 4 * len(lines)
            for name, pattern in _HABITS.items()
        }
    )


def no_word(line: str) -> NoWord | None:
    """Return the reason why a line is not a word of the list; None if it may be one."""
    line = tidy(line)
    if _COMMENT.match(line):
        return NoWord.COMMENT
    if _TAG.search(line) or line.startswith("{"):
        return NoWord.PROGRAM
    if "\ufffd" in line:
        return NoWord.LOST
    if line.endswith((":", "(", "[", "{")) or _HEADING.match(line):
        return NoWord.HEADING
    return NoWord.TWICE_ENCODED if repair_encoding(line) is not None else None


def split_markup(line: str, habits: Habits) -> Shape:
    """Split a line into its word and the markup beside the word. The line must have a word."""
    line = tidy(line)
    if len(line) > MAX_LINE_LENGTH:
        return Shape(line)
    marks: list[Mark] = []

    def off(mark: Mark, pattern: re.Pattern[str], word: str, behind: bool = False) -> str:
        found = pattern.search(word) if behind else pattern.match(word)
        if found is None or not found[0]:
            return word
        rest = word[: found.start()] if behind else word[found.end() :]
        if not any(sign.isalnum() for sign in rest):
            return word
        marks.append(mark)
        return rest.strip()

    def unquote(word: str) -> str:
        bare = _unquote(_unquote(word))  # **ANCHOR** has two pairs
        if bare != word:
            marks.append(Mark.QUOTES)
        return bare

    word = without_codes(line)
    if word != line:
        marks.append(Mark.CODE)
    word = off(Mark.COMMENT, _COMMENT_BEHIND, word.strip(), behind=True)
    word = unquote(word)
    for _ in range(2):  # for a bullet and a box, or a number and a bullet
        word = off(Mark.BULLET, _BULLET, word)
        word = off(Mark.NUMBER, _NUMBER, word)
    if habits.numbers:
        word = off(Mark.NUMBER, _WEAK_NUMBER, word)
    if habits.signs:
        word = off(Mark.BULLET, _HABITS["signs"], word)
    if habits.lettered:
        word = off(Mark.NUMBER, _HABITS["lettered"], word)
    if habits.brackets and _HABITS["brackets"].match(word):
        marks.append(Mark.QUOTES)
        word = word[1:-1].strip()
    bare = word.strip(_ENDS).rstrip(": ")
    if bare and bare != word:
        marks.append(Mark.ENDING)
        word = bare
    if habits.stops and word.endswith("."):
        marks.append(Mark.ENDING)
        word = word.rstrip(". ")
    word = off(Mark.COUNT, _COUNT, word, behind=True)
    if habits.counts:
        word = off(Mark.COUNT, _WEAK_COUNT, word, behind=True)
    word = unquote(word)
    spellings = _SPELLINGS.match(word) or _SLASHED.match(word)
    if spellings and BETWEEN not in word:
        marks.append(Mark.SPELLINGS)
        word = f"{spellings[1].strip()}{BETWEEN}{spellings[spellings.lastindex or 2].strip()}"
    return Shape(word, tuple(dict.fromkeys(marks)))


def without_codes(line: str) -> str:
    """Return a line with its HTML character codes decoded."""
    return _CODE.sub(lambda found: html.unescape(found[0]), line) if "&" in line else line


def separators_in(line: str) -> tuple[Separator, ...]:
    """Return the separators that split a line into several words, the most certain one first."""
    inside = tidy(without_codes(line)).strip(_ENDS)
    return tuple(
        separator
        for separator in _BETWEEN_WORDS
        if len(parts_of(inside, separator)) >= _MIN_PARTS.get(separator, 2)
    )


def parts_of(line: str, separator: Separator) -> list[str]:
    """Return the parts of a line that is split at a separator, without empty parts."""
    return [cell for cell in cells_of(line, separator) if cell]


def cells_of(line: str, separator: Separator) -> list[str]:
    """Split a line at a separator. As in CSV, a text in quotation marks is not split."""
    sign = SIGNS.get(separator)
    if separator is Separator.LINES:
        cells = [line]
    elif sign is None or '"' not in line or line.count('"') % 2:
        cells = _BETWEEN_WORDS[separator].split(line)
    else:
        quotes = line.split('"')  # texts outside of quotes are at 0, 2, 4 …
        outside = [each.replace(sign, _CUT) for each in quotes[::2]]
        quotes[::2] = outside
        cells = '"'.join(quotes).split(_CUT)
    return [cell.strip() for cell in cells]


_CUT: Final = "\0"


def tidy(line: str) -> str:
    """Return a line without spaces at its ends, and with single spaces inside. Tabs inside stay."""
    return _SPACES.sub(" ", line.strip())


_SPACES: Final = re.compile(r"[^\S\t]+")


def repair_encoding(line: str) -> str | None:
    """Return the right text of a line that was decoded with a wrong encoding; else None."""
    if line.isascii():
        return None
    for encoding in _TWICE:
        try:
            before = line.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        if all(sign.isascii() or "\xa0" <= sign <= "\u017f" for sign in before):
            return before
    return None


def _unquote(word: str) -> str:
    if word.startswith('"') and word.count('"') == 1:
        return word[1:].strip()  # its closing quote is on another line
    for opening, closing in _QUOTES:
        if len(word) > 2 and word.startswith(opening) and word.endswith(closing):
            inner = word[1:-1].replace('""', '"') if opening == '"' else word[1:-1]
            if f"{closing} " in inner or f" {opening}" in inner:
                continue  # two quotations: 'A' AND 'B'
            bare = inner.strip()
            return bare if any(sign.isalnum() for sign in bare) else word
    return word
