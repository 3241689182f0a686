"""Screens to choose the agents' nicknames for the next game: drawn by lot, or typed."""

from typing import ClassVar, Final

from msgspec.structs import replace

from pi_table.common.language import Words, say
from pi_table.common.lettering import Misfit, clean, misfit, same
from pi_table.games.rules.codex.identikit import NAME_LENGTH
from pi_table.games.rules.seat import AGENTS
from pi_table.protocols.ipc.messages import AnyTableMessage, CodexMessage
from pi_table.screens.console.codex.page import Page
from pi_table.screens.console.codex.visit import CELL
from pi_table.screens.console.screen import AnyScreen, Choice, Go, Return, can_begin
from pi_table.screens.console.typing_screen import ACCENTED, ALPHABET, DONE_KEY, MISFITS, Writing

Names = tuple[str | None, ...]
"""The nickname of each agent, in the order of the seats; None for a nickname to be drawn by lot."""
DRAWN: Final[Names] = (None,) * len(AGENTS)


class Nicknames(Page[AnyTableMessage], frozen=True, kw_only=True):
    names: Names

    heading = say("Nicknames")
    hint = say("A name without letters is drawn by lot.")

    def choices(self, table: AnyTableMessage) -> tuple[Choice, ...]:
        return (
            *(
                Choice(
                    say("Agent on {cell}", cell=CELL[seat]),
                    Go(TypeName(agent=agent, letters=name or "", names=self.names)),
                    value=name or say("Drawn by lot"),
                )
                for agent, (seat, name) in enumerate(zip(AGENTS, self.names, strict=True))
            ),
            Choice(DONE_KEY, Return()),
        )

    def possible(self, table: AnyTableMessage) -> bool:
        return can_begin(table)

    def behind(self, below: AnyScreen) -> AnyScreen:
        return replace(below, nicknames=self.names)


class TypeName(Writing[AnyTableMessage], Page[AnyTableMessage], frozen=True, kw_only=True):
    agent: int
    names: Names

    longest: ClassVar[int] = NAME_LENGTH

    def signs(self, table: AnyTableMessage) -> str:
        return ALPHABET + "".join(ACCENTED.values())

    def possible(self, table: AnyTableMessage) -> bool:
        return can_begin(table)

    def title(self, table: AnyTableMessage) -> Words:
        return say("Agent on {cell}", cell=CELL[AGENTS[self.agent]])

    def help(self, table: AnyTableMessage) -> Words:
        if self._is_taken:
            return say("Another agent has this name.")
        if self._misfit is not None:
            return MISFITS[self._misfit]
        return say("Up to 12 characters.")

    @property
    def _is_taken(self) -> bool:
        others = (name for agent, name in enumerate(self.names) if agent != self.agent)
        return same(self.letters) in {same(name) for name in others if name}

    @property
    def _misfit(self) -> Misfit | None:
        """The fault of the typed name; None if the name is valid or empty."""
        return misfit(self.letters) if self.letters.strip() else None

    def _in_case(self, sign: str) -> str:
        begins_a_word = self.letters[-1:] in ("", " ")
        return sign.upper() if begins_a_word else sign

    def finish(self) -> Return | None:
        """Return the effect that closes this screen and stores the typed name.

        Return None if another agent has that name, or if the table cannot display it.
        """
        if self._is_taken or self._misfit is not None:
            return None
        names = [*self.names]
        names[self.agent] = clean(self.letters) or None
        return Return(Nicknames(names=tuple(names), selected=self.agent))


def count_chosen(names: Names) -> Words:
    given = sum(name is not None for name in names)
    if not given:
        return say("Drawn by lot")
    return say("{count} of {all}", count=given, all=len(names))


def names_in_play(table: AnyTableMessage) -> Names:
    """Return the nicknames of the current game. If it is not Codex, each is `DRAWN` (by lot)."""
    if not isinstance(table, CodexMessage):
        return DRAWN
    return tuple(agent.nickname for agent in table.public.agents)
