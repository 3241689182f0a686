"""The line of the settings with the PIN, which is taken over once and then no longer there.

It is blanked in place, for a file that is written anew leaves the old one's bytes on the card. A
card writes a sector of 512 bytes whole, and the line may lie in two. So the line becomes a comment
first, by one byte; then its digits go. Whenever the power fails, either the PIN can still be read
as a setting, or it is a comment, whose digits the next look removes.
"""

import os
import re
from pathlib import Path
from typing import Final

_LINE: Final = re.compile(rb"^[ \t]*(?P<key>[p#]in)[ \t]*=[ \t]*[\"'](?P<pin>[0-9 ]+)[\"']", re.M)
"""A line with a PIN, or one that has become a comment and may have digits left."""


def line_of_pin(text: bytes, pin: str) -> int | None:
    """The number of the line, from 1, that sets this PIN and can be blanked; None if there is none,
    or more than one."""
    found = [each for each in _LINE.finditer(text) if _sets(each)]
    if len(found) != 1 or found[0]["pin"] != pin.encode():
        return None
    return text.count(b"\n", 0, found[0].start()) + 1


def blank(file: Path) -> None:
    """Makes comments without digits of all lines with a PIN. Raises OSError."""
    descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC)
    try:
        text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        for line in _LINE.finditer(text):
            if _sets(line):
                _write(descriptor, b"#", line.start("key"))
            if line["pin"].strip():
                _write(descriptor, b" " * len(line["pin"]), line.start("pin"))
    finally:
        os.close(descriptor)


def may_be_blanked(file: Path) -> bool:
    """Can the file be written?"""
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _sets(line: re.Match[bytes]) -> bool:
    return line["key"] == b"pin"


def _write(descriptor: int, data: bytes, offset: int) -> None:
    os.pwrite(descriptor, data, offset)
    os.fdatasync(descriptor)
