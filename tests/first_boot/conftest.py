"""What the tests of the first boot share."""

import sys
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[1] / each) for each in ("store", "keeping"))
