"""A screen over the whole width: a title, something beside it, a list or tiles, a word of help."""

from typing import ClassVar

from pi_table.console.screen import Screen, Table
from pi_table.language import Words


class Listed(Screen[Table], frozen=True, kw_only=True):
    """A screen that says itself what stands around its choices."""

    has_grid: ClassVar[bool] = False
    columns: ClassVar[int] = 1
    """In how many columns the choices stand: in one they are lines, in more they are tiles."""

    def title(self, table: Table) -> Words:
        """What stands at the top."""
        raise NotImplementedError

    def beside(self, table: Table) -> Words:
        """What stands beside the title."""
        return ""

    def help(self, table: Table) -> Words:
        """What stands at the foot: about the screen, or about the selected choice."""
        return ""
