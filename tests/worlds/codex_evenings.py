"""Random evenings at which Codex is played, as `evenings` describes them.

The planner plays the game itself, with the deal of the first world, so that it gets far. What it
knows of the deal comes out only in what is public, and in codes, none of which is right.

What is entered at the hidden screen has something else beside it, ``or``, that could be entered in
its place without anybody else seeing a difference: that is what happens in a world `otherwise`.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from evenings import NAMES, Evening, Planner, with_peeks, with_service
from game_scripts import Line
from twin_deals import Deal, as_json, drawn

from pi_table.common.geometry import AGENT_CELLS, CELLS, PLACES
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex.board import ACT, DISCUSS, MACHINE, OVER, SEND, VOTE
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.codex.identikit import (
    FRAGMENT_LENGTH,
    REVEALABLE,
    TELLABLE,
    Fact,
    code_of,
)
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import AGENTS, Seat

SPECIAL: Final = ("hacker", "infiltrator", "informer", "inquisitor", "profiler")
MAX_DEALS: Final = 2
AGENT_NAMES: Final = tuple(CELLS[cell] for cell in AGENT_CELLS)
"""The cells that are the agents."""


def plan(seed: str, *, phases: int | None = None, messy: float | None = None) -> Evening:
    """The evening that this seed gives; ``phases`` is how many phases of Codex are played."""
    evening = _CodexPlanner(seed, phases, messy).evening
    evening = with_peeks(evening, Random(f"{seed}/peeks"))
    return with_service(evening, Random(f"{seed}/service"))


class _CodexPlanner(Planner):
    """Plays games of Codex, and writes down what is done, and when."""

    def __init__(self, seed: str, phases: int | None, messy: float | None) -> None:
        chance = self.chance = Random(f"{seed}/codex")
        self.evening = Evening(
            seed,
            intent=chance.choice(("hold", "hold", "tap-twice", "tap")),
            cards="own",
            stall=chance.choice((0.0, 0.0, 0.05, 0.4)),
        )
        self.messy = chance.choice((0.0, 0.1, 0.3)) if messy is None else messy
        self.now = 0.5
        self.game = 0
        self.hidden_fact = chance.choice([fact for fact in TELLABLE if fact is not Fact.ROLE])
        """Nobody sends it, so whoever asks for it asks for something new in any world."""
        self.shift = chance.randrange(10_000)
        """Codes of their own are so much higher in the other world."""
        self.targets = {agent: chance.sample(self.others(agent), 5) for agent in range(len(AGENTS))}
        """Whom an agent's hacks name in the other world, in the place of the others in order."""
        if chance.random() < 0.4:
            self.play_a_word_game()
        roles, names = chance.sample(SPECIAL, 2), chance.sample(NAMES, 6)
        self.evening.deals = tuple(drawn(roles, names, chance) for _ in range(MAX_DEALS))
        self.options = {
            "roles": roles,
            "visit_seconds": chance.choice((12, 15)),
            "visit_starts": Random(f"{seed}/visits").choice(("at-once", "ready")),
            "discussion_seconds": chance.choice((3, 8)),
            "screens": Random(f"{seed}/screens").choice(("hidden", "hidden", "phones")),
        }
        for number in range(chance.choice((1, 1, 2))):
            self.play_codex(self.evening.deals[number], phases or chance.choice((1, 2, 3)), number)
        self.evening.happenings.sort(key=lambda happening: happening["at"])

    def play_a_word_game(self) -> None:
        """Another game may have gone before."""
        self.game += 1
        self.ask(self.now, "operator", "start", profile="codenames")
        for team in ("red", "blue"):
            self.ask(self.now + 1.0, f"{team}-spymaster", "clue", number=1, word="sea")
        self.touch("C3", self.now + 3.0)
        self.ask(self.now + 4.0, "operator", "abandon")
        self.now += 5.0

    def play_codex(self, deal: Deal, phases: int, number: int) -> None:
        chance = self.chance
        self.game += 1
        self.begun = self.now
        names = [identikit.nickname for identikit in deal]
        if number:
            self.ask(self.now, "operator", "next")
        else:
            self.ask(
                self.now,
                "operator",
                "start",
                profile="codex",
                options=self.options,
                nicknames=names,
            )
        opening = {"profile": "codex", "options": self.options, "deal": as_json(deal)}
        state = games.replay([games.read_opening(opening, Chance())])
        assert isinstance(state, State)
        self.state = state
        self.own_codes: dict[int, int] = {}
        self.careful = chance.choice((0.5, 0.9, 1.0))
        self.number = 0
        while self.state.board.number <= phases and self.state.board.phase is not OVER:
            self.go_on()
        self.settle(self.now)
        self.by(Seat.OPERATOR, "abandon")
        self.add(self.now + 0.5, read=[self.game])
        self.now += 2.0

    # One step

    def go_on(self) -> None:
        self.settle(self.now)
        if self.number != self.state.board.number:
            self.number = self.state.board.number
            self.address()
        match self.state.board.phase:
            case phase if phase in (SEND, ACT):
                self.visit(phase is SEND)
            case phase if phase is DISCUSS:
                self.discussion()
            case phase if phase is VOTE:
                self.vote()
            case phase if phase is MACHINE:
                self.machine()

    def settle(self, at: float) -> None:
        self.now = at
        self.state, _ = games.settle(self.state, at - self.begun)

    def address(self) -> None:
        """Choose who sends to whom in this phase, and who would in the other world: there everybody
        receives as many messages."""
        chance = self.chance
        self.to = [self.another(agent) for agent in range(len(AGENTS))]
        self.or_to = [*self.to]
        for _ in range(4):
            one, two = chance.sample(range(len(AGENTS)), 2)
            if self.or_to[one] != two and self.or_to[two] != one:
                self.or_to[one], self.or_to[two] = self.or_to[two], self.or_to[one]

    def by(self, seat: Seat, act: str, otherwise: Line | None = None, **fields: Any) -> bool:
        """Ask for an act now, in the world and here, or for the same ``otherwise``.

        Returns True if it was accepted here.
        """
        done = {"seat": seat.value, "act": act, **fields}
        if otherwise is None:
            self.add(self.now, ask=done)
        else:
            self.add(self.now, ask=done, **{"or": {**done, **otherwise}})
        return self.does(seat, {"act": act, **fields})

    def does(self, seat: Seat, act: Line) -> bool:
        try:
            read = games.read_act(act, self.state, Chance())
            self.state, _ = games.step(self.state, seat, read, self.now - self.begun)
        except Refused:
            return False
        return True

    def on_phones(self, sending: bool) -> None:
        """Plan the acts of agents who have their visits at the same time, in any order.

        Now and then a phone is lost, or an agent is not done until the time is over.
        """
        chance = Random(f"{self.evening.seed}/{self.now}/phones")
        if self.state.board.awaited:
            self.now += 0.5
            for agent in chance.sample(self.state.board.together, len(self.state.board.together)):
                if chance.random() < 0.9:
                    self.by(AGENTS[agent], "ready")
            self.by(Seat.OPERATOR, "ready")
        board = self.state.board
        assert board.countdown is not None
        ends = self.begun + (board.countdown.ends or 0.0)
        steps = {
            agent: [*self.opens_up(agent), *(self.sends(agent) if sending else self.acts(agent))]
            for agent in board.together
        }
        for agent in steps:
            if chance.random() < 0.8:
                steps[agent].append({"act": "done"})
        while any(steps.values()) and self.now < ends - 1.5:
            self.now += chance.choice((0.125, 0.125, 0.25))
            agent = chance.choice([agent for agent, left in steps.items() if left])
            self.by(AGENTS[agent], **steps[agent].pop(0))
            if not self.state.board.together:
                return
        if chance.random() < 0.2:
            self.now += 0.25
            self.by(Seat.OPERATOR, "unpair", target=AGENTS[chance.choice(board.together)].value)
            return
        self.now = ends

    def visit(self, sending: bool) -> None:
        """All that one agent does at the hidden screen; the visit lasts its time all the same."""
        if self.options["screens"] == "phones" and not self.state.board.phones:
            for agent in Random(f"{self.evening.seed}/pairs").sample(range(6), 3):
                self.by(AGENTS[agent], "pair")
        if self.state.board.together:
            self.on_phones(sending)
            return
        if self.state.board.awaited:
            self.comes_to_the_screen()
        board, chance = self.state.board, self.chance
        assert board.turn is not None
        assert board.countdown is not None
        ends = self.begun + (board.countdown.ends or 0.0)
        agent, seat = board.turn, AGENTS[board.turn]
        self.now += 0.5
        steps = [*self.opens_up(agent), *(self.sends(agent) if sending else self.acts(agent))]
        for act in steps:
            if self.now > ends - 2.5:
                break
            if chance.random() < self.messy:
                self.mishap(self.now + 0.1)
                self.now += 1.6
            self.by(seat, **act)
            self.now += chance.choice((0.25, 0.5, 1.0))
        if chance.random() < 0.3 and self.now < ends - 2.0:
            self.by(chance.choice([seat, seat, *AGENTS]), "done")
        if chance.random() < 0.05:
            self.by(Seat.OPERATOR, "new-code", target=AGENTS[agent].value)
            self.own_codes.pop(agent, None)
        self.now = ends

    def comes_to_the_screen(self) -> None:
        """The table waits for the agent, and takes nothing else until they say that they are there,
        or until the operator will not wait any longer."""
        agent, chance = self.state.board.turn, Random(f"{self.evening.seed}/{self.now}/comes")
        assert agent is not None
        seat = AGENTS[agent]
        if chance.random() < 0.3:
            self.now += 0.5
            self.by(seat, "choose-code", **self.own_code(agent))
        if chance.random() < 0.3:
            self.now += 0.5
            self.by(seat, "send", to=AGENTS[self.another(agent)].value, facts=["role"])
        self.now += chance.choice((0.5, 2.0, 20.0))
        self.by(chance.choice((seat, seat, seat, Seat.OPERATOR)), "ready")

    def opens_up(self, agent: int) -> Iterator[Line]:
        """The code of one's own: chosen, entered, wrong, or left out."""
        chance = self.chance
        own = self.own_codes.get(agent)
        if own is None:
            if chance.random() < 0.7:
                own = self.own_codes[agent] = chance.randrange(10_000)
                yield {"act": "choose-code", **self.own_code(own)}
            return
        for _ in range(chance.choice((0, 0, 0, 1, 3))):
            yield {"act": "enter-code", **self.own_code(own + 1)}
        yield {"act": "enter-code", **self.own_code(own)}

    def own_code(self, code: int) -> Line:
        there = {"code": f"{(code + self.shift) % 10_000:04}"}
        return {"code": f"{code % 10_000:04}", "otherwise": there}

    def sends(self, agent: int) -> Iterator[Line]:
        chance = self.chance
        facts, others = self.facts(), self.facts()
        if chance.random() < 0.5:
            facts, others = (["role", *{*some} - {"role"}][:2] for some in (facts, others))
            number = min(len(facts), len(others))
            facts, others = facts[:number], others[:number]
        else:
            facts, others = facts[:1], others[:1]
        if chance.random() < self.careful:
            there = {"to": AGENTS[self.or_to[agent]].value, "facts": others}
            to = AGENTS[self.to[agent]].value
            yield {"act": "send", "to": to, "facts": facts, "otherwise": there}
        if chance.random() < 0.8:
            target = self.another(agent)
            other = self.targets[agent][self.others(agent).index(target)]
            there = {"target": AGENTS[other].value}
            yield {"act": "hack", "target": AGENTS[target].value, "otherwise": there}
        if chance.random() < 0.2:
            yield {"act": "send", "to": AGENTS[agent].value, "facts": ["position"]}

    def facts(self) -> list[str]:
        """Return the possible facts of a message, in any order."""
        names = [fact.value for fact in TELLABLE if fact is not self.hidden_fact]
        return self.chance.sample(names, len(names))

    def acts(self, agent: int) -> Iterator[Line]:
        chance = self.chance
        if chance.random() < 0.8:
            number, fact = chance.choice((1, 1, 2)), self.hidden_fact.value
            yield {"act": "ask", "message": number, "fact": fact}
        if chance.random() < 0.8:
            yield {"act": "extort", **self.demand(), "otherwise": self.demand()}
        if chance.random() < 0.8:
            there = {"code": "".join(chance.sample("ABCDEFGH2345", 12))}
            yield {"act": "attempt", "code": self.wrong_code(agent), "otherwise": there}
        if chance.random() < 0.2:
            yield {"act": "attempt", "code": "too short"}

    def demand(self) -> Line:
        """Something that can be demanded; mostly what the favourite has not revealed yet."""
        known = self.state.board.agents[self.favourite]
        left = [fact for fact in REVEALABLE if not known.has_revealed(fact)]
        if self.chance.random() < 0.2:
            left = [*REVEALABLE]
        return {"fact": self.chance.choice(left).value}

    @property
    def favourite(self) -> int:
        """Whom most will vote for in this phase."""
        return self.state.board.number * 2 % len(AGENTS)

    def another(self, agent: int) -> int:
        return self.chance.choice(self.others(agent))

    def others(self, agent: int) -> list[int]:
        return [other for other in range(len(AGENTS)) if other != agent]

    def wrong_code(self, agent: int) -> str:
        """The right fragments in a wrong order, another faction's code, or nothing of the kind."""
        chance, identikits = self.chance, self.state.secrets.identikits
        mine = identikits[agent].faction
        right = code_of(mine, identikits)
        size = FRAGMENT_LENGTH
        turned = right[size:] + right[:size]
        return chance.choice((turned, code_of(mine.other, identikits), "ABCDEFGH2345"))

    def discussion(self) -> None:
        """Ended by its time or by a finger, perhaps after a pause."""
        chance = self.chance
        if chance.random() < 0.3:
            for act in ("pause", "resume"):
                self.settle(self.now + 1.0)
                self.by(chance.choice([*AGENTS]), act)
        if chance.random() < 0.5:
            self.settle(self.now + 1.5)
            self.touch("end-turn", self.now)
            self.does(Seat.OPERATOR, {"act": "end-discussion"})
            self.now += 1.0
        else:
            countdown = self.state.board.countdown
            assert countdown is not None
            self.now = self.begun + (countdown.ends or 0.0)

    def vote(self) -> None:
        """One vote, by a finger or on the console; some are refused."""
        chance, agent = self.chance, self.state.board.turn
        assert agent is not None
        self.now += 1.5
        if chance.random() < 0.15:
            place = chance.choice(PLACES)
            self.touch(place, self.now)
            if place in AGENT_NAMES and self.votes(agent, AGENT_NAMES.index(place)):
                return
            self.now += 1.5
        target = self.favourite if chance.random() < 0.7 else self.another(agent)
        if target == agent:
            target = self.another(agent)
        if chance.random() < 0.7:
            self.touch(AGENT_NAMES[target], self.now)
            self.votes(agent, target)
        else:
            self.by(AGENTS[agent], "vote", target=AGENTS[target].value)

    def votes(self, agent: int, target: int) -> bool:
        return self.does(AGENTS[agent], {"act": "vote", "target": AGENTS[target].value})

    def machine(self) -> None:
        agent = self.state.board.turn
        assert agent is not None
        seat, own = AGENTS[agent], self.own_codes.get(agent)
        self.now += 1.0
        if own is not None:
            self.by(seat, "enter-code", **self.own_code(own))
            self.now += 1.0
        # What many demand is revealed whoever has the power.
        facts = self.chance.sample(REVEALABLE, len(REVEALABLE)) + self.demanded(agent)
        while not self.by(seat, "reveal", fact=facts.pop().value):
            self.now += 1.0
        self.now += 0.5

    def demanded(self, agent: int) -> list[Fact]:
        demands = [dossier.entered.demand for dossier in self.state.secrets.dossiers]
        known = self.state.board.agents[agent]
        facts = [demand.fact for demand in demands if demand is not None]
        return [fact for fact in facts if not known.has_revealed(fact)]
