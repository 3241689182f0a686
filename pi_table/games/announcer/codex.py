"""Make the announcements of a Codex game by comparing two of its public views.

Nothing that an agent does in a visit to the hidden screen is announced, so all visits look alike
(CX-18).
"""

from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from pi_table.common.geometry import AGENT_CELLS
from pi_table.common.language import Say, Words, say
from pi_table.games.announcer.announcement import FACT_ECHO, PART_ECHO, Announcement, What
from pi_table.games.names import ENDINGS, ROLES, TEAMS
from pi_table.games.rules.codex.board import ACT, DISCUSS, MACHINE, SEND, VOTE, Place
from pi_table.games.rules.codex.identikit import Fact, Role, Value
from pi_table.games.rules.codex.views import CodexView
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import profile_named
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.rules.team import Team


def begins(view: CodexView, has_screen: bool = True) -> Iterator[Announcement]:
    title = Say(profile_named(view.profile).title)
    one, two, three = (ROLES[role] for role in view.roles)
    words = say(
        "A new game: {game}. Roles in play: {one}, {two}, {three}.",
        game=title,
        one=one,
        two=two,
        three=three,
    )
    yield Announcement(What.BEGINS, words)
    yield from _steps_up(view, has_screen, PART_ECHO)


def announce(old: CodexView, new: CodexView, has_screen: bool = True) -> Iterator[Announcement]:
    """Yield the announcements of the changes. ``has_screen`` is True if the table has a hidden
    screen."""
    known_votes, votes = old.shown_votes, new.shown_votes
    for vote in votes[len(known_votes) :] if votes[: len(known_votes)] == known_votes else ():
        words = say(
            "{agent} votes for {target}.",
            agent=_nickname(new, vote.voter),
            target=_nickname(new, vote.target),
        )
        yield Announcement(What.VOTED, words, place=_cell(vote.target))
    after = 0.0
    for seat, known, knows in zip(AGENTS, old.agents, new.agents, strict=True):
        for fact in [*knows.revealed][len(known.revealed) :]:
            told = fact_words(knows.nickname, Fact(fact), knows.revealed[fact])
            yield Announcement(What.FACT, told, place=_cell(seat))
            after = FACT_ECHO
    for seat in new.new_codes[len(old.new_codes) :]:
        words = say("{agent} may choose a new code of their own.", agent=_nickname(new, seat))
        yield Announcement(What.NEW_CODE, words, place=_cell(seat))
    if new.outcome is not None and old.outcome is None:
        yield _end(new.outcome)
    elif new.outcome is None and old.outcome is not None:
        yield Announcement(What.CORRECTION, say("Correction: the game goes on."))
        yield from _steps_up(new, has_screen, PART_ECHO)
    elif (new.phase, new.number) != (old.phase, old.number):
        yield from _next_part(old, new, has_screen, after)
    elif (new.at_screen, new.turn) != (old.at_screen, old.turn) or _more_are_called(old, new):
        yield from _steps_up(new, has_screen)
    elif new.added > old.added:
        words = say("The visit lasts longer: a message is missing.")
        yield Announcement(What.LONGER, words, place=_cell(new.at_screen))
    if new.paused and not old.paused:
        yield Announcement(What.PAUSE, say("A pause."))
    if old.paused and not new.paused and new.outcome is None:
        yield Announcement(What.RESUMED, say("The game goes on."))
    if new.identikits is not UNSET and old.identikits is UNSET:
        yield Announcement(What.REVEALED, say("The identikits are revealed."))


