"""The link of the operator's desk on the boot partition, for a table without a hidden screen.

The report has the link as text, and a picture beside it has the link's QR code. Both are on the
card until a device has opened the link. Then their bytes are overwritten with blanks, because a new
file would leave the old bytes on the card.
"""

import io
import os
from pathlib import Path
from typing import Final

import segno

from pi_table.common.files import sync_folder, write_whole
from pi_table.common.language import say
from pi_table.maintenance.first_boot import places
from pi_table.maintenance.first_boot.below_root import owner_of_state
from pi_table.maintenance.first_boot.settings import Settings, UnusableError
from pi_table.table.engine.storage.card_link import CardLink, make_card_link, remove_card_link
from pi_table.table.engine.storage.house_files import PIN

MODULE: Final = 10
"""Width in pixels of one module (small square of the QR code) in the picture."""


def check_a_desk_can_open(settings: Settings, root: Path) -> None:
    """Raise UnusableError if the table is to have no hidden screen, but nobody could open its
    desk."""
    if settings.screen != "none":
        return
    wrong = []
    if settings.pin is None and not (root / places.STATE / PIN).exists():
        wrong.append(say("screen: without a hidden screen the desk needs a PIN: write pin, too."))
    no_pages = settings.pages is False
    if no_pages or (settings.pages is None and (root / places.NO_PAGES).exists()):
        wrong.append(
            say("screen: without a hidden screen the key is on phones: write pages = true.")
        )
    if wrong:
        raise UnusableError(*wrong)


def keep(settings: Settings, root: Path) -> CardLink | None:
    """Return the link of a table without a hidden screen. If the settings have a PIN, the link is
    new, because somebody may have lost the device that had the old one. Return None for other
    tables, and remove their link. Raises OSError."""
    state = root / places.STATE
    if settings.screen == "none":
        return make_card_link(state, owner_of_state(root), is_new=settings.pin is not None)
    remove_card_link(state)
    return None


def show(link: CardLink | None, file: Path, root: Path) -> list[str]:
    """Write the QR code beside the settings file ``file``. Without a link, or after a device has
    opened the link, remove the QR code. Return the lines for the report. Raises OSError."""
    picture = file.with_name(places.DESK)
    if link is None or link.page is None:
        _wipe(picture)
        return [] if link is None else [say("The operator’s desk has its device.")]
    address = f"http://{(root / places.HOSTNAME).read_text().strip()}.local{link.page}"
    drawn = io.BytesIO()
    segno.make(address, error="m", micro=False).save(drawn, kind="svg", scale=MODULE, light="#fff")
    if not picture.exists() or picture.read_bytes() != drawn.getvalue():
        _wipe(picture)
        write_whole(picture, [drawn.getvalue()], 0o600)
    return [
        say(
            "The operator’s desk: open this address on your phone, in the table’s network, or open "
            "{name} on this computer and scan it. The first device to open it has the desk.",
            name=picture.name,
        ),
        address,
    ]


def _wipe(file: Path) -> None:
    """Overwrite a file with blanks and remove it."""
    if not file.exists():
        return
    descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC)
    try:
        os.pwrite(descriptor, b" " * os.fstat(descriptor).st_size, 0)
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)
    file.unlink()
    sync_folder(file.parent)
