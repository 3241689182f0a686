"""The table of USB devices lies beside what else is for the booted machine."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "machine"))
