"""The log of a program that runs for years, written to systemd's journal.

A failure may repeat every second for a month. Therefore each sentence is written only a limited
number of times a day. This limit reduces wear of the memory card, and other events can still be
found.
"""

import logging
import os
from collections import Counter
from collections.abc import Mapping
from typing import Final

from pi_table.common.language import as_line

DAY: Final = 86_400.0
MAX_REPEATS_A_DAY: Final = 20
MAX_SENTENCES: Final = 100
"""Maximum number of different sentences that are counted in a day. All further sentences share one
count."""
OTHERS: Final = ""
TEXT: Final = "pi-table-text: "
"""Beginning of a line that contains the packed text (id and fields) of the line before."""
FOR_PROGRAMS: Final = "<7>"
"""systemd's prefix for debug lines: `journalctl -p info` omits them."""
NO_MORE: Final = "That is written no more today, however often it happens."


def begin_log() -> None:
    """Log to standard error in this process."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatLimit())
    handler.setFormatter(WithTexts("%(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def text_below(words: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return a line for systemd's journal, to be written below the line with these words.

    The line contains the packed text (id and fields) of the words. With it, the command `fault` can
    show the words in every language. The result is "" for words without an id, or if standard error
    does not go to that journal.
    """
    packed = as_line(words) if environment.get("JOURNAL_STREAM") else ""
    return f"\n{FOR_PROGRAMS}{TEXT}{packed}" if packed else ""


class WithTexts(logging.Formatter):
    """A formatter that writes one line for each record. Below an error it writes a second line with
    the error's packed text."""

    def format(self, record: logging.LogRecord) -> str:
        below = text_below(record.getMessage()) if record.levelno >= logging.ERROR else ""
        return f"{super().format(record)}{below}"


class RepeatLimit(logging.Filter):
    """A log filter that passes each sentence only a limited number of times a day. The last copy
    says that it is the last."""

    def __init__(self) -> None:
        super().__init__()
        self._since = 0.0
        self._written: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        # A clock that was set back also begins a new day.
        if not 0 <= record.created - self._since < DAY:
            self._since = record.created
            self._written.clear()
        message = record.getMessage()
        is_told_apart = message in self._written or len(self._written) < MAX_SENTENCES
        sentence = message if is_told_apart else OTHERS
        self._written[sentence] += 1
        if self._written[sentence] == MAX_REPEATS_A_DAY:
            record.msg, record.args = f"{message} {NO_MORE}", ()
        return self._written[sentence] <= MAX_REPEATS_A_DAY
