"""A table without a hidden screen speaks of none. Every sentence that names one, its button PEEK or
its operator's page is said only by the screen itself, by its tools, or to say that there is none.
"""

import re
from collections.abc import Iterator
from typing import Final

from babel.messages.pofile import read_po
from texts import Source, catalogue_path, sources

from pi_table.common.output_locale import GUESTS, STAFF

NAMES_IT: Final = {
    "en": re.compile(
        r"(?i:hidden screen|\b(?:at|on|to) (?:the|this) screen|operator’s page)|\bPEEK\b"
    ),
    "it": re.compile(
        r"(?i:schermo nascosto|\b(?:allo|sullo|questo) schermo|pagina del gestore)|\bCHIAVE\b"
    ),
}
ITS_OWN: Final = (
    "pi_table/screens/console/",  # the screen itself
    "pi_table/devices/hal/displays.py",
    "pi_table/common/failure_report.py",  # the screen's program has stopped
    "pi_table/simulator/",  # a simulated table has one
    "pi_table/maintenance/bring_up/box_steps.py",  # steps that a table without one leaves out
    "pi_table/maintenance/bring_up/steps.py",
)
"""Source files whose sentences only a table with a hidden screen says."""
SAID: Final = {
    "The key is on the hidden screen.": "somebody has pressed PEEK there",
    "This screen stopped": "counts faults of the hidden screen",
    "This table has a hidden screen: do that there.": "refuses the desk of a table that has one",
    "The operator’s page or desk of that table says what to do.": "names the desk, too",
    "This link has ended, or it belongs to another device. Whoever has the PIN gets a new one on "
    "the operator’s page: scan its QR code. A table without that page writes one to its card when "
    "it is switched on.": "says what a table without one does",
    "No PIN is set, and the desk needs one: set it on the operator’s page, or in the settings on "
    "the card.": "the same",
    "hidden screen": "names the setting that says whether there is one",
    "There is no hidden screen: the spymasters’ phones show the key.": "says that there is none",
    "screen: without a hidden screen the desk needs a PIN: write pin, too.": "the same",
    "screen: without a hidden screen the key is on phones: write pages = true.": "the same",
}
"""Other sentences that name the hidden screen, with the reason why each may."""


def test_a_sentence_names_the_hidden_screen_only_where_there_is_one() -> None:
    found = {source.one: source.file for source in _that_name_it()}
    assert found.keys() <= SAID.keys(), {one: found[one] for one in found.keys() - SAID.keys()}


def test_each_exception_is_still_said() -> None:
    said = {source.one for source in sources()}
    assert not SAID.keys() - said


def _that_name_it() -> Iterator[Source]:
    """Yield the sentences that name the hidden screen in English or in Italian."""
    translated: dict[str, str] = {}
    for domain in (GUESTS, STAFF):
        with open(catalogue_path("it", domain), "rb") as file:
            for message in read_po(file, "it"):
                one = message.id if isinstance(message.id, str) else message.id[0]
                translated[one] = str(message.string)
    for source in sources():
        if source.file.startswith(ITS_OWN):
            continue
        italian = translated.get(source.one, "")
        if NAMES_IT["en"].search(source.one) or NAMES_IT["it"].search(italian):
            yield source
