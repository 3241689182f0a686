"""The file with the desk's link that is also on the table's SD card.

No screen can show this link if the table has no hidden screen, so `pi-table settings` makes it and
writes it to the boot partition. The person who holds the card can open the link. Once a device has
opened the link, the link's key is removed from this file, and then from the card. If the link ends,
the file is removed, and the next start makes another link.
"""

import os
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Annotated, Final

import msgspec

from pi_table.common.errors import StorageError
from pi_table.common.files import Owner, write_whole
from pi_table.table.store.sealed_file import encode_sealed, read_sealed

FILE: Final = "desk-link.json"
PAGE: Final = "/desk"
"""Path of the page that the link opens (`phones.links.PAGES`)."""
LINK_BYTES: Final = 32
"""Random bytes in a link, as in the links of phones (`sealing.seal.KEY_BYTES`)."""


class CardLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{43}\Z")] | None = None
    """The link's key as base64url; None once a device has opened the link."""

    def __repr__(self) -> str:
        return "CardLink(…)"

    @property
    def page(self) -> str | None:
        return None if self.key is None else f"{PAGE}#{self.key}"


def read_card_link(folder: Path) -> CardLink | None:
    """Return the link in the state folder ``folder``; None if there is none, or if its file is
    damaged: then the next start makes another link."""
    try:
        text = read_sealed(folder / FILE)
        return None if text is None else msgspec.json.decode(text, type=CardLink)
    except (StorageError, ValueError):
        return None


def make_card_link(folder: Path, owner: Owner | None, *, is_new: bool) -> CardLink:
    """Return the link. If there is none, or if ``is_new`` is True, make one, and store it as a file
    of ``owner``. Raises OSError."""
    link = None if is_new else read_card_link(folder)
    if link is None:
        link = CardLink(urlsafe_b64encode(os.urandom(LINK_BYTES)).decode().rstrip("="))
        _write(folder, link, owner)
    return link


def note_opened(folder: Path) -> None:
    """Remove the key from the file, because a device has opened the link. Raises OSError."""
    _write(folder, CardLink(), None)


def remove_card_link(folder: Path) -> None:
    """Remove the file. Raises OSError."""
    (folder / FILE).unlink(missing_ok=True)


def _write(folder: Path, link: CardLink, owner: Owner | None) -> None:
    write_whole(folder / FILE, [encode_sealed(msgspec.json.encode(link))], 0o600, owner)
