"""A game of Codex to be played step by step in a test: acts as JSON, time as an argument."""

from dataclasses import dataclass
from typing import Any

import msgspec

from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.games.rules.codex.board import SEND, VOTE, lap
from pi_table.games.rules.codex.hidden import State
from pi_table.games.rules.events import Event
from pi_table.games.rules.refusal import Refused
from pi_table.games.rules.seat import Seat

RED_CODE, BLUE_CODE = "E6E6M2M2C4C4", "B3B3F7F7D5D5"
NAMES = ("Moon", "Bea", "Cid", "Dan", "Eva", "Fay")

Json = dict[str, Any]


def six(first: str = "hacker", second: str = "profiler") -> list[Json]:
    """A deal: Moon (red) and Dan lead, Bea (blue) and Cid are the first, Eva (red) and Fay the
    second of the other roles."""
    rows = (
        ("red", "leader", 2, "M2M2"),
        ("blue", first, 1, "B3B3"),
        ("red", first, 3, "C4C4"),
        ("blue", "leader", 3, "D5D5"),
        ("red", second, 1, "E6E6"),
        ("blue", second, 2, "F7F7"),
    )
    fields = ("faction", "role", "position", "fragment")
    return [
        {"nickname": name, **dict(zip(fields, row, strict=True))}
        for name, row in zip(NAMES, rows, strict=True)
    ]


def seat(who: int | str) -> Seat:
    return Seat(f"agent-{who}" if isinstance(who, int) else who)


@dataclass
class Play:
    """A game, how it stands, and the time."""

    first: str = "hacker"
    second: str = "profiler"
    visit: int = 45
    starts: str = "at-once"
    phones: tuple[int, ...] | None = None
    """The agents who have a phone from the start; None in a game without phones."""

    def __post_init__(self) -> None:
        options = {"visit_seconds": self.visit, "visit_starts": self.starts}
        game: Json = {"profile": "codex", "options": options, "deal": six(self.first, self.second)}
        if self.phones is not None:
            game["options"] = {**options, "screens": "phones"}
            game["phones"] = [f"agent-{agent}" for agent in self.phones]
        self.happened: list[Event] = [games.read_opening(game, Chance())]
        state = games.replay(self.happened)
        assert isinstance(state, State)
        self.state: State = state
        self.now = 0.0

    def do(self, who: int | str, act: str, **fields: object) -> Any:
        """Do it; what the seat is told of it, as JSON."""
        read = games.read_act({"act": act, **fields}, self.state, Chance())
        state, happened = games.step(self.state, seat(who), read, self.now)
        assert isinstance(state, State)
        self.state = state
        self.happened += happened
        return msgspec.to_builtins(games.private_result(self.state, seat(who), happened))

    def refused(self, who: int | str, act: str, **fields: object) -> str:
        """Why it is refused; nothing may change."""
        before = self.state
        try:
            self.do(who, act, **fields)
        except Refused as refusal:
            assert self.state == before
            return str(refusal.reason.value)
        raise AssertionError(f"{act} by {who} was accepted")

    def wait(self, seconds: float | None = None) -> "Play":
        """Let time pass, by default a visit's."""
        self.now += self.visit if seconds is None else seconds
        state, happened = games.settle(self.state, self.now)
        assert isinstance(state, State)
        self.state = state
        self.happened += happened
        return self

    def order(self) -> tuple[int, ...]:
        """The agents, 1 to 6, in the order of this phase."""
        return tuple(agent + 1 for agent in lap(self.state.board.number))

    def sends(self, *, hacks: dict[int, str] | None = None, **to: Any) -> "Play":
        """All of the first lap. ``agent1=("Bea", "role")`` says what an agent sends, by default the
        role to the next one."""
        assert self.state.board.phase is SEND
        for agent in self.order():
            receiver, *facts = to.get(f"agent{agent}", (f"agent-{agent % 6 + 1}", "role"))
            self.do(agent, "send", to=receiver, facts=facts)
            if hacks and agent in hacks:
                self.do(agent, "hack", target=hacks[agent])
            self.wait()
        return self

    def acts(self, *done: tuple[int, str, Json]) -> dict[int, Any]:
        """All of the second lap; what the agents who act are told."""
        told = {}
        for agent in self.order():
            for who, act, fields in done:
                if who == agent:
                    told[who] = self.do(who, act, **fields)
            self.wait()
        return told

    def talk(self) -> "Play":
        self.do("operator", "end-discussion")
        return self

    def votes(self, **targets: str) -> "Play":
        """All six votes: ``agent1="Bea"``; by default for Bea, and Bea's for Moon."""
        assert self.state.board.phase is VOTE
        for agent in self.order():
            target = targets.get(f"agent{agent}", "Moon" if agent == 2 else "Bea")
            self.do(agent, "vote", target=target)
        return self

    def to_vote(self) -> "Play":
        """A second lap in which nobody acts, and the discussion."""
        self.acts()
        return self.talk()

    def to_next_phase(self, fact: str = "role", agent: int = 2, **targets: str) -> "Play":
        """The same, the votes, and what the agent at the truth machine reveals."""
        self.to_vote().votes(**targets).do(agent, "reveal", fact=fact)
        return self

    def to_visit(self, agent: int) -> "Play":
        while self.public["at_screen"] != f"agent-{agent}":
            self.wait()
        return self

    def lock_out(self, agent: int) -> None:
        """Three wrong codes."""
        for _ in range(3):
            self.do(agent, "enter-code", code="0000")

    def see(self, who: int | str) -> Json:
        """The view of a seat, as JSON."""
        seen: Json = msgspec.json.decode(
            msgspec.json.encode(games.view(self.state, seat(who), self.now))
        )
        return seen

    @property
    def public(self) -> Json:
        seen: Json = msgspec.json.decode(
            msgspec.json.encode(games.public_view(self.state.board, self.now))
        )
        return seen
