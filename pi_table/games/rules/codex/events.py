"""What has happened in a game of Codex; pauses and ends are those of every game.

What only some may know hides itself in every text made of it: those events are for the journal.
"""

from pi_table.games.rules.codex.hidden import Attempted
from pi_table.games.rules.codex.identikit import Fact, Hides, Identikit, Role, Value
from pi_table.games.rules.events import Event
from pi_table.games.rules.profile import Settings


class AgentsDealt(Hides, Event, frozen=True):
    """The first event of every game."""

    profile: str
    settings: Settings
    roles: tuple[Role, ...]
    identikits: tuple[Identikit, ...]
    phones: tuple[int, ...] = ()
    """The agents who have a phone from the start (CX-20)."""


class VisitStarted(Event, frozen=True):
    """The agent is at the hidden screen: the time of the visit begins."""

    agent: int
    by_operator: bool = False
    """Did the operator let the time begin, so that the game goes on without the agent?"""


class MessageSent(Hides, Event, frozen=True):
    agent: int
    to: int
    facts: tuple[Fact, ...]
    """Those that will be told, the fragment apart."""


class HackNamed(Hides, Event, frozen=True):
    """Without effect but for a hacker."""

    agent: int
    target: int


class Asked(Hides, Event, frozen=True):
    agent: int
    message: int
    fact: Fact
    answer: Value | None
    """None for one who has no question."""


class Demanded(Hides, Event, frozen=True, omit_defaults=True):
    """Without effect but for an inquisitor whose power is left."""

    agent: int
    fact: Fact
    target: int | None = None
    """The only agent for whom the demand holds; None for whomever the one who demands votes for.
    Up to version 0.5 a demand named an agent: only stored games have such a demand."""


class CodeTried(Hides, Event, frozen=True):
    agent: int
    code: str
    result: Attempted


class VisitFinished(Hides, Event, frozen=True):
    """The agent is done; the visit lasts its time."""

    agent: int


class OwnCodeChosen(Hides, Event, frozen=True):
    agent: int
    code: str


class OwnCodeEntered(Hides, Event, frozen=True):
    agent: int
    right: bool


class NewCodeAllowed(Event, frozen=True):
    agent: int


class VisitEnded(Event, frozen=True):
    """Its time is over: what follows is the next visit, or what comes after the lap."""


class VisitExtended(Event, frozen=True):
    """The message is still missing: the visit lasts so many whole lengths longer."""

    by: int


class VisitPassed(Event, frozen=True):
    """Three wrong codes of their own: the agent comes again at the end of the lap."""


class Paired(Event, frozen=True):
    """The agent has a phone."""

    agent: int


class Unpaired(Event, frozen=True):
    """The agent comes to the hidden screen again."""

    agent: int


class AgentThere(Event, frozen=True):
    """One of those who have their visits together says that they are there."""

    agent: int


class TogetherStarted(Event, frozen=True):
    """The time of those who have their visits together begins."""

    by_operator: bool = False
    """Did the operator let the time begin, before all of them were there?"""


class TogetherEnded(Event, frozen=True):
    """All of them are done, or their time is over. Whoever entered three wrong codes of their own
    comes again at the end of the lap."""


class DiscussionEnded(Event, frozen=True):
    pass


class Voted(Event, frozen=True):
    agent: int
    target: int


class TakenToMachine(Event, frozen=True):
    agent: int


class NobodyTaken(Event, frozen=True):
    """None of those who have votes has anything left to reveal: the next phase begins."""


class FactRevealed(Hides, Event, frozen=True):
    """Everybody sees the fact; nobody whose choice it was."""

    agent: int
    fact: Fact
    value: Value
    chosen: Fact
    """What the agent chose."""
    inquisitor: int | None
    """Whose demand was met, None if the agent's own choice was revealed."""


AnyEvent = (
    AgentsDealt
    | VisitStarted
    | MessageSent
    | HackNamed
    | Asked
    | Demanded
    | CodeTried
    | VisitFinished
    | OwnCodeChosen
    | OwnCodeEntered
    | NewCodeAllowed
    | VisitEnded
    | VisitExtended
    | VisitPassed
    | Paired
    | Unpaired
    | AgentThere
    | TogetherStarted
    | TogetherEnded
    | DiscussionEnded
    | Voted
    | TakenToMachine
    | NobodyTaken
    | FactRevealed
)
"""Those of Codex alone; it shares those of `pi_table.games.rules.events`."""
