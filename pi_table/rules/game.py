"""The two steps that move a game: time passes, and somebody acts."""

from pi_table.rules import acts
from pi_table.rules.board import State
from pi_table.rules.decide import decide, lapse
from pi_table.rules.events import Event
from pi_table.rules.evolve import evolve
from pi_table.rules.seat import Seat

Step = tuple[State, tuple[Event, ...]]
"""How the game stands, and what happened to bring it there."""


def settle(state: State, now: float) -> Step:
    """Let time run to ``now`` (seconds of game time): every turn that the clock ended by then."""
    happened = []
    while (event := lapse(state.board, now)) is not None:
        happened.append(event)
        state = evolve(state, event)
    return state, tuple(happened)


def step(state: State, seat: Seat, act: acts.Act, now: float) -> Step:
    """Let ``seat`` do ``act`` at ``now``. Raises Refused."""
    happened = decide(state, seat, act, now)
    for event in happened:
        state = evolve(state, event)
    return state, happened
