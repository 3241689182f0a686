"""The driver of a light strip at the Pi's SPI, through the library rpi-ws281x.

The library drives a strip by PWM, PCM or SPI. By SPI it needs no root and no /dev/mem, only
/dev/spidev0.0, and /dev/gpiomem to set the pin. The library sends each bit of a colour as three
bits, at three times the speed.

The library supports boards up to the Pi 4. On other boards its `begin()` raises an error and leaves
behind an object that crashes the interpreter at exit. So the board is checked before the library is
imported. For the same reason the library's C functions are used directly. The library's Python
class would, at exit, clean up an object that was never created.

The C functions hold the interpreter lock while they run. A frame takes 4.2 ms on the line, and the
library waits up to 3.4 ms before the next frame. So the rendering function is called through
ctypes, which releases the lock, and the table's event loop keeps running.
"""

import asyncio
import ctypes
import errno
import os
from pathlib import Path
from typing import Any, Final

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import say, system_says
from pi_table.common.light_layout import LightLayout, read_layout
from pi_table.devices.hal import pi_board
from pi_table.devices.hal.strip_lights import StripLights

BIT_RATE: Final = 800_000
"""Bits per second of a WS2812 LED."""


class SpiStrip:
    def __init__(self, layout: LightLayout) -> None:
        _check_device(pi_board.SPI_DEVICE, say("Write dtparam=spi=on into config.txt"))
        _check_device(pi_board.PINS_DEVICE, say("Use the kernel of Raspberry Pi OS, which has it"))
        small = pi_board.small_buffer(pi_board.spi_buffer(), pi_board.spi_bytes(layout.light_count))
        if small is not None:
            raise DeviceError(small)
        self._ws = ws = _library()
        self._render = ctypes.CDLL(ws.__file__).ws2811_render
        self._render.argtypes = (ctypes.c_void_p,)
        self._state = ws.new_ws2811_t()
        self._channel = ws.ws2811_channel_get(self._state, 0)
        ws.ws2811_channel_t_count_set(self._channel, layout.light_count)
        ws.ws2811_channel_t_gpionum_set(self._channel, pi_board.DATA_PIN)
        ws.ws2811_channel_t_invert_set(self._channel, 0)
        ws.ws2811_channel_t_brightness_set(self._channel, 255)
        order = getattr(ws, f"WS2811_STRIP_{layout.order}")
        ws.ws2811_channel_t_strip_type_set(self._channel, order)
        ws.ws2811_t_freq_set(self._state, BIT_RATE)
        answer = ws.ws2811_init(self._state)
        if answer:  # no cleanup here: it would crash the interpreter
            raise DeviceError(
                say(
                    "The library rpi-ws281x does not work on this {model} "
                    "({ws2811_get_return_t_str}): set [lights] driver = 'controller'.",
                    model=pi_board.model(),
                    ws2811_get_return_t_str=ws.ws2811_get_return_t_str(answer),
                )
            )

    def put(self, pulses: tuple[int, ...]) -> None:
        for light, pulse in enumerate(pulses):
            self._ws.ws2811_led_set(self._channel, light, pulse)
        answer = self._render(int(self._state))
        if answer:
            raise DeviceError(
                say(
                    "The lights at {spi_device} do not take a frame ({ws2811_get_return_t_str}). "
                    "Restart the machine.",
                    spi_device=pi_board.SPI_DEVICE,
                    ws2811_get_return_t_str=self._ws.ws2811_get_return_t_str(answer),
                )
            )

    def close(self) -> None:
        self._ws.ws2811_fini(self._state)
        self._ws.delete_ws2811_t(self._state)


def _check_device(device: str, if_missing: str) -> None:
    """Raise DeviceError if the device cannot be opened. Unlike the library's error, it names the
    device and the reason."""
    try:
        os.close(os.open(device, os.O_RDWR | os.O_CLOEXEC))
    except FileNotFoundError:
        raise DeviceError(
            say(
                "There is no {device}, which the lights need. {if_missing}, and restart the "
                "machine; `pi-table doctor` says what else is missing.",
                device=device,
                if_missing=if_missing,
            )
        ) from None
    except OSError as error:
        advice = say("Add this user to the group of {device}.", device=device)
        if error.errno == errno.EPERM:  # systemd denies the device to this unit
            advice = say("Allow it in the service, with DeviceAllow={device} rw.", device=device)
        raise DeviceError(
            say(
                "{device}, which the lights need, cannot be opened: {strerror}. {advice}",
                device=device,
                strerror=system_says(error),
                advice=advice,
            )
        ) from None


def _library() -> Any:
    try:
        from rpi_ws281x import ws
    except ImportError as error:
        raise DeviceError(
            say(
                "[lights] driver names 'rpi-ws281x', which needs the Python package rpi-ws281x, "
                "and that is not installed ({error}). Install it, or name another.",
                error=error,
            )
        ) from error
    return ws


def open_driver(config: Config, loop: asyncio.AbstractEventLoop) -> StripLights:
    """Open the strip at this Pi's SPI. Raises InputError for a layout with an error, and
    DeviceError if the board is not suitable or the strip fails."""
    layout = read_layout(config.lights.layout)
    refusal = pi_board.refusal(pi_board.SPI_DRIVER, pi_board.model(Path("/")))
    if refusal is not None:
        raise DeviceError(refusal)
    return StripLights(SpiStrip(layout), config.lights.max_milliamps, layout)
