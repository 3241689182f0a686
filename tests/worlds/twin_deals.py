"""A second deal of Codex that the public could not tell from the first.

Two worlds are a pair of deals: the same nicknames and the same roles in play; whatever the truth
machine brought to light is the same in both, and no code that was tried is right in either.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from pi_table.games.rules.codex import events
from pi_table.games.rules.codex.identikit import Fact, Identikit, Role, code_of
from pi_table.games.rules.team import Team

Deal = tuple[Identikit, ...]


class Hidden(NamedTuple):
    """The hidden part of one world."""

    deals: tuple[Deal, ...]
    otherwise: bool = False
    """True if agents enter their other input."""


Revealed = tuple[int, Fact, object]
"""An agent, a fact, and what it says."""
TRIES: Final = 500
WHAT: Final[tuple[tuple[str, ...], ...]] = (
    ("fragment",),
    ("role",),
    ("position",),
    ("faction", "role", "position"),
    ("faction", "role", "position", "fragment"),
)
"""Fields that two agents can swap; roles and positions alone within a faction."""


@dataclass
class Machine:
    """One visit to the truth machine, and what led to it."""

    agent: int
    chosen: Fact
    votes: list[tuple[int, int]]
    demands: dict[int, Fact]
    """Demanded fact of each agent who demanded one in this phase."""

    def brings_to_light(self, met: int | None) -> Fact:
        """The fact that is revealed: what the agent ``met`` demanded; if that is None, what was
        chosen."""
        return self.chosen if met is None else self.demands[met]


@dataclass
class Story:
    """The events of a game that help to tell two deals apart."""

    deal: Deal
    reached: set[tuple[int, int, int]] = field(default_factory=set)
    """In which phase who sent to whom, or named whom for a hack: the other may be told of it."""
    codes: list[tuple[int, str]] = field(default_factory=list)
    """Codes that were tried, and by whom."""
    machines: list[Machine] = field(default_factory=list)
    addressed: list[list[int]] = field(default_factory=lambda: [[]])
    """To whom messages were sent, in each phase."""
    private: list[Any] = field(default_factory=list)
    """Everything that was entered at the hidden screen, but for its time."""
    steps: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Number of each agent's acts, by the names of all their events."""

    def aware_of(self, other: "Story") -> dict[int, int]:
        """The agents who may see anything that they do not see in the other story, and from when:
        from the delivery of the messages in the phase of this number on, or (0) always."""
        differ = [
            agent
            for agent, (one, two) in enumerate(zip(self.deal, other.deal, strict=True))
            if one != two or self.entered(agent) != other.entered(agent)
        ]
        told = {
            to: phase
            for phase, sender, to in sorted({*self.reached, *other.reached}, reverse=True)
            if sender in differ
        }
        for met, met_there in zip(self.demands_met(), other.demands_met(), strict=True):
            if met != met_there:
                differ += [agent for agent in (met, met_there) if agent is not None]
        return told | dict.fromkeys(differ, 0)

    def entered(self, agent: int) -> list[object]:
        """Return the agent's input at the hidden screen."""
        return [event for event in self.private if event.agent == agent]

    def demands_met(self) -> list[int | None]:
        """Return the agent whose demand prevails at each visit to the machine (CX-14)."""
        met: list[int | None] = []
        known: set[tuple[int, Fact]] = set()
        for machine in self.machines:
            prevailing = (
                voter
                for voter, target in machine.votes
                if self.deal[voter].role is Role.INQUISITOR
                and voter not in met
                and voter in machine.demands
                and target == machine.agent
                and (target, machine.demands[voter]) not in known
            )
            met.append(next(prevailing, None))
            known.add((machine.agent, machine.brings_to_light(met[-1])))
        return met

    def revealed(self) -> list[Revealed]:
        """Return the facts that the truth machine reveals (CX-9, CX-14)."""
        found: list[Revealed] = []
        for machine, met in zip(self.machines, self.demands_met(), strict=True):
            fact = machine.brings_to_light(met)
            found.append((machine.agent, fact, self.deal[machine.agent].says(fact)))
        return found

    @property
    def has_right_code(self) -> bool:
        """True if a tried code was right."""
        return any(
            code_of(self.deal[agent].faction, self.deal) == code for agent, code in self.codes
        )

    def looks_like(self, other: "Story") -> bool:
        """True if all public facts are the same, from the same steps at the hidden screen."""
        no_code = not self.has_right_code and not other.has_right_code
        return no_code and self.revealed() == other.revealed() and self.outline() == other.outline()

    def outline(self) -> object:
        """Return the kind of each agent's input, and its number of messages in each phase."""
        steps = [(type(event), event.agent) for event in self.private]
        return steps, [sorted(phase) for phase in self.addressed]


