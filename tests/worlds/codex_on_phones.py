"""Short evenings of Codex whose agents have phones of their own, as `evenings` describes them.

One phase is played, to a schedule with room in it: nobody asks for anything before the table can
take it, and every phone is awake that is to ask. So everything that is asked for on a phone is
taken, and `not_taken` tells whether that was so: an evening in which it was not would prove little.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from codex_evenings import AGENT_NAMES, SPECIAL
from evenings import NAMES, Evening, Planner, with_peeks, without_screen
from game_scripts import Line
from twin_deals import Deal, Story, drawn

from pi_table.games.rules.codex.identikit import (
    FRAGMENT_LENGTH,
    REVEALABLE,
    TELLABLE,
    Fact,
    code_of,
)
from pi_table.games.rules.seat import AGENTS

ALL: Final = range(len(AGENTS))
VISIT_SECONDS: Final = 6
LATER: Final = 0.75
"""After so many seconds, what was asked for on a phone has come to the table and back."""
TAKEN: Final = {
    "ready": "AgentThere",
    "choose-code": "OwnCodeChosen",
    "enter-code": "OwnCodeEntered",
    "send": "MessageSent",
    "hack": "HackNamed",
    "ask": "Asked",
    "extort": "Demanded",
    "attempt": "CodeTried",
    "done": "VisitFinished",
    "reveal": "FactRevealed",
}
"""Event in the journal for each accepted act of an agent."""
SECRET: Final = ("ask", "attempt", "done", "extort")
"""Acts that nobody else can notice while somebody is not done (CX-20)."""


def plan(seed: str, *, secretly: bool = False, screenless: bool = False) -> Evening:
    """The evening that this seed gives; ``secretly``: all have phones, and one is never done, so
    that nobody else can tell what is done on a phone in the second lap; ``screenless``: all have
    phones, there is no hidden screen, and the operator does at the desk what no phone can."""
    evening = _Planner(seed, secretly, screenless).evening
    return without_screen(evening) if screenless else with_peeks(evening, Random(f"{seed}/peeks"))


def not_taken(evening: Evening, stories: Iterable[Story]) -> Counter[tuple[int, str]]:
    """Return the planned acts of the evening that are missing in the journal, by agent.

    Every vote was planned, and so was every fact that then came to light.
    """
    meant = Counter((agent, "Voted") for agent in ALL)
    for happening in evening.happenings:
        act = happening.get("do") or happening.get("ask") or {}
        seat = str(happening.get("phone") or act.get("seat"))
        if act.get("act") in TAKEN:
            is_at_screen = act["act"] == "ready" and "phone" not in happening
            meant[_number(seat), "VisitStarted" if is_at_screen else TAKEN[act["act"]]] += 1
    return meant - steps(stories)


def steps(stories: Iterable[Story]) -> Counter[tuple[int, str]]:
    """Return the number of each agent's acts in these games."""
    return sum((story.steps for story in stories), Counter[tuple[int, str]]())


def secret_acts(evening: Evening, seat: str) -> Counter[tuple[int, str]]:
    """Return this agent's secret requests, as `not_taken` counts them."""
    return Counter(
        (_number(seat), TAKEN[happening["do"]["act"]])
        for happening in evening.happenings
        if happening.get("secret") and happening["phone"] == seat
    )


def _number(seat: str) -> int:
    return int(seat.removeprefix("agent-")) - 1


