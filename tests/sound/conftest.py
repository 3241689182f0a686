"""The loudspeaker is tested with the ear of the HAL's tests and the worlds' loop in virtual time."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("hal", "worlds")]
