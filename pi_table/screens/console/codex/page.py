"""The base classes of Codex's pages, and two pages to read: the agent's identikit, and the messages
received. The agent must hold PEEK to read them."""

from typing import Final

from pi_table.common.language import say
from pi_table.games.rules.codex.views import AgentView, MessageView
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console.codex.visit import Visit, deliveries, inside
from pi_table.screens.console.confirm import Confirm
from pi_table.screens.console.screen import Choice, ListScreen, Table, moment

SLOTS: Final = 5
"""Maximum number of messages to an agent in a phase: one from every other agent."""
HIDDEN: Final = "• • •"
"""The placeholder for a secret while PEEK is not held."""


class Page(ListScreen[Table], frozen=True, kw_only=True):
    """A screen of Codex over the whole width."""


class Private(Page[CodexMessage], frozen=True, kw_only=True):
    """A page for the agent at the screen. It closes at the end of the visit.

    The number and order of its choices are the same for all agents. Only the values at the ends of
    lines differ (CX-18).
    """

    visit: Visit

    def possible(self, table: CodexMessage) -> bool:
        return inside(table) == self.visit


class ConfirmEntry(Confirm, frozen=True, kw_only=True):
    """The question whether to submit an entry.

    The question stays open during the visit, even if the table would refuse the entry. Otherwise
    the closed question would reveal the refusal.
    """

    visit: Visit

    def possible(self, table: AnyTableMessage) -> bool:
        if not isinstance(table, CodexMessage) or inside(table) != self.visit:
            return False
        return moment(table) == self.at


class WhoYouAre(Private, frozen=True):
    heading = say("Who you are")


class Messages(Private, frozen=True):
    heading = say("Messages so far")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(say("Phase {number}", number=number))
            for number in range(deliveries(table), 0, -1)
        )


def message(agent: AgentView, phase: int, number: int) -> MessageView | None:
    """Return a message that the agent received in a phase. The messages of a phase have the numbers
    1, 2, and so on. Return None if ``number`` is not among them."""
    for delivery in agent.received:
        if delivery.phase == phase:
            for each in delivery.messages:
                if each.number == number:
                    return each
    return None
