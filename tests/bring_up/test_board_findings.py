"""The doctor's findings about a Raspberry Pi and the lights connected to it."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from needs_root import needs_root
from said import BROKEN, LOOK, NOT_HERE, OK, assert_says

from pi_table.common.config import load
from pi_table.common.geometry import PLACES
from pi_table.maintenance.bring_up.board_findings import board, config_txt
from pi_table.maintenance.bring_up.config_txt import ConfigTxt
from pi_table.maintenance.bring_up.findings import Finding, Verdict

PI_4, PI_5 = "Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5 Model B Rev 1.0"
OF_PI_4 = "dtoverlay=vc4-kms-v3d\n[all]\ndtparam=spi=on\ncore_freq=500\ncore_freq_min=500\n"
OF_PI_5 = "dtoverlay=vc4-kms-v3d\ndtoverlay=ws2812-pio,gpio=10,num_leds=104\n"
NEW = "6.12.62+rpt-rpi-2712"


def lay(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def pi(root: Path, model: str, config_txt: str, *devices: str) -> None:
    """The file system of such a board."""
    lay(root, {"proc/device-tree/model": f"{model}\0", "boot/firmware/config.txt": config_txt})
    lay(root, {"sys/module/spidev/parameters/bufsiz": "4096\n"})
    lay(root, dict.fromkeys(devices, ""))


def of(root: Path, lights: str, **changes: dict[str, Any]) -> dict[str, Finding]:
    config = load(changes={"lights": {"driver": lights}, **changes})
    found = [*board(config, root)]
    assert all(finding.says.endswith(".") for finding in found)
    return {finding.what: finding for finding in found}


@pytest.fixture(autouse=True)
def new_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    told = os.uname_result(("Linux", "table", NEW, "#1", "aarch64"))
    monkeypatch.setattr(os, "uname", lambda: told)


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here hangs on what is installed."""
    monkeypatch.setattr(
        "pi_table.maintenance.bring_up.board_findings.util.find_spec", lambda name: name
    )


def test_a_pi_4_that_is_well(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4, "dev/spidev0.0", "dev/gpiomem")
    found = of(tmp_path, "rpi-ws281x")
    assert {finding.verdict for finding in found.values()} == {OK}
    assert PI_4 in found["board"].says


def test_a_pi_5_that_is_well(tmp_path: Path) -> None:
    pi(tmp_path, PI_5, OF_PI_5, "dev/leds0")
    found = of(tmp_path, "ws2812-pio")
    assert {finding.verdict for finding in found.values()} == {OK}
    assert found["pins"].says == "No two parts use the same pin: GPIO10."


def test_a_pi_whose_lights_the_controller_drives_needs_little(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, "dtoverlay=vc4-kms-v3d\n")
    found = of(tmp_path, "controller")
    assert found["board"].verdict is OK
    assert found["config.txt"].verdict is OK
    assert found["light device"].verdict is NOT_HERE


@pytest.mark.parametrize(
    ("model", "driver", "others"),
    [
        (PI_5, "rpi-ws281x", "'ws2812-pio' or 'controller'"),
        (PI_4, "ws2812-pio", "'rpi-ws281x' or 'controller'"),
        ("Raspberry Pi 2 Model B Rev 1.1", "rpi-ws281x", "'controller'"),
        ("", "rpi-ws281x", "'controller', or 'simulated'"),
    ],
)
def test_a_driver_that_does_not_suit_the_board_is_told_with_those_that_do(
    tmp_path: Path, model: str, driver: str, others: str
) -> None:
    pi(tmp_path, model, "")
    assert_says(of(tmp_path, driver)["board"], BROKEN, others)


def test_a_board_that_nobody_has_tried_is_told(tmp_path: Path) -> None:
    pi(tmp_path, "Raspberry Pi 2 Model B Rev 1.1", "")
    found = of(tmp_path, "controller")
    assert found["board"].verdict is LOOK
    assert found["config.txt"].verdict is NOT_HERE