class _Planner(Planner):
    def __init__(self, seed: str, secretly: bool, screenless: bool) -> None:
        chance = self.chance = Random(f"{seed}/codex on phones")
        self.evening = Evening(
            seed,
            intent=chance.choice(("hold", "tap-twice", "tap")),
            cards="own",
            # A slow disk keeps everybody waiting who asks for something after it.
            stall=0.0 if secretly else chance.choice((0.0, 0.0, 0.05)),
            pages=True,
        )
        self.secretly = secretly
        self.screenless = screenless
        self.now = 0.5
        self.game = 1
        roles, names = chance.sample(SPECIAL, 2), chance.sample(NAMES, 6)
        self.deal: Deal = drawn(roles, names, chance)
        self.evening.deals = (self.deal,)
        with_phones = 6 if secretly or screenless else chance.choice((6, 6, 6, 4))
        self.phones = sorted(chance.sample(ALL, with_phones))
        self.slow: int | None = None
        """For whom the operator waits no longer."""
        self.forgetful: int | None = None
        """Whom the operator allows a new code after the first lap."""
        if screenless:
            self.slow, self.forgetful = chance.sample(ALL, 2)
        self.codes = [chance.randrange(10_000) for _ in ALL]
        self.shift = chance.randrange(1, 10_000)
        """Codes of their own are so much higher in the other world."""
        self.to, self.or_to = self.round(), self.round()
        self.hidden_fact = chance.choice([fact for fact in TELLABLE if fact is not Fact.ROLE])
        """Nobody sends it, so whoever asks for it asks for something new in any world."""
        self.target = chance.choice(ALL)
        """Whom all vote for."""
        self.revealed = chance.choice(REVEALABLE)
        self.begins(roles, names)
        self.visits(sending=True)
        if self.forgetful is not None:
            self.add(self.now, desk={"act": "new-code", "target": AGENTS[self.forgetful].value})
        self.visits(sending=False)
        self.discussion()
        self.votes()
        self.machine()
        self.ask(self.now, "operator", "abandon")
        self.add(self.now + 0.5, read=[1])
        if screenless:
            self.add(self.now + 0.5, desk={"act": "record", "game": 1})
        self.evening.happenings.sort(key=lambda happening: happening["at"])

    def round(self) -> list[int]:
        """Whom each writes to; everybody is written to once."""
        order = self.chance.sample(ALL, len(ALL))
        to = dict(zip(order, (*order[1:], order[0]), strict=True))
        return [to[agent] for agent in ALL]

    def begins(self, roles: list[str], names: list[str]) -> None:
        """The game begins, and phones are given out."""
        options = {
            "roles": roles,
            "visit_seconds": VISIT_SECONDS,
            "visit_starts": "ready",
            "discussion_seconds": 3,
            "screens": "phones",
        }
        start = {"profile": "codex", "options": options, "nicknames": names}
        self.ask(self.now, "operator", "start", **start)
        for place, agent in enumerate(self.phones):
            self.gets_a_phone(agent, self.now + 0.11 + 0.03 * place)
        self.now += 2.5

    def gets_a_phone(self, agent: int, at: float) -> None:
        seat = AGENTS[agent].value
        self.add(at, phone=seat, does="join")
        self.ask(at, "operator", "phone", **{"for": seat})

    # The two laps

    def visits(self, sending: bool) -> None:
        """Those with phones at the same time, then the others at the hidden screen."""
        chance = self.chance
        for agent in self.phones:
            if agent != self.slow:
                self.on_phone(agent, self.now + chance.choice((0.0, 0.1, 0.5)), {"act": "ready"})
        self.now += 1.2
        if self.slow is not None:
            self.add(self.now, desk={"act": "ready"})
        late = chance.choice(self.phones) if self.secretly or chance.random() < 0.5 else None
        """Seat that is not done before the time is over."""
        last = self.now
        for agent in self.phones:
            steps = [*(self.sends(agent) if sending else self.acts(agent))]
            if agent != late:
                steps.append({"act": "done"})
            at = self.now + chance.choice((0.0, 0.1, 0.25, 0.5))
            last = max(last, self.steps(agent, at, steps, not sending and late is not None))
        self.now = last + 1.0 if late is None else self.now + VISIT_SECONDS + 1.0
        for agent in ALL:
            if agent not in self.phones:
                self.at_screen(agent, {"act": "ready"})
                for act in self.sends(agent) if sending else self.acts(agent):
                    self.now += 0.5
                    self.at_screen(agent, act)
                self.now += VISIT_SECONDS + 0.5

    def steps(self, agent: int, at: float, steps: list[Line], is_secret: bool) -> float:
        """Plan requests on a phone, one after the other; return the time of the end.

        In between, the agent holds a finger to see its own facts.
        """
        chance, seat = self.chance, AGENTS[agent].value
        holds = chance.randrange(len(steps)) if chance.random() < 0.7 else None
        for number, act in enumerate(steps):
            self.on_phone(agent, at, act, is_secret and act["act"] in SECRET)
            if number == holds:
                later = round(at + chance.choice((0.13, 0.38)), 3)
                self.add(later, phone=seat, does="hold")
                self.add(round(later + chance.choice((0.9, 1.7)), 3), phone=seat, does="let go")
            if chance.random() < 0.1:
                # Whoever comes is told how the table stands in that instant.
                self.add(round(at + 0.6, 3), public="listens")
            at = round(at + LATER, 3)
        return at

    def on_phone(self, agent: int, at: float, act: Line, secret: bool = False) -> None:
        act, other = _in_two_worlds(act)
        what: Line = {"or": other} if other != act else {}
        if secret:
            what["secret"] = True
        self.add(round(at, 3), phone=AGENTS[agent].value, does="ask", do=act, **what)

    def at_screen(self, agent: int, act: Line) -> None:
        act, other = _in_two_worlds({"seat": AGENTS[agent].value, **act})
        what = {"or": other} if other != act else {}
        self.add(round(self.now, 3), ask=act, **what)

    def sends(self, agent: int) -> Iterator[Line]:
        chance = self.chance
        yield self.own_code(agent, "choose-code")
        facts, others = self.facts(), self.facts()
        there = {"to": AGENTS[self.or_to[agent]].value, "facts": others}
        to = AGENTS[self.to[agent]].value
        yield {"act": "send", "to": to, "facts": facts, "otherwise": there}
        if chance.random() < 0.6:
            one, other = (chance.choice([*{*ALL} - {agent}]) for _ in range(2))
            there = {"target": AGENTS[other].value}
            yield {"act": "hack", "target": AGENTS[one].value, "otherwise": there}

    def acts(self, agent: int) -> Iterator[Line]:
        chance = self.chance
        chooses = agent == self.forgetful
        if chance.random() < 0.2 and not chooses:
            yield self.own_code(agent, "enter-code", wrong=1)
        yield self.own_code(agent, "choose-code" if chooses else "enter-code")
        if self.secretly or chance.random() < 0.7:
            yield {"act": "ask", "message": 1, "fact": self.hidden_fact.value}
        if chance.random() < 0.5:
            # What many demand is revealed whoever has the power.
            there = {"fact": chance.choice((self.revealed, *REVEALABLE)).value}
            yield {"act": "extort", "fact": self.revealed.value, "otherwise": there}
        if self.secretly or chance.random() < 0.7:
            there = {"code": "".join(chance.sample("ABCDEFGH2345", 12))}
            yield {"act": "attempt", "code": self.wrong_code(agent), "otherwise": there}

    def own_code(self, agent: int, act: str, wrong: int = 0) -> Line:
        code = self.codes[agent] + wrong
        there = {"code": f"{(code + self.shift) % 10_000:04}"}
        return {"act": act, "code": f"{code % 10_000:04}", "otherwise": there}

    def facts(self) -> list[str]:
        """Return the facts of a message: a role, and another fact, or not."""
        names = [fact.value for fact in TELLABLE if fact not in (self.hidden_fact, Fact.ROLE)]
        return ["role", self.chance.choice(names)]

    def wrong_code(self, agent: int) -> str:
        """The right fragments in a wrong order, another faction's code, or nothing of the kind."""
        mine = self.deal[agent].faction
        right = code_of(mine, self.deal)
        turned = right[FRAGMENT_LENGTH:] + right[:FRAGMENT_LENGTH]
        return self.chance.choice((turned, code_of(mine.other, self.deal), "ABCDEFGH2345"))

    # In public

    def discussion(self) -> None:
        """Meanwhile phones sleep, are loaded anew, lost or replaced, and others look on."""
        chance = self.chance
        one, other, lost = chance.sample([agent for agent in ALL if agent != self.target], 3)
        self.add(self.now, phone=AGENTS[one].value, does="sleep")
        self.add(self.now + 1.9, phone=AGENTS[one].value, does="wake")
        self.add(self.now, phone=AGENTS[other].value, does="reload")
        self.add(self.now + 0.3, phone=AGENTS[self.target].value, does="look around")
        if not self.secretly and lost in self.phones and chance.random() < 0.3:
            self.ask(self.now + 0.5, "operator", "let-go", **{"for": AGENTS[lost].value})
        if self.screenless:
            self.ask(self.now + 0.6, "operator", "let-go", **{"for": AGENTS[self.target].value})
            self.gets_a_phone(self.target, self.now + 0.8)
            self.add(self.now + 0.9, desk={"act": "record", "game": 1})
            self.add(self.now + 1.0, desk={"act": "end-discussion"})
        elif chance.random() < 0.5:
            self.touch("end-turn", self.now + 1.0)
        self.now += 3.5

    def votes(self) -> None:
        for agent in ALL:
            target = self.target if agent != self.target else (agent + 1) % len(ALL)
            self.touch(AGENT_NAMES[target], self.now)
            self.now += 1.5

    def machine(self) -> None:
        """The agent chooses, with or without a finger on the phone."""
        agent = self.target
        seat = AGENTS[agent].value
        for act in (
            self.own_code(agent, "enter-code"),
            {"act": "reveal", "fact": self.revealed.value},
        ):
            if agent in self.phones:
                self.on_phone(agent, self.now, act)
            else:
                self.at_screen(agent, act)
            self.now += 1.0
            if agent in self.phones and act["act"] == "enter-code":
                self.add(self.now, phone=seat, does="hold")
                self.add(self.now + 1.0, phone=seat, does="let go")
                self.now += 1.2
        self.now += 0.8


def _in_two_worlds(act: Line) -> tuple[Line, Line]:
    """An act, and what is asked for in its place in a world `otherwise`."""
    here = {name: value for name, value in act.items() if name != "otherwise"}
    return here, here | act.get("otherwise", {})
