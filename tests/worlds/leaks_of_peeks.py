"""Faults that send what is hidden while nobody peeks."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from planting import Leaks, instead_of, knowing

from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.protocols.ipc import messages
from pi_table.table.engine import peek
from pi_table.table.engine.codex import messages as of_codex
from pi_table.table.engine.word_games import messages as of_word_games

IN_WORD_GAMES = Leaks()
IN_CODEX = Leaks()


@IN_WORD_GAMES.enter("console")
def the_key_is_sent_always() -> Iterator[None]:
    original = of_word_games.console_message

    def message(state: Any, seen: Any, time: float, peeks: Any, common: Any) -> Any:
        return original(state, seen, time, Seat.RED_SPYMASTER, common)

    with instead_of(original, message):
        yield


@IN_WORD_GAMES.enter("console")
def the_key_is_sent_once_more_after_the_end_of_a_peek() -> Iterator[None]:
    with _a_message_late(of_word_games.console_message):
        yield


@IN_WORD_GAMES.enter("console")
def a_message_is_as_long_as_the_key_says() -> Iterator[None]:
    original = messages.line

    def line(message: Any) -> bytes:
        written = original(message)
        if not isinstance(message, messages.TableMessage) or message.key is not None:
            return written
        return written[:-1] + b" " * (hint.assassin() % 5) + b"\n"

    with knowing() as hint, instead_of(original, line):
        yield


@IN_CODEX.enter("console")
def an_agents_secrets_are_sent_always() -> Iterator[None]:
    original = of_codex.console_message

    def message(state: Any, seen: Any, time: float, peeks: Any, common: Any) -> Any:
        turn = state.board.turn
        return original(state, seen, time, None if turn is None else AGENTS[turn], common)

    with instead_of(original, message):
        yield


@IN_CODEX.enter("console")
def an_agents_secrets_are_sent_once_more_after_the_end_of_a_peek() -> Iterator[None]:
    with _a_message_late(of_codex.console_message):
        yield


@IN_CODEX.enter("console")
def an_agent_who_looks_is_told_everything() -> Iterator[None]:
    with instead_of(peek.may_be_told, lambda looks, seat: True):
        yield


@IN_CODEX.enter("console")
def the_door_has_the_position_of_whoever_steps_up() -> Iterator[None]:
    original = of_codex._door

    def door(there: Any) -> Any:
        made = original(there)
        return type(made)(made.seat, made.code, there.identikit.position, made.done, made.entered)

    with instead_of(original, door):
        yield


def _a_message_late(original: Any) -> AbstractContextManager[Any]:
    """A message holds what the one before it was allowed to."""
    before: list[Any] = [None]

    def message(state: Any, seen: Any, time: float, peeks: Any, common: Any) -> Any:
        peeks, before[0] = peeks or before[0], peeks
        return original(state, seen, time, peeks, common)

    return instead_of(original, message)
