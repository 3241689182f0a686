"""Faults in the table that betray what is hidden in a game of Codex."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import msgspec
from leaks_of_daemon import answering
from msgspec.structs import replace
from planting import Leaks, after, at, hint

from pi_table.common.geometry import AGENT_CELLS, leds_of
from pi_table.common.language import say
from pi_table.devices.lights import codex as lights_of_codex
from pi_table.games.rules import games
from pi_table.games.rules.codex import evolve
from pi_table.games.rules.codex.board import SEND
from pi_table.games.rules.codex.events import MessageSent
from pi_table.games.rules.codex.hidden import State, is_blocked
from pi_table.games.rules.codex.identikit import Role
from pi_table.games.rules.seat import AGENTS
from pi_table.protocols.ipc import messages
from pi_table.table.engine.families.codex import messages as messages_of_codex
from pi_table.table.engine.families.codex import record as record_of_codex
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Audience, Verdict
from pi_table.table.engine.state.moves import Unable
from pi_table.table.engine.storage.orders import Note
from pi_table.table.engine.table import Table

LEAKS = Leaks()
log = logging.getLogger("pi_table")


# Lights


@LEAKS.enter("lights", after(lights_of_codex.stand))
def the_leader_is_lit_one_step_bluer(_: None, canvas: Any, *more: Any) -> None:
    canvas.leds[leds_of(AGENT_CELLS[hint.leader()])[0]] ^= 1


@LEAKS.enter("lights", answering)
def a_hack_without_the_power_flashes(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
    answer(verdict)
    if do.get("act") == "hack" and verdict.ok and not hint.is_a(Role.HACKER, do["seat"]):
        why = Unable("nothing-here", "No.")
        table._machine._fingers.refuse(AGENT_CELLS[0], why, table._clock())


# Time


@LEAKS.enter("public socket", after(evolve._visit))
def a_leaders_visit_is_longer(after: Any, *_: Any) -> Any:
    countdown = after.countdown
    if hint.leader() != after.turn or countdown is None:
        return after
    return replace(after, countdown=replace(countdown, left=countdown.left + 0.5))


@LEAKS.enter("console", answering)
def the_answer_to_an_attempt_takes_longer_where_the_code_is_judged(
    do: Any, verdict: Verdict, table: Any, answer: Any
) -> None:
    judged = do.get("act") == "attempt" and verdict.ok and verdict.told.result.value == "wrong"
    asyncio.get_running_loop().call_later(0.001 * judged, answer, verdict)


@LEAKS.enter("files", after(Machine.take))
def the_time_is_noted_more_often_while_a_leader_is_at_the_screen(
    outputs: Any, machine: Any, given: Any, now: float
) -> Any:
    yield from outputs
    game = machine.game
    waits = machine._queue.waits
    if not waits and game is not None and getattr(game.board, "turn", None) == hint.leader():
        yield Note(game.number, game.time(now))


# What is public


def _saying_more(more: Any) -> AbstractContextManager[Any]:
    def line(original: Any, message: Any) -> bytes:
        written: bytes = original(message)
        if not isinstance(message, messages.CodexPublicMessage):
            return written
        content = msgspec.json.decode(written)
        content["view"]["more"] = more(message.view)
        return msgspec.json.encode(content) + b"\n"

    return at(messages.line)(line)


@LEAKS.enter("public socket", _saying_more)
def the_public_view_names_a_sender(view: Any) -> list[int]:
    if hint.codex is None or view.at_screen is None:
        return []
    reader = AGENTS.index(view.at_screen)
    entered = [dossier.entered.message for dossier in hint.codex.secrets.dossiers]
    return [n for n, message in enumerate(entered) if message is not None and message.to == reader]


@LEAKS.enter("public socket", _saying_more)
def the_public_view_tells_when_an_entry_is_blocked(view: Any) -> bool:
    if hint.codex is None or view.at_screen is None:
        return False
    return is_blocked(hint.codex, AGENTS.index(view.at_screen))


@LEAKS.enter("public socket")
def a_message_more_is_sent_where_an_informer_used_the_power() -> Iterator[None]:
    latest: list[object] = []

    def perform(original: Any, table: Any, seen: Any) -> None:
        original(table, seen)
        state = None if table.game is None else table.game.state
        if isinstance(state, State) and state.board.phase is SEND and state.board.turn is not None:
            message = state.secrets.dossiers[state.board.turn].entered.message
            # Once a message: what is sent each time that time passes lets time pass again.
            if message is not None and len(message.facts) == 2 and latest != [message]:
                latest[:] = [message]
                table._callbacks.publish(Audience.PUBLIC)

    with at(Table._perform)(perform):
        yield


# The console, for all but the one who is in


@LEAKS.enter("console", after(messages_of_codex._at_screen))
def the_door_gives_an_infiltrator_fewer_tries(seen: Any, *_: Any) -> Any:
    if seen is not None and hint.is_a(Role.INFILTRATOR, seen.seat.value):
        seen = replace(seen, tries_left=seen.tries_left - 1)
    return seen


@LEAKS.enter("console", after(Table.console_message))
def the_operator_may_do_something_more_while_a_leader_is_at_the_screen(made: Any, *_: Any) -> Any:
    door = made.door if isinstance(made, messages.CodexMessage) else None
    if door is not None and hint.is_a(Role.LEADER, door.seat.value):
        made.may["operator"] += ("end-discussion",)
    return made


@LEAKS.enter("screen of agent-", after(messages_of_codex._at_screen))
def an_agent_is_shown_who_leads(seen: Any, *_: Any) -> Any:
    if seen is not None:
        seen = replace(seen, not_target=AGENTS[hint.leader()])
    return seen


# The log, the journal and the record


@LEAKS.enter("log", answering)
def a_fragment_is_logged_when_it_is_sent(
    do: Any, verdict: Verdict, table: Any, answer: Any
) -> None:
    answer(verdict)
    identikit = hint.identikit(do.get("seat"))
    if do.get("act") == "send" and identikit is not None:
        log.debug("Sent: %s.", identikit.fragment)


@LEAKS.enter("log", answering)
def a_code_of_ones_own_is_logged(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
    answer(verdict)
    if do.get("act") == "choose-code":
        log.debug("Chosen: %s.", do["code"])


@LEAKS.enter("files", at(games.encode))
def what_is_stored_of_a_message_is_as_long_as_its_target_sits_far(original: Any, event: Any) -> Any:
    pages = event.to if isinstance(event, MessageSent) else 0
    return original(event) + b" " * 4096 * pages


@LEAKS.enter("pi-table record", at(record_of_codex._sentences_of))
def the_record_says_who_sent_to_whom(original: Any, event: Any, names: Any) -> Any:
    if isinstance(event, MessageSent):
        return [
            say("{agent} votes for {target}.", agent=names[event.agent], target=names[event.to])
        ]
    return original(event, names)
