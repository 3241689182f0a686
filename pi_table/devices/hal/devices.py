"""One list of the devices on this machine that the table's services open.

Three places that cannot read Python repeat these facts: permissions in `systemd/70-pi-table.rules`,
allowed devices in each service's unit, and explanations in `hardware/BOARDS.md` and
`systemd/README.md`. Tests compare all of them with this list.
"""

from typing import Final, NamedTuple

ENGINE: Final = "pi-table-engine"
CONSOLE: Final = "pi-table-console"
CONTROLLER: Final = "pi-table-controller"
SETTINGS: Final = "pi-table-settings"
OURS: Final = "pi-table-devices"
"""User group for the devices that only the engine and the Pi's own controller process open."""
SCREEN: Final = "pi-table-screen"
"""User group for the devices that the console opens."""


class Device(NamedTuple):
    """A kind of device, and the names of the services that open it."""

    node: str
    """Path of the device file. ``*`` stands for the part that varies."""
    drivers: tuple[str, ...]
    """Names of the drivers that open the device, as in the configuration."""
    services: tuple[str, ...]
    group: str
    allow: str
    """Name or number of this kind of device in systemd's setting `DeviceAllow`, in the units of the
    services.

    A number is used where the kernel has a fixed major number for this kind. systemd looks a name
    up only when the service starts. If the kernel's driver has not appeared by then, the engine
    exits and is restarted until the name exists.
    """
    rule: str | None = None
    """The udev rule for the device; None if the system already assigns the device's group."""


_PORT: Final = 'SUBSYSTEM=="tty", SYMLINK+="pi-table-controller"'
DEVICES: Final = (
    Device("/dev/ttyUSB*", ("controller",), (ENGINE,), OURS, "char-188", _PORT),
    Device("/dev/ttyACM*", ("controller",), (ENGINE,), OURS, "char-166", _PORT),
    Device(
        *("/dev/i2c-1", (), (CONTROLLER,), OURS, "char-89"),
        'SUBSYSTEM=="i2c-dev", KERNEL=="i2c-1"',
    ),
    Device(
        *("/dev/spidev0.0", ("rpi-ws281x",), (ENGINE, CONTROLLER), OURS, "char-153"),
        'SUBSYSTEM=="spidev", KERNEL=="spidev0.0"',
    ),
    Device(
        *("/dev/gpiomem", ("rpi-ws281x",), (ENGINE,), OURS, "/dev/gpiomem"), 'KERNEL=="gpiomem"'
    ),
    Device(
        *("/dev/leds0", ("ws2812-pio",), (ENGINE, CONTROLLER), OURS, "/dev/leds0"),
        'KERNEL=="leds0"',
    ),
    Device("/dev/snd/*", ("alsa",), (ENGINE,), "audio", "char-116"),
    Device(
        *("/dev/gpiochip*", ("gpiozero",), (ENGINE, CONSOLE, CONTROLLER), SCREEN, "char-gpiochip"),
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


def devices_of_driver(driver: str) -> tuple[Device, ...]:
    return tuple(device for device in DEVICES if driver in device.drivers)
