"""The texts of the pages, by the names that the pages use for them.

A page fetches the texts in its viewer's language. The texts still contain their ``{fields}``; the
page itself fills these in. A text that depends on a number has two forms.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Lang, Say, catalogue, translate
from pi_table.games.lines.how_to_play import lessons
from pi_table.games.lines.offers import OFFERS
from pi_table.games.rules.profile import PROFILES, Profile, Settings
from pi_table.screens.web.board_texts import BOARD
from pi_table.screens.web.common_texts import COMMON
from pi_table.screens.web.desk_texts import DESK
from pi_table.screens.web.phone_texts import PHONE


def _forms(profile: Profile) -> Iterator[tuple[str, Settings]]:
    """Yield the forms of a game that need their own explanation, each as a name and settings."""
    usual = profile.usual
    if "players" in profile.settings:
        for players in ("teams", "cooperative", "shared-operative"):
            yield players, replace(usual, players=players)
    elif "nuke" in profile.settings:
        for nuke in ("basic", "mad"):
            yield nuke, replace(usual, nuke=nuke)
    else:
        yield "all", usual


def _how_to_play() -> Iterator[tuple[str, Say]]:
    for profile in PROFILES.values():
        for form, settings in _forms(profile):
            for number, lesson in enumerate(lessons(profile.id, settings), 1):
                name = f"how-{profile.id}-{form}-{number}"
                yield f"{name}-title", lesson.title
                yield f"{name}-words", lesson.words
                yield f"{name}-picture", Say(f"{lesson.name}.svg")


HOW_TO_PLAY: Final[dict[str, Say]] = dict(_how_to_play())
"""The texts with which the board explains each game.

Their names are ``how-GAME-FORM-NUMBER-title``, ``-words`` and ``-picture``. FORM is the value
of the setting `players` or `nuke`; ``all`` for a game without these settings. NUMBER is the number
of the page, from 1. The text ``-picture`` is the name of a file.
"""
ON_OFFER: Final[dict[str, Say]] = {
    **{f"offer-{profile}": offer.sentence for profile, offer in OFFERS.items()},
    **{f"offer-size-{profile}": offer.size for profile, offer in OFFERS.items()},
}
"""The texts with which the board offers each game: a sentence, and the number of players with the
duration in minutes."""
TEXTS: Final[dict[str, Say]] = {**COMMON, **BOARD, **HOW_TO_PLAY, **ON_OFFER, **PHONE, **DESK}


class Plural(msgspec.Struct, frozen=True):
    """A text that depends on a number, in one language."""

    one: str
    """The text for 1."""
    many: str
    """The text for 0, and for numbers above 1."""


def texts_in(lang: Lang) -> dict[str, str | Plural]:
    return {name: _in(text, lang) for name, text in TEXTS.items()}


def _in(text: Say, lang: Lang) -> str | Plural:
    if text.many is None:
        return translate(text, lang)
    known = catalogue(lang)
    one, many = (known.ngettext(text.msgid, text.many, count) for count in (1, 2))
    return Plural(one, many)
