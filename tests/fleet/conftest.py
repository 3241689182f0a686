"""Many tables and the servers that they meet: real ones, on this machine alone."""

import importlib.util

if importlib.util.find_spec("psycopg") is None:
    # `make test` runs none of them, and has not what they are made with; `make fleet-check` has.
    collect_ignore_glob = ["test_*.py"]
else:
    from at_home import at_broker, broker, home  # noqa: F401 - fixtures
    from postgres import server  # noqa: F401 - a fixture
