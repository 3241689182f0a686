"""The events of Codex. Pauses and the end are events of every game (`pi_table.games.rules.events`).

Events with hidden information do not show it when printed or logged. Only the journal may contain
it. In a lap, each agent makes one visit.
"""

from pi_table.games.rules.codex.hidden import Attempted
from pi_table.games.rules.codex.identikit import Fact, Hides, Identikit, Role, Value
from pi_table.games.rules.events import Event
from pi_table.games.rules.profile import Settings


class AgentsDealt(Hides, Event, frozen=True):
    """The first event of every game of Codex."""

    profile: str
    settings: Settings
    roles: tuple[Role, ...]
    identikits: tuple[Identikit, ...]
    phones: tuple[int, ...] = ()
    """Agents who have a phone from the start (CX-20)."""


class VisitStarted(Event, frozen=True):
    """The agent is at the hidden screen, so the time of the visit begins."""

    agent: int
    by_operator: bool = False
    """True if the operator started the time, so that the game does not wait for the agent."""


class MessageSent(Hides, Event, frozen=True):
    agent: int
    to: int
    facts: tuple[Fact, ...]
    """The facts in the message, besides the fragment."""


class HackNamed(Hides, Event, frozen=True):
    """An agent named a target. This has an effect only if the agent is a hacker."""

    agent: int
    target: int


class Asked(Hides, Event, frozen=True):
    agent: int
    message: int
    fact: Fact
    answer: Value | None
    """The answer; None if the agent has no power left to ask."""


class Demanded(Hides, Event, frozen=True, omit_defaults=True):
    """An agent demanded a fact. This has an effect only if the agent is an inquisitor whose power
    is still unused."""

    agent: int
    fact: Fact
    target: int | None = None
    """In games before version 0.6: the only agent to whom the demand applies. Now always None: a
    demand applies to the agent for whom the demanding agent votes."""


class CodeTried(Hides, Event, frozen=True):
    agent: int
    code: str
    result: Attempted


class VisitFinished(Hides, Event, frozen=True):
    """The agent declared the visit finished. A visit of one agent still lasts its full time; a
    visit of several agents on phones ends when all are done."""

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
    """The time of a visit is over, and the next visit of the lap begins. After the last visit, the
    next phase begins."""


class VisitExtended(Event, frozen=True):
    """The agent has not sent the message, so ``by`` full visit lengths are added to the visit."""

    by: int


class VisitPassed(Event, frozen=True):
    """After three wrong personal codes, the agent must come again at the end of the lap."""


class Paired(Event, frozen=True):
    """The agent now has a phone."""

    agent: int


class Unpaired(Event, frozen=True):
    """The agent uses the hidden screen again, and not the phone."""

    agent: int


class AgentThere(Event, frozen=True):
    """One of the agents who visit together confirmed their presence."""

    agent: int


class TogetherStarted(Event, frozen=True):
    """The time begins for the agents who visit together."""

    by_operator: bool = False
    """True if the operator started the time before all of these agents had reported."""


class TogetherEnded(Event, frozen=True):
    """All agents who visit together are done, or their time is over. Agents with three wrong
    personal codes must come again at the end of the lap."""


class DiscussionEnded(Event, frozen=True):
    pass


class Voted(Event, frozen=True):
    agent: int
    target: int


class TakenToMachine(Event, frozen=True):
    agent: int


class NobodyTaken(Event, frozen=True):
    """No agent with votes has a fact left to reveal, so the next phase of the game begins."""


class FactRevealed(Hides, Event, frozen=True):
    """A fact was revealed to everybody. It is not public who chose the fact."""

    agent: int
    fact: Fact
    value: Value
    chosen: Fact
    """The fact that the agent at the truth machine chose."""
    inquisitor: int | None
    """The agent whose demand decided the fact; None if the agent at the truth machine decided."""


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
"""The events that only Codex has. `pi_table.games.rules.events` has those of all games."""
