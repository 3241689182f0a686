"""Decode bytes as text. If that fails, an error names the line that cannot be decoded and the
likely encodings.

Nothing is repaired here. A caller that accepts other encodings chooses one of the ``readings``.
"""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.errors import InputError
from pi_table.common.language import join_texts, say
from pi_table.common.lettering import LOST

MAX_QUOTED: Final = 40
"""Maximum number of characters of a word that is shown; the rest is cut off."""
MAX_SAMPLES: Final = 6
"""Maximum number of words from one `Reading` that are shown to a person."""


class EncodingError(InputError):
    """The bytes are not text in the expected encoding.

    ``line`` counts from 1. ``what`` is the message without the names of the file and the line.
    """

    def __init__(self, path: Path | str, line: int, what: str) -> None:
        super().__init__(say("{path}, line {line}: {what}", path=path, line=line, what=what))
        self.line = line
        self.what = what


class Reading(msgspec.Struct, frozen=True):
    """One way to decode bytes as text."""

    encoding: str
    """The name of the encoding: a key of ``ENCODINGS``."""
    text: str
    """The whole text, without a byte order mark, and with line feeds as line ends."""

    def label(self) -> str:
        """Return the name that people know for the encoding."""
        return ENCODINGS[self.encoding]

    def is_certain(self) -> bool:
        """True if the bytes themselves show the encoding."""
        return self.encoding not in _OF_ONE_BYTE

    def samples(self) -> tuple[str, ...]:
        """Return the first few words with non-ASCII letters, each once. A person compares them with
        those of other readings."""
        found = dict.fromkeys(each[0][:MAX_QUOTED] for each in _WITH_OTHERS.finditer(self.text))
        return tuple(word for word, _ in zip(found, range(MAX_SAMPLES), strict=False))


ENCODINGS: Final = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
    "cp1252": "Windows-1252",
    "iso8859-15": "Latin-9",
    "mac-roman": "Mac Roman",
    "cp850": "DOS 850",
    "cp1250": "Windows-1250",
}
"""The supported encodings: Python's name of each, with the name that people know."""

_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
"""Byte order marks. UTF-32-LE comes before UTF-16-LE, because its mark begins with the mark of
UTF-16-LE."""
_WIDE: Final = (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1))
"""For each encoding: its name, its bytes per character, and the index of the only byte that is not
zero in a Latin-1 character."""
_OF_ONE_BYTE: Final = ("cp1252", "iso8859-15", "mac-roman", "cp850", "cp1250")
"""One-byte encodings. The likeliest is first, and is chosen in a tie. Windows-1252 contains
Latin-1."""
_DOCUMENTS: Final = (
    (b"PK\x03\x04", say("a document of Word, Excel or LibreOffice, or an archive")),
    (b"\xd0\xcf\x11\xe0", say("a document of an old Word or Excel")),
    (b"{\\rtf", say("a document with formatting (RTF)")),
    (b"%PDF", "a PDF"),
)
_SEPARATORS: Final = r"\s,;|\"“”«»"
_WITH_OTHERS: Final = re.compile(rf"[^{_SEPARATORS}]*[^\0-\x7f{_SEPARATORS}][^{_SEPARATORS}]*")
_LINE_END: Final = re.compile(r"\r\n|\r")
_LINE_END_BYTES: Final = re.compile(rb"\r\n|\r|\n")
_OFTEN: Final = frozenset("àèéìòùÀÈÉÌÒÙ")
_USUAL: Final = frozenset("’‘“”–—…«»•·°ªº€£\u00a0")
_LAST_EUROPEAN: Final = "\u017f"


