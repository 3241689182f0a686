"""The link's tests damage bytes as the wire's tests do."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "wire"))
