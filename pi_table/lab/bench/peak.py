"""Runs a command of pi-table in a process of its own, and measures its cost: processor time, and
peak memory.

The process itself reads its peak. The counter that the kernel gives to a parent (``ru_maxrss``)
would also contain the parent's memory.
"""

import os
import runpy
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import msgspec


class Cost(NamedTuple):
    seconds: float
    """Processor time from the start of the process, in seconds."""
    mib: float
    """Largest amount of memory in RAM (RSS) at any moment, in MiB."""


def measure_command(*arguments: str) -> Cost:
    """Run ``pi-table ARGUMENTS`` and return its cost. Its output is thrown away. Raises
    CalledProcessError if the command fails."""
    read, write = os.pipe()
    with open(read, "rb") as result:
        try:
            command = [sys.executable, "-P", "-m", __name__, str(write), *arguments]
            subprocess.run(command, check=True, pass_fds=[write], stdout=subprocess.DEVNULL)
        finally:
            os.close(write)
        return msgspec.json.decode(result.read(), type=Cost)


def _run(result: int, arguments: list[str]) -> None:
    sys.argv = ["pi-table", *arguments]
    try:
        runpy.run_module("pi_table", run_name="__main__")
    finally:
        seconds = time.process_time()
        lines = Path("/proc/self/status").read_text().splitlines()
        counts = dict(line.split(":", 1) for line in lines)
        cost = Cost(round(seconds, 3), round(int(counts["VmHWM"].split()[0]) / 1024, 1))
        os.write(result, msgspec.json.encode(cost))


if __name__ == "__main__":
    _run(int(sys.argv[1]), sys.argv[2:])
