"""Faults in the table that betray what is hidden in a game of Codex."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import msgspec
from msgspec.structs import replace
from planting import Leaks, instead_of, method

from pi_table.common.geometry import AGENT_CELLS, leds_of
from pi_table.common.language import say
from pi_table.devices.lights import codex as lights_of_codex
from pi_table.games.rules import games
from pi_table.games.rules.codex import evolve
from pi_table.games.rules.codex.board import SEND
from pi_table.games.rules.codex.events import MessageSent
from pi_table.games.rules.codex.hidden import State, is_blocked
from pi_table.games.rules.codex.identikit import Identikit, Role
from pi_table.games.rules.seat import AGENTS
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc import messages
from pi_table.table.engine.codex import messages as messages_of_codex
from pi_table.table.engine.codex import record as record_of_codex
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.moves import Unable
from pi_table.table.engine.outputs import Audience, Verdict
from pi_table.table.engine.storage.orders import Note
from pi_table.table.engine.table import Table

LEAKS = Leaks()
log = logging.getLogger("pi_table")


class Hint:
    """What a fault knows of the game of Codex in play."""

    state: State | None = None

    def identikit(self, seat: object) -> Identikit | None:
        """The identikit of an agent's seat."""
        numbers = {known.value: agent for agent, known in enumerate(AGENTS)}
        if self.state is None or seat not in numbers:
            return None
        return self.state.secrets.dossiers[numbers[seat]].identikit

    def is_a(self, role: Role, seat: object) -> bool:
        identikit = self.identikit(seat)
        return identikit is not None and identikit.role is role

    def leader(self) -> int:
        """The seat of red's leader, 0 to 5; -1 before the first game."""
        if self.state is None:
            return -1
        six = self.state.secrets.identikits
        return [(one.role, one.faction) for one in six].index((Role.LEADER, Team.RED))


@contextmanager
def knowing() -> Iterator[Hint]:
    """A fault that remembers how the game stood after the latest event."""
    hint = Hint()
    original = evolve.evolve

    def evolved(state: State | None, event: Any) -> State:
        hint.state = original(state, event)
        return hint.state

    with instead_of(original, evolved):
        yield hint


def answering(wrap: Any) -> Any:
    """Let ``wrap(do, verdict, table, answer)`` answer in the place of the table."""

    def ask(original: Any, table: Any, do: Any, answer: Any) -> None:
        original(table, do, lambda verdict: wrap(do, verdict, table, answer))

    return method(Table, "ask", ask)


# Lights


@LEAKS.enter("lights")
def the_leader_is_lit_one_step_bluer() -> Iterator[None]:
    original = lights_of_codex.stand

    def stand(canvas: Any, *given: Any) -> None:
        original(canvas, *given)
        canvas.leds[leds_of(AGENT_CELLS[hint.leader()])[0]] ^= 1

    with knowing() as hint, mock.patch.object(lights_of_codex, "stand", stand):
        yield


