"""Tests a stored game before a table continues it. Without this test, a game that cannot be shown
would end the engine at each start."""

from typing import Final

from pi_table.devices.lights.light import light
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.protocols.ipc import messages
from pi_table.table.engine.machine import Machine
from pi_table.table.engine.outputs import Show
from pi_table.table.engine.storage.history import making_sense, replay_stored
from pi_table.table.engine.storage.results import Found, Opened
from pi_table.table.engine.touches.intents import Intents
from pi_table.table.store.entries import StoredGame

MAX_GAME_SECONDS: Final = 1e9
"""Longest game time, in seconds: some thirty years. No real game takes longer."""


def try_replay(stored: StoredGame) -> Found:
    """Replay a game. Raises UnreadableGameError if this version cannot read or show it."""
    history, state = replay_stored(stored)
    with making_sense(stored):
        for at in (stored.noted_at, *(entry.at for entry in stored.entries)):
            if not 0.0 <= at <= MAX_GAME_SECONDS:
                raise ValueError
        game = Found(stored.number, games.opening_of(history), state, stored.noted_at)
        _try(game)
    return game


def _try(game: Found) -> None:
    """Start a machine with the game, and make everything that it can show. Raises any error."""
    machine = Machine(Intents("hold", 1.0), cards="own", chance=Chance(), packs=())
    for output in machine.take(Opened(game), 0.0):
        if isinstance(output, Show):
            light(output.picture, 0.0)
    messages.line(machine.public_message(0.0))
    messages.line(machine.console_message(0.0))
    for seat in games.seats(game.state.board):
        games.view(game.state, seat, game.noted)
        games.may(game.state, seat)
