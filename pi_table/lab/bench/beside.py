"""Programs that run beside a table while something is measured."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pi_table.lab.running_table import PATIENCE


class Beside(NamedTuple):
    """A program that runs beside a table."""

    pid: int
    manager: socket.socket
    """Where it tells systemd how it is (`notify`)."""


@contextmanager
def process_beside(
    name: str,
    folder: Path,
    settings: str,
    stand_back: Callable[[], object],
    log: int | BinaryIO = subprocess.DEVNULL,
    **environment: str,
) -> Iterator[Beside]:
    """`pi-table NAME`, once it is ready, at the sockets of the table in ``folder``. ``settings`` is
    TOML that goes before the paths; ``stand_back`` is called in the new process before it begins,
    and has it stand back as its unit does."""
    config, told = folder / f"{name}.toml", folder / f"{name}.told"
    config.write_text(
        f'{settings}[paths]\nstate = "{folder / "state"}"\nruntime = "{folder / "run"}"\n'
        f'bridge = "{folder}"\n'
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(told))
        manager.settimeout(PATIENCE)
        program = subprocess.Popen(
            [sys.executable, "-m", "pi_table", name, "--config", str(config)],
            env=os.environ | {"NOTIFY_SOCKET": str(told)} | environment,
            stderr=log,
            preexec_fn=stand_back,
        )
        with ended(program):
            manager.recv(4096)
            yield Beside(program.pid, manager)


@contextmanager
def ended(program: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    """A program that is ended with the context."""
    try:
        yield program
    finally:
        program.kill()
        program.wait(PATIENCE)
