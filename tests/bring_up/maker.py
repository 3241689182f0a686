"""Somebody who brings a table up: does what a step says, and tells truly what the lights show."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise

from puppet import Finger, Puppet

from pi_table.common.geometry import PLACES, leds_of, place_named
from pi_table.devices.hal.contracts import LightFrame
from pi_table.maintenance.bring_up.wiring import CHAIN
from pi_table.simulator.emulated import EmulatedTable


class MakerPuppet(Puppet):
    """Answers questions about the lights by what the table shows; any other by ``answers``, one
    after the other by the words that the question begins with, and *yes* where there is none."""

    asks = True

    def __init__(
        self,
        table: EmulatedTable,
        fingers: Mapping[str, Sequence[Finger]] | None = None,
        answers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(table, fingers)
        self._lit_by = table
        self._told: dict[str, list[str]] = {
            begin: [*letters] for begin, letters in (answers or {}).items()
        }
        self._frames: list[LightFrame] = []

    def choose(self, question: str, answers: str, unasked: str) -> str:
        self.asked.append(question)
        for begin, letters in self._told.items():
            if question.startswith(begin) and letters:
                return letters.pop(0)
        if question.startswith("How many of the lights of"):
            return str(self._lights_of(re.findall(r"of (\S+) glow", question)[0]))
        for begin, look in LOOKS.items():
            if question.startswith(begin):
                return "y" if look(self._seen()) else "n"
        if question.startswith(("Try it", "Store")):
            return unasked
        return answers.strip("?")[0]

    def read(self, question: str) -> str:
        self.asked.append(question)
        last = self._seen()[-1]
        reached = "none"
        for place in CHAIN:
            if not any(last[led] for led in leds_of(place)):
                break
            reached = PLACES[place]
        return reached

    def _seen(self) -> list[LightFrame]:
        """Return the frames of light since the last call, beginning with the last one of that
        call."""
        self._frames = [*self._frames[-1:], *(shown.frame for shown in self._lit_by.new_frames())]
        return self._frames

    def _lights_of(self, name: str) -> int:
        place = place_named(name)
        assert place is not None
        return sum(bool(self._seen()[-1][led]) for led in leds_of(place))


def _all_glow(frames: list[LightFrame]) -> bool:
    return all(frames[-1])


def _turns(frames: list[LightFrame]) -> bool:
    hues = [next(iter({*frame})) for frame in frames if len({*frame}) == 1]
    bright = [
        max(range(3), key=lambda part: hue >> 16 - 8 * part & 0xFF) if hue else 3
        for hue in hues[-8:]
    ]
    return len(bright) == 8 and all((was + 1) % 4 == now for was, now in pairwise(bright))


def _runs(frames: list[LightFrame]) -> bool:
    places = [
        [place for place in range(len(PLACES)) if any(frame[led] for led in leds_of(place))]
        for frame in frames
    ]
    alone = [lit[0] for lit in places if len(lit) == 1]
    after = {CHAIN[at - 1]: place for at, place in enumerate(CHAIN)}
    return {*alone} == {*CHAIN} and all(after[was] == now for was, now in pairwise(alone))


def _far_left(frames: list[LightFrame]) -> bool:
    lit = {led for led, colour in enumerate(frames[-1]) if colour}
    return lit == {leds_of(place)[0] for place in range(len(PLACES))}


LOOKS: Mapping[str, Callable[[list[LightFrame]], bool]] = {
    "Do all 25 cells": _all_glow,
    "Does the whole table turn": _turns,
    "Does light run": _runs,
    "Does only the far left": _far_left,
}


class SlowMaker(MakerPuppet):
    """Takes seconds for each answer. The lights go on only if something keeps them shown."""

    _action: Callable[[], None] | None = None

    @contextmanager
    def meanwhile(self, turn: Callable[[], None]) -> Iterator[None]:
        """Repeat ``turn`` during each question until the context ends, as a thread does."""
        assert self._action is None, "two threads would use one line"
        self._action = turn
        try:
            yield
        finally:
            self._action = None

    def choose(self, question: str, answers: str, unasked: str) -> str:
        self._take_time()
        return super().choose(question, answers, unasked)

    def read(self, question: str) -> str:
        self._take_time()
        return super().read(question)

    def _take_time(self) -> None:
        if self._action is None:
            self._lit_by.run(self._lit_by.now_us + 2_000_000)
            return
        for _ in range(TURNS_SEEN):
            self._action()


TURNS_SEEN = 9
"""Frames that a slow maker sees before an answer: two rounds of the colours."""


@contextmanager
def while_it_is_looked_at(turn: Callable[[], None]) -> Iterator[None]:
    """The lights go on for as long as it takes to see all of a round."""
    for _ in range(len(CHAIN) + 2):
        turn()
    yield
