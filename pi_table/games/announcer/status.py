"""The status line of a game, which is always on public screens."""

from pi_table.common.language import Words, say, say_many
from pi_table.games.names import TEAMS, number_words
from pi_table.games.rules.codex import board as codex
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.rules.word_games import board as word_games
from pi_table.games.rules.word_games.views import PublicView


def status(view: PublicView | CodexView | None, service: bool = False) -> Words:
    """Return a line about whose turn it is, what comes next, and how many cells remain to be found.

    The line is made from the public view alone.
    """
    if service:
        return say("The table is being serviced")
    if view is None:
        return say("No game has begun: choose one first.")
    if isinstance(view, CodexView):
        return _codex(view)
    left = say("red {red}, blue {blue} left", red=view.left.red, blue=view.left.blue)
    return say("{now}   ·   {left}", now=_word_game(view), left=left)


def _word_game(view: PublicView) -> Words:
    if view.outcome is not None:
        winner = view.outcome.winner
        return say("Nobody wins") if winner is None else say("{team} wins", team=TEAMS[winner])
    assert view.turn is not None
    team = TEAMS[view.turn]
    if view.paused:
        return say("A pause")
    if view.phase is word_games.PLACE:
        return _laying(view, team)
    if view.phase is word_games.COVER:
        return say("{team} covers one of {other}", team=team, other=TEAMS[view.turn.other])
    if view.phase is word_games.CLUE:
        return say("{team} waits for its clue", team=team)
    if view.phase is word_games.PENALTY:
        return say("{team} may cover a cell", team=team)
    if view.phase is word_games.CHALLENGE:
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
    number = number_words(view.clue.number)
    if view.clue.word is None:
        return number
    return say("{word}, {number}", word=view.clue.word, number=number)


def _codex(view: CodexView) -> Words:
    if view.outcome is not None:
        winner = view.outcome.winner
        return say("Nobody wins") if winner is None else say("{team} wins", team=TEAMS[winner])
    if view.paused:
        return say("A pause")
    match view.phase:
        case codex.DISCUSS:
            return say("Phase {number}: talk, and lie if you like", number=view.number)
        case codex.VOTE:
            return say("{agent} votes: touch an agent", agent=_name(view, view.turn))
        case codex.MACHINE:
            return say("{agent} is at the truth machine", agent=_name(view, view.at_screen))
    if view.together:
        return say("Phase {number}: on the phones, all at once", number=view.number)
    return say(
        "Phase {number}: it is {agent}’s visit",
        number=view.number,
        agent=_name(view, view.at_screen),
    )


def _name(view: CodexView, seat: Seat | None) -> str:
    assert seat is not None
    return view.agents[AGENTS.index(seat)].nickname
