"""A bridge that hardly waits before it reconnects. Thus an hour's reconnects take half a minute.

It is a program: ``python -m pi_table.lab.bench.hasty_bridge bridge --config FILE``.
"""

import sys
from pathlib import Path
from typing import Final

from pi_table.common import config
from pi_table.fleet.bridge import broker_link, process

WAIT_SECONDS: Final = 0.01

if __name__ == "__main__":
    for name in ("FIRST_RETRY_SECONDS", "MAX_RETRY_SECONDS"):
        setattr(broker_link, name, WAIT_SECONDS)
    sys.exit(process.main(config.load(Path(sys.argv[-1]))))
