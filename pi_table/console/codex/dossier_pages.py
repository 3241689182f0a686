"""What an agent can read, in every visit: who they are, and what came. All of it needs PEEK."""

from typing import Final

from pi_table.console.codex.page import Private
from pi_table.console.codex.visit import deliveries
from pi_table.console.screen import Choice
from pi_table.ipc.messages import CodexMessage
from pi_table.language import Words, say
from pi_table.rules.codex.views import AgentView, MessageView

SLOTS: Final = 5
"""The most messages that can come in a phase: one from every other agent."""
HIDDEN: Final = "• • •"
"""Stands where something is to be read while PEEK is held."""


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
