"""The table is heard: the engine plays to a sound card of the kernel's, which is listened to."""

from contextlib import suppress
from typing import Final

import pytest
from hidden_screen import press_until
from machine import TooLongError
from played import CELLS
from screened import Screened

pytestmark = [pytest.mark.machine, pytest.mark.torture]

CONFIG: Final = "/etc/pi-table/table.toml"
SOUND: Final = '\n[sound]\ndriver = "alsa"\ndevice = "plughw:Loopback,0"\n'
HEARD: Final = "/run/heard.raw"
RECORD: Final = (
    "arecord --device=plughw:Loopback,1 --format=S16_LE --rate=22050 --channels=1 "
    f"--file-type=raw {HEARD}"
)
LOUDEST: Final = (
    "import array; heard = array.array('h'); data = open('" + HEARD + "', 'rb').read(); "
    "heard.frombytes(data[:len(data) // 2 * 2]); print(max(map(abs, heard), default=0))"
)
TRIES: Final = 3
AUDIBLE: Final = 1000
"""Of 32767."""


def test_a_guess_is_heard(booted_table: Screened) -> None:
    table = booted_table.table
    machine = table.machine
    machine.ran("modprobe", "snd-aloop")
    before = machine.ran("cat", CONFIG)
    machine.run("tee", CONFIG, given=before + SOUND)
    try:
        machine.ran("systemctl", "restart", "pi-table-engine.service")
        table.look_again(console=False)
        machine.ran("systemd-run", "--unit=listen", *RECORD.split())
        machine.until(lambda: machine.run("test", "-s", HEARD).status == 0)

        def heard() -> bool:
            """Guess, and listen for a while: a table leaves out sounds that come too late, as
            they may in a machine that is so slow."""
            needed = {None: ("clue", "guess"), "clue": ("guess",)}.get(table.stands.phase, ())
            for phase in needed:
                press_until(table, phase)
            table.guess(next(cell for cell in CELLS if cell not in table.stands.covered))
            with suppress(TooLongError):
                machine.until(lambda: int(machine.ran("python3", "-c", LOUDEST)) > AUDIBLE, 40.0)
                return True
            return False

        assert any(heard() for _ in range(TRIES)), "Nothing was heard."
    finally:
        machine.run("systemctl", "stop", "listen")
        machine.run("tee", CONFIG, given=before)
        machine.ran("systemctl", "restart", "pi-table-engine.service")
        table.look_again(console=False)
