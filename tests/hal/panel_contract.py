"""The contract of `Panel`: one suite that every driver must pass.

A driver joins by a class in `test_contract_panel.py` whose fixture ``rig`` gives a `PanelRig`: the
panel, a thumb for its button and an eye on its LED.
"""

from collections.abc import Callable
from typing import Protocol

import pytest

from pi_table.devices.hal.contracts import Lamp, Panel


class PanelRig(Protocol):
    """A panel on the bench."""

    panel: Panel
    is_there: bool
    """True if there is an LED, and a button."""
    can_be_down_first: bool
    """True if its button can be down before it is watched."""

    def press(self) -> None:
        """Put a thumb on the button, and leave it there."""

    def lift(self) -> None:
        """Take the thumb away."""

    def wait(self) -> None:
        """Let somewhat more time pass than the button is to be held."""

    def seen(self) -> Lamp:
        """Return the LED's state as an eye sees it after a while."""

    def until(self, condition: Callable[[], bool]) -> None:
        """Serve the device until the condition holds; fail if it never does."""


class PanelContract:
    """The contract of every panel."""

    def watched(self, rig: PanelRig) -> list[str]:
        """Watch the button; the answer is what it reports, and grows."""
        said: list[str] = []
        rig.panel.watch(lambda: said.append("held"))
        return said

    def test_the_led_is_dark_at_first(self, rig: PanelRig) -> None:
        assert rig.seen() is Lamp.DARK

    @pytest.mark.parametrize("lamp", Lamp)
    def test_the_led_does_what_it_is_told(self, rig: PanelRig, lamp: Lamp) -> None:
        rig.panel.shine(lamp)
        assert rig.seen() is (lamp if rig.is_there else Lamp.DARK)

    def test_of_what_it_is_told_the_newest_holds(self, rig: PanelRig) -> None:
        for lamp in (*Lamp, *Lamp, Lamp.FAST, Lamp.STEADY, Lamp.STEADY):
            rig.panel.shine(lamp)
        assert rig.seen() is (Lamp.STEADY if rig.is_there else Lamp.DARK)

    def test_a_button_that_is_held_is_reported_once(self, rig: PanelRig) -> None:
        said = self.watched(rig)
        rig.press()
        rig.wait()
        rig.wait()
        rig.lift()
        rig.wait()
        assert said == ["held"] * rig.is_there

    def test_a_button_can_be_held_again(self, rig: PanelRig) -> None:
        said = self.watched(rig)
        for times in (1, 2):
            rig.press()
            rig.wait()
            rig.lift()
            rig.wait()
            assert said == ["held"] * times * rig.is_there

    def test_a_button_that_is_only_pressed_is_not_reported(self, rig: PanelRig) -> None:
        said = self.watched(rig)
        for _ in range(20):
            rig.press()
            rig.lift()
        rig.wait()
        assert said == []

    def test_a_button_that_was_down_before_counts_when_it_was_let_go(self, rig: PanelRig) -> None:
        if not rig.can_be_down_first:
            return
        rig.press()
        said = self.watched(rig)
        rig.wait()
        assert said == []
        rig.lift()
        rig.press()
        rig.wait()
        assert said == ["held"]

    def test_nothing_shines_or_is_reported_after_closing_which_may_be_done_twice(
        self, rig: PanelRig
    ) -> None:
        said = self.watched(rig)
        rig.panel.shine(Lamp.STEADY)
        rig.panel.close()
        rig.panel.close()
        rig.panel.shine(Lamp.STEADY)
        rig.press()
        rig.wait()
        assert said == []
        assert rig.seen() is Lamp.DARK

    def test_a_blinking_led_is_dark_after_closing(self, rig: PanelRig) -> None:
        rig.panel.shine(Lamp.FAST)
        rig.panel.close()
        assert rig.seen() is Lamp.DARK

    def test_a_panel_that_was_never_watched_can_be_closed(self, rig: PanelRig) -> None:
        rig.press()
        rig.wait()
        rig.panel.close()
