"""The status LED and the switch-off button on the table's case.

The LED shows the staff the state of the table from a distance:

- Dark: the table does not run.
- Steady: the table is ready.
- Slow blinking: the table is starting or ending, it has a fault that does not prevent play, or its
  hidden screen is missing although the configuration has one.
- Fast blinking: a fault prevents play until it is repaired, or switching off failed.

The console and the log describe the fault.

The button needs no PIN: it is on the table's underside, where anyone can also pull the plug.
"""

from collections.abc import Callable

from pi_table.common.language import say
from pi_table.devices.hal.contracts import Lamp, Panel
from pi_table.table.engine.outputs import Verdict

SwitchOff = Callable[[Callable[[Verdict], None]], None]
"""A function that switches the computer off, and calls its argument with the verdict."""


class CasePanel:
    def __init__(self, panel: Panel, switch_off: SwitchOff, say: Callable[[str], None]) -> None:
        """``say`` logs a sentence if the computer could not be switched off."""
        self._panel = panel
        self._switch_off = switch_off
        self._say = say
        self._is_ready = False
        self._is_asked = False
        """True until the result of switching off is known."""
        self._ends: bool | None = None
        """True while the computer is being switched off; False if that failed; None until the
        button is used."""
        self._out_of_order = self._ails = False
        self._shine()

    def ready(self) -> None:
        """Show that the table is ready, and accept the switch-off button from now on."""
        self._is_ready = True
        self._shine()
        self._panel.watch(self._on_hold)

    def show(self, out_of_order: bool, ails: bool) -> None:
        """Show whether a fault prevents play, and whether there is any fault."""
        self._out_of_order, self._ails = out_of_order, ails
        self._shine()

    def _on_hold(self) -> None:
        if self._is_asked:
            return
        self._is_asked = self._ends = True
        self._shine()
        self._switch_off(self._on_answer)

    def _on_answer(self, verdict: Verdict) -> None:
        self._is_asked, self._ends = False, verdict.ok
        if verdict.ok:
            return  # switching off ends this process too
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
