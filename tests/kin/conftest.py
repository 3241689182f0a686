"""The tests of the part of the reckoning that needs numpy, which only `make kin`'s environment has:
`make kin` runs them before it makes the tables, and there they are red if numpy is missing."""

import sys
from pathlib import Path

if ".venv-kin" not in Path(sys.prefix).parts:
    collect_ignore_glob = ["test_*.py"]
