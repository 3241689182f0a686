"""Who is at the hidden screen, and what of the table may be seen there at the moment.

The table sends what is hidden only while PEEK is held. Besides, every screen and every drawing of
Codex is given what `veiled` leaves at any other time: what is not in it cannot be shown by mistake
(CX-18).
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
"""The name of the cell that stands for an agent."""


class Visit(msgspec.Struct, frozen=True):
    """An agent's time at the hidden screen."""

    seat: Seat
    phase: Phase
    number: int
    """The number of the phase in the game, from 1."""


def visit(table: CodexMessage) -> Visit | None:
    """Whose visit it is, whether they are in or still at the door."""
    if table.door is None:
        return None
    return Visit(table.door.seat, table.public.phase, table.public.number)


def inside(table: CodexMessage) -> Visit | None:
    """The visit of the one who is in. In a pause, and when they are done, nobody is."""
    door = table.door
    if door is None or door.code != "open" or door.done or table.public.paused:
        return None
    return visit(table)


def is_another_visit(before: AnyTableMessage | None, table: AnyTableMessage) -> bool:
    """Was there a visit ``before``, and is it over now?"""
    if not isinstance(before, CodexMessage) or visit(before) is None:
        return False
    return not isinstance(table, CodexMessage) or visit(before) != visit(table)


def veiled(table: CodexMessage) -> CodexMessage:
    """What of the table may be seen while PEEK is not held: nothing that only the one who is in may
    know, and not what they may do either, as some of that depends on what they received."""
    door = None if table.door is None else table.door.seat.value
    may = {seat: acts for seat, acts in table.may.items() if seat != door}
    return replace(table, agent=None, may=may)


def known(table: CodexMessage, seat: Seat) -> KnownAgent:
    """What everybody knows of the agent in a seat."""
    return table.public.agents[AGENTS.index(seat)]


def nickname(table: CodexMessage, seat: Seat) -> str:
    return known(table, seat).nickname


def others(seat: Seat) -> tuple[Seat, ...]:
    """The five other agents, in the order in which they sit."""
    return tuple(other for other in AGENTS if other is not seat)


def deliveries(table: CodexMessage) -> int:
    """In how many phases messages were delivered: everybody knows that."""
    public = table.public
    return public.number - 1 if public.phase is Phase.SEND else public.number