def test_the_lines_that_are_missing_are_told(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, "#dtparam=spi=on\n[pi5]\ncore_freq=500\n[all]\ncore_freq_min=500\n")
    sound = {"driver": "alsa", "device": "plughw:CARD=MAX98357A"}
    found = of(tmp_path, "rpi-ws281x", sound=sound)["config.txt"]
    assert found.verdict is BROKEN
    missing = ["dtoverlay=vc4-kms-v3d", "dtparam=spi=on", "core_freq=500", "dtoverlay=max98357a"]
    assert found.figures == {"missing": missing}
    assert all(line in found.says for line in missing)


def test_the_older_place_of_config_txt_is_known_too_and_none_is_told(tmp_path: Path) -> None:
    pi(tmp_path, PI_5, OF_PI_5)
    (tmp_path / "boot/firmware/config.txt").rename(tmp_path / "boot/config.txt")
    assert of(tmp_path, "ws2812-pio")["config.txt"].verdict is OK
    (tmp_path / "boot/config.txt").unlink()
    assert of(tmp_path, "ws2812-pio")["config.txt"].verdict is LOOK


def test_a_device_that_the_engine_may_not_open_is_told_to_root_too(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4, "dev/spidev0.0", "dev/gpiomem")
    lay(tmp_path, {"etc/group": f"pi-table-devices:x:{os.getgid()}:pi-table\n"})
    assert of(tmp_path, "rpi-ws281x")["light device"].verdict is OK
    lay(tmp_path, {"etc/group": f"pi-table-devices:x:{os.getgid() + 1}:pi-table\n"})
    found = of(tmp_path, "rpi-ws281x")["light device"]
    assert_says(found, BROKEN, "/dev/gpiomem does not belong to the group pi-table-devices")


def test_devices_that_are_missing_are_told(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4, "dev/gpiomem")
    found = of(tmp_path, "rpi-ws281x")["light device"]
    assert_says(found, BROKEN, "There is no /dev/spidev0.0")
    assert "gpiomem" not in found.says


def test_a_string_of_another_layout_needs_the_line_for_its_own_number(tmp_path: Path) -> None:
    pi(tmp_path, PI_5, OF_PI_5, "dev/leds0")
    lights = {"driver": "ws2812-pio", "layout": "string-100"}
    found = {f.what: f for f in board(load(changes={"lights": lights}), tmp_path)}
    assert_says(found["config.txt"], BROKEN, "num_leds=50")
    pi(tmp_path, PI_5, OF_PI_5.replace("104", "50"), "dev/leds0")
    found = {f.what: f for f in board(load(changes={"lights": lights}), tmp_path)}
    assert {finding.verdict for finding in found.values()} == {OK}


def test_a_long_string_needs_a_larger_buffer(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4, "dev/spidev0.0", "dev/gpiomem")
    lay(tmp_path, {"sys/module/spidev/parameters/bufsiz": "2048\n"})
    long = tmp_path / "long.txt"
    long.write_text("\n".join((*PLACES, *["-"] * 200)))
    for layout, verdict in (("tiles", OK), (str(long), BROKEN)):
        lights = {"driver": "rpi-ws281x", "layout": layout}
        found = {f.what: f for f in board(load(changes={"lights": lights}), tmp_path)}
        assert found["light device"].verdict is verdict


def test_a_layout_with_an_error_is_told(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4, "dev/spidev0.0", "dev/gpiomem")
    mine = tmp_path / "mine.txt"
    mine.write_text("A1 middle\n")
    lights = {"driver": "rpi-ws281x", "layout": str(mine)}
    found = {f.what: f for f in board(load(changes={"lights": lights}), tmp_path)}
    assert_says(found["light device"], BROKEN, "line 1: 'middle' is no part of A1")


def test_a_buffer_that_is_too_small_is_told(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4, "dev/spidev0.0", "dev/gpiomem")
    lay(tmp_path, {"sys/module/spidev/parameters/bufsiz": "1024\n"})
    assert_says(of(tmp_path, "rpi-ws281x")["light device"], BROKEN, "append spidev.bufsiz=4096")


