"""The table of USB devices and the firmware lie beside what else is for the booted machine, and the
programs of the image in the image."""

import sys
from pathlib import Path

TREE = Path(__file__).parents[2]
sys.path.append(str(TREE / "tests/machine"))
sys.path.append(str(TREE / "systemd/image/files/usr/lib/pi-table-image"))
