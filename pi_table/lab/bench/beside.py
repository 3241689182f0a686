"""Programs that run beside a table during a measurement."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pi_table.lab.running_table import TIMEOUT_SECONDS


class Beside(NamedTuple):
    pid: int
    manager: socket.socket
    """Socket that receives the program's messages to systemd (`notify`)."""


@contextmanager
def process_beside(
    name: str,
    folder: Path,
    settings: str,
    stand_back: Callable[[], object],
    log: int | BinaryIO = subprocess.DEVNULL,
    **environment: str,
) -> Iterator[Beside]:
    """Return a context that runs `pi-table NAME` at the sockets of the table in ``folder``. The
    program is ready when the context begins.

    ``settings`` is TOML that goes before the paths. ``stand_back`` runs first in the new process
    and lowers its priority as the program's unit does.
    """
    config, told = folder / f"{name}.toml", folder / f"{name}.told"
    config.write_text(
        f'{settings}[paths]\nstate = "{folder / "state"}"\nruntime = "{folder / "run"}"\n'
        f'bridge = "{folder}"\n'
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(told))
        manager.settimeout(TIMEOUT_SECONDS)
        program = subprocess.Popen(
            [sys.executable, "-m", "pi_table", name, "--config", str(config)],
            env=os.environ | {"NOTIFY_SOCKET": str(told)} | environment,
            stderr=log,
            preexec_fn=stand_back,
        )
        with kill_after_block(program):
            manager.recv(4096)
            yield Beside(program.pid, manager)


@contextmanager
def kill_after_block(program: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    try:
        yield program
    finally:
        program.kill()
        program.wait(TIMEOUT_SECONDS)
