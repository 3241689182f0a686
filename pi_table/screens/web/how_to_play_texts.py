"""The board's texts that explain each game.

The names are ``how-GAME-FORM-NUMBER-title``, ``-words`` and ``-picture``. A form is the number of
players, or the kind of nuke; numbers count from 1. A picture is the name of a file.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from pi_table.common.language import Say
from pi_table.games.lines.how_to_play import lessons
from pi_table.games.rules.profile import PROFILES, Profile, Settings


def _forms(profile: Profile) -> Iterator[tuple[str, Settings]]:
    """Yield the forms in which a game is explained, with their names."""
    usual = profile.usual
    if "players" in profile.settings:
        yield "teams", replace(usual, players="teams")
        yield "cooperative", replace(usual, players="cooperative")
        yield "shared-operative", replace(usual, players="shared-operative")
    elif "nuke" in profile.settings:
        yield "basic", replace(usual, nuke="basic")
        yield "mad", replace(usual, nuke="mad")
    else:
        yield "all", usual


def _texts() -> Iterator[tuple[str, Say]]:
    for profile in PROFILES.values():
        for form, settings in _forms(profile):
            for number, lesson in enumerate(lessons(profile.id, settings), 1):
                name = f"how-{profile.id}-{form}-{number}"
                yield f"{name}-title", lesson.title
                yield f"{name}-words", lesson.words
                yield f"{name}-picture", Say(f"{lesson.name}.svg")


HOW_TO_PLAY: Final[dict[str, Say]] = dict(_texts())
