"""Hands at a whole table in virtual time: fingers on the cells, and the knob of the screen."""

from pathlib import Path

from pi_table.common.geometry import CELLS, END_TURN, place_named
from pi_table.common.language import translate
from pi_table.devices.hal.contracts import Input
from pi_table.games.rules.word_games.views import PublicView
from pi_table.simulator import scenario
from pi_table.simulator.picture import write_picture
from pi_table.simulator.stage import Stage

HOLD = 0.45
PAUSE = 1.0


class Hands:
    """Actions of a scenario, chosen by the screen's texts. ``pictures`` is the pictures' folder."""

    def __init__(self, stage: Stage, pictures: Path) -> None:
        self.stage = stage
        self.pictures = pictures

    @property
    def view(self) -> PublicView:
        assert isinstance(self.stage.view, PublicView)
        return self.stage.view

    @property
    def labels(self) -> list[str]:
        """Return the choices on the screen, in English."""
        return [translate(choice.label, "en") for choice in self.stage.console.model.choices]

    def value(self, label: str) -> str:
        """Return the value at the end of a line."""
        choice = self.stage.console.model.choices[self.labels.index(label)]
        return translate(choice.value, "en")

    def knob(self, *given: Input) -> None:
        for each in given:
            self.stage.perform(scenario.Console(each))
            self.wait(0.1)

    def choose(self, *labels: str) -> None:
        """Turn to these lines, one after the other, and press each."""
        for label in labels:
            assert label in self.labels, f"{label!r} is none of {self.labels}"
            model = self.stage.console.model
            steps = self.labels.index(label) - model.selected
            self.knob(*[Input.RIGHT if steps > 0 else Input.LEFT] * abs(steps), Input.PRESS)
            assert self.stage.console.model.notice is None, self.stage.console.model.notice

    def choose_until(self, label: str, value: str) -> None:
        """Press a line until this stands at its end."""
        for _ in range(40):
            if self.value(label) == value:
                return
            self.choose(label)
        raise AssertionError(f"{label!r} is never {value!r}")

    def hold(self, name: str) -> None:
        """Hold a cell or a pad until it has filled."""
        place = END_TURN if name == "end-turn" else place_named(name)
        assert place is not None
        self.stage.perform(scenario.Touch(place))
        self.wait(HOLD)
        self.stage.perform(scenario.Release(place))
        self.wait(PAUSE)

    def wait(self, seconds: float) -> None:
        self.stage.advance(self.stage.now + seconds)

    def picture(self, name: str, of: str = "both") -> None:
        """Take a picture of it, and see that it shows something."""
        path = self.pictures / f"{name}.png"
        write_picture(self.stage, of, path)
        assert path.stat().st_size > 5_000

    def cell_of(self, letter: str) -> str:
        """An uncovered cell that has this letter in the key, which somebody peeks at."""
        hidden = not self.stage.console.model.peeking
        if hidden:
            self.knob(Input.PEEK)
        key = getattr(self.stage.console.model.table, "key", None)
        assert key is not None
        if hidden:
            self.knob(Input.PEEK)
        for name, each in zip(CELLS, key, strict=True):
            if each == letter and self.view.cells[name].covered is None:
                return name
        raise AssertionError(f"No {letter!r} is left.")
