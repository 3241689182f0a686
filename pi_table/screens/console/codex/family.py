"""Codex's functions for the console. `FamilyOfScreens` documents each of them."""

from pi_table.common.language import Lang, Words, say
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console.codex.drawn_screens import body, draws_page
from pi_table.screens.console.codex.practice import Practice
from pi_table.screens.console.codex.public_menu import Public
from pi_table.screens.console.codex.visit import inside, without_secrets
from pi_table.screens.console.codex.visit import is_another_visit as another_visit
from pi_table.screens.console.codex.visit_menu import begin
from pi_table.screens.console.judge import Question
from pi_table.screens.console.model import Model
from pi_table.screens.console.screen import AnyScreen

__all__ = [
    "PEEKS_WHILE_HELD",
    "another_visit",
    "body",
    "can_peek",
    "draws_page",
    "home",
    "language_to_prepare",
    "peek_label",
    "peeking_seat",
    "question",
    "same_secrets",
    "visible",
]
PEEKS_WHILE_HELD = True


def home(table: CodexMessage) -> AnyScreen:
    visit = inside(table)
    return Public() if visit is None else begin(table, visit)


def visible(table: CodexMessage, peeking: bool) -> CodexMessage:
    return table if peeking else without_secrets(table)


def can_peek(model: Model) -> bool:
    """True if an agent is at the screen, or if the practice has a hidden text at this stage."""
    if isinstance(model.screen, Practice):
        return bool(model.screen.papers)
    return isinstance(model.table, CodexMessage) and inside(model.table) is not None


def peeking_seat(table: CodexMessage) -> Seat | None:
    return None if table.door is None else table.door.seat


def same_secrets(old: AnyTableMessage | None, table: CodexMessage) -> bool:
    """True if the same agent's visit continues, or if ``old`` is not a message of Codex."""
    if not isinstance(old, CodexMessage):
        return True
    return inside(table) is not None and inside(table) == inside(old)


def peek_label(model: Model) -> Words:
    return say("Hold PEEK")


def question(model: Model) -> Question | None:
    return None


def language_to_prepare(model: Model) -> Lang | None:
    return None
