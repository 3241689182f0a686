"""One line for everybody: whose turn it is, the clue, and how many are left."""

from pi_table.console.screen import name
from pi_table.console.word_games.clue_entry import number_text
from pi_table.language import Words, say, say_many
from pi_table.rules.word_games.board import Phase
from pi_table.rules.word_games.views import PublicView


def status(view: PublicView) -> Words:
    """What the table would say if it could speak; made of the public view alone."""
    left = say("red {red}, blue {blue} left", red=view.left.red, blue=view.left.blue)
    return say("{now}   ·   {left}", now=_now(view), left=left)


def _now(view: PublicView) -> Words:
    if view.outcome is not None:
        winner = view.outcome.winner
        return say("Nobody wins") if winner is None else say("{team} wins", team=name(winner))
    assert view.turn is not None
    team = name(view.turn)
    if view.paused:
        return say("A pause")
    if view.phase is Phase.PLACE:
        return _laying(view, team)
    if view.phase is Phase.COVER:
        return say("{team} covers one of {other}", team=team, other=name(view.turn.other))
    if view.phase is Phase.CLUE:
        return say("{team} waits for its clue", team=team)
    if view.phase is Phase.PENALTY:
        return say("{team} may cover a cell", team=team)
    if view.phase is Phase.CHALLENGE:
        return say("{team}’s clue is challenged: {clue}", team=team, clue=_clue(view))
    left = view.guesses_left
    if left is None:
        return say("{team} guesses: {clue}", team=team, clue=_clue(view))
    return say_many(
        "{team} guesses: {clue} ({count} guess left)",
        "{team} guesses: {clue} ({count} guesses left)",
        left,
        team=team,
        clue=_clue(view),
    )


def _laying(view: PublicView, team: Words) -> Words:
    if view.next_word:
        return say("{team} lays {word}: touch an empty cell", team=team, word=view.next_word)
    return say("{team} lays a card: touch its cell", team=team)


def _clue(view: PublicView) -> Words:
    assert view.clue is not None
    number = number_text(view.clue.number)
    if view.clue.word is None:
        return number
    return say("{word}, {number}", word=view.clue.word, number=number)
