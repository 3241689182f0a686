"""One line for everybody: whose turn it is, the clue, and how many are left."""

from pi_table.rules.board import Phase
from pi_table.rules.key import Team
from pi_table.rules.views import PublicView


def status(view: PublicView) -> str:
    """What the table would say if it could speak; made of the public view alone."""
    return f"{_now(view)}   ·   red {view.left.red}, blue {view.left.blue} left"


def _now(view: PublicView) -> str:
    if view.outcome is not None:
        return (
            "Nobody wins" if view.outcome.winner is None else f"{_name(view.outcome.winner)} wins"
        )
    assert view.turn is not None
    team = _name(view.turn)
    if view.paused:
        return "A pause"
    if view.phase is Phase.CLUE:
        return f"{team} waits for its clue"
    if view.phase is Phase.PENALTY:
        return f"{team} may cover an agent"
    if view.phase is Phase.CHALLENGE:
        return f"{team}’s clue is challenged: {_clue(view)}"
    left = view.guesses_left
    guesses = "" if left is None else f" ({left} guess{'' if left == 1 else 'es'} left)"
    return f"{team} guesses: {_clue(view)}{guesses}"


def _clue(view: PublicView) -> str:
    assert view.clue is not None
    number = str(view.clue.number)
    return number if view.clue.word is None else f"{view.clue.word}, {number}"


def _name(team: Team) -> str:
    return str(team.value).capitalize()
