"""The visit of the agent at the hidden screen, and what the screen may show at the moment.

The table sends secrets only while PEEK is held. As a second protection, at all other times the
screens and drawings of Codex get only the result of `without_secrets`. A secret that is missing
from the message cannot be shown by mistake (CX-18).
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from pi_table.common.geometry import AGENT_CELLS, CELLS
from pi_table.games.rules.codex.board import Phase
from pi_table.games.rules.codex.views import KnownAgent
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage

CELL: Final = {seat: CELLS[cell] for seat, cell in zip(AGENTS, AGENT_CELLS, strict=True)}
"""The name of each agent's cell."""


class Visit(msgspec.Struct, frozen=True):
    """An agent's time at the hidden screen."""

    seat: Seat
    phase: Phase
    number: int
    """The number of the visit's phase, counted from 1 in each game."""


def visit(table: CodexMessage) -> Visit | None:
    """Return the current visit, even before the agent has entered the personal code. Return None
    without a visit."""
    if table.door is None:
        return None
    return Visit(table.door.seat, table.public.phase, table.public.number)


def inside(table: CodexMessage) -> Visit | None:
    """Return the current visit after the agent has chosen or entered the personal code. Return None
    before that, when the agent is done, during a pause, and without a visit."""
    door = table.door
    if door is None or door.code != "open" or door.done or table.public.paused:
        return None
    return visit(table)


def is_another_visit(before: AnyTableMessage | None, table: AnyTableMessage) -> bool:
    """True if the visit in ``before`` is over in ``table``."""
    if not isinstance(before, CodexMessage) or visit(before) is None:
        return False
    return not isinstance(table, CodexMessage) or visit(before) != visit(table)


def without_secrets(table: CodexMessage) -> CodexMessage:
    """Return the table's message as it is visible without PEEK.

    The result lacks everything that only the agent at the screen may know. It also lacks the acts
    that this agent may do, because some of them depend on secret messages.
    """
    door = None if table.door is None else table.door.seat.value
    may = {seat: acts for seat, acts in table.may.items() if seat != door}
    return replace(table, agent=None, may=may)


def public_agent(table: CodexMessage, seat: Seat) -> KnownAgent:
    return table.public.agents[AGENTS.index(seat)]


def nickname(table: CodexMessage, seat: Seat) -> str:
    return public_agent(table, seat).nickname


def others(seat: Seat) -> tuple[Seat, ...]:
    """Return the five other agents, in seat order."""
    return tuple(other for other in AGENTS if other is not seat)


def deliveries(table: CodexMessage) -> int:
    """Return the number of phases in which messages have been delivered. This number is public."""
    public = table.public
    return public.number - 1 if public.phase is Phase.SEND else public.number
