"""The screens that explain how a game is played, and the function that finds the right screen."""

from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec
from msgspec.structs import replace

from pi_table.common.language import Words, say
from pi_table.games.lines.how_to_play import lessons
from pi_table.games.rules.profile import PROFILES, Family, Settings, profile_named
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.how_to_play.codex_drawings import DRAWINGS as OF_CODEX
from pi_table.screens.console.how_to_play.word_game_drawings import DRAWINGS as OF_WORD_GAMES
from pi_table.screens.console.screen import (
    AnyScreen,
    Become,
    Choice,
    Effect,
    Go,
    ListScreen,
    Return,
    Screen,
)
from pi_table.screens.console.setup import Setup, title
from pi_table.screens.console.shapes import Scene

DRAWING_WIDTH: Final = 760
DRAWING_HEIGHT: Final = 250
"""Units: the height of every drawing before it is scaled to the screen."""


class Page(msgspec.Struct, frozen=True):
    title: Words
    drawing: Scene
    """Shapes in a rectangle of 760 by 250 units. No shape can be tapped."""
    words: Words


class HowToPlay(Screen[AnyTableMessage], frozen=True, kw_only=True):
    """The pages about a game. The selected page is shown.

    A press turns to the next page. On the last page, a press returns to the screen before these
    pages.
    """

    profile: str
    settings: Settings

    is_read: ClassVar[bool] = True
    has_grid: ClassVar[bool] = False
    hides_key: ClassVar[bool] = True

    @property
    def pages(self) -> tuple[Page, ...]:
        return pages_of(self.profile, self.settings)

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(page.title, self._after(number)) for number, page in enumerate(self.pages)
        )

    @property
    def place(self) -> "HowToPlay | None":
        """This screen, so that reading can continue here later; None on the last page."""
        return self if self.selected + 1 < len(self.pages) else None

    def _after(self, number: int) -> Effect:
        last = number + 1 == len(self.pages)
        return Return() if last else Become(replace(self, selected=number + 1))


class WhichGame(ListScreen[AnyTableMessage], frozen=True):
    """The choice of a game to read about, if no game is being played or set up."""

    heading = say("How to play")
    is_read: ClassVar[bool] = True
    hides_key: ClassVar[bool] = True

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(title(profile.id), Go(HowToPlay(profile=profile.id, settings=profile.usual)))
            for profile in PROFILES.values()
        )


def pages_of(profile: str, settings: Settings) -> tuple[Page, ...]:
    codex = profile_named(profile).family is Family.CODEX
    drawings = OF_CODEX if codex else OF_WORD_GAMES
    return tuple(
        Page(lesson.title, drawings[lesson.name], lesson.words)
        for lesson in lessons(profile, settings)
    )


def how_to_play(screens: Sequence[AnyScreen], table: AnyTableMessage) -> AnyScreen:
    """Return the screen that explains the game being set up, else the game being played. Without
    either, return the choice of a game."""
    for screen in screens:
        if isinstance(screen, Setup):
            return HowToPlay(profile=screen.profile, settings=screen.settings)
    if table.public is None or table.settings is None:
        return WhichGame()
    return HowToPlay(profile=table.public.profile, settings=table.settings)
