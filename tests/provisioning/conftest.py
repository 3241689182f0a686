"""What the tests of provisioning share."""

import sys
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[1] / each) for each in ("store", "keeping"))
