"""Captions: announcements that the screen displays for a while.

Most announcements need no caption, because the screen shows their result: the turn, the clue, a
covered cell. The others get a caption, for people who cannot hear or were looking elsewhere.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from pi_table.games.announcer.announcement import CAPTION_SECONDS, What
from pi_table.protocols.ipc.messages import AnyTableMessage

READ: Final = {
    what.value
    for what in (
        *(What.GOES_ON, What.LAID_OUT, What.NEW_KEY, What.CORRECTION, What.ALLOWED),
        *(What.LONGER, What.NOBODY, What.NEW_CODE),
        *(What.REFUSED, What.WIPE, What.IN_ORDER, What.CLOSING, What.CLOSED),
    )
}
"""Kinds of announcements that need a caption, because the screen does not show their result."""


class Caption(msgspec.Struct, frozen=True):
    """An announcement in each language, shown from ``since`` to ``until`` (seconds)."""

    words: Mapping[str, str]
    since: float
    until: float


def caption_after(
    caption: Caption | None, old: AnyTableMessage | None, table: AnyTableMessage, now: float
) -> Caption | None:
    """Return the caption after the message ``old`` was replaced by ``table``.

    The latest new announcement of a kind in `READ` becomes the caption. If all new announcements
    are of other kinds, the caption ends. Without new announcements, it stays.
    """
    if old is None:
        return None  # the console has just connected; earlier announcements are over
    last = old.said[-1].number if old.said else 0
    new = [said for said in table.said if said.number > last]
    for said in reversed(new):
        if said.what in READ:
            since = now + said.after
            return Caption(said.words, since, since + CAPTION_SECONDS)
    return None if new else caption
