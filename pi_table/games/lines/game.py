"""The settings of a game as lines of a menu: labels and possible values."""

from itertools import combinations
from typing import Any, Final, get_args

import msgspec

from pi_table.common.language import Words, say
from pi_table.games.names import ROLES
from pi_table.games.rules.codex.identikit import Role
from pi_table.games.rules.profile import SpecialRole

Values = tuple[tuple[Any, Words], ...]
"""The possible values of a setting, each with its label."""


class Setting(msgspec.Struct, frozen=True):
    """A line in the menu of settings: the name, label and values of one setting.

    ``timer`` is the only kind of timer with which the setting has an effect. None means that it
    always has an effect.
    """

    field: str
    label: Words
    values: Values
    timer: str | None = None


def duration(seconds: int) -> str:
    """Return seconds as minutes and seconds: ``1:30`` for 90."""
    return f"{seconds // 60}:{seconds % 60:02}"


def _minutes(*seconds: int) -> Values:
    return tuple((value, duration(value)) for value in seconds)


PAIRS: Final = tuple(
    ((one, other), say("{one}, {other}", one=ROLES[Role(one)], other=ROLES[Role(other)]))
    for one, other in combinations(get_args(SpecialRole), 2)
)
YES_OR_NO: Final = ((True, say("Yes")), (False, say("No")))
SETTINGS: Final = (
    Setting("explain", say("Explain as we go"), YES_OR_NO),
    Setting(
        "players",
        say("Players"),
        (
            ("teams", say("Two teams")),
            ("cooperative", say("One group")),
            ("shared-operative", say("Three, one guesses for both")),
        ),
    ),
    Setting(
        "dealing",
        say("Laying out the words"),
        (("table", say("All at once")), ("shared", say("Teams take turns"))),
    ),
    Setting(
        "nuke",
        say("The nuke"),
        (("basic", say("Whoever hits it loses")), ("mad", say("Once armed, all lose"))),
    ),
    Setting("roles", say("Roles beside the Leader"), ((None, say("Drawn by lot")), *PAIRS)),
    Setting(
        "discussion_seconds", say("Time for discussion"), _minutes(60, 120, 180, 300, 480, 600)
    ),
    Setting("visit_seconds", say("Time of a visit"), _minutes(30, 45, 60, 90, 120)),
    Setting(
        "visit_starts",
        say("That time starts"),
        (("ready", say("When the agent is there")), ("at-once", say("When their turn comes"))),
    ),
    Setting(
        "timer",
        say("Timer"),
        (("off", say("No timer")), ("hourglass", say("Hourglass")), ("clock", say("Clock"))),
    ),
    Setting(
        "hourglass_seconds",
        say("The hourglass runs"),
        _minutes(30, 60, 90, 120, 180, 300),
        "hourglass",
    ),
    Setting(
        "clue_seconds", say("Time for a clue"), _minutes(30, 60, 90, 120, 180, 240, 300), "clock"
    ),
    Setting(
        "guess_seconds", say("Time for guessing"), _minutes(30, 60, 90, 120, 180, 300), "clock"
    ),
    Setting(
        "clock_end",
        say("When the time is up"),
        (("urge", say("The table urges")), ("end-turn", say("The turn ends"))),
        "clock",
    ),
    Setting("unlimited", say("Clues without a limit"), YES_OR_NO),
    Setting("zero", say("Zero as a clue’s number"), YES_OR_NO),
    Setting("penalty", say("Penalty for an invalid clue"), YES_OR_NO),
    Setting("compounds", say("Compounds as clues"), YES_OR_NO),
    Setting("abbreviations", say("Abbreviations as clues"), YES_OR_NO),
    Setting("names", say("Long names and titles as clues"), YES_OR_NO),
    Setting("sounds", say("Sounds and rhymes as clues"), YES_OR_NO),
)


def next_of(values: Values, value: object) -> Any:
    """Return the value after ``value`` in a setting's list. After the last value, and for an
    unlisted one, return the first."""
    known = [each for each, _ in values]
    return known[(known.index(value) + 1) % len(known)] if value in known else known[0]


def label_of(values: Values, value: object) -> Words:
    for each, label in values:
        if each == value:
            return label
    return duration(value) if isinstance(value, int) else str(value)