def test_a_library_that_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pi(tmp_path, PI_4, OF_PI_4, "dev/spidev0.0", "dev/gpiomem")
    monkeypatch.setattr(
        "pi_table.maintenance.bring_up.board_findings.util.find_spec", lambda name: None
    )
    assert "rpi-ws281x is not installed" in of(tmp_path, "rpi-ws281x")["light device"].says


def test_a_kernel_that_is_too_old_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pi(tmp_path, PI_5, OF_PI_5, "dev/leds0")
    told = os.uname_result(("Linux", "table", "6.6.74+rpt-rpi-2712", "#1", "aarch64"))
    monkeypatch.setattr(os, "uname", lambda: told)
    assert_says(of(tmp_path, "ws2812-pio")["light device"], BROKEN, "6.6.74")


def test_a_device_of_another_name_is_the_one_that_is_looked_at(tmp_path: Path) -> None:
    pi(tmp_path, PI_5, OF_PI_5, "dev/strip")
    lights = {"driver": "ws2812-pio", "device": "/dev/strip"}
    config = load(changes={"lights": lights})
    found = {finding.what: finding for finding in board(config, tmp_path)}
    assert found["light device"].says == "/dev/strip can be written to."


def test_two_parts_at_one_pin_are_told(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4)
    console = {"inputs": "gpiozero", "peek": 10, "back": 21}
    sound = {"driver": "alsa", "device": "plughw:CARD=MAX98357A"}
    found = of(tmp_path, "rpi-ws281x", console=console, sound=sound)["pins"]
    assert found.verdict is BROKEN
    assert "GPIO10 is taken by the lights and peek of [console]" in found.says
    assert "GPIO21 is taken by back of [console] and the amplifier" in found.says
    pi(tmp_path, PI_4, "")
    assert of(tmp_path, "controller", console=console)["pins"].verdict is OK


PANEL = {"panel": {"driver": "gpiozero"}}
KNOB = {"console": {"inputs": "gpiozero"}}
AMPLIFIER = {"sound": {"driver": "alsa", "device": "plughw:CARD=MAX98357A"}}


def test_the_pins_of_the_case_count_too(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, OF_PI_4)
    assert of(tmp_path, "rpi-ws281x", **PANEL)["pins"].says.startswith(
        "No two parts use the same pin: GPIO3, GPIO7,"
    )
    panel = {"driver": "gpiozero", "status_led": 17}
    found = of(tmp_path, "rpi-ws281x", panel=panel, **KNOB)["pins"]
    assert found.verdict is BROKEN
    assert found.says == "GPIO17 is taken by encoder_a of [console] and status_led of [panel]."


def test_pins_of_another_chip_are_other_pins(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, f"{OF_PI_4}dtparam=i2c_arm=on\n")
    panel = {"driver": "gpiozero", "status_led": 10}
    found = of(tmp_path, "rpi-ws281x", panel=panel, gpio={"chip": "gpiochip2"})["pins"]
    assert_says(found, OK, "GPIO3 (gpiochip2), GPIO10 (gpiochip2).")
    panel["status_led"] = 3
    found = of(tmp_path, "rpi-ws281x", panel=panel, gpio={"chip": "gpiochip2"})["pins"]
    assert found.says == (
        "GPIO3 (gpiochip2) is taken by status_led of [panel] and switch_off of [panel]."
    )
    found = of(tmp_path, "rpi-ws281x", **PANEL, gpio={"chip": "gpiochip0"})["pins"]
    assert "GPIO3 is taken by switch_off of [panel] and the line" in found.says


