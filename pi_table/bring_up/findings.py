"""What the doctor says: a verdict on each thing, a sentence, and what to do."""

import enum

import msgspec


class Verdict(enum.Enum):
    """How a thing is."""

    OK = "ok"
    LOOK = "look"
    """It works, or may work; somebody should have a look."""
    BROKEN = "broken"
    NOT_HERE = "not here"
    """There is none, and none is needed for what is set up here."""


class Finding(msgspec.Struct, frozen=True):
    """One line of the doctor's."""

    what: str
    verdict: Verdict
    says: str
    do: str = ""
    """What to do about it, a sentence; empty if nothing."""
    rows: tuple[str, ...] = ()
    """More to read, as lines of text."""
    figures: dict[str, object] = {}
    """The same for programs, as JSON has it."""

    def text(self) -> str:
        """For people; the rows below it."""
        line = f"{self.verdict.value:<9} {self.what:<12} {self.says} {self.do}".rstrip()
        return "\n".join((line, *(" " * 23 + row for row in self.rows)))

    def json(self) -> str:
        """For programs: one object, on one line."""
        said = {
            "what": self.what,
            "verdict": self.verdict.value,
            "says": self.says,
            "do": self.do,
            "figures": self.figures,
        }
        return msgspec.json.encode(said).decode()
