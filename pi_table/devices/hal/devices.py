"""The devices of this machine that the table's services open: one table.

Each line of it stands in three more places, which cannot read Python: who may open the device in
`systemd/70-pi-table.rules`, which service is let near it in that service's unit, and what people
read in `hardware/BOARDS.md` and `systemd/README.md`. Tests hold all of them together.
"""

from typing import Final, NamedTuple

ENGINE: Final = "pi-table-engine"
CONSOLE: Final = "pi-table-console"
SETTINGS: Final = "pi-table-settings"
OURS: Final = "pi-table-devices"
"""The group of what the engine alone opens."""
SCREEN: Final = "pi-table-screen"
"""The group of what the console opens."""


class Device(NamedTuple):
    """A kind of device, and who opens it."""

    node: str
    """Its path, with ``*`` for what differs."""
    drivers: tuple[str, ...]
    """The drivers that open it, by their names in the configuration."""
    services: tuple[str, ...]
    group: str
    allow: str
    """What `DeviceAllow` of these services calls it. By number where the kernel has one that is
    fixed: systemd looks a name up once, when the service starts, and a driver may come later. With
    a name that is not there yet the engine ends, and is started anew."""
    rule: str | None = None
    """By what udev knows it; None where the system itself gives it to its group."""


_PORT: Final = 'SUBSYSTEM=="tty", SYMLINK+="pi-table-controller"'
DEVICES: Final = (
    Device("/dev/ttyUSB*", ("controller",), (ENGINE,), OURS, "char-188", _PORT),
    Device("/dev/ttyACM*", ("controller",), (ENGINE,), OURS, "char-166", _PORT),
    Device(
        *("/dev/spidev0.0", ("rpi-ws281x",), (ENGINE,), OURS, "char-153"),
        'SUBSYSTEM=="spidev", KERNEL=="spidev0.0"',
    ),
    Device(
        *("/dev/gpiomem", ("rpi-ws281x",), (ENGINE,), OURS, "/dev/gpiomem"),
        'KERNEL=="gpiomem"',
    ),
    Device("/dev/leds0", ("ws2812-pio",), (ENGINE,), OURS, "/dev/leds0", 'KERNEL=="leds0"'),
    Device("/dev/snd/*", ("alsa",), (ENGINE,), "audio", "char-116"),
    Device(
        *("/dev/gpiochip*", ("gpiozero",), (ENGINE, CONSOLE), SCREEN, "char-gpiochip"),
        'SUBSYSTEM=="gpio", KERNEL=="gpiochip*"',
    ),
    Device("/dev/dri/card*", (), (CONSOLE,), "video", "char-226"),
    Device("/dev/dri/renderD*", (), (CONSOLE,), "render", "char-226"),
    Device(
        *("/dev/input/event*", (), (CONSOLE,), SCREEN, "char-13"),
        'SUBSYSTEM=="input", KERNEL=="event*", '
        'ENV{ID_INPUT_TOUCHSCREEN}=="1", ENV{ID_INPUT_KEYBOARD}!="1"',
    ),
    Device("/dev/rfkill", (), (SETTINGS,), "root", "/dev/char/10:242"),
)
"""Every device that a service opens."""


def opened_by(driver: str) -> tuple[Device, ...]:
    """The devices that the driver of this name opens."""
    return tuple(device for device in DEVICES if driver in device.drivers)
