"""Somebody who brings a string of lights up, and answers by what its places show."""

import re
from collections.abc import Callable
from itertools import pairwise

from maker import MakerPuppet, SlowMaker

from pi_table.common.geometry import PLACES, leds_of
from pi_table.devices.hal.contracts import LightFrame
from pi_table.simulator.emulated import EmulatedTable

HUES = {(1, 0, 0): "r", (0, 1, 0): "g", (0, 0, 1): "b", (1, 1, 1): "w", (0, 0, 0): "-"}


def hue(colour: int) -> str:
    """Return the name of a pure colour; "?" for others, "-" for dark."""
    parts = [colour >> shift & 0xFF for shift in (16, 8, 0)]
    if len({part for part in parts if part}) > 1:
        return "?"
    return HUES.get((bool(parts[0]), bool(parts[1]), bool(parts[2])), "?")


class StringMaker(MakerPuppet):
    """Looks only at the places. ``route`` is the way along which the string really lies."""

    def __init__(
        self, table: EmulatedTable, route: str = "", answers: dict[str, str] | None = None
    ) -> None:
        super().__init__(table, answers=answers)
        self._route = route.split()
        self._named: str | None = None
        self._walked: list[bool] = []
        self._answers_by_sight: dict[str, Callable[[], bool | str]] = {
            "Do all 25 cells": lambda: {*self._hues()} == {"w"},
            "Does the whole table turn": self._turn,
            "Does any place behind it": lambda: "w" in self._hues()[self._at :],
            "Does it show another colour": lambda: {*self._hues()[self._at :]} != {"-"},
            "Does any light glow": lambda: {*self._hues()} != {"-"},
            "Hold the data wire": self._hold_data_wire,
            "Now each light": lambda: "d" if len({*self._hues()}) > 1 else self._hues()[0],
            "Did each light": self._end_walk,
            "Is light": lambda: self._lit() == [self._asked_place()],
        }
        self._at = 0

    def choose(self, question: str, answers: str, unasked: str) -> str:
        for begin, look in self._answers_by_sight.items():
            if question.startswith(begin):
                self.asked.append(question)
                seen = look()
                return seen if isinstance(seen, str) else "y" if seen else "n"
        return super().choose(question, answers, unasked)

    def read(self, question: str) -> str:
        self.asked.append(question)
        if question.startswith(("Where", "Only")):
            return next(iter(self._lit()), "none")
        hues = self._hues()
        usual = hues[0] if "than those before" in question else "w"
        self._at = next((at for at, each in enumerate(hues) if each != usual), len(hues))
        return [*self._route, "none"][self._at]

    def show_task(self, text: str) -> None:
        if named := re.fullmatch(r"Light \d+ of \d+: (\S+)", text):
            self._compare()
            self._named = named[1]
            self.done.append(text)
        else:
            super().show_task(text)

    def _now(self) -> LightFrame:
        return self._seen()[-1]

    def _hues(self, frame: LightFrame | None = None) -> list[str]:
        """Return what each place shows, along the string."""
        frame = frame or self._now()
        return [hue(frame[leds_of(PLACES.index(name)).start]) for name in self._route]

    def _lit(self) -> list[str]:
        return [name for name, each in zip(self._route, self._hues(), strict=True) if each != "-"]

    def _turn(self) -> bool:
        shown = [self._hues(frame) for frame in self._seen()]
        turns = [each[0] for each in shown if len({*each}) == 1][-8:]
        after = {"-": "r", "r": "g", "g": "b", "b": "-"}
        return len(turns) == 8 and all(after.get(one) == other for one, other in pairwise(turns))

    def _hold_data_wire(self) -> bool:
        self._table.tell("enter 2")
        self._table.run(self._table.now_us + 3_000_000)
        glows = {*self._hues()} != {"-"}
        self._table.tell("enter -")
        return glows

    def _compare(self) -> None:
        if self._named is not None:
            self._walked.append(self._lit() == [self._named])
        self._named = None

    def _end_walk(self) -> bool:
        self._compare()
        return all(self._walked)

    def _asked_place(self) -> str:
        return str(re.findall(r"\((\S+)\)", self.asked[-1])[0])


class SlowStringMaker(SlowMaker, StringMaker):
    """Takes seconds for each answer about the string."""
