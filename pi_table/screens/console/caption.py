"""What is said aloud at the table, to be read on this screen for a while.

Most of what is said the screen shows anyway: whose turn it is, the clue, a cell that is covered.
What it shows nowhere else is read here, for those who cannot hear it, or were looking elsewhere.
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
"""What is said that the screen shows nowhere else."""


class Caption(msgspec.Struct, frozen=True):
    """A sentence that is to be read, by the code of each language, from when to when (seconds)."""

    words: Mapping[str, str]
    since: float
    until: float


def caption_after(
    caption: Caption | None, old: AnyTableMessage | None, table: AnyTableMessage, now: float
) -> Caption | None:
    """What is to be read when ``table`` has come after ``old``: what that told of anew. What was
    read before makes way for anything that is said."""
    if old is None:
        return None  # the console has only just come, and what was said was said before
    last = old.said[-1].number if old.said else 0
    new = [said for said in table.said if said.number > last]
    for said in reversed(new):
        if said.what in READ:
            since = now + said.after
            return Caption(said.words, since, since + CAPTION_SECONDS)
    return None if new else caption
