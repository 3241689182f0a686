"""The words for facts, roles and phases of Codex, and their explanations."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from pi_table.common.language import Words, say
from pi_table.games.names import ROLES
from pi_table.games.rules.codex.board import Phase
from pi_table.games.rules.codex.identikit import Fact, Role, Value
from pi_table.games.rules.codex.views import IdentikitView
from pi_table.games.rules.team import Team
from pi_table.screens.console.screen import name

POWERS: Final = {
    Role.HACKER: say(
        "In every phase the Hacker may name an agent, who cannot enter a code in that phase and "
        "learns why. Never the same agent in two phases running."
    ),
    Role.INFILTRATOR: say(
        "The Infiltrator’s identikit shows the wrong faction. The code, the fragment and the "
        "victory are the other faction’s."
    ),
    Role.INFORMER: say(
        "The Informer may tell two facts in a message instead of one. One of the two must then be "
        "the role."
    ),
    Role.INQUISITOR: say(
        "The Inquisitor names a fact, before the vote. If the agent the Inquisitor votes for goes "
        "to the truth machine, that fact is shown. It works once in the game."
    ),
    Role.LEADER: say(
        "The Leader may try a code once in every phase, without limit. Everybody else has one "
        "attempt in the whole game."
    ),
    Role.PROFILER: say(
        "Once in the game the Profiler may ask about a message that has just come, and learns "
        "one more fact about its sender."
    ),
}

FACTS: Final = {
    Fact.NICKNAME: say("Nickname"),
    Fact.FACTION: say("Faction"),
    Fact.ROLE: say("Role"),
    Fact.POSITION: say("Position"),
    Fact.FRAGMENT: say("Fragment"),
}
PHASES: Final = {
    Phase.SEND: say("Messages"),
    Phase.ACT: say("Powers and codes"),
    Phase.DISCUSS: say("Discussion"),
    Phase.VOTE: say("Vote"),
    Phase.MACHINE: say("Truth machine"),
    Phase.OVER: say("Game over"),
}
ATTEMPTED: Final[dict[str, Words]] = {
    "right": say("The right code"),
    "wrong": say("Wrong code"),
    "blocked": say("A Hacker prevented it"),
    "none-left": say("You have no attempts left"),
}


def value_words(fact: Fact, value: Value) -> Words:
    match fact:
        case Fact.FACTION:
            return name(Team(str(value)))
        case Fact.ROLE:
            return ROLES[Role(str(value))]
    return str(value)


def own_words(fact: Fact, identikit: IdentikitView) -> Words:
    value = getattr(identikit, fact.value)
    return value_words(fact, value.value if isinstance(value, Enum) else value)


def facts_words(facts: Mapping[str, Value]) -> Words:
    """Return known facts in words, as ``Red, Leader, position 2``."""
    return join_words([_in_a_list(Fact(fact), value) for fact, value in facts.items()])


def _in_a_list(fact: Fact, value: Value) -> Words:
    if fact is Fact.POSITION:
        return say("position {position}", position=value)
    if fact is Fact.NICKNAME:
        return say("nickname {nickname}", nickname=value)
    return value_words(fact, value)


def join_words(words: Sequence[Words]) -> Words:
    """Return the words as a list with commas."""
    if not words:
        return ""
    said, *more = words
    for each in more:
        said = say("{one}, {other}", one=said, other=each)
    return said
