"""Runs other programs of pi-table beside a table during a measurement."""

import os
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pi_table.common.errors import DeviceError
from pi_table.lab.running_table import PROGRAM, TIMEOUT_SECONDS, hear


class Beside(NamedTuple):
    pid: int
    manager: socket.socket
    """Socket that receives the messages that the program sends to systemd."""


@contextmanager
def process_beside(
    name: str,
    folder: Path,
    settings: str,
    stand_back: Callable[[], object] | None,
    log: int | BinaryIO = subprocess.DEVNULL,
    program: Sequence[str] = PROGRAM,
    **environment: str,
) -> Iterator[Beside]:
    """Run `pi-table NAME` during the context. It uses the sockets of the table in ``folder``, and
    is ready when the context begins.

    ``settings`` is TOML for its configuration. The function ``stand_back``, if there is one, runs
    first in the new process. It lowers the priority, as the program's systemd unit does. The words
    of ``program`` start pi-table. Raises DeviceError if it does not get ready.
    """
    config, told = folder / f"{name}.toml", folder / f"{name}.told"
    config.write_text(
        f'{settings}[paths]\nstate = "{folder / "state"}"\nruntime = "{folder / "run"}"\n'
        f'bridge = "{folder}"\n'
    )
    told.unlink(missing_ok=True)  # of an earlier run
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(told))
        process = subprocess.Popen(
            [*program, name, "--config", str(config)],
            env=os.environ | {"NOTIFY_SOCKET": str(told)} | environment,
            stderr=log,
            preexec_fn=stand_back,
        )
        with kill_after_block(process):
            if hear(manager, process) is None:
                raise DeviceError(f"pi-table {name} does not get ready.")
            yield Beside(process.pid, manager)


@contextmanager
def kill_after_block(program: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    try:
        yield program
    finally:
        program.kill()
        program.wait(TIMEOUT_SECONDS)
