"""The menu of a visit. It has the same lines in the same order for every agent.

A line shows whether its act was entered. The end of the line shows the result, but only while PEEK
is held. Nothing in the menu depends on a role (CX-18).
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from pi_table.common.language import Words, say
from pi_table.games.rules.codex.board import Phase
from pi_table.games.rules.codex.views import AgentView
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage, Request
from pi_table.screens.console.acts import act
from pi_table.screens.console.codex.code_entry import EnterCode
from pi_table.screens.console.codex.entry_prompts import (
    AskAbout,
    DemandFact,
    RevealFact,
    SendTo,
    Target,
)
from pi_table.screens.console.codex.page import (
    ConfirmEntry,
    Messages,
    Page,
    Private,
    WhoYouAre,
    message,
)
from pi_table.screens.console.codex.public_menu import Seldom
from pi_table.screens.console.codex.terms import ATTEMPTED, FACTS, facts_words
from pi_table.screens.console.codex.visit import Visit, deliveries, inside, nickname
from pi_table.screens.console.screen import AnswerScreen, Choice, Go, moment

SECRET: Final = ("ask", "attempt")
"""Acts whose refusal only the agent may know."""


class Inside(AnswerScreen[CodexMessage], Page[CodexMessage], frozen=True, kw_only=True):
    visit: Visit
    entered: tuple[str, ...] = ()
    """Names of the acts that were entered. Acts in `SECRET` are included even if they were refused.
    """
    asking_for: str = ""
    refused: tuple[tuple[str, Words], ...] = ()
    """Acts in `SECRET` that were refused, each with the reason. They are visible only to the agent.
    """

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(self._lines(table))

    def possible(self, table: AnyTableMessage) -> bool:
        return isinstance(table, CodexMessage) and inside(table) == self.visit

    def title(self, table: CodexMessage) -> Words:
        return nickname(table, self.visit.seat)

    def asking(self, request: Request) -> "Inside":
        return replace(self, asked=request.id, asking_for=request.do["act"])

    def hear(self, told: object) -> "Inside":
        """Return the menu with the requested act marked as entered. The act's result comes with the
        agent's view in the table's next message."""
        return self._with(self.asking_for, None)

    def refuse(self, sentence: Words) -> "tuple[Inside, Words | None]":
        if self.asking_for in SECRET:
            return self._with(self.asking_for, sentence), None
        return self, sentence

    def _with(self, act: str, refused: Words | None) -> "Inside":
        others = tuple((other, why) for other, why in self.refused if other != act)
        return replace(
            self,
            asked=None,
            entered=(*self.entered, act),
            refused=others if refused is None else (*others, (act, refused)),
        )

    def _lines(self, table: CodexMessage) -> Iterator[Choice]:
        visit = self.visit
        messages = Choice(say("Messages so far"), Go(Messages(visit=visit)))
        who_you_are = Choice(say("Who you are"), Go(WhoYouAre(visit=visit)))
        match visit.phase:
            case Phase.SEND:
                yield self._once(table, say("Send a message"), "send", SendTo(visit=visit))
                yield self._once(table, say("Name a target"), "hack", Target(visit=visit))
                yield who_you_are
                if deliveries(table):
                    yield messages
                yield self._finish(table)
            case Phase.ACT:
                yield messages
                yield self._again(table, say("Ask about a message"), "ask", AskAbout(visit=visit))
                yield self._once(table, say("Demand a fact"), "extort", DemandFact(visit=visit))
                yield self._again(table, say("Enter a code"), "attempt", EnterCode(visit=visit))
                yield who_you_are
                yield self._finish(table)
            case _:
                yield Choice(say("Choose what is revealed"), Go(RevealFact(visit=visit)))
                yield who_you_are
                yield messages
        yield Choice(say("More…"), Go(Seldom()))

    def _once(self, table: CodexMessage, label: Words, act: str, screen: Private) -> Choice:
        does = None if act in self.entered else Go(screen)
        return Choice(label, does, value=self._value(table, act))

    def _again(self, table: CodexMessage, label: Words, act: str, screen: Private) -> Choice:
        """Return the line of an act that can be entered again after a secret refusal. The line
        looks the same as after an accepted act, unless the agent peeks."""
        return Choice(label, Go(screen), value=self._value(table, act))

    def _value(self, table: CodexMessage, act: str) -> Words:
        if table.agent is not None:
            return dict(self.refused).get(act) or _RESULTS[act](table, table.agent)
        return say("entered") if act in self.entered else ""

    def _finish(self, table: CodexMessage) -> Choice:
        do = act(self.visit.seat, "done")
        question = say("Are you done? Nothing more can be entered or read in this visit.")
        return Choice(
            say("I am done"),
            Go(ConfirmEntry(question, say("Yes, I am done"), do, moment(table), visit=self.visit)),
        )


def begin(table: CodexMessage, visit: Visit) -> Inside:
    """Return the menu for a visit that begins, or that continues after the console had no
    connection."""
    return Inside(visit=visit, entered=() if table.door is None else table.door.entered)


# Results, visible only to the agent


def _send_result(table: CodexMessage, agent: AgentView) -> Words:
    sent = agent.entered.send
    if sent is None:
        return ""
    facts = [FACTS[fact] for fact in sent.facts]
    who = nickname(table, sent.to)
    if len(facts) == 1:
        return say("{agent}: {fact}", agent=who, fact=facts[0])
    return say("{agent}: {fact}, {other}", agent=who, fact=facts[0], other=facts[1])


def _hack_result(table: CodexMessage, agent: AgentView) -> Words:
    return "" if agent.entered.hack is None else nickname(table, agent.entered.hack)


def _ask_result(table: CodexMessage, agent: AgentView) -> Words:
    asked = agent.entered.ask
    if asked is None:
        return ""
    about = message(agent, table.public.number, asked.message)
    if about is None or not about.learned:
        return say("It had no effect")
    return facts_words(about.learned)


def _extort_result(table: CodexMessage, agent: AgentView) -> Words:
    return "" if agent.entered.extort is None else FACTS[agent.entered.extort]


def _attempt_result(table: CodexMessage, agent: AgentView) -> Words:
    if agent.entered.attempt is not None:
        return ATTEMPTED[agent.entered.attempt.value]
    return ATTEMPTED["blocked"] if agent.blocked else ""


_RESULTS: Final[dict[str, Callable[[CodexMessage, AgentView], Words]]] = {
    "send": _send_result,
    "hack": _hack_result,
    "ask": _ask_result,
    "extort": _extort_result,
    "attempt": _attempt_result,
}
