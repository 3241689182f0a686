"""Read text files that people edit.

All such files must be UTF-8, with or without a byte order mark, with Unix or Windows line ends.
Anything else is refused, because a letter that is lost silently cannot be recovered.
"""

import codecs
from pathlib import Path
from typing import Final

from pi_table.common.decoding import EncodingError, decode_text
from pi_table.common.errors import InputError
from pi_table.common.files import read_small_file
from pi_table.common.language import say, system_says

UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""Byte order marks of a file that Notepad saved as “Unicode” or “UTF-16”."""


def read_text(path: Path, most: int, what: str = "") -> str:
    """Return the text of an edited file of at most ``most`` bytes, with LF line ends.

    ``what`` is the name of the file in error messages, by default its path. Raises InputError for a
    file that cannot be read, is too large, or is not UTF-8.
    """
    what = what or str(path)
    try:
        data = read_small_file(path, most)
    except OSError as error:
        raise InputError(
            say(
                "{what} cannot be read: {strerror}. Check its path and rights.",
                what=what,
                strerror=system_says(error),
            )
        ) from None
    if len(data) > most:
        raise InputError(
            say(
                "{what} has more than {most} bytes, which is too many: name another file.",
                what=what,
                most=f"{most:,}",
            )
        )
    return text_of(data, what)


def text_of(data: bytes, what: str) -> str:
    """Decode the bytes of a text that a person wrote. Drop a byte order mark, and end all lines
    with LF.

    ``what`` is the name of the file in error messages. Raises InputError, which names the line, if
    the bytes are not UTF-8.
    """
    try:
        return decode_text(data, what)
    except EncodingError as error:
        raise InputError(
            say("{what}, line {line}: {what_2}", what=what, line=error.line, what_2=error.what)
        ) from None


def fault_for_libraries(path: Path) -> str:
    """Return why a library that expects plain ASCII cannot read a file: a byte order mark, or
    UTF-16. For any other reason, return ""."""
    try:
        beginning = read_small_file(path, 3)
    except OSError:
        return ""
    if beginning.startswith(codecs.BOM_UTF8):
        return say("it begins with a byte order mark; save it as UTF-8 without one")
    return say("it is UTF-16 text; save it as UTF-8") if beginning.startswith(UTF_16) else ""