@pytest.mark.parametrize(
    ("model", "parts", "line", "says"),
    [
        (PI_4, PANEL, "dtparam=i2c_arm=on", "GPIO3 is taken by switch_off of [panel] and"),
        (PI_4, PANEL, "dtparam=i2c", "GPIO3"),
        (PI_4, PANEL, "dtparam=spi=on,i2c1=on", "GPIO3"),
        (PI_5, PANEL, "dtoverlay=i2c-rtc,ds3231", "GPIO3"),
        (PI_4, PANEL, "dtoverlay=gpio-shutdown", "GPIO3"),
        (PI_4, PANEL, "dtoverlay=gpio-led,gpio=25", "GPIO25 is taken by status_led of [panel] and"),
        (PI_4, PANEL, "dtoverlay=gpio-shutdown,gpio_pin=25", "GPIO25"),
        (PI_4, KNOB, "dtoverlay=i2c6", "GPIO22 is taken by press of [console] and"),
        (PI_4, KNOB, "dtoverlay=i2c-gpio,i2c_gpio_sda=5", "GPIO24 is taken by peek of [console]"),
        (PI_4, KNOB, "dtoverlay=spi1-2cs", "GPIO17 is taken by encoder_a of [console] and"),
        (PI_5, KNOB, "dtoverlay=rotary-encoder", "GPIO17"),
        (PI_5, {}, "dtparam=spi=on", "GPIO10 is taken by the lights and the line"),
        (PI_5, {}, "dtoverlay=ads7846,penirq=6", "GPIO10"),
        (PI_4, {}, "dtoverlay=mcp2515-can0", "GPIO8 is taken by the lights and the line"),
        (PI_4, AMPLIFIER, "dtoverlay=w1-gpio", "GPIO4 is taken by the amplifier and the line"),
        (PI_5, AMPLIFIER, "dtoverlay=w1-gpio-pi5", "GPIO4"),
        (PI_4, AMPLIFIER, "dtoverlay=pps-gpio", "GPIO18 is taken by the amplifier and the line"),
        (PI_4, AMPLIFIER, "dtoverlay=hifiberry-dac", "GPIO21 is taken by the amplifier and"),
        (PI_4, AMPLIFIER, "dtoverlay=uart3", "GPIO4"),
        (PI_5, AMPLIFIER, "dtoverlay=uart2", "GPIO4"),
        (PI_4, {"panel": PANEL["panel"] | {"status_led": 14}}, "enable_uart=1", "GPIO14"),
        (PI_5, {"panel": PANEL["panel"] | {"status_led": 14}}, "dtparam=uart0", "GPIO14"),
    ],
)
def test_a_line_that_takes_a_pin_of_a_part_is_told_with_both(
    tmp_path: Path, model: str, parts: dict[str, dict[str, Any]], line: str, says: str
) -> None:
    lights, lines = ("rpi-ws281x", OF_PI_4) if model is PI_4 else ("ws2812-pio", OF_PI_5)
    amplifier = "dtoverlay=max98357a\n"
    pi(tmp_path, model, f"{lines}{amplifier}")
    assert of(tmp_path, lights, **parts)["pins"].verdict is OK
    pi(tmp_path, model, f"{lines}{amplifier}{line}\n")
    found = of(tmp_path, lights, **parts)["pins"]
    assert_says(found, BROKEN, says, f"the line {line} of config.txt")
    assert f"Or remove {line} from config.txt, and restart." in found.do


@pytest.mark.parametrize(
    "line",
    [
        "dtparam=i2c_arm=off",
        "dtparam=i2c_arm=on\ndtparam=i2c_arm=off",
        "[pi3]\ndtparam=i2c_arm=on",
        "dtparam=i2c_vc=on",
        "dtoverlay=i2c-rtc,ds3231,i2c3",
        "dtoverlay=i2c-rtc,ds3231,i2c_csi_dsi",
        "dtoverlay=i2c6,pins_0_1",
        "dtoverlay=gpio-shutdown,gpio_pin=26",
        "dtoverlay=gpio-shutdown\ndtparam=gpio_pin=26",
        "dtoverlay=spi0-1cs",
        "dtparam=i2s=on",
        "dtparam=audio=on",
        "dtoverlay=gpio-fan",
        "enable_uart=1",
    ],
)
def test_a_line_that_takes_no_pin_of_a_part_is_well(tmp_path: Path, line: str) -> None:
    pi(tmp_path, PI_4, f"{OF_PI_4}dtoverlay=max98357a\n{line}\n")
    found = of(tmp_path, "rpi-ws281x", **PANEL, **KNOB, **AMPLIFIER)
    assert found["pins"].verdict is OK, found["pins"].says
    assert found["config.txt"].verdict is OK, found["config.txt"].says


