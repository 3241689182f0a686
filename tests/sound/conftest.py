"""The loudspeaker is tested with the ear of the HAL's tests."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / "hal")]
