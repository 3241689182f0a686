"""What is secret in the files of the boot partition: taken over once, and then no longer there.

Anybody can read a card. So a secret is blanked, and in place, for a file that is written anew
leaves the old one's bytes on the card. A card writes a sector of 512 bytes whole, and a secret may
lie in two. So its line becomes a comment first, by one byte; then its letters go. Whenever the
power fails, either the secret can still be read as a setting, or it is a comment, whose letters the
next look removes.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec


class Kind(msgspec.Struct, frozen=True):
    """A kind of secret, and how it stands in a file."""

    pattern: re.Pattern[bytes]
    """A secret, or one that has become a comment and may have letters left. ``mark`` is the byte
    that becomes a #, ``secret`` what becomes blanks."""
    section: re.Pattern[bytes] | None = None
    """The ``lines`` in which it stands; None: it may stand anywhere."""


PIN: Final = Kind(
    re.compile(
        rb"^(?:\xef\xbb\xbf)?[ \t]*(?P<mark>[p#])in[ \t]*=[ \t]*[\"'](?P<secret>[0-9 ]+)[\"']",
        re.M,
    )
)
PASSWORD: Final = Kind(
    re.compile(
        rb"^[ \t]*(?P<mark>[p#])assword[ \t]*=[ \t]*"
        rb"(?P<quote>[\"'])(?P<secret>[^\"'\\\r\n]*)(?P=quote)",
        re.M,
    ),
    re.compile(
        rb"^(?:\xef\xbb\xbf)?[ \t]*\[[ \t]*bridge[ \t]*\]"
        rb"(?P<lines>.*\n(?:(?![ \t]*\[).*\n?)*)",
        re.M,
    ),
)
"""The one of [bridge]; [wifi] has another, which stays."""
KEY: Final = Kind(
    re.compile(
        rb"^(?:\xef\xbb\xbf)?(?P<mark>[-#])----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"
        rb"(?P<secret>[\s\S]*?)(?=-----END |\Z)",
        re.M,
    )
)
"""The body of a key, in a file of PEM."""


def set_in(kind: Kind, text: bytes) -> list[bytes]:
    """The secrets of this kind in a text that were not taken over yet, where they can be
    blanked."""
    return [each["secret"] for each in _all(kind, text) if _is_set(each)]


def was_set(kind: Kind, text: bytes) -> bool:
    """Does the text have a comment where such a secret was?"""
    return any(not _is_set(each) for each in _all(kind, text))


def blank(file: Path, *kinds: Kind) -> None:
    """Makes comments without letters of all secrets of these kinds. Raises OSError."""
    descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC)
    try:
        text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
        for kind in kinds:
            for each in _all(kind, text):
                if _is_set(each):
                    _write(descriptor, b"#", each.start("mark"))
                if each["secret"].strip():
                    _write(descriptor, b" " * len(each["secret"]), each.start("secret"))
    finally:
        os.close(descriptor)


def may_be_blanked(file: Path) -> bool:
    """Can the file be written?"""
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _all(kind: Kind, text: bytes) -> Iterator[re.Match[bytes]]:
    if kind.section is None:
        yield from kind.pattern.finditer(text)
        return
    for section in kind.section.finditer(text):
        yield from kind.pattern.finditer(text, section.start("lines"), section.end("lines"))


def _is_set(found: re.Match[bytes]) -> bool:
    return found["mark"] != b"#"


def _write(descriptor: int, data: bytes, offset: int) -> None:
    os.pwrite(descriptor, data, offset)
    os.fdatasync(descriptor)