@pytest.mark.parametrize(
    ("model", "line", "verdict", "says"),
    [
        (PI_4, "dtoverlay=vc4-fkms-v3d", BROKEN, "It leaves the screens to the firmware"),
        (
            PI_4,
            "dtoverlay=vc4-fkms-v3d-pi4",
            BROKEN,
            "has the line dtoverlay=vc4-fkms-v3d-pi4.",
        ),
        (PI_4, "dtoverlay=vga666", BROKEN, "does not work beside dtoverlay=vc4-kms-v3d"),
        (PI_5, "dtoverlay=ws2812-pio", LOOK, "more than one line dtoverlay=ws2812-pio."),
    ],
)
def test_a_line_that_does_harm_is_told_with_what_to_do(
    tmp_path: Path, model: str, line: str, verdict: Verdict, says: str
) -> None:
    lights, lines = ("rpi-ws281x", OF_PI_4) if model is PI_4 else ("ws2812-pio", OF_PI_5)
    pi(tmp_path, model, f"{line}\n{lines}")
    found = of(tmp_path, lights)["config.txt"]
    assert_says(found, verdict, says, "/boot/firmware/config.txt has ")
    assert "restart" in found.do


def test_a_line_that_is_missing_and_one_that_does_harm_are_both_told(tmp_path: Path) -> None:
    pi(tmp_path, PI_4, "dtoverlay=vc4-fkms-v3d\n")
    found = of(tmp_path, "controller")["config.txt"]
    assert "lacks dtoverlay=vc4-kms-v3d. /boot/firmware/config.txt has the line dto" in found.says
    assert found.figures == {
        "missing": ["dtoverlay=vc4-kms-v3d"],
        "harmful": ["dtoverlay=vc4-fkms-v3d"],
    }


def built(root: Path, stamp: int) -> None:
    path = root / "proc/device-tree/chosen/bootloader/build-timestamp"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(stamp.to_bytes(4, "big"))


OLD, FIRST, RECENT = 1727096576, 1733011200, 1746704000
"""23 September and 1 December 2024, and 8 May 2025."""


def test_an_old_boot_loader_of_a_pi_5_is_told_with_its_date(tmp_path: Path) -> None:
    pi(tmp_path, PI_5, OF_PI_5)
    built(tmp_path, OLD)
    found = of(tmp_path, "ws2812-pio")["boot loader"]
    assert_says(found, BROKEN, "It is from 2024-09-23.")
    assert "sudo rpi-eeprom-update -a" in found.do
    assert "boot loader" not in of(tmp_path, "controller")
    built(tmp_path, FIRST)
    assert of(tmp_path, "ws2812-pio")["boot loader"].verdict is LOOK
    built(tmp_path, FIRST - 1)
    assert of(tmp_path, "ws2812-pio")["boot loader"].verdict is BROKEN


def test_lights_that_are_missing_have_their_causes_named_in_the_order_to_try(
    tmp_path: Path,
) -> None:
    pi(tmp_path, PI_5, OF_PI_5)
    found = of(tmp_path, "ws2812-pio")["boot loader"]
    assert_says(found, LOOK, "There is no /dev/leds0, though config.txt has its line.")
    causes = ("only restart", "full-upgrade", "rpi-eeprom-update -a")
    places = [found.do.index(cause) for cause in causes]
    assert places == sorted(places)
    built(tmp_path, RECENT)
    found = of(tmp_path, "ws2812-pio")["boot loader"]
    assert_says(found, LOOK, "It is from 2025-05-08.")
    assert "rpi-eeprom-update" not in found.do


def test_a_boot_loader_is_well_where_the_lights_are_there_or_their_line_is_missing(
    tmp_path: Path,
) -> None:
    pi(tmp_path, PI_5, "dtoverlay=vc4-kms-v3d\n")
    assert of(tmp_path, "ws2812-pio")["boot loader"].verdict is OK
    pi(tmp_path, PI_5, OF_PI_5, "dev/leds0")
    assert of(tmp_path, "ws2812-pio")["boot loader"].verdict is OK


