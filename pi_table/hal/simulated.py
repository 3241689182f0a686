"""A table without hardware: fingers and eyes are a program's.

`SimulatedTable` is both a `TouchGrid` and a `Lights`. Its *world side* puts fingers on places
(`touch`, `lean`, `release`, `wet`, `fail`, `mend`); its *witness side* tells what the lights showed
(`shown`, `on_show`). With a ``link`` both sides are also served to another process, as
`simulated_link` describes.
"""

from collections.abc import Callable

from pi_table.geometry import CELL_COUNT, PLACE_COUNT
from pi_table.hal.contracts import LightFrame, TouchFrame

DARK: LightFrame = (0,) * PLACE_COUNT


class SimulatedTable:
    """The grid and the lights of a table that exists in memory only."""

    def __init__(self) -> None:
        self._touched: frozenset[int] = frozenset()
        self._deaf: frozenset[int] = frozenset()
        self._heavy: frozenset[int] = frozenset()
        self._wet = False
        self._on_frame: Callable[[TouchFrame], None] | None = None
        self._closed = False
        self.shown: LightFrame = DARK
        self.on_show: Callable[[LightFrame], None] | None = None

    # The driver's side

    def start(self, on_frame: Callable[[TouchFrame], None]) -> None:
        self._on_frame = on_frame
        self._report()

    def show(self, frame: LightFrame) -> None:
        if self._closed:
            return
        self.shown = frame
        if self.on_show is not None:
            self.on_show(frame)

    def close(self) -> None:
        self._on_frame = None
        if self.shown != DARK:
            self.show(DARK)
        self._closed = True

    # The world's side

    def touch(self, *places: int) -> None:
        """Fingers come down, all at once, on these places (0 … 26)."""
        self._feel(self._touched | {*places}, self._deaf)

    def lean(self, *places: int) -> None:
        """Something heavier than a finger comes down on these places."""
        self._feel(self._touched | {*places}, self._deaf, self._heavy | {*places})

    def wet(self, yes: bool) -> None:
        """The grid is wet, or dry again."""
        self._feel(self._touched, self._deaf, wet=yes)

    def release(self, *places: int) -> None:
        """Fingers are lifted from these places; from none named, all are."""
        self._feel(self._touched - {*places} if places else frozenset(), self._deaf)

    def fail(self, *places: int) -> None:
        """These places cannot be read any more."""
        self._feel(self._touched, self._deaf | {*places})

    def mend(self) -> None:
        """All places can be read again."""
        self._feel(self._touched, frozenset())

    def _feel(
        self,
        touched: frozenset[int],
        deaf: frozenset[int],
        heavy: frozenset[int] | None = None,
        wet: bool | None = None,
    ) -> None:
        before = self._frame
        self._touched, self._deaf = touched, deaf
        self._heavy = (self._heavy if heavy is None else heavy) & touched
        self._wet = self._wet if wet is None else wet
        if self._frame != before:
            self._report()

    @property
    def _frame(self) -> TouchFrame:
        deaf = self._deaf
        return TouchFrame(self._touched - deaf, deaf, self._heavy - deaf, self._wet)

    def _report(self) -> None:
        if self._on_frame is not None:
            self._on_frame(self._frame)


def colours(frame: LightFrame) -> list[str]:
    """The 25 cells of a frame as ``#rrggbb``, in the order A1 B1 … E5."""
    return [f"#{colour:06x}" for colour in frame[:CELL_COUNT]]
