"""Captions: announcements that the screen displays for a while.

Most announcements are visible on the screen anyway: the turn, the clue, a covered cell. All other
announcements are shown as captions, for people who cannot hear or were looking elsewhere.
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
"""The kinds of announcements that the screen shows only as captions."""


class Caption(msgspec.Struct, frozen=True):
    """An announcement in each language, shown from ``since`` to ``until`` (seconds)."""

    words: Mapping[str, str]
    since: float
    until: float


def caption_after(
    caption: Caption | None, old: AnyTableMessage | None, table: AnyTableMessage, now: float
) -> Caption | None:
    """Return the caption when ``table`` replaces ``old``: the newest announcement to read. A newer
    announcement that needs no caption removes the old caption."""
    if old is None:
        return None  # the console has just connected; earlier announcements are over
    last = old.said[-1].number if old.said else 0
    new = [said for said in table.said if said.number > last]
    for said in reversed(new):
        if said.what in READ:
            since = now + said.after
            return Caption(said.words, since, since + CAPTION_SECONDS)
    return None if new else caption