@LEAKS.enter("lights")
def a_hack_without_the_power_flashes() -> Iterator[None]:
    def answered(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
        answer(verdict)
        if do.get("act") == "hack" and verdict.ok and not hint.is_a(Role.HACKER, do["seat"]):
            why = Unable("nothing-here", "No.")
            table._machine._fingers.refuse(AGENT_CELLS[0], why, table._clock())

    with knowing() as hint, answering(answered):
        yield


# Time


@LEAKS.enter("public socket")
def a_leaders_visit_is_longer() -> Iterator[None]:
    original = evolve._visit

    def visit(board: Any, waiting: Any, at: float) -> Any:
        after = original(board, waiting, at)
        countdown = after.countdown
        if hint.leader() != after.turn or countdown is None:
            return after
        return replace(after, countdown=replace(countdown, left=countdown.left + 0.5))

    with knowing() as hint, instead_of(original, visit):
        yield


@LEAKS.enter("console")
def the_answer_to_an_attempt_takes_longer_where_the_code_is_judged() -> Iterator[None]:
    def answered(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
        judged = do.get("act") == "attempt" and verdict.ok and verdict.told.result.value == "wrong"
        asyncio.get_running_loop().call_later(0.001 * judged, answer, verdict)

    with answering(answered):
        yield


@LEAKS.enter("files")
def the_time_is_noted_more_often_while_a_leader_is_at_the_screen() -> Iterator[None]:
    def take(original: Any, machine: Any, given: Any, now: float) -> Any:
        outputs = original(machine, given, now)
        game = machine.game
        waits = machine._course.waits
        if not waits and game is not None and getattr(game.board, "turn", None) == hint.leader():
            outputs.append(Note(game.number, game.time(now)))
        return outputs

    with knowing() as hint, method(Machine, "take", take):
        yield


# What is public


def _saying_more(more: Any) -> Any:
    original = messages.line

    def line(message: Any) -> bytes:
        written = original(message)
        if not isinstance(message, messages.CodexPublicMessage):
            return written
        content = msgspec.json.decode(written)
        content["view"]["more"] = more(message.view)
        return msgspec.json.encode(content) + b"\n"

    return instead_of(original, line)


@LEAKS.enter("public socket")
def the_public_view_names_a_sender() -> Iterator[None]:
    def senders(view: Any) -> list[int]:
        if hint.state is None or view.at_screen is None:
            return []
        reader = AGENTS.index(view.at_screen)
        entered = [dossier.entered.message for dossier in hint.state.secrets.dossiers]
        return [
            n for n, message in enumerate(entered) if message is not None and message.to == reader
        ]

    with knowing() as hint, _saying_more(senders):
        yield


@LEAKS.enter("public socket")
def the_public_view_tells_when_an_entry_is_blocked() -> Iterator[None]:
    def blocked(view: Any) -> bool:
        if hint.state is None or view.at_screen is None:
            return False
        return is_blocked(hint.state, AGENTS.index(view.at_screen))

    with knowing() as hint, _saying_more(blocked):
        yield


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
                table._publish(Audience.PUBLIC)

    with method(Table, "_perform", perform):
        yield


# The console, for all but the one who is in


@LEAKS.enter("console")
def the_door_gives_an_infiltrator_fewer_tries() -> Iterator[None]:
    original = messages_of_codex._at_screen

    def at_screen(state: Any, time: float) -> Any:
        seen = original(state, time)
        if seen is not None and hint.is_a(Role.INFILTRATOR, seen.seat.value):
            seen = replace(seen, tries_left=seen.tries_left - 1)
        return seen

    with knowing() as hint, instead_of(original, at_screen):
        yield


@LEAKS.enter("console")
def the_operator_may_do_something_more_while_a_leader_is_at_the_screen() -> Iterator[None]:
    def message(original: Any, table: Any) -> Any:
        made = original(table)
        door = made.door if isinstance(made, messages.CodexMessage) else None
        if door is not None and hint.is_a(Role.LEADER, door.seat.value):
            made.may["operator"] += ("end-discussion",)
        return made

    with knowing() as hint, method(Table, "console_message", message):
        yield


@LEAKS.enter("screen of agent-")
def an_agent_is_shown_who_leads() -> Iterator[None]:
    original = messages_of_codex._at_screen

    def at_screen(state: Any, time: float) -> Any:
        seen = original(state, time)
        if seen is not None:
            seen = replace(seen, not_target=AGENTS[hint.leader()])
        return seen

    with knowing() as hint, instead_of(original, at_screen):
        yield


# The log, the journal and the record


@LEAKS.enter("log")
def a_fragment_is_logged_when_it_is_sent() -> Iterator[None]:
    def answered(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
        answer(verdict)
        identikit = hint.identikit(do.get("seat"))
        if do.get("act") == "send" and identikit is not None:
            log.debug("Sent: %s.", identikit.fragment)

    with knowing() as hint, answering(answered):
        yield


@LEAKS.enter("log")
def a_code_of_ones_own_is_logged() -> Iterator[None]:
    def answered(do: Any, verdict: Verdict, table: Any, answer: Any) -> None:
        answer(verdict)
        if do.get("act") == "choose-code":
            log.debug("Chosen: %s.", do["code"])

    with answering(answered):
        yield


@LEAKS.enter("files")
def what_is_stored_of_a_message_is_as_long_as_its_target_sits_far() -> Iterator[None]:
    original = games.encode

    def encode(event: Any) -> bytes:
        pages = event.to if isinstance(event, MessageSent) else 0
        return original(event) + b" " * 4096 * pages

    with instead_of(original, encode):
        yield


@LEAKS.enter("pi-table record")
def the_record_says_who_sent_to_whom() -> Iterator[None]:
    original = record_of_codex._said

    def sentences(event: Any, names: Any) -> Any:
        if isinstance(event, MessageSent):
            return [
                say("{agent} votes for {target}.", agent=names[event.agent], target=names[event.to])
            ]
        return original(event, names)

    with instead_of(original, sentences):
        yield
