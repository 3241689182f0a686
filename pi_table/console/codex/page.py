"""What the screens of Codex have in common."""

from typing import ClassVar

from pi_table.console.codex.visit import Visit, inside
from pi_table.console.confirm import Confirm
from pi_table.console.screen import Screen, Table, moment
from pi_table.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.language import Words


class Page(Screen[Table], frozen=True, kw_only=True):
    """A screen over the whole width, with a title and a word of help."""

    has_grid: ClassVar[bool] = False

    def title(self, table: Table) -> Words:
        return ""

    def help(self, table: Table) -> Words:
        return ""


class Private(Page[CodexMessage], frozen=True, kw_only=True):
    """A page for the agent who is in. The page closes with the visit. How many choices it has, and
    in which order, is the same for everybody; only what stands at the end of a line is not
    (CX-18)."""

    visit: Visit

    def possible(self, table: CodexMessage) -> bool:
        return inside(table) == self.visit


class ConfirmEntry(Confirm, frozen=True, kw_only=True):
    """A question whether an entry is meant. The question stays for as long as the visit does, also
    where the table would not take the entry: nobody is to learn that from it."""

    visit: Visit

    def possible(self, table: AnyTableMessage) -> bool:
        if not isinstance(table, CodexMessage) or inside(table) != self.visit:
            return False
        return moment(table) == self.at
