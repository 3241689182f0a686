"""The log of a program that runs for years: each process writes it to systemd's journal.

What goes on failing may come and go each second, for a month. So the same sentence is written some
times a day, and then no more until the next: a card is not worn by it, and what else happened is
still to be found.
"""

import logging
from collections import Counter
from typing import Final

DAY: Final = 86_400.0
"""In seconds."""
MOST_A_DAY: Final = 20
"""How often the same sentence is written in a day."""
MOST_SENTENCES: Final = 100
"""How many sentences are told apart in a day; all others share one count."""
OTHERS: Final = ""
NO_MORE: Final = "That is written no more today, however often it happens."


def begin_log() -> None:
    """Have what this process logs written to its standard error."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatLimit())
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", handlers=[handler])


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
