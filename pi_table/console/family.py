"""What the console knows of a family of games: the protocol that each family's object keeps to."""

from typing import Any, Protocol

from pi_table.console.judge import Question
from pi_table.console.screen import AnyScreen
from pi_table.console.shapes import Scene
from pi_table.language import Lang, Words
from pi_table.rules.seat import Seat


class FamilyOfScreens(Protocol):
    """A module that has these functions. A ``table`` is a message of its family, a ``model`` the
    console at a table that plays one of its games."""

    @property
    def PEEKS_WHILE_HELD(self) -> bool:  # noqa: N802 - a constant of a module
        """Is what is hidden seen only as long as PEEK is held? Elsewhere PEEK shows and hides."""

    def home(self, table: Any, /) -> AnyScreen:
        """The home screen."""

    def visible(self, table: Any, peeking: bool, /) -> Any:
        """What of the table the screens may be given."""

    def can_peek(self, model: Any, /) -> bool:
        """Is there something hidden that could be shown or hidden now?"""

    def peeking_seat(self, table: Any, /) -> Seat | None:
        """The seat in whose name somebody peeks; None where there is none."""

    def same_secrets(self, old: Any, table: Any, /) -> bool:
        """Is what is hidden still what it was? ``old`` is of any family, or None."""

    def another_visit(self, old: Any, table: Any, /) -> bool:
        """Was somebody at the screen, and is no longer? ``old`` is of any family, or None."""

    def body(self, model: Any, table: Any, now: float, /) -> Scene | None:
        """The screen on top, but for the buttons at its foot; None where it is a page of no
        family."""

    def peek_label(self, model: Any, /) -> Words:
        """What stands on the button that peeks."""

    def question(self, model: Any, /) -> Question | None:
        """What the referee is to be asked now."""

    def asked_soon(self, model: Any, /) -> Lang | None:
        """The language in which the referee will be asked soon."""
