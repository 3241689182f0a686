"""Every driver of the panel on the table's case keeps its contract; a new one adds a class here."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from panel_contract import PanelContract
from patience import serve_until

from pi_table.common.config import load
from pi_table.devices.hal.contracts import Lamp
from pi_table.devices.hal.gpiozero_panel import BLINKS, GpiozeroPanel
from pi_table.devices.hal.registry import open_hardware
from pi_table.devices.hal.simulated import SimulatedTable

LED, BUTTON = 25, 3
HOLD_SECONDS = 0.1


class OnALoop:
    """A panel on an event loop of its own."""

    is_there = True
    can_be_down_first = False

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()

    def opened(self, **sections: dict[str, Any]) -> Any:
        """The hardware, as the table opens it."""
        hardware = open_hardware(load(changes=sections), self.loop)
        self.panel = hardware.panel
        return hardware

    def until(self, condition: Callable[[], bool]) -> None:
        serve_until(self.loop, condition)

    def press(self) -> None:
        """There is nothing to press."""

    def lift(self) -> None:
        """There is nothing to let go of."""

    def wait(self) -> None:
        self.loop.run_until_complete(asyncio.sleep(0.001))

    def close(self) -> None:
        self.panel.close()
        self.loop.close()


class OnMockPins(OnALoop):
    """LED and button on pins that this bench drives, and looks at."""

    can_be_down_first = True

    def __init__(self) -> None:
        super().__init__()
        self.pins = MockFactory()
        self.panel = GpiozeroPanel(LED, BUTTON, HOLD_SECONDS, self.loop, self.pins)

    def press(self) -> None:
        self.pins.pin(BUTTON).drive_low()

    def lift(self) -> None:
        self.pins.pin(BUTTON).drive_high()

    def wait(self) -> None:
        """Long enough for gpiozero's thread, which looks ten times a second, too."""
        self.loop.run_until_complete(asyncio.sleep(HOLD_SECONDS + 0.25))

    def seen(self) -> Lamp:
        """By how long the LED stays as it is, which its pin has written down at each change: this
        bench may be held up itself."""
        pin = self.pins.pin(LED)
        before = len(pin.states)
        for _ in range(5):  # longer than two changes of the slowest take
            self.loop.run_until_complete(asyncio.sleep(0.5 * max(BLINKS.values())))
            if len(pin.states) >= before + 2:
                stayed = min(each.timestamp for each in pin.states[before:])
                return min(BLINKS, key=lambda lamp: abs(BLINKS[lamp] - stayed))
        return Lamp.STEADY if pin.function == "output" and pin.state else Lamp.DARK

    def close(self) -> None:
        super().close()
        self.pins.close()


class InMemory(OnALoop):
    """The simulated table's case."""

    def __init__(self) -> None:
        super().__init__()
        self.opened(panel={"driver": "simulated"})
        assert type(self.panel) is SimulatedTable
        self.table = self.panel
        self._thumb: asyncio.TimerHandle | None = None
        self._lamp = Lamp.DARK
        self.table.on_shine = self._see

    def _see(self, lamp: Lamp) -> None:
        self._lamp = lamp

    def press(self) -> None:
        self._thumb = self.loop.call_later(0.0, self.table.hold_button)

    def lift(self) -> None:
        if self._thumb is not None:
            self._thumb.cancel()

    def seen(self) -> Lamp:
        return self._lamp


class Linked(OnALoop):
    """The simulated table's case, at the other end of its link."""

    def __init__(self, link: Path) -> None:
        super().__init__()
        self.opened(panel={"driver": "simulated"}, simulated={"link": str(link)})
        self._end = socket.socket(socket.AF_UNIX)
        self._end.connect(str(link))
        self._end.setblocking(False)
        self._rest = b""
        self._lamp = Lamp.DARK
        self._pressed = False
        for _ in range(5):
            super().wait()
        assert self._end.recv(1, socket.MSG_PEEK), "It was not let in."

    def press(self) -> None:
        self._pressed = True

    def lift(self) -> None:
        self._pressed = False

    def wait(self) -> None:
        if self._pressed:
            self._pressed = False
            try:
                self._end.sendall(b'{"hold":"switch-off"}\n')
            except BrokenPipeError:
                return  # it was closed
        for _ in range(5):
            super().wait()

    def seen(self) -> Lamp:
        for _ in range(5):
            super().wait()
        try:
            while data := self._end.recv(1 << 16):
                self._rest += data
        except BlockingIOError:
            pass
        *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            self._lamp = Lamp(json.loads(line).get("lamp", "dark"))
        return self._lamp

    def close(self) -> None:
        self._end.close()
        super().close()


class WithoutAny(OnALoop):
    """A case with neither."""

    is_there = False

    def __init__(self) -> None:
        super().__init__()
        self.opened()

    def seen(self) -> Lamp:
        return Lamp.DARK


@pytest.mark.paced
class TestGpiozeroPanel(PanelContract):
    @pytest.fixture
    def rig(self) -> Iterator[OnMockPins]:
        with closing(OnMockPins()) as rig:
            yield rig


class TestSimulatedPanel(PanelContract):
    @pytest.fixture
    def rig(self) -> Iterator[InMemory]:
        with closing(InMemory()) as rig:
            yield rig


class TestLinkedPanel(PanelContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[Linked]:
        with closing(Linked(tmp_path / "link")) as rig:
            yield rig


class TestNoPanel(PanelContract):
    @pytest.fixture
    def rig(self) -> Iterator[WithoutAny]:
        with closing(WithoutAny()) as rig:
            yield rig
