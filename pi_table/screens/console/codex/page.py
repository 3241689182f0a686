"""What the screens of Codex have in common; and the two pages for reading: who an agent is, and
what came. All that is read there needs PEEK."""

from typing import ClassVar, Final

from pi_table.common.language import Words, say
from pi_table.games.rules.codex.views import AgentView, MessageView
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console.codex.visit import Visit, deliveries, inside
from pi_table.screens.console.confirm import Confirm
from pi_table.screens.console.screen import Choice, Screen, Table, moment

SLOTS: Final = 5
"""The most messages that can come in a phase: one from every other agent."""
HIDDEN: Final = "• • •"
"""Stands where something is to be read while PEEK is held."""


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


class WhoYouAre(Private, frozen=True):
    """The identikit, and what the role can do."""

    def title(self, table: CodexMessage) -> Words:
        return say("Who you are")


class Messages(Private, frozen=True):
    """What came, phase by phase, the latest first."""

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(say("Phase {number}", number=number))
            for number in range(deliveries(table), 0, -1)
        )

    def title(self, table: CodexMessage) -> Words:
        return say("Messages so far")


def message(agent: AgentView, phase: int, number: int) -> MessageView | None:
    """The message of this number (from 1) that came in a phase, None if none did."""
    for delivery in agent.received:
        if delivery.phase == phase:
            for each in delivery.messages:
                if each.number == number:
                    return each
    return None
