"""The two teams that every game has."""

import enum


class Team(enum.Enum):
    """One of the two teams."""

    RED = "red"
    BLUE = "blue"

    letter: str
    """The letter that stands for the team's agents in the text of a key."""
    other: "Team"

    def __init__(self, value: str) -> None:
        self.letter = value[0]

    # Each value has one member, so its address can be the hash. Enum would hash the name: slow.
    __hash__ = object.__hash__


Team.RED.other, Team.BLUE.other = Team.BLUE, Team.RED
