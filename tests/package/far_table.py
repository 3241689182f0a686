"""The simulated table of another kind of machine: its program runs in an emulator of processors."""

import ctypes
import os
import subprocess
from pathlib import Path
from typing import Any, Final

from pi_table.common.geometry import LED_COUNT
from pi_table.simulator.emulated import FIRMWARE

TRIPLET: Final = "aarch64-linux-gnu"
EMULATOR: Final = ("qemu-aarch64-static", "-L", f"/usr/{TRIPLET}")


def made(name: str) -> Path:
    """Return the path of a program or library for arm64, which `make packages-check` compiled.

    A test compiles none: two processes would write the same file.
    """
    path = FIRMWARE / "build" / TRIPLET / name
    assert path.exists(), f"{path} is not there. Run 'make -C firmware arm64'."
    return path


class FarLibrary:
    """The functions of `firmware/model/table.h`, as `EmulatedTable` calls them."""

    def __init__(self) -> None:
        self._program = subprocess.Popen(
            [*EMULATOR, made("remote-table")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def _ask(self, line: str) -> str:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(f"{line}\n")
        return self._program.stdout.readline().rstrip("\n")

    def table_new(self, binary: None, memory: bytes | None, seed: int) -> "FarLibrary | None":
        return self if self._ask(f"new {seed} {(memory or b'').hex()}") == "ok" else None

    def table_free(self, table: "FarLibrary") -> None:
        self._program.communicate()

    def table_run(self, table: "FarLibrary", until_us: int, stop_early: bool) -> int:
        return int(self._ask(f"run {until_us} {int(stop_early)}"))

    def table_write(self, table: "FarLibrary", data: bytes, size: int) -> None:
        self._ask(f"write {data[:size].hex()}")

    def table_read(self, table: "FarLibrary", buffer: Any, size: int) -> int:
        found = bytes.fromhex(self._ask("read"))
        ctypes.memmove(buffer, found, len(found))
        return len(found)

    def table_shown(self, table: "FarLibrary", reference: Any) -> bool:
        words = self._ask("shown").split()
        if words == ["none"]:
            return False
        shown = reference._obj
        shown.begun_us, shown.at_us, shown.whole = int(words[0]), int(words[1]), words[2] == "1"
        shown.pulses = (ctypes.c_uint32 * LED_COUNT)(*map(int, words[3:]))
        return True

    def table_memory(self, table: "FarLibrary", buffer: Any) -> None:
        ctypes.memmove(buffer, bytes.fromhex(self._ask("memory")), len(buffer))

    def table_command(self, table: "FarLibrary", line: bytes) -> bytes:
        return self._ask(f"tell {line.decode()}").encode()


def in_emulator(preload: Path) -> tuple[str, ...]:
    """Return the words that run a program of arm64, which loads this library first."""
    return (*EMULATOR, "-E", f"LD_PRELOAD={os.fspath(preload)}")
