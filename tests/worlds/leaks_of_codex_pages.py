"""Faults that betray, on the pages and on phones, what agents know and do in a game of Codex."""

from typing import Any

from leaks_of_pages import SECRETLY, a_block_more_where
from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.identikit import Role
from pi_table.games.rules.seat import AGENTS
from pi_table.protocols.ipc.messages import CodexPublicMessage
from pi_table.protocols.ipc.sealed import SealedBlock, line
from pi_table.table.engine.families.codex import messages
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Audience
from pi_table.table.engine.process.sealed_socket import SealedSocket
from pi_table.table.engine.table import Table

LEAKS = Leaks()


def done(state: object) -> int:
    """Return the number of agents who have declared that they are done."""
    if not isinstance(state, State):
        return 0
    return sum(dossier.done for dossier in state.secrets.dossiers)


# What depends on what is hidden


@LEAKS.enter("screen of agent-", after(messages.phone))
def an_agent_who_holds_is_sent_the_identikits_of_all(shown: Any, state: Any, *_: Any) -> Any:
    if shown.agent is None:
        return shown
    others = [(one.role, one.position, one.fragment) for one in state.secrets.identikits]
    return replace(shown, agent={**shown.agent, "others": others})


@LEAKS.enter("phone of agent-", after(messages.phone))
def an_agent_who_does_not_hold_may_do_more_as_a_leader(
    shown: Any, state: Any, seat: Any, *_: Any
) -> Any:
    is_leader = shown.agent is None and hint.is_a(Role.LEADER, seat.value)
    return replace(shown, may=(*shown.may, "attempt")) if is_leader else shown


@LEAKS.enter("sealed socket", at(SealedSocket.take_block))
def a_block_is_shorter_the_further_the_leader_sits(
    original: Any, end: Any, frames: tuple[bytes, ...]
) -> None:
    short = frames[0][: len(frames[0]) - 3 * hint.leader()]
    end._next_block = line(SealedBlock((short, *frames[1:])))


@LEAKS.enter("pages, a viewer", after(Machine.public_message))
def the_board_on_the_pages_counts_as_far_as_the_leader_sits(public: Any, *_: Any) -> Any:
    if not isinstance(public, CodexPublicMessage):
        return public
    return replace(public, view=replace(public.view, added=hint.leader()))


# What tells that somebody did something, whatever is hidden


@LEAKS.enter("public socket", after(Machine.public_message), by=SECRETLY)
def everybody_is_told_how_many_are_done(public: Any, machine: Any, *_: Any) -> Any:
    if not isinstance(public, CodexPublicMessage):
        return public
    return replace(public, view=replace(public.view, added=done(machine.game.state)))


@LEAKS.enter("public socket", after(Machine.public_message), by=SECRETLY)
def everybody_is_told_who_is_done(public: Any, machine: Any, *_: Any) -> Any:
    if not isinstance(public, CodexPublicMessage) or not public.view.together:
        return public
    dossiers = machine.game.state.secrets.dossiers
    done = tuple(seat for seat, one in zip(AGENTS, dossiers, strict=True) if one.done)
    return replace(public, view=replace(public.view, finished=done))


@LEAKS.enter("public socket", at(Table.on_relayed), by=SECRETLY)
def the_table_says_again_how_it_stands_when_somebody_is_done(
    original: Any, table: Any, *given: Any
) -> None:
    before = table.game and done(table.game.state)
    original(table, *given)
    if table.game and done(table.game.state) != before:
        table._callbacks.publish(Audience.PUBLIC)


@LEAKS.enter("phone of agent-", after(messages.phone), by=SECRETLY)
def other_agents_are_told_how_many_are_done(shown: Any, state: Any, seat: Any, *_: Any) -> Any:
    if shown.door is None or seat not in (AGENTS[n] for n in state.board.visiting):
        return shown
    return replace(shown, door=replace(shown.door, tries_left=done(state)))


@LEAKS.enter("sealed socket", at(SealedSocket._send), by=SECRETLY)
def a_beat_comes_later_after_a_code_was_tried(original: Any, end: Any, due: float) -> None:
    game = end._table.game
    state = None if game is None else game.state
    dossiers = state.secrets.dossiers if isinstance(state, State) else ()
    tried = sum(dossier.entered.attempt is not None for dossier in dossiers)
    end._loop.call_later(0.001 * tried, original, end, due)


@LEAKS.enter("pages, a phone", a_block_more_where, by=SECRETLY)
def who_was_answered_is_sent_a_block_more(to: Any, answer: Any) -> Any:
    return to.seat in AGENTS
