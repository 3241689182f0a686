"""Opens the lights that the configuration on the command line names, as the table opens them, and
shows frames: each line of standard input is one, of hexadecimal bytes. An empty line closes them,
and so does the end. What was done is answered by a line. Nothing else in this process may know that
the machine is none that it seems to be: see `pi_with_spi.c`.
"""

import asyncio
import logging
import sys
from pathlib import Path

from pi_table.common.config import load
from pi_table.common.errors import DeviceError
from pi_table.devices.hal.registry import LIGHTS


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    config = load(Path(sys.argv[1]))
    loop = asyncio.new_event_loop()
    try:
        lights = LIGHTS.opener(config.lights.driver)(config, loop)
    except DeviceError as error:
        loop.close()
        print(error, flush=True)
        return
    print("opened", flush=True)
    for line in sys.stdin:
        data = bytes.fromhex(line)
        if data:
            lights.show(
                tuple(int.from_bytes(data[at : at + 3], "big") for at in range(0, len(data), 3))
            )
        else:
            lights.close()
        print("done", flush=True)
    lights.close()
    loop.close()


if __name__ == "__main__":
    main()
