"""The moment of a game that the picture of an evening shows: the words, and the lights' colours.

The simulator writes the lights into a file: `pi-table simulate --headless --scenario …`.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SCENARIO: Final = Path(__file__).parents[1] / "pi_table" / "simulator" / "table-in-play.jsonl"
MOMENT: Final = 34.3
"""Seconds from the scenario's start. A finger is then held on ``HELD``."""
HELD: Final = "B4"


@dataclass(frozen=True)
class Game:
    words: tuple[str, ...]
    """The words of the cells, A1 to E5."""
    leds: tuple[str, ...]
    """The colour ``#rrggbb`` of each LED."""

    def digest(self) -> str:
        """Return a hash of everything that a picture of this game shows."""
        return hashlib.sha256(json.dumps([self.words, self.leds]).encode()).hexdigest()[:16]


def read_game(lights: Path) -> Game:
    """Return the game at ``MOMENT``. ``lights`` is the simulator's file of light frames."""
    with SCENARIO.open(encoding="utf-8") as lines:
        words = json.loads(next(lines))["game"]["words"]
    frames = [json.loads(line) for line in lights.read_text("utf-8").splitlines()]
    leds = [frame["leds"] for frame in frames if frame["at"] <= MOMENT][-1]
    return Game(tuple(words), tuple(leds))
