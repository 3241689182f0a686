"""Paints pictures of the key, and prints the instructions of each.

`small` runs it with an `EmulatedPython`: ``python -m pi_table.lab.bench.painted COUNTER PICTURES``.
"""

import sys
from pathlib import Path

from pi_table.common import config
from pi_table.common.house_settings import House
from pi_table.lab.arm64.emulated_python import read_count
from pi_table.lab.bench.screen import console_and_painter, mid_game
from pi_table.screens.console.look import look_for


def main(counter: Path, pictures: int) -> None:
    _, paint = console_and_painter(look_for(config.load().console, House()), mid_game())
    for _ in range(pictures):
        before = read_count(counter)
        paint()
        print(read_count(counter) - before)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
