"""The acts of Codex. Agents are numbers here, 0 to 5.

Acts that an agent enters at the hidden screen do not show their contents when printed or logged.
"""

import msgspec

from pi_table.games.rules.codex.identikit import Fact, Hides


class Act(msgspec.Struct, frozen=True, gc=False, tag_field="act"):
    """One act of one seat. Its tag is the act's name for people and programs."""


class Ready(Act, frozen=True, tag="ready"):
    """Say that you are at the hidden screen, so that the time of your visit begins."""


class Send(Hides, Act, frozen=True, tag="send"):
    """Send an agent your fragment and a fact about yourself; an informer may add a second fact."""

    to: int
    facts: tuple[Fact, ...]


class Hack(Hides, Act, frozen=True, tag="hack"):
    """Name an agent. If you are a hacker, that agent cannot enter a code in this phase."""

    target: int


class Ask(Hides, Act, frozen=True, tag="ask"):
    """Ask the sender of a message of this phase for one more fact; give the message's number."""

    message: int
    fact: Fact


class Extort(Hides, Act, frozen=True, tag="extort"):
    """Demand a fact: the agent for whom you vote must reveal it at the truth machine."""

    fact: Fact


class Attempt(Hides, Act, frozen=True, tag="attempt"):
    """Try the code of your faction: twelve letters and digits."""

    code: str


class Done(Hides, Act, frozen=True, tag="done"):
    """Enter nothing more. Only a visit of several phones ends early, when all are done."""


class ChooseCode(Hides, Act, frozen=True, tag="choose-code"):
    """Choose your own code of four digits, which you must enter in every later visit."""

    code: str


class EnterCode(Hides, Act, frozen=True, tag="enter-code"):
    """Enter your own code of four digits."""

    code: str


class CastVote(Act, frozen=True, tag="vote"):
    """Vote, in public, for another agent to go to the truth machine."""

    target: int


class Reveal(Hides, Act, frozen=True, tag="reveal"):
    """At the truth machine: reveal a fact. After the end: show everybody all identikits."""

    fact: Fact | None = None


class EndDiscussion(Act, frozen=True, tag="end-discussion"):
    """End the discussion and begin the vote."""


class NewCode(Act, frozen=True, tag="new-code"):
    """Allow an agent to choose a new personal code."""

    target: int


class Pair(Act, frozen=True, tag="pair"):
    """Say that you have a phone. From now on your visits are on the phone."""


class Unpair(Act, frozen=True, tag="unpair"):
    """Make an agent use the hidden screen again, and not the phone."""

    target: int


class Pause(Act, frozen=True, tag="pause"):
    """Stop the game and its time."""


class Resume(Act, frozen=True, tag="resume"):
    """Go on after a pause."""


class Correct(Act, frozen=True, tag="correct"):
    """Take back the abandoning of the game; nothing else can be taken back."""


class Abandon(Act, frozen=True, tag="abandon"):
    """End the game without a winner."""


def name_of(kind: type[Act]) -> str:
    """Return the name of an act for people and programs: its tag."""
    return str(kind.__struct_config__.tag)
