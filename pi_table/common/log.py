"""The log of a program that runs for years: each process writes it to systemd's journal.

What goes on failing may come and go each second, for a month. So the same sentence is written some
times a day, and then no more until the next: a card is not worn by it, and what else happened is
still to be found.
"""

import logging
import os
from collections import Counter
from collections.abc import Mapping
from typing import Final

from pi_table.common.language import as_line

DAY: Final = 86_400.0
"""In seconds."""
MOST_A_DAY: Final = 20
"""How often the same sentence is written in a day."""
MOST_SENTENCES: Final = 100
"""How many sentences are told apart in a day; all others share one count."""
OTHERS: Final = ""
TEXT: Final = "pi-table-text: "
"""How the line begins that has the id and the fields of the text in the line before it."""
FOR_PROGRAMS: Final = "<7>"
"""By this systemd knows a line for those who debug: `journalctl -p info` leaves it out."""
NO_MORE: Final = "That is written no more today, however often it happens."


def begin_log() -> None:
    """Have what this process logs written to its standard error."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatLimit())
    handler.setFormatter(WithTexts("%(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def text_below(words: str, environment: Mapping[str, str] = os.environ) -> str:
    """What is written below a line that says these words to systemd's journal, so that `fault` can
    show them in every language; "" elsewhere."""
    packed = as_line(words) if environment.get("JOURNAL_STREAM") else ""
    return f"\n{FOR_PROGRAMS}{TEXT}{packed}" if packed else ""


class WithTexts(logging.Formatter):
    """A line for each record, and below an error its text."""

    def format(self, record: logging.LogRecord) -> str:
        below = text_below(record.getMessage()) if record.levelno >= logging.ERROR else ""
        return f"{super().format(record)}{below}"


class RepeatLimit(logging.Filter):
    """Lets the same sentence through so many times a day; the last time it says so."""

    def __init__(self) -> None:
        super().__init__()
        self._since = 0.0
        self._written: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        # A clock that was set back begins another day, too.
        if not 0 <= record.created - self._since < DAY:
            self._since = record.created
            self._written.clear()
        message = record.getMessage()
        is_told_apart = message in self._written or len(self._written) < MOST_SENTENCES
        sentence = message if is_told_apart else OTHERS
        self._written[sentence] += 1
        if self._written[sentence] == MOST_A_DAY:
            record.msg, record.args = f"{message} {NO_MORE}", ()
        return self._written[sentence] <= MOST_A_DAY
