"""Sentences that the records of all families share."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from pi_table.common.language import Say, Words, say
from pi_table.games.names import ENDINGS, TEAMS
from pi_table.games.rules.events import GameEnded
from pi_table.games.rules.profile import profile_named


class Sentence(NamedTuple):
    at: float
    """Time of the event in seconds of game time."""
    words: Words
    under: bool = False
    """True if the record lists the sentence under the last clue, as its result."""


ABANDON_TAKEN_BACK: Final = say("Correction: the game goes on.")


def begins(profile: str) -> Words:
    return say("A game begins: {game}.", game=Say(profile_named(profile).title))


def ending(event: GameEnded) -> Iterable[Words]:
    outcome = event.outcome
    winner, why = outcome.winner, ENDINGS[outcome.why]
    if winner is None:
        yield say("The game is over: nobody wins ({why}).", why=why)
    else:
        yield say("The game is over: {team} wins ({why}).", team=TEAMS[winner], why=why)
    if outcome.score is not None:
        yield say("The score: {score}.", score=outcome.score)
