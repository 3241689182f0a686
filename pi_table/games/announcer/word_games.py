"""Make the announcements of a word game by comparing two of its public views."""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from pi_table.common.geometry import CELLS
from pi_table.common.language import Say, Words, say, say_many
from pi_table.games.announcer.announcement import (
    ARMED_ECHO,
    ECHO,
    FATAL_ECHO,
    TENSION,
    Announcement,
    What,
)
from pi_table.games.names import ENDINGS, TEAMS, number_words
from pi_table.games.rules.countdown import TimerView
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import profile_named
from pi_table.games.rules.team import Team
from pi_table.games.rules.word_games.board import Phase
from pi_table.games.rules.word_games.key import LAYOUTS, Identity
from pi_table.games.rules.word_games.views import PublicView

CLOCK_TOLERANCE: Final = 1e-6
"""Seconds by which two times may differ and still count as equal."""
_TEAM_OF: Final = {Identity.RED: Team.RED, Identity.BLUE: Team.BLUE}
LAST_SECONDS: Final = 10.0
"""Seconds that remain on the timer when the table announces that time is running out."""


def begins(view: PublicView) -> Iterator[Announcement]:
    title = Say(profile_named(view.profile).title)
    team = TEAMS[view.starts]
    words: Words = say("A new game: {game}. {team} starts.", game=title, team=team)
    if view.placed is UNSET and all(cell.word is None for cell in view.cells.values()):
        # People lay their own cards, which the table cannot see.
        words = say(
            "A new game: {game}. Lay {count} cards, words up. Then {team} starts.",
            game=title,
            count=len(CELLS) - (view.nuke is not UNSET),
            team=team,
        )
    yield Announcement(What.BEGINS, words, team=view.starts)
    if view.placed is not UNSET:
        yield _lay(view)


def announce(old: PublicView, new: PublicView, passed: float) -> Iterator[Announcement]:
    """Yield the announcements of the changes from ``old`` to ``new``.

    ``passed`` is the time between the two views, in seconds.
    """
    if new.corrections != old.corrections:
        yield from _correction(old, new)
        return
    if new.new_keys != old.new_keys:
        words = say("A new key is drawn; {team} starts.", team=TEAMS[new.starts])
        yield Announcement(What.NEW_KEY, words, team=new.starts)
        return
    yield from _layout_changes(old, new)
    found = [cell for cell, name in enumerate(CELLS) if new.cells[name] != old.cells[name]]
    answered: list[Announcement] = []
    if new.placed is UNSET and old.placed is UNSET:
        answered = [said for cell in found for said in _answers(old, new, cell)]
    yield from answered
    guessed = bool(found) and old.phase is Phase.GUESS
    after = _after(answered)
    yield from _judgement(old, new, after)
    if _is_armed(new) and not _is_armed(old):
        words = say("The nuke is armed: whoever hits it now takes both teams down.")
        yield Announcement(What.NUKE_ARMED, words, after)
        after += ARMED_ECHO
    if new.clue is not None and old.clue is None:
        yield _clue(new)
    if new.outcome is not None and old.outcome is None:
        yield _end(new.outcome, after)
    elif _begins_a_turn(old, new):
        yield _turn(old, new, found, after, passed)
    elif new.phase is Phase.CLUE and old.phase in (Phase.PENALTY, Phase.COVER):
        yield _goes_on(new, ECHO if found else 0.0)
    elif guessed and new.phase is Phase.GUESS and new.guesses_left is not None:
        words = say_many("One guess left.", "{count} guesses left.", new.guesses_left)
        yield Announcement(What.GUESSES, words, after, team=new.turn)
    if new.paused and not old.paused:
        yield Announcement(What.PAUSE, say("A pause."))
    if old.paused and not new.paused and new.outcome is None:
        yield Announcement(What.RESUMED, say("The game goes on."))
    if new.key is not UNSET and old.key is UNSET:
        yield Announcement(What.REVEALED, say("The key is revealed."))


def _after(answered: list[Announcement]) -> float:
    """Return how many seconds other announcements must wait because of the answers to a guess."""
    if not answered:
        return 0.0
    last = answered[-1]
    return last.after + (FATAL_ECHO if last.what in (What.ASSASSIN, What.NUKE) else ECHO)


def _begins_a_turn(old: PublicView, new: PublicView) -> bool:
    """True if a new clue is needed now. The team in turn may be the same as before: after a
    penalty, or in a game with one group."""
    if new.phase is not Phase.CLUE or old.phase is Phase.PLACE:
        return False
    return new.turn is not old.turn or old.phase is not Phase.CLUE


