"""The texts of the pages, by the names that pages use.

A page fetches the texts of its viewer's language and fills in their ``{fields}`` itself, so texts
are served with their fields. A text that depends on a number has two forms.
"""

from typing import Final

import msgspec

from pi_table.common.language import Lang, Say, catalogue, translate
from pi_table.screens.web.board_texts import BOARD
from pi_table.screens.web.common_texts import COMMON
from pi_table.screens.web.desk_texts import DESK
from pi_table.screens.web.how_to_play_texts import HOW_TO_PLAY
from pi_table.screens.web.phone_texts import PHONE

TEXTS: Final[dict[str, Say]] = {**COMMON, **BOARD, **HOW_TO_PLAY, **PHONE, **DESK}


class Plural(msgspec.Struct, frozen=True):
    """A text that depends on a number, in one language."""

    one: str
    """The text for 1."""
    many: str
    """The text for 0, or more than 1."""


def texts_in(lang: Lang) -> dict[str, str | Plural]:
    return {name: _in(text, lang) for name, text in TEXTS.items()}


def _in(text: Say, lang: Lang) -> str | Plural:
    if text.many is None:
        return translate(text, lang)
    known = catalogue(lang)
    one, many = (known.ngettext(text.msgid, text.many, count) for count in (1, 2))
    return Plural(one, many)