def test_a_revision_that_the_library_does_not_know_is_told(tmp_path: Path) -> None:
    pi(tmp_path, "Raspberry Pi 3 Model A Plus Rev 1.1", OF_PI_4)
    path = tmp_path / "proc/device-tree/system/linux,revision"
    path.parent.mkdir()
    path.write_bytes((0x9020E1).to_bytes(4, "big"))
    found = of(tmp_path, "rpi-ws281x")["board"]
    assert found.verdict is BROKEN
    assert "does not know this board's revision, 9020e1" in found.says
    assert "[lights] driver = 'controller'" in found.says
    found = of(tmp_path, "controller")["board"]
    assert_says(found, OK, "Lights can be driven by 'controller' here, and are")
    path.write_bytes((0x9020E0).to_bytes(4, "big"))
    assert of(tmp_path, "rpi-ws281x")["board"].verdict is OK


@needs_root("become another user")
def test_a_config_txt_that_this_user_may_not_read_is_told(tmp_path: Path) -> None:
    folder = Path("/tmp") / f"pi-table-closed-{os.getpid()}"
    config = load(changes={"lights": {"driver": "rpi-ws281x"}})
    try:
        pi(folder, PI_4, OF_PI_4)
        (folder / "boot/firmware").chmod(0o700)
        os.seteuid(65534)  # to whom our own files may be closed
        found = config_txt(PI_4, config, folder)
    finally:
        os.seteuid(0)
        shutil.rmtree(folder)
    assert_says(found, LOOK, "cannot be read: Permission denied")
    assert "as root" in found.do


@pytest.mark.parametrize(
    ("text", "line", "has"),
    [
        ("dtparam=spi=on", "dtparam=spi=on", True),
        ("  dtparam=i2c_arm=on,spi  ", "dtparam=spi=on", True),
        ("dtparam=spi=yes", "dtparam=spi=on", True),
        ("dtparam=spi=off", "dtparam=spi=on", False),
        ("dtparam=spi=on\ndtparam=spi=off", "dtparam=spi=on", False),
        ("# dtparam=spi=on", "dtparam=spi=on", False),
        ("[pi4]\ndtparam=spi=on", "dtparam=spi=on", True),
        ("[pi5]\ndtparam=spi=on", "dtparam=spi=on", False),
        ("[pi5]\n[ALL]\ndtparam=spi=on", "dtparam=spi=on", True),
        ("core_freq=500\ncore_freq=400", "core_freq=500", False),
        ("core_freq_min=500", "core_freq=500", False),
        ("dtoverlay=ws2812-pio,num_leds=104,gpio=10", "dtoverlay=ws2812-pio,gpio=10", True),
        ("dtoverlay=ws2812-pio", "dtoverlay=ws2812-pio,gpio=10", False),
        ("dtoverlay=vc4-kms-v3d,cma-512", "dtoverlay=vc4-kms-v3d", True),
        ("dtoverlay=vc4-fkms-v3d", "dtoverlay=vc4-kms-v3d", False),
        ("dtoverlay=ws2812-pio\ndtparam=gpio=10", "dtoverlay=ws2812-pio,gpio=10", True),
        (
            "dtoverlay=ws2812-pio\ndtoverlay=\ndtparam=gpio=10",
            "dtoverlay=ws2812-pio,gpio=10",
            False,
        ),
        ("dtoverlay=x,a\ndtoverlay=x,b", "dtoverlay=x,a,b", False),
        ("dtoverlay=vc4-kms-v3d-pi4", "dtoverlay=vc4-kms-v3d", True),
        ("nonsense\n=\n[", "core_freq=500", False),
    ],
)
def test_config_txt_is_read_as_the_board_reads_it(text: str, line: str, has: bool) -> None:
    assert ConfigTxt(text, ("pi4", "pi400")).has(line) is has
