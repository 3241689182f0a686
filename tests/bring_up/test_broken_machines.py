"""The doctor on machines that are broken in one way each, recorded as their files.

Each is a good Raspberry Pi with a few files changed. The doctor runs as far as the disk: what comes
after that needs the devices themselves.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from said import BROKEN, LOOK, OK, assert_says

from pi_table.maintenance.bring_up.doctor import examine
from pi_table.maintenance.bring_up.findings import Finding, Verdict

OLD_BOOT_LOADER, RECENT_BOOT_LOADER = 1727096576, 1746704000
CARD = "24 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw"
OVERLAY = (
    "25 1 0:23 / /media/root-rw rw,relatime - tmpfs tmpfs-root rw\n"
    "24 1 0:24 / / rw,relatime - overlay overlayroot "
    "rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/root-rw/work"
)
STATE = "40 24 179:7 / /var/lib/pi-table rw,nosuid shared:9 - {} {} {}"
AMPLIFIER = '[sound]\ndriver = "alsa"\ndevice = "plughw:CARD=MAX98357A"\n'
MINE: set[str] = {"config", "power", "temperature", "board", "config.txt", "pins", "disk"}
"""Findings that are read from files alone, on each machine."""


class Machine:
    """A file system, as far as the doctor looks at it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("proc/self/mountinfo", CARD)
        self.write("sys/class/thermal/thermal_zone0/temp", "48312\n")
        self.write("sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
        self.write("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
        self.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
        (root / "var/lib/pi-table").mkdir(parents=True)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def number(self, name: str, number: int) -> None:
        """Write a number as the device tree has it."""
        path = self.root / "proc/device-tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(number.to_bytes(4, "big"))

    def append(self, name: str, text: str) -> None:
        self.write(name, (self.root / name).read_text("utf-8") + text)

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text("utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def line(self, line: str) -> None:
        """Append a line to config.txt."""
        self.append("boot/firmware/config.txt", f"{line}\n")

    def configure(self, old: str, new: str) -> None:
        self.replace("etc/pi-table/table.toml", old, new)

    def mount(self, *lines: str) -> None:
        self.write("proc/self/mountinfo", "\n".join(lines) + "\n")

    def doctor(self) -> dict[str, Finding]:
        """Return the doctor's findings, up to the disk."""
        found: dict[str, Finding] = {}
        for finding in examine(self.root / "etc/pi-table/table.toml", False, self.root):
            found[finding.what] = finding
            if finding.what == "disk":
                break
        return found


def table(lights: str) -> str:
    return (
        '[touch]\ndriver = "controller"\n'
        f'[lights]\ndriver = "{lights}"\n'
        '[console]\ninputs = "gpiozero"\n'
        '[panel]\ndriver = "gpiozero"\n'
    )


def good_pi_4(root: Path) -> Machine:
    """A Pi 4 with its strip at SPI, a knob, a button and a lamp."""
    machine = Machine(root)
    machine.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    machine.number("system/linux,revision", 0xC03114)
    machine.write("etc/pi-table/table.toml", table("rpi-ws281x"))
    machine.write(
        "boot/firmware/config.txt",
        "dtparam=audio=on\ncamera_auto_detect=1\ndisplay_auto_detect=1\nauto_initramfs=1\n"
        "dtoverlay=vc4-kms-v3d\nmax_framebuffers=2\ndisable_fw_kms_setup=1\narm_64bit=1\n"
        "disable_overscan=1\narm_boost=1\n[cm4]\notg_mode=1\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"
        "[all]\ndtparam=spi=on\ncore_freq=500\ncore_freq_min=500\n",
    )
    machine.write("sys/module/spidev/parameters/bufsiz", "4096\n")
    for device in ("dev/spidev0.0", "dev/gpiomem"):
        machine.write(device, "")
    return machine


def good_pi_5(root: Path) -> Machine:
    """A Pi 5 with its strip at the kernel's driver, a knob, a button and a lamp."""
    machine = Machine(root)
    machine.write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    machine.number("system/linux,revision", 0xC04170)
    machine.number("chosen/bootloader/build-timestamp", RECENT_BOOT_LOADER)
    machine.write("etc/pi-table/table.toml", table("ws2812-pio"))
    machine.write(
        "boot/firmware/config.txt",
        "dtparam=audio=on\ndtoverlay=vc4-kms-v3d\n[cm5]\ndtoverlay=dwc2,dr_mode=host\n"
        "[all]\nenable_uart=1\ndtoverlay=ws2812-pio,gpio=10,num_leds=104\n",
    )
    machine.write("dev/leds0", "")
    return machine


@pytest.fixture(autouse=True)
def no_vcgencmd(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for the table's own user, who may not ask it."""
    monkeypatch.setenv("PATH", "/nowhere")


@pytest.mark.parametrize(
    ("make", "more"), [(good_pi_4, set[str]()), (good_pi_5, {"boot loader"})], ids=["4", "5"]
)
def test_a_good_machine_is_found_good(
    tmp_path: Path, make: Callable[[Path], Machine], more: set[str]
) -> None:
    machine = make(tmp_path)
    found = machine.doctor()
    assert {what: found[what].verdict for what in MINE | more} == dict.fromkeys(MINE | more, OK)
    machine.configure("[panel]", f"{AMPLIFIER}[panel]")
    machine.line("dtoverlay=max98357a")
    machine.mount(OVERLAY, STATE.format("ext4", "/dev/mmcblk0p7", "rw"))
    found = machine.doctor()
    assert {found[what].verdict for what in MINE | more} == {OK}


Break = Callable[[Machine], object]


def line(text: str) -> Break:
    return lambda pi: pi.line(text)


def config_txt(old: str, new: str) -> Break:
    return lambda pi: pi.replace("boot/firmware/config.txt", old, new)


def configuration(old: str, new: str) -> Break:
    return lambda pi: pi.configure(old, new)


def file(name: str, text: str) -> Break:
    return lambda pi: pi.write(name, text)


def one_wire_at_the_amplifier(pi: Machine) -> None:
    pi.configure("[panel]", f"{AMPLIFIER}[panel]")
    pi.line("dtoverlay=max98357a")
    pi.line("dtoverlay=w1-gpio")


VOLTAGE = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
BROKEN_4: list[tuple[Break, str, Verdict, str]] = [
    (file(VOLTAGE, "1\n"), "power", BROKEN, "At this moment: the voltage is too low."),
    (file("sys/class/thermal/thermal_zone0/temp", "83100\n"), "temperature", LOOK, "83 °C."),
    (lambda pi: pi.mount(OVERLAY), "disk", LOOK, "stays in memory: a power cut loses all games"),
    (
        configuration("[panel]\n", "[panel]\nstatus_led = 17\n"),
        *("pins", BROKEN, "GPIO17 is taken by encoder_a of [console] and status_led of [panel]."),
    ),
    (
        configuration("[panel]\n", "[panel]\nswitch_off = 10\n"),
        *("pins", BROKEN, "GPIO10 is taken by the lights and switch_off of [panel]."),
    ),
    (
        configuration("[panel]", f"back = 21\n{AMPLIFIER}[panel]"),
        *("pins", BROKEN, "GPIO21 is taken by back of [console] and the amplifier."),
    ),
    (
        line("dtoverlay=gpio-fan,gpiopin=24"),
        *("pins", BROKEN, "GPIO24 is taken by peek of [console] and the line dtoverlay=gpio-fan"),
    ),
    (
        line("dtoverlay=ads7846,penirq=5"),
        *("pins", BROKEN, "GPIO10 is taken by the lights and the line dtoverlay=ads7846"),
    ),
    (
        line("dtoverlay=uart4"),
        *("pins", BROKEN, "GPIO8 is taken by the lights and the line dtoverlay=uart4"),
    ),
    (
        config_txt("dtparam=spi=on", "dtparam=spi=off"),
        *("config.txt", BROKEN, "lacks dtparam=spi=on."),
    ),
    (line("core_freq=550"), "config.txt", BROKEN, "lacks core_freq=500."),
    (
        config_txt("[all]", "[pi3]"),
        *("config.txt", BROKEN, "lacks dtparam=spi=on and core_freq=500 and core_freq_min=500."),
    ),
    (
        lambda pi: pi.number("system/linux,revision", 0xC03116),
        *("board", BROKEN, "does not know this board's revision, c03116"),
    ),
    (configuration("[panel]", "[pannel]"), "config", BROKEN, "did you mean 'panel'?"),
]
BROKEN_5: list[tuple[Break, str, Verdict, str]] = [
    (
        lambda pi: pi.number("chosen/bootloader/build-timestamp", OLD_BOOT_LOADER),
        *("boot loader", BROKEN, "It is from 2024-09-23."),
    ),
    (
        config_txt("gpio=10", "gpio=18"),
        *("config.txt", BROKEN, "lacks dtoverlay=ws2812-pio,gpio=10,num_leds=104."),
    ),
    (
        config_txt("num_leds=104", "num_leds=100"),
        *("config.txt", BROKEN, "lacks dtoverlay=ws2812-pio,gpio=10,num_leds=104."),
    ),
    (
        one_wire_at_the_amplifier,
        *("pins", BROKEN, "GPIO4 is taken by the amplifier and the line dtoverlay=w1-gpio"),
    ),
]
"""Faults, and the doctor's findings about them. The other modules here have each finding's own
rows."""


@pytest.mark.parametrize(
    ("make", "break_it", "what", "verdict", "says"),
    [
        pytest.param(make, *case, id=f"{number}-{case[1]}-{case[3]}")
        for number, make, cases in ((4, good_pi_4, BROKEN_4), (5, good_pi_5, BROKEN_5))
        for case in cases
    ],
)
def test_a_broken_machine_is_told_with_what_to_do(
    tmp_path: Path,
    make: Callable[[Path], Machine],
    break_it: Break,
    what: str,
    verdict: Verdict,
    says: str,
) -> None:
    machine = make(tmp_path)
    break_it(machine)
    found = machine.doctor()[what]
    assert_says(found, verdict, says)
    assert found.do or what == "board", "what to do is in the sentence on the board only"
