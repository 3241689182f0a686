"""The page about a television at the Pi's own socket: its device rule and its unit."""

import re
import subprocess
from pathlib import Path

import pytest
from udev_rules import Device, apply, rules

import pi_table

PAGE = (Path(next(iter(pi_table.__path__))) / "screens" / "web/KIOSK.md").read_text("utf-8")
BLOCKS = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
(RULE,) = (block for block in BLOCKS if block.startswith("SUBSYSTEM=="))
(UNIT,) = (block for block in BLOCKS if block.startswith("[Unit]"))
NAME = "pi-table-hdmi"

PI_5 = {"axi:gpu": "vc4-drm", "1002000000.v3d": "v3d", "1f00118000.dsi": "drm-rp1-dsi"}
PI_4 = {"gpu": "vc4-drm", "fec00000.v3d": "v3d"}
"""The devices that make cards, and their drivers, as users' logs have them."""


@pytest.mark.parametrize("board", [PI_5, PI_4], ids=["Pi 5", "Pi 4"])
@pytest.mark.parametrize("first", range(3))
def test_the_card_of_hdmi_has_its_name_whatever_its_number(
    board: dict[str, str], first: int
) -> None:
    named = {}
    for number, (path, driver) in enumerate(board.items()):
        parent = Device("platform", path, driver=driver)
        card = Device("drm", f"card{(first + number) % 3}", parent=parent)
        named[driver] = apply(rules(RULE), card).given
        # A connector and a renderer are no card.
        for kernel in (f"{card.kernel}-HDMI-A-1", f"renderD{128 + number}"):
            assert apply(rules(RULE), Device("drm", kernel, parent=parent)).given == {}
    assert named.pop("vc4-drm") == {"SYMLINK": NAME}
    assert not any(named.values())


def test_the_unit_opens_the_card_by_that_name() -> None:
    (given,) = re.findall(r"WLR_DRM_DEVICES=(\S+)", UNIT)
    (waits,) = re.findall(r"^ConditionPathExists=(.+)$", UNIT, re.MULTILINE)
    assert given == waits == f"/dev/{NAME}"


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "pi-table-kiosk.service"
    unit.write_text(UNIT.replace("/usr/bin/cage", "/usr/bin/true"))
    (tmp_path / "pi-table-web.service").write_text("[Service]\nExecStart=/usr/bin/true\n")
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