def _next_part(
    old: CodexView, new: CodexView, has_screen: bool, after: float
) -> Iterator[Announcement]:
    """Yield the announcements when the next part of a phase, or the next phase, begins."""
    if old.phase is VOTE and new.phase is SEND:
        yield Announcement(What.NOBODY, say("Nobody goes to the truth machine."))
        after = FACT_ECHO
    if new.phase is MACHINE and new.at_screen is not None:
        who = _nickname(new, new.at_screen)
        if new.place is Place.PHONES:
            words = say("{agent} goes to the truth machine, on the phone.", agent=who)
        else:
            words = say("{agent} goes to the truth machine.", agent=who)
        yield Announcement(What.MACHINE, words, place=_cell(new.at_screen))
        if _lacks_phone(new, has_screen):
            yield from _steps_up(new, has_screen, PART_ECHO)
        return
    part = (_ON_PHONES if new.together else _PARTS).get(new.phase)
    if part is not None:
        yield Announcement(What.DISCUSS if new.phase is DISCUSS else What.PHASE, part, after)
        after += PART_ECHO
    yield from _steps_up(new, has_screen, after)


def _steps_up(view: CodexView, has_screen: bool, after: float = 0.0) -> Iterator[Announcement]:
    """Call the next agents to the hidden screen or to their phones, or ask for the next vote."""
    if view.outcome is not None:
        return
    if view.together:
        names = ", ".join(_nickname(view, seat) for seat in view.together)
        yield Announcement(What.CALLED, say("To your phones: {agents}.", agents=names), after)
    elif view.at_screen is not None:
        agent = _nickname(view, view.at_screen)
        words = say("{agent}, it is your visit.", agent=agent)
        if _lacks_phone(view, has_screen):
            words = say("{agent} needs a phone: the operator has a code.", agent=agent)
        yield Announcement(What.CALLED, words, after, _cell(view.at_screen))
    elif view.turn is not None:
        words = say("{agent} votes now.", agent=_nickname(view, view.turn))
        yield Announcement(What.VOTE, words, after, _cell(view.turn))


def _lacks_phone(view: CodexView, has_screen: bool) -> bool:
    """True if the agent in turn can act only with a phone, and has none."""
    return not has_screen and view.at_screen not in (view.phones or ())


def _more_are_called(old: CodexView, new: CodexView) -> bool:
    """True if an agent's visit on a phone began between ``old`` and ``new``."""
    return bool({*(new.together or ())} - {*(old.together or ())})


_PARTS: Final = {
    SEND: say("The messages: one visit after another."),
    ACT: say("The messages have come: one visit after another."),
    DISCUSS: say("Talk it over!"),
    VOTE: say("The vote: who goes to the truth machine?"),
}
_ON_PHONES: Final = {
    SEND: say("The messages: on your phones, all at once."),
    ACT: say("The messages have come: on your phones, all at once."),
}
"""The sentence at the start of each part of a phase in which agents use their phones."""


def fact_words(agent: str, fact: Fact, value: Value) -> Words:
    """Return the sentence about a fact that the truth machine revealed."""
    match fact:
        case Fact.FACTION:
            return say(
                "{agent} reveals a faction: {team}.", agent=agent, team=TEAMS[Team(str(value))]
            )
        case Fact.ROLE:
            return say("{agent} reveals a role: {role}.", agent=agent, role=ROLES[Role(value)])
        case Fact.POSITION:
            return say("{agent} reveals a position: {position}.", agent=agent, position=value)
    return say("{agent} reveals a fragment: {fragment}.", agent=agent, fragment=value)


def _end(outcome: Outcome) -> Announcement:
    if outcome.winner is None:
        if outcome.why is Why.STOPPED:
            return Announcement(What.STOPPED, say("The game was stopped. Nobody wins."))
        words = say("The game is over: nobody wins ({why}).", why=ENDINGS[outcome.why])
        return Announcement(What.LOSS, words)
    words = say("{team} wins: {why}.", team=TEAMS[outcome.winner], why=ENDINGS[outcome.why])
    return Announcement(What.WIN, words, team=outcome.winner)


def _nickname(view: CodexView, seat: Seat) -> str:
    return view.agents[AGENTS.index(seat)].nickname


def _cell(seat: Seat | None) -> int | None:
    return None if seat is None else AGENT_CELLS[AGENTS.index(seat)]
