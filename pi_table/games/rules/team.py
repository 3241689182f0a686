"""The two teams that every game has."""

import enum


class Team(enum.Enum):
    """One of the two teams."""

    RED = "red"
    BLUE = "blue"

    letter: str
    """The letter of the team's agents in a key that is written as text."""
    index: int
    """Position of the team in a pair with one value for each team, such as `Board.left`."""
    other: "Team"

    def __init__(self, value: str) -> None:
        self.letter = value[0]
        self.index = ("red", "blue").index(value)

    # Each member exists only once, so its address can be the hash. Enum's own hash is slower.
    __hash__ = object.__hash__


# Looking up a member by its name takes as long as making an event.
RED, BLUE = Team
RED.other, BLUE.other = BLUE, RED
