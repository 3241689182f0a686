"""Runs the drivers at the GPIO lines of the machine that this runs on, as its configuration says.

    PYTHONPATH=/usr/lib/pi-table python3 knobs.py [--config FILE] [--panel | --console]

JSON lines on standard output, each at once: ``{"ready": ["console", "panel"]}`` when the lines are
taken; ``{"input": "turn+1"}`` for each press and step of the console's encoder and buttons, by the
names of `Input`; ``{"held": "switch-off"}`` when the button on the case was held. On standard
input, which must be a pipe or a terminal, ``{"lamp": "slow"}`` (one of `Lamp`) lets the LED do
that, answered by ``{"lamp": "slow"}``. At the end of the input the lines are let go, and
``{"closed": true}`` is said (``sleep 60 | python3 knobs.py`` listens for a minute). What cannot be
opened is ``{"error": "…"}``, and exit status 1.
"""

import argparse
import asyncio
import json
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Lock
from typing import Any

from pi_table.common.config import Config, load
from pi_table.common.errors import TableError
from pi_table.devices.hal.console_registry import open_inputs
from pi_table.devices.hal.contracts import Lamp
from pi_table.devices.hal.registry import PANEL, PARTS

ONE_AT_A_TIME = Lock()


def say(**said: Any) -> None:
    """A line; the drivers of the console report from threads of their own."""
    with ONE_AT_A_TIME:
        print(json.dumps(said), flush=True)


async def serve(config: Config, parts: list[str]) -> None:
    """Report until nothing more can come on standard input. Raises TableError."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    with ExitStack() as opened:
        panel = PANEL.opener(config.panel.driver if "panel" in parts else "none", PARTS)(
            config, loop
        )
        opened.enter_context(closing(panel))
        if "console" in parts:
            inputs = opened.enter_context(closing(open_inputs(config)))
            inputs.start(lambda given: say(input=given.value))
        panel.watch(lambda: say(held="switch-off"))
        rest = b""

        def hear() -> None:
            nonlocal rest
            data = sys.stdin.buffer.read1(4096)
            if not data:
                loop.remove_reader(sys.stdin)
                ended.set()
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                lamp = Lamp(json.loads(line)["lamp"])
                panel.shine(lamp)
                say(lamp=lamp.value)

        loop.add_reader(sys.stdin, hear)
        say(ready=parts)
        await ended.wait()
    say(closed=True)


def main() -> int:
    options = argparse.ArgumentParser(description="the drivers at the GPIO lines of this machine")
    options.add_argument("--config", type=Path, help="a configuration (default: the defaults)")
    only = options.add_mutually_exclusive_group()
    only.add_argument("--console", action="store_true", help="the encoder and its buttons alone")
    only.add_argument("--panel", action="store_true", help="the LED and the button alone")
    given = options.parse_args()
    parts = [part for part in ("console", "panel") if getattr(given, part)] or ["console", "panel"]
    try:
        asyncio.run(serve(load(given.config), parts))
    except TableError as error:
        say(error=str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
