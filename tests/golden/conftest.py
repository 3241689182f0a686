"""The screens are those that the console's tests bring about."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "console"))
