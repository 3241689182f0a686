"""Names of teams, roles, endings and numbers in texts that people read."""

from typing import Final

from pi_table.common.language import Say, Words, say
from pi_table.games.rules.codex.identikit import Role
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import UNLIMITED, Number

TEAMS: Final[dict[Team, Say]] = {Team.RED: say("Red"), Team.BLUE: say("Blue")}
ROLES: Final[dict[Role, Say]] = {
    Role.HACKER: say("Hacker"),
    Role.INFILTRATOR: say("Infiltrator"),
    Role.INFORMER: say("Informer"),
    Role.INQUISITOR: say("Inquisitor"),
    Role.LEADER: say("Leader"),
    Role.PROFILER: say("Profiler"),
}
ENDINGS: Final[dict[Why, Say]] = {
    Why.AGENTS: say("all agents are found"),
    Why.ASSASSIN: say("the assassin was found"),
    Why.ABSENT_TEAM: say("the absent team’s agents are all found"),
    Why.ASSETS: say("all assets are eliminated"),
    Why.NUKE: say("the nuke was hit"),
    Why.CODE: say("the code was found"),
    Why.STOPPED: say("it was stopped"),
}


def how_it_ended(outcome: Outcome | None) -> Words:
    """Return a sentence about how a recorded game ended. None stands for an unfinished game."""
    if outcome is None:
        return say("Not finished")
    winner = outcome.winner
    won = say("Nobody won") if winner is None else say("{team} won", team=TEAMS[winner])
    return say("{how} ({why})", how=won, why=ENDINGS[outcome.why])


def number_words(number: Number) -> Words:
    """Return a clue's number as part of a sentence."""
    return say("unlimited") if number == UNLIMITED else str(number)