ENTERED: Final = (
    events.MessageSent,
    events.HackNamed,
    events.Asked,
    events.Demanded,
    events.CodeTried,
    events.OwnCodeChosen,
    events.OwnCodeEntered,
)


def story_of(happened: Iterable[object]) -> Story:
    """The story that the events of a game tell."""
    story = Story(())
    votes: list[tuple[int, int]] = []
    demands: dict[int, Fact] = {}
    for event in happened:
        if hasattr(event, "agent"):
            story.steps[event.agent, type(event).__name__] += 1
        if isinstance(event, ENTERED):
            story.private.append(replace(event, at=0.0))
        match event:
            case events.AgentsDealt(identikits=deal):
                story.deal = deal
            case events.MessageSent(agent=agent, to=to):
                story.reached.add((len(story.addressed), agent, to))
                story.addressed[-1].append(to)
            case events.HackNamed(agent=agent, target=target):
                story.reached.add((len(story.addressed), agent, target))
            case events.CodeTried(agent=agent, code=code):
                story.codes.append((agent, code))
            case events.Demanded(agent=agent, fact=fact):
                demands[agent] = fact
            case events.Voted(agent=agent, target=target):
                votes.append((agent, target))
            case events.FactRevealed(agent=agent, chosen=chosen):
                story.machines.append(Machine(agent, chosen, votes, demands))
                story.addressed.append([])
                votes, demands = [], {}
            case events.NobodyTaken():
                story.addressed.append([])
                votes, demands = [], {}
    return story


def twin(story: Story, there: Story, chance: Random) -> Deal | None:
    """Another deal that agrees with all that was told in public, where what happens ``there`` is
    entered; None if none was found."""
    for _ in range(TRIES):
        other = _swapped(story.deal, chance) if chance.random() < 0.5 else story.deal
        for _ in range(chance.choice((0, 1, 8))):
            other = _swapped(other, chance)
        if story.looks_like(dataclasses.replace(there, deal=other)) and other != story.deal:
            return other
    return None


def _swapped(deal: Deal, chance: Random) -> Deal:
    """The same deal, but for two agents who have swapped something."""
    one, other = chance.sample(range(len(deal)), 2)
    what = chance.choice(WHAT)
    if (
        "faction" not in what
        and what != ("fragment",)
        and deal[one].faction is not deal[other].faction
    ):
        return deal
    changed = list(deal)
    changed[one], changed[other] = (
        _with(deal[one], deal[other], what),
        _with(deal[other], deal[one], what),
    )
    return tuple(changed)


def _with(mine: Identikit, theirs: Identikit, what: Sequence[str]) -> Identikit:
    fields = {name: getattr(mine, name) for name in mine.__struct_fields__}
    return Identikit(**(fields | {name: getattr(theirs, name) for name in what}))


def as_json(deal: Deal) -> list[dict[str, Any]]:
    """The deal as `pi-table play` reads it."""
    return [
        {
            "nickname": one.nickname,
            "faction": one.faction.value,
            "role": one.role.value,
            "position": one.position,
            "fragment": one.fragment,
        }
        for one in deal
    ]


def drawn(roles: Sequence[str], nicknames: Sequence[str], chance: Random) -> Deal:
    """A deal of these roles beside the leader."""
    three = ["leader", *roles]
    factions = chance.sample([*Team] * 3, 6)
    parts = {
        team: list(zip(chance.sample(three, 3), chance.sample((1, 2, 3), 3), strict=True))
        for team in Team
    }
    deal = []
    for agent, team in enumerate(factions):
        role, position = parts[team].pop()
        fragment = "".join(chance.choice("23456789ABCDEFGH") for _ in range(3)) + "PQRSTU"[agent]
        deal.append(Identikit(nicknames[agent], team, Role(role), position, fragment))
    return tuple(deal)
