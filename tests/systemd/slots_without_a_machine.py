"""A card of two slots without a machine: the image's own program for it, and a firmware that reads
what that writes."""

import os
import subprocess
from pathlib import Path

from pi_firmware import TRYBOOT, settings_that_hold

IMAGE = Path(__file__).parents[2] / "systemd/image"
SLOTS = IMAGE / "files/usr/lib/pi-table-image/slots"
FRESH = {each.name: each.read_text() for each in (IMAGE / "first").iterdir()}
"""Files of a new card's first partition."""


class Slots:
    """A card, and the machine that has been started from it."""

    def __init__(self, folder: Path) -> None:
        self.card, self._words = folder / "card", folder / "cmdline"
        self.card.mkdir()
        for name, text in FRESH.items():
            (self.card / name).write_text(text)
        self.start()

    def start(self, asked: str = "") -> str:
        """Switch the machine on, or start it anew; the slot that the firmware takes."""
        passing = {"tryboot"} if asked else set()
        settings = settings_that_hold((self.card / "autoboot.txt").read_text(), passing)
        slot = {"2": "a", "3": "b"}[settings["boot_partition"]]
        self._words.write_text(f"console=ttyS0 quiet rauc.slot={slot} panic=5\n")
        return slot

    @property
    def places(self) -> dict[str, str]:
        """By these variables the program finds the card and the machine."""
        return {"PI_TABLE_CARD": str(self.card), "PI_TABLE_KERNEL_WORDS": str(self._words)}

    def run(self, *words: str, largest_file: int = -1) -> "subprocess.CompletedProcess[str]":
        """Run the program. ``largest_file``: the bytes that a file can have; -1: any number."""
        return subprocess.run(
            ["prlimit", f"--fsize={largest_file}:-1", SLOTS, *words],
            env={**os.environ, **self.places}, capture_output=True, text=True,
        )  # fmt: skip

    def ask(self, *words: str) -> str:
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def install(self, slot: str) -> None:
        """Call what RAUC calls when it installs."""
        self.ask("set-state", slot, "bad")
        self.ask("set-primary", slot)

    def try_it(self) -> str:
        """Install slot b and start it; the slot that the firmware takes."""
        self.install("b")
        self.ask("try")
        return self.start(TRYBOOT)

    def texts(self) -> dict[str, str]:
        """Return the texts of the card's files, by name."""
        return {each.name: each.read_text() for each in self.card.iterdir()}
