"""Faults that betray, on the pages and on phones, what agents know and do in a game of Codex."""

from collections.abc import Iterator
from typing import Any

from leaks_of_codex_daemon import knowing
from leaks_of_pages import SECRETLY, a_block_more_where
from msgspec.structs import replace
from planting import Leaks, instead_of, method

from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.identikit import Role
from pi_table.games.rules.seat import AGENTS
from pi_table.protocols.ipc.messages import CodexPublicMessage
from pi_table.protocols.ipc.sealed import SealedBlock, line
from pi_table.table.engine.codex import messages
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Audience
from pi_table.table.engine.sealed_end import SealedEnd
from pi_table.table.engine.table import Table

LEAKS = Leaks()


def done(state: object) -> int:
    """How many agents have said that nothing more comes from them."""
    if not isinstance(state, State):
        return 0
    return sum(dossier.done for dossier in state.secrets.dossiers)


# What depends on what is hidden


@LEAKS.enter("screen of agent-")
def an_agent_who_holds_is_sent_the_identikits_of_all() -> Iterator[None]:
    original = messages.phone

    def phone(state: Any, seat: Any, *given: Any) -> Any:
        shown = original(state, seat, *given)
        if shown.agent is None:
            return shown
        others = [(one.role, one.position, one.fragment) for one in state.secrets.identikits]
        return replace(shown, agent={**shown.agent, "others": others})

    with instead_of(original, phone):
        yield


@LEAKS.enter("phone of agent-")
def an_agent_who_does_not_hold_may_do_more_as_a_leader() -> Iterator[None]:
    original = messages.phone

    def phone(state: Any, seat: Any, *given: Any) -> Any:
        shown = original(state, seat, *given)
        is_leader = shown.agent is None and hint.is_a(Role.LEADER, seat.value)
        return replace(shown, may=(*shown.may, "attempt")) if is_leader else shown

    with knowing() as hint, instead_of(original, phone):
        yield


@LEAKS.enter("sealed socket")
def a_block_is_shorter_the_further_the_leader_sits() -> Iterator[None]:
    def take_block(original: Any, end: Any, frames: tuple[bytes, ...]) -> None:
        short = frames[0][: len(frames[0]) - 3 * hint.leader()]
        end._next_block = line(SealedBlock((short, *frames[1:])))

    with knowing() as hint, method(SealedEnd, "take_block", take_block):
        yield


@LEAKS.enter("pages, a viewer")
def the_board_on_the_pages_counts_as_far_as_the_leader_sits() -> Iterator[None]:
    def message(original: Any, machine: Any, now: float) -> Any:
        public = original(machine, now)
        if not isinstance(public, CodexPublicMessage):
            return public
        return replace(public, view=replace(public.view, added=hint.leader()))

    with knowing() as hint, method(Machine, "public_message", message):
        yield


# What tells that somebody did something, whatever is hidden


@LEAKS.enter("public socket", by=SECRETLY)
def everybody_is_told_how_many_are_done() -> Iterator[None]:
    def message(original: Any, machine: Any, now: float) -> Any:
        public = original(machine, now)
        if not isinstance(public, CodexPublicMessage):
            return public
        return replace(public, view=replace(public.view, added=done(machine.game.state)))

    with method(Machine, "public_message", message):
        yield


@LEAKS.enter("public socket", by=SECRETLY)
def the_table_says_again_how_it_stands_when_somebody_is_done() -> Iterator[None]:
    def relayed(original: Any, table: Any, *given: Any) -> None:
        before = table.game and done(table.game.state)
        original(table, *given)
        if table.game and done(table.game.state) != before:
            table._publish(Audience.PUBLIC)

    with method(Table, "relayed", relayed):
        yield


@LEAKS.enter("phone of agent-", by=SECRETLY)
def other_agents_are_told_how_many_are_done() -> Iterator[None]:
    original = messages.phone

    def phone(state: Any, seat: Any, *given: Any) -> Any:
        shown = original(state, seat, *given)
        if shown.door is None or seat not in (AGENTS[n] for n in state.board.visiting):
            return shown
        return replace(shown, door=replace(shown.door, tries_left=done(state)))

    with instead_of(original, phone):
        yield


@LEAKS.enter("sealed socket", by=SECRETLY)
def a_beat_comes_later_after_a_code_was_tried() -> Iterator[None]:
    def send(original: Any, end: Any, due: float) -> None:
        game = end._table.game
        state = None if game is None else game.state
        dossiers = state.secrets.dossiers if isinstance(state, State) else ()
        tried = sum(dossier.entered.attempt is not None for dossier in dossiers)
        end._loop.call_later(0.001 * tried, original, end, due)

    with method(SealedEnd, "_send", send):
        yield


@LEAKS.enter("pages, a phone", by=SECRETLY)
def who_was_answered_is_sent_a_block_more() -> Iterator[None]:
    with a_block_more_where(lambda to, answer: to.seat in AGENTS):
        yield
