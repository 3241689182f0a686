"""Faults that send what is hidden while nobody peeks."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from planting import Leaks, after, at, hint

from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.protocols.ipc import messages
from pi_table.table.engine.families.codex import messages as of_codex
from pi_table.table.engine.families.word_games import messages as of_word_games
from pi_table.table.engine.state import peek

IN_WORD_GAMES = Leaks()
IN_CODEX = Leaks()


@IN_WORD_GAMES.enter("console", at(of_word_games.console_message))
def the_key_is_sent_always(
    original: Any, state: Any, seen: Any, time: float, peeks: Any, common: Any
) -> Any:
    return original(state, seen, time, Seat.RED_SPYMASTER, common)


@IN_WORD_GAMES.enter("console", after(messages.line))
def a_message_is_as_long_as_the_key_says(written: Any, message: Any) -> Any:
    if not isinstance(message, messages.TableMessage) or message.key is not None:
        return written
    return written[:-1] + b" " * (hint.assassin() % 5) + b"\n"


@IN_CODEX.enter("console", at(of_codex.console_message))
def an_agents_secrets_are_sent_always(
    original: Any, state: Any, seen: Any, time: float, peeks: Any, common: Any
) -> Any:
    turn = state.board.turn
    return original(state, seen, time, None if turn is None else AGENTS[turn], common)


@IN_CODEX.enter("console", at(peek.may_be_told))
def an_agent_who_looks_is_told_everything(*_: Any) -> bool:
    return True


@IN_CODEX.enter("console", after(of_codex._visit_of))
def the_door_has_the_position_of_whoever_steps_up(made: Any, there: Any) -> Any:
    return type(made)(made.seat, made.code, there.identikit.position, made.done, made.entered)


@contextmanager
def a_message_late(sent: Any) -> Iterator[None]:
    """A message holds what the one before it was allowed to."""
    before: list[Any] = [None]

    def message(original: Any, state: Any, seen: Any, time: float, peeks: Any, common: Any) -> Any:
        peeks, before[0] = peeks or before[0], peeks
        return original(state, seen, time, peeks, common)

    with at(sent)(message):
        yield


@IN_WORD_GAMES.enter("console")
def the_key_is_sent_once_more_after_the_end_of_a_peek() -> Iterator[None]:
    with a_message_late(of_word_games.console_message):
        yield


@IN_CODEX.enter("console")
def an_agents_secrets_are_sent_once_more_after_the_end_of_a_peek() -> Iterator[None]:
    with a_message_late(of_codex.console_message):
        yield
