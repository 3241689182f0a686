"""The status LED and the switch-off button on the table's case.

The LED tells the staff from afar how the table is: dark, it does not run; steady, it is ready;
slow, it is beginning or ending, or something ails it and it plays on, or its hidden screen is not
there; fast, nobody can play until somebody mends it, or it could not be switched off. What ails it
stands on the console and in the log.

The button asks for no PIN: whoever reaches it, on the table's underside, reaches the plug too.
"""

from collections.abc import Callable

from pi_table.common.language import say
from pi_table.devices.hal.contracts import Lamp, Panel
from pi_table.table.engine.outputs import Verdict

SwitchOff = Callable[[Callable[[Verdict], None]], None]
"""Has the machine switched off, and gives what it is given what became of that."""


class CasePanel:
    """The panel of a running table."""

    def __init__(self, panel: Panel, switch_off: SwitchOff, say: Callable[[str], None]) -> None:
        """``say`` is given a sentence for the log where the machine could not be switched off."""
        self._panel = panel
        self._switch_off = switch_off
        self._say = say
        self._is_ready = False
        self._is_asked = False
        """Is the machine being switched off, and has not said yet whether it can be?"""
        self._ends: bool | None = None
        """Was it to be switched off, and if so, can it be?"""
        self._out_of_order = self._ails = False
        self._shine()

    def ready(self) -> None:
        """The table answers from now on: so does the button."""
        self._is_ready = True
        self._shine()
        self._panel.watch(self._held)

    def show(self, out_of_order: bool, ails: bool) -> None:
        """This is how the table is now: can nobody play at it, does anything ail it?"""
        self._out_of_order, self._ails = out_of_order, ails
        self._shine()

    def _held(self) -> None:
        if self._is_asked:
            return
        self._is_asked = self._ends = True
        self._shine()
        self._switch_off(self._answered)

    def _answered(self, verdict: Verdict) -> None:
        self._is_asked, self._ends = False, verdict.ok
        if verdict.ok:
            return  # whoever switches the machine off ends this process too
        self._shine()
        self._say(verdict.sentence or say("The machine could not be switched off."))

    def _shine(self) -> None:
        self._panel.shine(self._lamp)

    @property
    def _lamp(self) -> Lamp:
        if self._ends:
            return Lamp.SLOW
        if self._out_of_order or self._ends is False:
            return Lamp.FAST
        return Lamp.STEADY if self._is_ready and not self._ails else Lamp.SLOW
