"""The acts of Codex. Agents are numbers here, 0 to 5.

Acts that an agent enters at the hidden screen hide their contents in every text made from them.
"""

import msgspec

from pi_table.games.rules.codex.identikit import Fact, Hides


class Act(msgspec.Struct, frozen=True, gc=False, tag_field="act"):
    """One act of one seat. Its tag is the name that people and programs use for it."""


class Ready(Act, frozen=True, tag="ready"):
    """Say that you are at the hidden screen: the time of your visit begins."""


class Send(Hides, Act, frozen=True, tag="send"):
    """Tell another agent your fragment and a fact; an informer may add a second one."""

    to: int
    facts: tuple[Fact, ...]


class Hack(Hides, Act, frozen=True, tag="hack"):
    """Name an agent who cannot enter a code in this phase."""

    target: int


class Ask(Hides, Act, frozen=True, tag="ask"):
    """Ask a further fact of the sender of a message of this phase, by its number from 1."""

    message: int
    fact: Fact


class Extort(Hides, Act, frozen=True, tag="extort"):
    """Demand what the agent for whom you vote in this phase is to reveal at the truth machine."""

    fact: Fact


class Attempt(Hides, Act, frozen=True, tag="attempt"):
    """Try the code of your faction: twelve letters and digits."""

    code: str


class Done(Hides, Act, frozen=True, tag="done"):
    """Enter nothing more in this visit, which lasts its time, or until all are done on phones."""


class ChooseCode(Hides, Act, frozen=True, tag="choose-code"):
    """Choose a four-digit code of your own, to be asked for from the next visit on."""

    code: str


class EnterCode(Hides, Act, frozen=True, tag="enter-code"):
    """Enter the code of your own."""

    code: str


class CastVote(Act, frozen=True, tag="vote"):
    """Vote, in public, for another agent to go to the truth machine."""

    target: int


class Reveal(Hides, Act, frozen=True, tag="reveal"):
    """At the truth machine: reveal a fact. After the end: show everybody all identikits."""

    fact: Fact | None = None


class EndDiscussion(Act, frozen=True, tag="end-discussion"):
    """Go on to the vote."""


class NewCode(Act, frozen=True, tag="new-code"):
    """Let an agent choose a code of their own anew."""

    target: int


class Pair(Act, frozen=True, tag="pair"):
    """Say that you have a phone: your visits are there from now on."""


class Unpair(Act, frozen=True, tag="unpair"):
    """Let an agent come to the hidden screen again, and not use their phone."""

    target: int


class Pause(Act, frozen=True, tag="pause"):
    """Stop the game and its time."""


class Resume(Act, frozen=True, tag="resume"):
    """Go on after a pause."""


class Correct(Act, frozen=True, tag="correct"):
    """Take back an abandon; nothing else can be taken back."""


class Abandon(Act, frozen=True, tag="abandon"):
    """End the game with nobody winning."""


def name_of(kind: type[Act]) -> str:
    """Return the name of an act for people and programs."""
    return str(kind.__struct_config__.tag)
