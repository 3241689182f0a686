"""Secrets in the files of the boot partition. Each secret is stored in the system once and then
removed from its file.

Anyone can read a card, so a secret is overwritten with blanks. The same bytes of the file are
overwritten, because a new file would leave the old file's bytes on the card.

1. One byte turns the secret's line into a comment. 2. Blanks overwrite the secret's letters.

A card writes a sector of 512 bytes as a whole, but a secret may extend over two sectors. After a
power cut between the steps, the secret is either still a valid setting, or a comment whose letters
are removed at the next start.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec


class Kind(msgspec.Struct, frozen=True):
    """A kind of secret, and its form in a file."""

    pattern: re.Pattern[bytes]
    """Pattern of a secret, or of a comment that may still have letters of a secret. The group
    ``mark`` is the byte that becomes a #; the group ``secret`` is overwritten with blanks."""
    section: re.Pattern[bytes] | None = None
    """Pattern of the section that has the secret; its group ``lines`` is the section's contents.
    None means that the secret may be anywhere in the file."""


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
"""The password in [bridge]. The password in [wifi] is not removed."""
KEY: Final = Kind(
    re.compile(
        rb"^(?:\xef\xbb\xbf)?(?P<mark>[-#])----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"
        rb"(?P<secret>[\s\S]*?)(?=-----END |\Z)",
        re.M,
    )
)
"""The body of a private key in a PEM file."""

LINK: Final = Kind(re.compile(rb"/desk(?P<mark>#)(?P<secret>[A-Za-z0-9_-]{43})"))
"""The key in the report's link to the operator's desk. The link's own # is the mark before it."""


def secrets_in(kind: Kind, text: bytes) -> list[bytes]:
    """Return the secrets of this kind that are not stored yet and can be overwritten."""
    return [each["secret"] for each in _all(kind, text) if _is_set(each)]


def was_set(kind: Kind, text: bytes) -> bool:
    """True if the text once had a secret of this kind: a comment is now in its place."""
    return any(not _is_set(each) for each in _all(kind, text))


def blank(file: Path, *kinds: Kind) -> None:
    """Turn all secrets of these kinds into comments, and overwrite their letters with blanks.
    Raises OSError."""
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
    """True if the file can be written, so that its secrets can be removed."""
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
