"""The events of Codex; pauses and ends are those of every game.

Events that have hidden information hide it in every text made from them. Only the journal may
contain it.
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
    """Agents who have a phone from the start (CX-20)."""


class VisitStarted(Event, frozen=True):
    """The agent is at the hidden screen: the time of the visit begins."""

    agent: int
    by_operator: bool = False
    """True if the operator started the time, so that the game goes on without the agent."""


class MessageSent(Hides, Event, frozen=True):
    agent: int
    to: int
    facts: tuple[Fact, ...]
    """The facts to send, besides the fragment."""


class HackNamed(Hides, Event, frozen=True):
    """An agent named a target. Only the entry of a hacker has an effect."""

    agent: int
    target: int


class Asked(Hides, Event, frozen=True):
    agent: int
    message: int
    fact: Fact
    answer: Value | None
    """The answer; None for an agent who may not ask."""


class Demanded(Hides, Event, frozen=True, omit_defaults=True):
    """An agent demanded a fact. Only an inquisitor with the power left causes an effect."""

    agent: int
    fact: Fact
    target: int | None = None
    """The only agent to whom the demand applies. None in games since version 0.6."""


class CodeTried(Hides, Event, frozen=True):
    agent: int
    code: str
    result: Attempted


class VisitFinished(Hides, Event, frozen=True):
    """The agent declared the visit finished. The next one begins after the full time."""

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
    """The visit's time is over: the next visit begins, or the part after the lap."""


class VisitExtended(Event, frozen=True):
    """The message is still missing: the visit is extended by whole lengths."""

    by: int


class VisitPassed(Event, frozen=True):
    """Three wrong personal codes: the agent comes again at the end of the lap."""


class Paired(Event, frozen=True):
    """The agent has a phone."""

    agent: int


class Unpaired(Event, frozen=True):
    """The agent comes to the hidden screen again."""

    agent: int


class AgentThere(Event, frozen=True):
    """One of the agents who have their visits together says that they are there."""

    agent: int


class TogetherStarted(Event, frozen=True):
    """The time of the agents who have their visits together begins."""

    by_operator: bool = False
    """True if the operator started the time before all of these agents were there."""


class TogetherEnded(Event, frozen=True):
    """All agents who have their visits together are done, or their time is over. Agents with three
    wrong personal codes come again at the end of the lap."""


class DiscussionEnded(Event, frozen=True):
    pass


class Voted(Event, frozen=True):
    agent: int
    target: int


class TakenToMachine(Event, frozen=True):
    agent: int


class NobodyTaken(Event, frozen=True):
    """No agent with votes has anything left to reveal: the next phase begins."""


class FactRevealed(Hides, Event, frozen=True):
    """A fact was revealed to everybody. Whose choice the fact was is not public."""

    agent: int
    fact: Fact
    value: Value
    chosen: Fact
    """The fact that the agent at the truth machine chose."""
    inquisitor: int | None
    """The agent whose demand was met; None if the agent at the machine chose the fact."""


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
"""The events that only Codex has, besides those of `pi_table.games.rules.events`."""
