"""Acts on a whole game, such as `abandon`. Each act needs confirmation, with "no" selected at
first."""

from collections.abc import Iterator
from typing import Final

from pi_table.common.language import Words, say
from pi_table.games.rules.outcome import Why
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.acts import Name, by_operator
from pi_table.screens.console.confirm import confirm_choice
from pi_table.screens.console.screen import Choice

_ACTS: Final[dict[Name, tuple[Words, Words, Words]]] = {
    "abandon": (
        say("Abandon the game"),
        say("Abandon this game? It ends at once, and nobody wins."),
        say("Yes, abandon it"),
    ),
    "reveal": (
        say("Show everybody what was hidden"),
        say("Show everybody what was hidden in this game? Nothing can be corrected after that."),
        say("Yes, show it"),
    ),
    "new-key": (
        say("Draw a new key"),
        say("Draw a new key, because somebody saw this one? The words stay. Everybody is told."),
        say("Yes, draw a new key"),
    ),
    "set-aside": (
        say("Set the damaged journal aside"),
        say(
            "Set the damaged journal aside? It is kept, and a fresh one begins. "
            "The game in it cannot go on."
        ),
        say("Yes, begin a fresh journal"),
    ),
}
"""The acts, each with its label, its question, and the answer that confirms."""


def keepers_acts(table: AnyTableMessage, *names: Name) -> Iterator[Choice]:
    """Yield the choices of the acts ``names`` (default: all) that the table allows now."""
    for act in names or _ACTS:
        label, question, yes = _ACTS[act]
        yield from confirm_choice(table, label, by_operator(act), question, yes, wary=True)


def abandon_taken_back(table: AnyTableMessage) -> Iterator[Choice]:
    if is_abandoned(table):
        yield from confirm_choice(
            table,
            say("Go on with the abandoned game"),
            by_operator("correct"),
            say("Go on with the game that was abandoned, from where it was? Everybody is told."),
            say("Yes, go on with it"),
        )


def is_abandoned(table: AnyTableMessage) -> bool:
    """True if the last game was abandoned and no other game has begun since then."""
    outcome = None if table.public is None else table.public.outcome
    return outcome is not None and outcome.why is Why.STOPPED
