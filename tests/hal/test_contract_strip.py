"""The lights at the Pi itself keep the contract: the real library with SPI at its other end, and a
queue that stands for the kernel's device."""

import asyncio
import fcntl
import os
import select
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from contract import LightsContract
from patience import PATIENCE
from pi_with_spi import ROOM, PiWithSpi, files_of, in_order

from pi_table.common.config import load
from pi_table.common.geometry import LED_COUNT
from pi_table.devices.hal.contracts import LightFrame, Lights
from pi_table.devices.hal.led_curve import pulses_of_colour
from pi_table.devices.hal.registry import LIGHTS

pytestmark = pytest.mark.paced

MAX_MA = 6500
"""With as much no frame is dimmed."""
QUIET_MS = 30
"""So long nothing has come when all has come."""
PICTURE = 4 * LED_COUNT


class StripRig:
    """Lights at the bench, and a witness at a file that is readable when it can see something."""

    lights: Lights
    witness: int
    seen: list[LightFrame]

    def __init__(self) -> None:
        self._looks = True

    def see(self) -> None:
        """Read what there is to be seen, if anything."""

    def sees(self, frame: LightFrame) -> LightFrame:
        """The witness sees pulses."""
        return tuple(map(pulses_of_colour, frame))

    def look(self, yes: bool) -> None:
        self._looks = yes

    def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            assert self._readable(PATIENCE * 1000), "Nothing more is shown."
            self.see()

    def serve(self) -> None:
        while self._looks and self._readable(QUIET_MS):
            self.see()

    def _readable(self, within_ms: float) -> bool:
        poll = select.poll()
        poll.register(self.witness, select.POLLIN)
        return bool(poll.poll(within_ms))


class SpiRig(StripRig):
    def __init__(self, folder: Path, most_ma: int = MAX_MA) -> None:
        super().__init__()
        files_of(folder, "Raspberry Pi 4 Model B Rev 1.4", 0xC03114)
        self.lights = self.pi = PiWithSpi(folder, most_ma=most_ma)
        assert self.pi.said == "opened"
        self.witness = self.pi.witness
        self.seen = []

    def see(self) -> None:
        self.pi.read()
        self.seen += [message.frame for message in self.pi.messages]
        self.pi.messages.clear()


class PioRig(StripRig):
    """A named pipe in the place of /dev/leds0: it keeps what was written, one after another."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        device = folder / "leds0"
        os.mkfifo(device)
        self.witness = os.open(device, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.witness, fcntl.F_SETPIPE_SZ, ROOM)
        self.loop = asyncio.new_event_loop()
        changes = {
            "lights": {"driver": "ws2812-pio", "device": str(device), "max_milliamps": MAX_MA}
        }
        config = load(changes=changes)
        self.lights = LIGHTS.opener(config.lights.driver)(config, self.loop)
        assert os.read(self.witness, 1) == b"\0"  # the kernel is to send what it is given
        self.seen = []
        self._rest = b""

    def see(self) -> None:
        self._rest += os.read(self.witness, 65536)
        whole = len(self._rest) // PICTURE * PICTURE
        for at in range(0, whole, PICTURE):
            picture = self._rest[at : at + PICTURE]
            lights = [picture[first : first + 4] for first in range(0, PICTURE, 4)]
            assert not any(light[3] for light in lights)
            self.seen.append(in_order([int.from_bytes(light[:3], "big") for light in lights]))
        self._rest = self._rest[whole:]

    def close(self) -> None:
        self.lights.close()
        self.loop.close()
        os.close(self.witness)


class TestRpiWs281x(LightsContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[SpiRig]:
        rig = SpiRig(tmp_path)
        yield rig
        assert rig.pi.end() == 0
        assert rig.pi.log == ""


class TestWs2812Pio(LightsContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> Iterator[PioRig]:
        with closing(PioRig(tmp_path)) as rig:
            yield rig
