"""A practice before the first visit, for people who have never held PEEK.

Each agent comes to the screen once, as for a visit, reads a hidden text and sends a message. No
clock runs, nothing is requested from the table, and all content is marked as invented. People can
practise while the table waits for the first agent of a game.
"""

import enum
from typing import ClassVar, Final

from msgspec.structs import replace

from pi_table.common.language import Words, say
from pi_table.games.names import ROLES
from pi_table.games.rules.codex.board import Phase
from pi_table.games.rules.codex.identikit import TELLABLE, Fact, Role
from pi_table.games.rules.seat import AGENTS, Seat
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console.codex.page import Page
from pi_table.screens.console.codex.terms import FACTS
from pi_table.screens.console.codex.visit import nickname, others
from pi_table.screens.console.screen import Become, Choice, Return, name


class Stage(enum.Enum):
    COME = "come"
    WHO = "who"
    CAME = "came"
    SEND = "send"
    FACT = "fact"
    SENT = "sent"


IDENTIKIT: Final[tuple[tuple[Words, Words], ...]] = (
    (FACTS[Fact.NICKNAME], say("Nobody")),
    (FACTS[Fact.FACTION], name(Team.RED)),
    (FACTS[Fact.ROLE], ROLES[Role.LEADER]),
    (FACTS[Fact.POSITION], "2"),
    (FACTS[Fact.FRAGMENT], "TEST"),
)
"""An invented identikit: pairs of a label and a value."""
MESSAGE: Final[tuple[tuple[Words, Words], ...]] = (
    (FACTS[Fact.FRAGMENT], "DEMA"),
    (FACTS[Fact.ROLE], ROLES[Role.HACKER]),
)
"""An invented message: pairs of a label and a value."""


def can_practise(table: CodexMessage) -> bool:
    """True if the table waits for the first agent of the game."""
    public = table.public
    is_first = public.phase is Phase.SEND and public.number == 1
    return is_first and public.awaited and len(public.order) + 1 == len(AGENTS)


class Practice(Page[CodexMessage], frozen=True, kw_only=True):
    """The screen for one stage of one agent's practice."""

    seat: Seat = AGENTS[0]
    stage: Stage = Stage.COME
    to: Seat | None = None
    fact: Fact | None = None

    made_up: ClassVar[bool] = True

    @property
    def papers(self) -> tuple[tuple[Words, Words], ...]:
        """The text that is visible while PEEK is held; empty in most stages."""
        return {Stage.WHO: IDENTIKIT, Stage.CAME: MESSAGE}.get(self.stage, ())

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        match self.stage:
            case Stage.COME:
                who = nickname(table, self.seat)
                return (
                    Choice(say("I am {agent}", agent=who), Become(self._at(Stage.WHO))),
                    Choice(say("{agent} needs no practice", agent=who), self._next()),
                )
            case Stage.WHO:
                return (Choice(say("I have read it"), Become(self._at(Stage.CAME))),)
            case Stage.CAME:
                return (Choice(say("I have read it"), Become(self._at(Stage.SEND))),)
            case Stage.SEND:
                return tuple(
                    Choice(nickname(table, to), Become(replace(self._at(Stage.FACT), to=to)))
                    for to in others(self.seat)
                )
            case Stage.FACT:
                return tuple(
                    Choice(FACTS[fact], Become(replace(self._at(Stage.SENT), fact=fact)))
                    for fact in TELLABLE
                )
        return (Choice(say("I am done"), self._next()),)

    def possible(self, table: AnyTableMessage) -> bool:
        return isinstance(table, CodexMessage) and can_practise(table)

    def title(self, table: CodexMessage) -> Words:
        return say("Practice: {agent}", agent=nickname(table, self.seat))

    def help(self, table: CodexMessage) -> Words:
        if self.stage is Stage.COME:
            who = nickname(table, self.seat)
            return say("Pass the screen to {agent}. No time runs, and nothing counts.", agent=who)
        if self.stage is Stage.SENT and self.to is not None and self.fact is not None:
            return say(
                "In the game {agent} would get your fragment, and this: {fact}. Now nothing was "
                "sent.",
                agent=nickname(table, self.to),
                fact=FACTS[self.fact],
            )
        return _HELP[self.stage]

    def _at(self, stage: Stage) -> "Practice":
        return replace(self, stage=stage, selected=0)

    def _next(self) -> Become | Return:
        """Return the effect that begins the next agent's practice, or ends the practice after the
        last."""
        place = AGENTS.index(self.seat) + 1
        return Return() if place == len(AGENTS) else Become(Practice(seat=AGENTS[place]))


_HELP: Final[dict[Stage, Words]] = {
    Stage.WHO: say("This says who you are. Hold PEEK to read it; let go, and it is hidden again."),
    Stage.CAME: say("Messages are here from the second visit on. Hold PEEK to read this one."),
    Stage.SEND: say("In each phase you must send one message. Who gets it?"),
    Stage.FACT: say(
        "It contains your fragment, and one fact about you, which is always true. Which fact?"
    ),
    Stage.SENT: "",
}