def _correction(old: PublicView, new: PublicView) -> Iterator[Announcement]:
    """Announce what the operator has corrected, then whose turn it is (ALL-3)."""
    taken_back = [
        cell
        for cell, name in enumerate(CELLS)
        if old.cells[name].covered is not None and new.cells[name].covered is None
    ]
    if _was_abandoned(old):
        words: Words = say("Correction: the game goes on.")
    elif taken_back:
        words = say("Correction: the latest guess is taken back.")
    elif new.placed is not UNSET:
        words = say("Correction: the latest card is taken off again.")
    elif new.clue is not None:
        number = number_words(new.clue.number)
        words = say("Correction: the clue’s number is {number}.", number=number)
    else:
        words = say("Correction: the latest guess is taken back.")
    place = taken_back[0] if len(taken_back) == 1 else None
    yield Announcement(What.CORRECTION, words, place=place, team=new.turn)
    if new.placed is not UNSET:
        yield _lay(new, ECHO)
    elif new.turn is not None and new.turn is not old.turn:
        yield _goes_on(new, ECHO)


def _was_abandoned(view: PublicView) -> bool:
    return view.outcome is not None and view.outcome.why is Why.STOPPED


def _layout_changes(old: PublicView, new: PublicView) -> Iterator[Announcement]:
    """Announce the next card, the choice of another card, or the end of the layout (DU-2)."""
    if old.placed is UNSET:
        return
    if new.placed == old.placed:
        if isinstance(new.next_word, str) and new.next_word != old.next_word:
            words = say("{team} lays {word}.", team=_name(new), word=new.next_word)
            yield Announcement(What.CHOSEN, words, team=new.turn)
        return
    if new.placed is not UNSET:
        yield _lay(new)
    elif new.outcome is None:
        words = say("All the cards are down, and the key is drawn. {team} starts.", team=_name(new))
        yield Announcement(What.LAID_OUT, words, team=new.turn)


def _lay(view: PublicView, after: float = 0.0) -> Announcement:
    """Ask the team to lay a card. If the table knows the word of the selected card, name it."""
    team = _name(view)
    if view.next_word is not UNSET and view.next_word:
        last = view.hands is not UNSET and len(view.hands.of(view.turn or view.starts)) == 1
        words = say("{team} to lay: {word}, or another card.", team=team, word=view.next_word)
        if last:
            words = say("{team} lays {word}.", team=team, word=view.next_word)
        return Announcement(What.HAND, words, after, team=view.turn)
    words = say("{team} lays a card: touch its cell", team=team)
    return Announcement(What.LAY, words, after, team=view.turn)


def _judgement(old: PublicView, new: PublicView, after: float) -> Iterator[Announcement]:
    """Announce the result of a challenge, or that a cell must be covered (CN-18, NC-4)."""
    if new.phase is old.phase or new.turn is None:
        return
    if new.phase is Phase.CHALLENGE:
        judge = TEAMS[new.turn.other]
        words = say("{team} challenges the clue: its spymaster judges.", team=judge)
        yield Announcement(What.CHALLENGE, words, team=new.turn.other)
    elif old.phase is Phase.CHALLENGE and new.phase is Phase.GUESS:
        yield Announcement(What.ALLOWED, say("The clue is allowed."), team=new.turn)
    elif new.phase is Phase.PENALTY:
        words = say("The clue was invalid: {team} may cover a cell.", team=_name(new))
        yield Announcement(What.PENALTY, words, team=new.turn)
    elif new.phase is Phase.COVER:
        other = TEAMS[new.turn.other]
        words = say("{team}’s spymaster covers one of {other}’s.", team=_name(new), other=other)
        yield Announcement(What.COVER, words, after, team=new.turn.other)


def _answers(old: PublicView, new: PublicView, cell: int) -> Iterator[Announcement]:
    name = CELLS[cell]
    identity = new.cells[name].covered
    if identity is None or old.turn is None:
        return
    label = new.cells[name].word or say("{column}{row}", column=name[0], row=name[1])
    if old.phase is not Phase.GUESS:
        words = say("{cell} is covered: {what}.", cell=label, what=KINDS[identity])
        yield Announcement(What.COVERED, words, 0.0, cell, _TEAM_OF.get(identity), identity)
        yield from _last_one(old, new, ECHO)
        return
    yield Announcement(What.REVEALING, say("{cell} is …", cell=label), 0.0, cell, old.turn)
    what = _what(new.profile, old.turn, identity)
    words = say("{cell} is {what}.", cell=label, what=KINDS[identity])
    yield Announcement(what, words, TENSION, cell, old.turn, identity)
    if new.outcome is None:
        yield from _last_one(old, new, TENSION + ECHO)


