"""What the doctor says: a verdict on each thing, a sentence, and what to do."""

import enum

import msgspec


class Verdict(enum.Enum):
    """How a thing is."""

    OK = "ok"
    LOOK = "look"
    """The thing works, or may work; somebody should have a look."""
    BROKEN = "broken"
    NOT_HERE = "not here"
    """The thing is not there, and what is set up here does not need it."""


class Finding(msgspec.Struct, frozen=True):
    """One line of the doctor's."""

    what: str
    verdict: Verdict
    says: str
    do: str = ""
    """What to do about the thing, as a sentence; empty if nothing."""
    rows: tuple[str, ...] = ()
    """More to read, as lines of text."""
    figures: dict[str, object] = {}
    """What was found, for programs, as JSON values."""

    def text(self) -> str:
        """The finding for people: a line, and its rows below that."""
        line = f"{self.verdict.value:<9} {self.what:<12} {self.says} {self.do}".rstrip()
        return "\n".join((line, *(" " * 23 + row for row in self.rows)))

    def json(self) -> str:
        """The finding for programs: one JSON object, on one line."""
        said = {
            "what": self.what,
            "verdict": self.verdict.value,
            "says": self.says,
            "do": self.do,
            "figures": self.figures,
        }
        return msgspec.json.encode(said).decode()