def decode_text(data: bytes, path: Path | str) -> str:
    """Return the text of a UTF-8 file, without a byte order mark and with line feeds as line ends.

    Raises EncodingError, which names ``path`` and the line. There are three causes: bytes in
    another encoding (the error names the likeliest encodings), a document that is not plain text,
    and the replacement character. Another program writes that character in place of a letter that
    it cannot read.
    """
    _refuse_documents(data, path)
    wide = _wide_encoding(data)
    if wide is not None:
        label = ENCODINGS[wide]
        raise EncodingError(
            path, 1, say("this is {label} text, not UTF-8; save the file as UTF-8.", label=label)
        )
    try:
        text = _LINE_END.sub("\n", data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        raise _not_utf8(data, path, error.start) from None
    if LOST in text:
        line = text.count("\n", 0, text.index(LOST)) + 1
        raise EncodingError(path, line, lost_letter_message(text.split("\n")[line - 1]))
    return text


def readings(data: bytes, path: Path | str) -> tuple[Reading, ...]:
    """Return all different ways to decode the bytes as text, the likeliest first.

    The result has only one reading if the bytes leave no doubt. Raises EncodingError if the bytes
    are not text in any supported encoding.
    """
    _refuse_documents(data, path)
    wide = _wide_encoding(data)
    certain = [_read(data, encoding) for encoding in ([wide] if wide else ["utf-8"])]
    if certain[0] is not None:
        return (certain[0],)
    found: dict[str, Reading] = {}
    if wide is None:
        for encoding in _OF_ONE_BYTE:
            reading = _read(data, encoding)
            if reading is not None and not _has_controls(reading.text):
                found.setdefault(reading.text, reading)
    if not found:
        raise EncodingError(
            path, 1, say("this is not text; save the list as plain text, in UTF-8.")
        )
    ranked = sorted(found.values(), key=lambda reading: _unlikeliness(reading.text))
    strange = _unlikeliness(ranked[0].text)[0]
    return tuple(each for each in ranked if _unlikeliness(each.text)[0] == strange)


def lost_letter_message(line: str) -> str:
    """Return the error message for a line that contains a replacement character."""
    at = line.index(LOST)
    word = line[max(0, at - MAX_QUOTED // 2) : at + MAX_QUOTED // 2].strip()
    return say(
        "in {word} a letter was lost when the text was saved; use the file from before, or type "
        "the letter again.",
        word=repr(word),
    )


def _refuse_documents(data: bytes, path: Path | str) -> None:
    for beginning, what in _DOCUMENTS:
        if data.startswith(beginning):
            raise EncodingError(
                path, 1, say("this is {what}; save it as plain text, in UTF-8.", what=what)
            )


def _wide_encoding(data: bytes) -> str | None:
    """Return the encoding of text with two or four bytes per character. It is found by its byte
    order mark or its zero bytes. None for other text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return None if encoding == "utf-8" else encoding
    if 0 not in data:
        return None
    for encoding, width, place in _WIDE:
        there = data[place::width]
        others = data.count(0) - there.count(0)
        if there.count(0) * 10 < len(there) and others * 10 >= 9 * (len(data) - len(there)):
            return encoding
    return None


def _read(data: bytes, encoding: str) -> Reading | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return Reading(encoding, _LINE_END.sub("\n", text.removeprefix("\ufeff")))


def _has_controls(text: str) -> bool:
    return any(ord(sign) < 32 and sign not in "\t\n\v\f" for sign in text)


def _unlikeliness(text: str) -> tuple[int, int, int]:
    """Return three counts, of which the first matters most. The reading with the lower counts is
    likelier.

    The first counts characters that are strange in European words. The second counts letters whose
    case differs from that of the letter before. The third counts rare characters.
    """
    strange = in_other_case = rare = 0
    for before, sign in zip(" " + text, text, strict=False):
        if sign.isascii():
            continue
        rare += sign not in _OFTEN
        if sign in _USUAL:
            strange += before.isalpha() and sign != "’"
        elif not _is_european(sign):
            strange += 1
        elif before.isalpha() and before.isupper() != sign.isupper() and sign.lower() != "ß":
            in_other_case += 1
    return strange, in_other_case, rare


def _is_european(sign: str) -> bool:
    is_letter = sign.isalpha() and sign <= _LAST_EUROPEAN
    return is_letter and unicodedata.name(sign, "").startswith("LATIN ")


def _not_utf8(data: bytes, path: Path | str, start: int) -> EncodingError:
    line = len(_LINE_END_BYTES.findall(data, 0, start)) + 1
    try:
        may_be = readings(data, path)
    except EncodingError as error:
        return error
    told = join_texts(" or ", (_describe(each, line) for each in may_be[:2]))
    what = say("this is not UTF-8 text, but perhaps {told}; save the file as UTF-8.", told=told)
    return EncodingError(path, line, what)


def _describe(reading: Reading, line: int) -> str:
    """Return the name of the reading's encoding, with the first word of this line that shows the
    encoding."""
    shown: Iterator[re.Match[str]] = _WITH_OTHERS.finditer(reading.text.split("\n")[line - 1])
    word = next((each[0][:MAX_QUOTED] for each in shown), "")
    return f"{reading.label()} ({word!r})" if word else reading.label()
