"""Many tables and the servers that they meet: real ones, on this machine alone."""

import importlib.util
import sys
from pathlib import Path

if importlib.util.find_spec("psycopg") is None:
    # `make test` runs none of them, and has not what they are made with; `make fleet-check` has.
    collect_ignore_glob = ["test_*.py"]
for folder in ("bridge", "collector", "engine", "first_boot"):
    sys.path.append(str(Path(__file__).parents[1] / folder))
