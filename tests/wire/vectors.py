"""`firmware/vectors/frames.txt`, which the tests of the firmware read too."""

from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parents[2] / "firmware/vectors/frames.txt"

Fields = dict[str, list[int]]
"""Each field's numbers; one, where it is no list."""


class Vector(NamedTuple):
    """A line of the file: its kind, its name, and what stands between the bars."""

    kind: str
    name: str
    parts: list[str]

    @property
    def data(self) -> list[bytes]:
        """The parts as bytes."""
        return [bytes.fromhex(part) for part in self.parts]

    @property
    def fields(self) -> Fields:
        """The first part as fields."""
        pairs = (pair.split("=") for pair in self.parts[0].split())
        return {name: [int(number, 0) for number in value.split(",")] for name, value in pairs}


def vectors(*kinds: str) -> list[Vector]:
    """The lines of these kinds, in the file's order."""
    found = []
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        head, *parts = line.split(" | ")
        kind, name = head.split()
        if kind in kinds:
            found.append(Vector(kind, name, parts))
    assert {vector.kind for vector in found} == {*kinds}
    return found


def named(vector: Vector) -> str:
    """Return the name of a test over this vector."""
    return f"{vector.kind}-{vector.name}"
