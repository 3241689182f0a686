"""The question before an act that cannot be undone."""

from collections.abc import Iterator

from pi_table.common.language import Words, say
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.messages import AnyTableMessage
from pi_table.screens.console.acts import Act, Name
from pi_table.screens.console.screen import Ask, Choice, Go, Moment, Return, Screen, may, moment


class Confirm(Screen[AnyTableMessage], frozen=True):
    """The question whether to carry out an act.

    The question closes by itself when anything happens in the game, because after that an answer
    could have another meaning.
    """

    question: Words
    yes: Words
    do: Act
    at: Moment
    team: Team | None = None
    allowed_by: Name | None = None
    """The act that the table must allow while the question is open; None means the act ``do``."""
    stay: bool = False
    """True if the screens stay open until the table has carried out the act."""
    otherwise: tuple[Words, Act] | None = None
    """A second answer that confirms, and its act; None if only one answer confirms."""

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        ways = [(self.yes, self.do), *([] if self.otherwise is None else [self.otherwise])]
        yes = (Choice(words, Ask(act, self.stay), self.team) for words, act in ways)
        return (*yes, Choice(say("No, go back"), Return()))

    def possible(self, table: AnyTableMessage) -> bool:
        allowed = may(table, self.do.seat, self.allowed_by or self.do.name)
        return moment(table) == self.at and allowed


def confirm_choice(
    table: AnyTableMessage,
    label: Words,
    do: Act,
    question: Words,
    yes: Words,
    team: Team | None = None,
    wary: bool = False,
    cell: int | None = None,
    otherwise: tuple[Words, Act] | None = None,
) -> Iterator[Choice]:
    """Yield the choice of an act that needs confirmation, if the table allows the act now. With
    ``wary``, "no" is selected at first. ``otherwise`` is a second answer that confirms, with its
    own act."""
    if may(table, do.seat, do.name):
        question_asked = Confirm(
            question, yes, do, moment(table), team, otherwise=otherwise, selected=int(wary)
        )
        yield Choice(label, Go(question_asked), team, cell=cell)
