"""Starts and stops the programs of a simulated table: its engine, its controller, and its pages."""

import ctypes
import fcntl
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import SystemRandom
from typing import Final

import msgspec

from pi_table.common.errors import DeviceError
from pi_table.common.language import for_reader, say
from pi_table.common.light_layout import path_of
from pi_table.simulator.emulated import Build, running
from pi_table.simulator.hands import EmulatedHands, Hands, SimulatedHands

PR_SET_PDEATHSIG: Final = 1
"""The option of prctl(2) for the signal that a process gets when its parent ends."""
STOP_SECONDS: Final = 5.0
"""Timeout in seconds for a program to end before it is killed."""
START_SECONDS: Final = 30.0
"""Timeout in seconds for the pages to start."""
LOOK_SECONDS: Final = 0.05
"""Seconds between two checks whether the program of the pages has ended."""
LOOPBACK: Final = "127.0.0.1"


@contextmanager
def hands_at(
    folder: Path, state: Path, build: Build | None, layout: str = "tiles"
) -> Iterator[Hands]:
    """Yield `Hands` that touch the simulated table. With a ``build``, run this build of the
    controller during the context, with its settings in ``state``; the hands touch its pads. Only
    the build ``pi`` can have another ``layout`` of the lights than the tiles."""
    if build is None:
        with closing(SimulatedHands(folder / "world.sock")) as hands:
            yield hands
        return
    control = folder / "control.sock"
    with (
        running(
            build,
            folder / "controller",
            control,
            state / "controller.eeprom",
            layout=None if layout == "tiles" else path_of(layout),
        ),
        closing(EmulatedHands(control)) as emulated_hands,
    ):
        yield emulated_hands


@contextmanager
def engine_running(
    folder: Path,
    state: Path,
    build: Build | None,
    *,
    web: int | None = None,
    layout: str = "tiles",
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the engine during the context. Its sockets and ``table.toml`` are in ``folder``, its
    journal in ``state``. ``web`` is the port of the pages in ``table.toml``; None means no
    pages. ``layout`` is the layout of the lights."""
    # A JSON string is also a TOML string.
    link, port, kept, runtime, lights = (
        msgspec.json.encode(str(path)).decode()
        for path in (folder / "world.sock", folder / "controller", state, folder, layout)
    )
    driver = "simulated" if build is None else "controller"
    pages = f'[web]\nlisten = "{LOOPBACK}"\nport = {web}\n\n' if web is not None else ""
    config = folder / "table.toml"
    config.write_text(
        f'[table]\ncards = "dealt"\n\n'
        f'[touch]\ndriver = "{driver}"\n\n[lights]\ndriver = "{driver}"\n'
        f"layout = {lights}\n\n"
        f"[controller]\nport = {port}\n\n[simulated]\nlink = {link}\n\n{pages}"
        f"[paths]\nstate = {kept}\nruntime = {runtime}\n",
        "utf-8",
    )
    with _program("run", config) as engine:
        yield engine


@contextmanager
def pages_served(folder: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Serve the pages of the engine in ``folder`` during the context; print their address. Raises
    DeviceError if the pages do not start."""
    notified = folder / "pages.notified"
    with ExitStack() as stack:
        told = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        told.bind(str(notified))
        program = _program("web", folder / "table.toml", NOTIFY_SOCKET=str(notified))
        pages = stack.enter_context(program)
        given_up = time.monotonic() + START_SECONDS
        while not select.select([told], [], [], LOOK_SECONDS)[0]:
            if pages.poll() is not None or time.monotonic() > given_up:
                raise DeviceError(
                    say(
                        "The pages cannot be served at port {port}: name another one, such as "
                        "--web {free_port}.",
                        port=port,
                        free_port=free_port(),
                    )
                )
        address = f"http://{LOOPBACK}:{port}"
        print(for_reader(say("The pages: {address}", address=address)))
        print(
            for_reader(
                say(
                    "Only this machine can reach them: open each page in a browser window of its "
                    "own."
                )
            ),
            flush=True,
        )
        yield pages


def free_port() -> int:
    """Return a port that no program uses now, and that any user may use.

    It lies above 10080, the last port that browsers refuse, and below the ports that the system
    gives to connections. So no connection gets it before the program listens.
    """
    while True:
        port = SystemRandom().randrange(10_081, 32_000)
        with suppress(OSError), socket.create_server((LOOPBACK, port)):
            return port


@contextmanager
def _program(command: str, config: Path, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    program = subprocess.Popen(
        [sys.executable, "-m", "pi_table", command, "--config", str(config)],
        env={**os.environ, **environment},
        preexec_fn=_end_with_this_program,
    )
    try:
        yield program
    finally:
        program.terminate()
        try:
            program.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()


def _end_with_this_program() -> None:
    """Make the kernel end this child process when its parent ends, even if the parent was
    killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@contextmanager
def games_kept(state: Path | None = None) -> Iterator[Path]:
    """Yield the folder of a simulated table's games, locked during the context. The folder is
    ``state``, or by default ``$XDG_STATE_HOME/pi-table/simulator``.

    Raises DeviceError if another simulated table uses the folder.
    """
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = state or Path(home) / "pi-table" / "simulator"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(folder / "simulator.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DeviceError(
                say(
                    "Another simulated table keeps its games in {folder}. Close it, or give this "
                    "one a folder of its own: --state DIR.",
                    folder=folder,
                )
            ) from None
        yield folder