def _what(profile: str, team: Team, identity: Identity) -> What:
    """Return the kind of announcement for a guess of ``team`` that found ``identity``."""
    match identity:
        case Identity.ASSASSIN:
            return What.ASSASSIN
        case Identity.NUKE:
            return What.NUKE
        case Identity.BYSTANDER | Identity.DECOY:
            return What.BYSTANDER
    sought = LAYOUTS[profile].quarry(team)
    return What.RIGHT if _TEAM_OF[identity] is sought else What.WRONG


def _last_one(old: PublicView, new: PublicView, after: float) -> Iterator[Announcement]:
    for team in Team:
        if new.left.of(team) == 1 != old.left.of(team):
            seeker = LAYOUTS[new.profile].quarry(team)
            words = say("{team} has one left to find.", team=TEAMS[seeker])
            yield Announcement(What.LAST_ONE, words, after, team=seeker)


def _is_armed(view: PublicView) -> bool:
    return view.nuke is not UNSET and view.nuke.armed and view.outcome is None


def _clue(view: PublicView) -> Announcement:
    assert view.clue is not None
    number = number_words(view.clue.number)
    if view.clue.word is None:
        words = say("{team}’s clue: {number}.", team=_name(view), number=number)
    else:
        words = say(
            "{team}’s clue: {word}, {number}.", team=_name(view), word=view.clue.word, number=number
        )
    return Announcement(What.CLUE, words, team=view.turn)


def _turn(
    old: PublicView, new: PublicView, found: list[int], after: float, passed: float
) -> Announcement:
    """Announce whose turn it is, and why the other team's turn ended."""
    if new.turn is old.turn:
        return _goes_on(new, after)
    why = _why_it_ended(old, found, passed)
    words = say("{why}; it is {team}’s turn.", why=why, team=_name(new))
    return Announcement(What.TURN, words, after, team=new.turn)


def _goes_on(new: PublicView, after: float) -> Announcement:
    """Announce whose turn it is, without saying why the previous turn ended."""
    words = say("It is {team}’s turn.", team=_name(new))
    return Announcement(What.TURN, words, after, team=new.turn)


def _why_it_ended(old: PublicView, found: list[int], passed: float) -> Words:
    if found and old.phase is Phase.GUESS:
        is_last = old.guesses_left == 1
        return say("That was the last guess") if is_last else say("That ends the turn")
    if old.phase in (Phase.PENALTY, Phase.CHALLENGE):
        return say("The clue was invalid")
    if old.timer is not None and _runs_out(old.timer, passed):
        return say("The time is up")
    return say("The team ends its turn")


def _runs_out(timer: TimerView, passed: float) -> bool:
    """True if the clock ended the turn within the last ``passed`` seconds.

    False for an hourglass, and for a clock that ran out earlier: they only urge the players
    (CN-24).
    """
    ends_turns = timer.mode == "clock" and timer.running and not timer.urging
    return ends_turns and passed >= timer.left - CLOCK_TOLERANCE


def _end(outcome: Outcome, after: float) -> Announcement:
    if outcome.why is Why.STOPPED:
        return Announcement(What.STOPPED, say("The game was stopped. Nobody wins."), after)
    why = ENDINGS[outcome.why]
    if outcome.winner is None:
        words = say("Both teams lose: {why}.", why=why)
        if len(outcome.losers) < 2:
            words = say("The group loses: {why}.", why=why)
        return Announcement(What.LOSS, words, after)
    team = TEAMS[outcome.winner]
    if outcome.score is not None:
        words = say("{team} wins, with {score} of 8.", team=team, score=outcome.score)
    else:
        words = say("{team} wins: {why}.", team=team, why=why)
    return Announcement(What.WIN, words, after, team=outcome.winner)


def _name(view: PublicView) -> Words:
    assert view.turn is not None
    return TEAMS[view.turn]


KINDS: Final = {
    Identity.RED: say("one of Red’s"),
    Identity.BLUE: say("one of Blue’s"),
    Identity.BYSTANDER: say("a bystander"),
    Identity.ASSASSIN: say("the assassin"),
    Identity.DECOY: say("a decoy"),
    Identity.NUKE: say("the nuke"),
}
