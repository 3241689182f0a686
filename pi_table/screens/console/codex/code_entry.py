"""The screen on which an agent tries a faction's code: twelve signs, entered one by one or as
fragments of four.

As everywhere, secrets are shown as dots unless PEEK is held: other people see only how many signs
were entered. There are always six tiles for fragments. A tile without a fragment enters four
blanks. The table refuses a code with blanks, and only the agent learns of the refusal.
"""

from typing import ClassVar, Final

from msgspec.structs import replace

from pi_table.common.language import say
from pi_table.games.rules.codex.identikit import ALPHABET, CODE_LENGTH, FRAGMENT_LENGTH, Fact, Hides
from pi_table.games.rules.seat import AGENTS
from pi_table.protocols.ipc.messages import CodexMessage
from pi_table.screens.console.acts import act
from pi_table.screens.console.codex.page import Private
from pi_table.screens.console.codex.visit import public_agent
from pi_table.screens.console.screen import Ask, Become, Choice, Do, Effect, Go, Return
from pi_table.screens.console.typing_screen import BACKSPACE, ENTER, ERASE_KEY

TILES: Final = 6
"""Number of tiles for fragments: one for the agent's own fragment, then one for each other agent.
"""
BLANK: Final = "_"
YES: Final = "yes"
ENTER_KEY: Final = say("Enter")
_TILE: Final = "#"


class EnterCode(Hides, Private, frozen=True, kw_only=True):
    code: str = ""

    needs_secrets: ClassVar[bool] = True  # secrets: the fragments that the tiles enter
    heading = say("Enter a code")
    hint = say("Three fragments, in the order of their positions.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        own, *came = tiles(table)
        return (
            Choice(say("My own") if table.agent is None else own, Do(f"{_TILE}0")),
            *(
                Choice(
                    fragment.replace(BLANK, "") or say("No. {number}", number=tile),
                    Do(f"{_TILE}{tile}"),
                )
                for tile, fragment in enumerate(came, start=1)
            ),
            *(Choice(sign, Do(sign)) for sign in ALPHABET),
            Choice(ERASE_KEY, Do(BACKSPACE)),
            Choice(ENTER_KEY, Do(ENTER)),
        )

    def does(self, what: str, table: CodexMessage) -> Effect:
        if what == ENTER:
            whole = len(self.code) == CODE_LENGTH
            return Go(Sure(visit=self.visit, code=self.code)) if whole else Become(self)
        if what == BACKSPACE:
            return Become(replace(self, code=self.code[:-1]))
        if (
            what.startswith(_TILE) and table.agent is None
        ):  # the table has not sent the fragments yet
            return Become(self)
        more = tiles(table)[int(what[1:])] if what.startswith(_TILE) else what
        return Become(replace(self, code=(self.code + more)[:CODE_LENGTH]))

    def on_character(self, sign: str, table: CodexMessage) -> Effect | None:
        if sign in (ENTER, BACKSPACE):
            return self.does(sign, table)
        return self.does(sign.upper(), table) if sign.upper() in (*ALPHABET,) else None


class Sure(Hides, Private, frozen=True, kw_only=True):
    """The question whether to submit the code. All agents see the same question."""

    code: str

    heading = say("Enter this code?")
    hint = say("Once in the whole game; the Leader, once in every phase.")

    def choices(self, table: CodexMessage) -> tuple[Choice, ...]:
        return (
            Choice(say("Yes, enter it"), Do(YES)),
            Choice(say("No, go back"), Return()),
        )

    def does(self, what: str, table: CodexMessage) -> Effect:
        return Ask(act(self.visit.seat, "attempt", code=self.code))


def tiles(table: CodexMessage) -> tuple[str, ...]:
    """Return the text of each tile: the fragments that the agent knows, then blanks."""
    blank = BLANK * FRAGMENT_LENGTH
    agent = table.agent
    if agent is None:
        return (blank,) * TILES
    found = {message.fragment for delivery in agent.received for message in delivery.messages}
    for seat in AGENTS:
        revealed = public_agent(table, seat).revealed.get(Fact.FRAGMENT.value)
        if revealed is not None:
            found.add(str(revealed))
    others = sorted(found - {agent.identikit.fragment})
    return (agent.identikit.fragment, *others, *(blank,) * (TILES - 1 - len(others)))
