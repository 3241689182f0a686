"""What the tests of the bridge share: tables in virtual time."""

import sys
from pathlib import Path

for folder in ("collector", "engine", "worlds"):
    sys.path.append(str(Path(__file__).parents[1] / folder))
