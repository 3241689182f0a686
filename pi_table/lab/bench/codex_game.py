"""Plays a complete random game of Codex by pi-table's rules."""

from collections.abc import Iterator
from random import Random

from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex import acts
from pi_table.games.rules.codex.board import ACT, COUNT, MACHINE, OVER, SEND, Board
from pi_table.games.rules.codex.game import decide, evolve, lapse, read_opening
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.identikit import REVEALABLE, Fact, code_of
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.lab.bench.rounds import main, random_bytes

PROFILE = PROFILES["codex"]
CHANCE = Chance()
SURE = 0.15
"""Share (0 … 1) of attempts that enter the right code. With this value, most games last two or
three phases."""


def play(random: Random) -> int:
    """Play one game. Each agent uses every kind of act that its turn allows. Return the number of
    acts."""
    state = evolve(None, read_opening({}, PROFILE, PROFILE.defaults, CHANCE, 0.0))
    done, now = 0, 0.0
    while (board := state.board).phase is not OVER:
        seat = Seat.OPERATOR if board.turn is None else AGENTS[board.turn]
        for act in _acts(state, random):
            for event in decide(state, seat, act, now):
                state = evolve(state, event)
            done += 1
        if board.countdown is not None:
            now += board.settings.visit_seconds
            while (lapsed := lapse(state, now)) is not None:
                state = evolve(state, lapsed)
    return done


def _acts(state: State, random: Random) -> Iterator[acts.Act]:
    board, agent = state.board, state.board.turn
    if agent is None:
        yield acts.EndDiscussion()
        return
    other = (agent + 1 + int((COUNT - 1) * random.random())) % COUNT
    if board.phase is SEND:
        yield acts.Send(other, (Fact.ROLE,))
        # The target must not be the same in two phases in a row.
        yield acts.Hack((agent + 1 + board.number % (COUNT - 1)) % COUNT)
        yield acts.Done()
    elif board.phase is ACT:
        yield acts.Extort(REVEALABLE[board.number % len(REVEALABLE)])
        faction = state.secrets.dossiers[agent].identikit.faction
        right = code_of(faction, state.secrets.identikits)
        yield acts.Attempt(right if random.random() < SURE else right[::-1])
    elif board.phase is MACHINE:
        yield acts.Reveal(_unknown(board, agent))
    else:
        yield acts.CastVote(other)


def _unknown(board: Board, agent: int) -> Fact:
    return next(fact for fact in REVEALABLE if not board.agents[agent].has_revealed(fact))


if __name__ == "__main__":
    CHANCE = Chance(random_bytes())
    main(play, "msgspec")
