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
    """A page for the agent who is in; it closes with the visit. Its choices, how many there are and
    in which order, are the same for everybody: only what stands at their ends is not (CX-18)."""

    visit: Visit

    def possible(self, table: CodexMessage) -> bool:
        return inside(table) == self.visit


class ConfirmEntry(Confirm, frozen=True, kw_only=True):
    """Asks whether an entry is meant. Whether the table would take it is told to nobody: the
    question stays for as long as the visit does."""

    visit: Visit

    def possible(self, table: AnyTableMessage) -> bool:
        if not isinstance(table, CodexMessage) or inside(table) != self.visit:
            return False
        return moment(table) == self.at
