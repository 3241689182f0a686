"""The pages that ask the agent at the screen for an entry, one question on each page. No question
depends on the agent's role (CX-18).

Everybody can enter the acts of every role. Without the role, an act has no effect.
"""

from pi_table.common.language import Words, say
from pi_table.games.rules.codex.identikit import REVEALABLE, TELLABLE, Fact
from pi_table.games.rules.seat import Seat
from pi_table.protocols.ipc.messages import CodexMessage
from pi_table.screens.console.acts import act
from pi_table.screens.console.codex.page import SLOTS, ConfirmEntry, Private, message
from pi_table.screens.console.codex.terms import FACTS, facts_words, own_words, value_words
from pi_table.screens.console.codex.visit import nickname, others, public_agent
from pi_table.screens.console.screen import Ask, Choice, Go, Return, moment


def _own(table: CodexMessage, fact: Fact) -> Words:
    """Return the agent's own value of a fact; empty unless PEEK is held."""
    if table.agent is None:
        return ""
    return own_words(fact, table.agent.identikit)


# The message


class SendTo(Private, frozen=True):
    heading = say("A message to…")
    hint = say("They get your fragment and a fact about you. Not who sent it.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(nickname(table, seat), Go(SendFact(visit=self.visit, to=seat)))
            for seat in others(self.visit.seat)
        )


class SendFact(Private, frozen=True, kw_only=True):
    to: Seat

    heading = say("Which fact about you?")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                FACTS[fact],
                Go(SecondFact(visit=self.visit, to=self.to, fact=fact)),
                value=_own(table, fact),
            )
            for fact in TELLABLE
        )


class SecondFact(Private, frozen=True, kw_only=True):
    """The choice of a second fact for a message. One of the two facts must be the role (CX-13)."""

    to: Seat
    fact: Fact

    heading = say("A second fact?")
    hint = say("Only an Informer’s second fact arrives. One of the two is the role.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        others = [fact for fact in TELLABLE if Fact.ROLE in (fact, self.fact) and fact != self.fact]
        return (
            Choice(say("No second fact"), Go(self._sure(table, None))),
            *(
                Choice(FACTS[fact], Go(self._sure(table, fact)), value=_own(table, fact))
                for fact in others
            ),
        )

    def _sure(self, table: CodexMessage, second: Fact | None) -> ConfirmEntry:
        facts = [self.fact] if second is None else [self.fact, second]
        do = act(self.visit.seat, "send", to=self.to, facts=facts)
        who, first = nickname(table, self.to), FACTS[self.fact]
        if second is None:
            question = say("Send {agent} your fragment and this: {fact}?", agent=who, fact=first)
        else:
            question = say(
                "Send {agent} your fragment and this: {fact}, {other}?",
                agent=who,
                fact=first,
                other=FACTS[second],
            )
        return ConfirmEntry(question, say("Yes, send it"), do, moment(table), visit=self.visit)


# Acts that have an effect only with a role's power


class Target(Private, frozen=True):
    """The choice of an agent whom a Hacker prevents from entering a code in this phase (CX-11)."""

    heading = say("Who is kept from entering a code?")
    hint = say("It has no effect unless you are a Hacker.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        seat = self.visit.seat
        return (
            Choice(say("Nobody"), Return()),
            *(
                Choice(nickname(table, other), Ask(act(seat, "hack", target=other)))
                for other in others(seat)
            ),
        )


class AskAbout(Private, frozen=True):
    """The choice of a message of this phase, to ask about its sender. There are always five lines,
    however many messages there are (CX-16)."""

    heading = say("Ask about which message?")
    hint = say("It has no effect unless you are a Profiler.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                say("Message {number}", number=number),
                Go(AskFact(visit=self.visit, message=number)),
                value=self._came(table, number),
            )
            for number in range(1, SLOTS + 1)
        )

    def _came(self, table: CodexMessage, number: int) -> Words:
        came = table.agent and message(table.agent, self.visit.number, number)
        if not came:
            return "" if table.agent is None else "–"
        return say("{one}, {other}", one=came.fragment, other=facts_words(came.facts))


class AskFact(Private, frozen=True, kw_only=True):
    message: int

    heading = say("Which fact about its sender?")
    hint = say("The answer is in the menu while PEEK is held.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        came = table.agent and message(table.agent, self.visit.number, self.message)
        facts = came.facts if came else {}
        return tuple(
            Choice(
                FACTS[fact],
                Ask(act(self.visit.seat, "ask", message=self.message, fact=fact)),
                value=value_words(fact, facts[fact.value]) if fact.value in facts else "",
            )
            for fact in TELLABLE
        )


class DemandFact(Private, frozen=True):
    """The choice of a fact. An Inquisitor demands this fact of the agent who gets the Inquisitor's
    vote (CX-14)."""

    heading = say("Which fact do you demand?")
    hint = say("Of the agent you vote for. It has no effect unless you are an Inquisitor.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return tuple(
            Choice(FACTS[fact], Ask(act(self.visit.seat, "extort", fact=fact)))
            for fact in REVEALABLE
        )


class RevealFact(Private, frozen=True):
    """The page where the agent at the truth machine chooses a fact to show to everybody (CX-9)."""

    heading = say("What is revealed?")
    hint = say("If an Inquisitor demanded another fact, that one is shown instead.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        seat = self.visit.seat
        return tuple(
            Choice(
                FACTS[fact],
                Go(
                    ConfirmEntry(
                        say("Choose this to be shown to everybody: {fact}?", fact=FACTS[fact]),
                        say("Yes, this"),
                        act(seat, "reveal", fact=fact),
                        moment(table),
                        visit=self.visit,
                    )
                ),
                value=_own(table, fact),
            )
            for fact in still_hidden(table, seat)
        )


def still_hidden(table: CodexMessage, seat: Seat) -> tuple[Fact, ...]:
    """Return those facts about an agent that the truth machine has not revealed."""
    revealed = public_agent(table, seat).revealed
    return tuple(fact for fact in REVEALABLE if fact.value not in revealed)
