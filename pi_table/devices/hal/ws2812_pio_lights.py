"""The driver of a light strip at the kernel module ws2812-pio of a Raspberry Pi 5, at /dev/leds0.

The device takes a picture in strip order, four bytes for each light: red, green, blue and white. It
sends them in the order GRB; for a string with another order the bytes are exchanged here. The
table's strip ignores white. A picture with bytes for every light of the strip is shown at once.
A write to an open file continues at the end of the previous write, so the file is opened for each
picture.

A single byte written at the beginning sets a brightness that the kernel applies to each picture.
With the brightness 0, which is set here, the kernel sends every picture as it is: the bytes are
already the result of this program's colour curve (`led_curve.py`).
"""

import asyncio
import errno
import os
from pathlib import Path
from typing import Final

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import say, system_says
from pi_table.common.light_layout import LightLayout, read_layout
from pi_table.devices.hal import pi_board
from pi_table.devices.hal.strip_lights import StripLights

AS_IT_IS: Final = b"\0"


class PioStrip:
    def __init__(self, device: str, layout: LightLayout) -> None:
        """Test the device by making all lights dark. Raises DeviceError if the device fails."""
        self._device = device
        self._light_count = layout.light_count
        # The device sends its second byte first, then its first, then its third.
        second, first, third = ("RGB".index(colour) for colour in layout.order)
        self._bytes = (first, second, third)
        self._write(AS_IT_IS)
        self.put((0,) * layout.light_count)

    def put(self, pulses: tuple[int, ...]) -> None:
        lights = (pulse.to_bytes(3, "big") for pulse in pulses)
        self._write(b"".join(bytes([*(light[at] for at in self._bytes), 0]) for light in lights))

    def close(self) -> None:
        """Do nothing: the file is closed after each frame."""

    def _write(self, data: bytes) -> None:
        try:
            file = os.open(self._device, os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(file, data)
            finally:
                os.close(file)
        except OSError as error:
            raise DeviceError(self._why(error)) from None

    def _why(self, error: OSError) -> str:
        if error.errno in (errno.EFBIG, errno.ENOSPC):
            return say(
                "{device} has fewer lights than the table: write num_leds={led_count} behind "
                "dtoverlay=ws2812-pio in config.txt, and restart the machine.",
                device=self._device,
                led_count=self._light_count,
            )
        if error.errno == errno.ENOENT:
            (line,) = pi_board.BOARDS[-1].lines_for(pi_board.PIO_DRIVER, self._light_count)
            return say(
                "There are no lights at {device}. Write {line} into config.txt, and restart the "
                "machine; or give their name as device in [lights] of the configuration. If the "
                "line is there, `pi-table doctor` says what else it may be.",
                device=self._device,
                line=line,
            )
        return say(
            "The lights at {device} cannot be written to: {strerror}. Add this user to the group "
            "of that device.",
            device=self._device,
            strerror=system_says(error),
        )


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> StripLights:
    """Open the device of [lights]. Raises InputError for a layout with an error, and DeviceError if
    the machine has no such device, or its kernel is too old."""
    layout = read_layout(config.lights.layout)
    device = config.lights.device
    model = pi_board.model(Path("/"))
    refusal = pi_board.refusal(pi_board.PIO_DRIVER, model)
    if refusal is not None and not os.path.exists(device):
        raise DeviceError(refusal)
    if refusal is None:
        refusal = pi_board.old_kernel(os.uname().release)
        if refusal is not None:
            raise DeviceError(refusal)
    return StripLights(PioStrip(device, layout), config.lights.max_milliamps, layout)
