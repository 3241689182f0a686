"""The contents of the record of a game of Codex, and its secrets that are never in it (ALL-1,
ALL-4)."""

import pytest
from marked import marked, unmarked

from pi_table.common.language import LANGUAGES, Lang, translate
from pi_table.games.rules import events as common
from pi_table.games.rules import games
from pi_table.games.rules.codex import events
from pi_table.games.rules.codex.hidden import Attempted, State
from pi_table.games.rules.codex.identikit import Fact, Identikit, Role
from pi_table.games.rules.events import Event
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.profile import PROFILES
from pi_table.games.rules.team import Team
from pi_table.table.engine.families.codex import record

__all__ = ["marked"]

RED, BLUE = Team
ROLES = (Role.HACKER, Role.INFILTRATOR, Role.LEADER)
SIX = tuple(
    Identikit(name, team, role, position, fragment)
    for name, team, role, position, fragment in (
        ("Volpe", RED, ROLES[0], 1, "AAAA"),
        ("Lupo", RED, ROLES[1], 2, "BBBB"),
        ("Orso", RED, ROLES[2], 3, "CCCC"),
        ("Gufo", BLUE, ROLES[0], 1, "DDDD"),
        ("Lince", BLUE, ROLES[1], 2, "EEEE"),
        ("Corvo", BLUE, ROLES[2], 3, "FFFF"),
    )
)
DEALT = events.AgentsDealt(0.0, "codex", PROFILES["codex"].defaults, ROLES, SIX)
HIDDEN: tuple[common.Event, ...] = (
    events.VisitStarted(0.5, 0),
    events.OwnCodeChosen(1.0, 0, "1234"),
    events.OwnCodeEntered(2.0, 0, True),
    events.MessageSent(3.0, 0, 3, (Fact.ROLE,)),
    events.HackNamed(4.0, 0, 4),
    events.VisitFinished(5.0, 0),
    events.VisitExtended(6.0, 1),
    events.VisitPassed(7.0),
    events.VisitEnded(8.0),
    events.Asked(9.0, 1, 1, Fact.FACTION, None),
    events.Demanded(10.0, 2, Fact.FRAGMENT),
    events.CodeTried(11.0, 2, "AAAABBBBCCCC", Attempted.RIGHT),
    events.AgentThere(12.0, 3),
    events.TogetherStarted(13.0),
    events.TogetherEnded(14.0),
)
OPEN: tuple[tuple[common.Event, str], ...] = (
    (
        events.VisitStarted(0.5, 4, by_operator=True),
        "The game goes on without waiting for Lince.",
    ),
    (
        events.TogetherStarted(0.5, by_operator=True),
        "The game goes on without waiting any longer.",
    ),
    (events.Paired(0.5, 4), "Lince has a phone."),
    (events.Unpaired(0.5, 4), "Lince has another visit."),
    (events.NewCodeAllowed(1.0, 4), "Lince may choose a new code of their own."),
    (events.DiscussionEnded(2.0), "The discussion ends."),
    (events.Voted(3.0, 0, 1), "Volpe votes for Lupo."),
    (events.TakenToMachine(4.0, 1), "Lupo goes to the truth machine."),
    (events.NobodyTaken(5.0), "Nobody goes to the truth machine."),
    (
        events.FactRevealed(6.0, 1, Fact.FACTION, "blue", Fact.ROLE, 3),
        "Lupo reveals a faction: Blue.",
    ),
    (
        events.FactRevealed(7.0, 2, Fact.ROLE, "leader", Fact.ROLE, None),
        "Orso reveals a role: Leader.",
    ),
    (
        events.FactRevealed(8.0, 2, Fact.POSITION, 3, Fact.POSITION, None),
        "Orso reveals a position: 3.",
    ),
    (
        events.FactRevealed(9.0, 3, Fact.FRAGMENT, "DDDD", Fact.FRAGMENT, None),
        "Gufo reveals a fragment: DDDD.",
    ),
    (common.Paused(10.0), "A pause."),
    (common.Resumed(11.0), "The game goes on."),
    (
        common.GameEnded(12.0, Outcome(RED, (BLUE,), Why.CODE)),
        "The game is over: Red wins (the code was found).",
    ),
    (common.Revealed(13.0), "The identikits are revealed."),
)


def told(*history: common.Event, lang: Lang = "en") -> list[str]:
    """The lines after those of the deal."""
    lines = [translate(words, lang) for _, words, _ in record.sentences([DEALT, *history])]
    return lines[3:]


def test_the_deal_tells_the_roles_in_play_and_the_names_and_no_more() -> None:
    # CX-3
    lines = [translate(words, "en") for _, words, _ in record.sentences([DEALT])]
    assert lines == [
        "A game begins: Six agents, two codes.",
        "Roles in play: Hacker, Infiltrator, Leader.",
        "The agents: Volpe, Lupo, Orso, Gufo, Lince, Corvo.",
    ]


def test_what_was_private_is_not_told() -> None:
    # CX-5, CX-6, CX-11, CX-14, CX-16, CX-18, CX-19
    assert told(*HIDDEN) == []


@pytest.mark.parametrize(("event", "line"), OPEN, ids=lambda given: type(given).__name__)
def test_what_everybody_saw_is_told(event: common.Event, line: str) -> None:
    # CX-7, CX-9, CX-17
    assert told(event) == [line]


def test_whose_wish_was_met_at_the_machine_is_not_told() -> None:
    # CX-14
    own = events.FactRevealed(1.0, 1, Fact.ROLE, "leader", Fact.ROLE, None)
    demanded = events.FactRevealed(1.0, 1, Fact.ROLE, "leader", Fact.POSITION, 3)
    assert told(own) == told(demanded)


def test_every_event_of_the_game_is_here() -> None:
    here = {type(event) for event in (DEALT, *HIDDEN, *(event for event, _ in OPEN))}
    assert here >= {each for each in Event.__subclasses__() if each.__module__ == events.__name__}


def test_the_identikits_are_told_with_the_true_faction() -> None:
    # ALL-5
    state = games.evolve(None, DEALT)
    assert isinstance(state, State)
    assert not record.is_open(state.board)
    lines = [translate(words, "en") for words in record.secrets(state)]
    assert lines[1] == "Lupo: Red, Infiltrator, position 2, fragment BBBB."
    assert len(lines) == 6


@pytest.mark.usefixtures("marked")
def test_every_line_is_translated() -> None:
    state = games.evolve(None, DEALT)
    assert isinstance(state, State)
    lines = [translate(words, "it") for words in record.secrets(state)]
    for line in lines + told(*(event for event, _ in OPEN), lang="it"):
        assert unmarked(line) == "", line


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_is_never_translated(lang: Lang) -> None:
    dealt = events.AgentsDealt(
        0.0,
        "codex",
        DEALT.settings,
        ROLES,
        (SIX[0], *SIX[1:5], Identikit("Red", BLUE, ROLES[2], 3, "FFFF")),
    )
    lines = [
        translate(words, lang) for _, words, _ in record.sentences([dealt, events.Voted(1.0, 5, 0)])
    ]
    assert lines[-1].startswith("Red ")
