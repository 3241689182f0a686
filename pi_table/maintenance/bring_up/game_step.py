"""The last bring-up step: a real engine plays a game on this table. A person makes one guess.

The engine is a separate process. It uses the configured devices, but a temporary journal. This step
connects to the engine's console socket and gives the clue.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from pi_table.common.config import Config
from pi_table.common.errors import DeviceError
from pi_table.common.language import join_texts, restore_texts, say
from pi_table.maintenance.bring_up.bench import Bench
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.flash import check_free

CELL: Final = "C3"
"""The cell for the guess. It is in the middle of the table, where the wires are longest."""
READY_SECONDS: Final = 20.0
GUESS_SECONDS: Final = 60.0
"""Timeout in seconds for a person to touch the cell."""
CLUE: Final = "hello"

Message = dict[str, Any]


def first_guess(bench: Bench) -> Iterator[Finding]:
    """Check that holding a cell with a finger makes a guess, and that the lights show the guess."""
    bench.let_go()
    if bench.has_controller:
        try:
            check_free(bench.config.controller.port)
        except DeviceError as error:
            yield Finding(
                "game",
                Verdict.BROKEN,
                str(error),
                say(
                    "Stop it for this step (with the packages: `sudo systemctl stop "
                    "pi-table-engine`)."
                ),
            )
            return
    with TemporaryDirectory(prefix="pi-table-") as folder, _engine(bench, Path(folder)) as console:
        table = console.ask("start", profile="codenames", cards="own")
        team = table["public"]["turn"]
        console.ask("clue", seat=f"{team}-spymaster", word=CLUE, number=1)
        bench.maker.show_task(
            say("Hold a finger on {cell} until its light is full, then lift it.", cell=CELL)
        )
        covered = console.until_covered(CELL, GUESS_SECONDS)
        if covered is None:
            no_guess = say(
                "No guess came from {cell} within {guess_seconds} s.",
                cell=CELL,
                guess_seconds=f"{GUESS_SECONDS:.0f}",
            )
            yield Finding(
                "game",
                Verdict.BROKEN,
                join_texts(" ", (no_guess, *console.table["faults"])),
                say(
                    "Hold one finger, flat, on the middle of the cell, with nothing but the cards "
                    "on the table; if its light does not fill, go back to the step calibration."
                ),
            )
            return
        yield Finding(
            "game",
            Verdict.OK,
            say("{cell} was guessed, and is covered: {covered}.", cell=CELL, covered=covered),
            figures={"cell": CELL, "covered": covered},
        )
        yield bench.ask_maker(
            say("light of the guess"),
            say(
                "Did {cell} fill with light under the finger, and show an identity after it?",
                cell=CELL,
            ),
            say("The light answers the finger."),
            Finding(
                say("light of the guess"),
                Verdict.BROKEN,
                say("The guess was felt and stored, but not shown."),
                say("Go back to the step lights."),
            ),
        )


class _Console:
    """A client of the console socket that waits for each answer."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._lines = wire.makefile("rb")
        self._number = 0
        self.table: Message = {}
        self._read()

    def ask(self, act: str, seat: str = "operator", **fields: object) -> Message:
        """Request an act; wait for the answer and the table's next message. Raises DeviceError if
        the table refuses."""
        self._number += 1
        request = {"id": self._number, "do": {"act": act, "seat": seat, **fields}}
        self._wire.sendall(msgspec.json.encode(request) + b"\n")
        while (answer := self._read())["kind"] != "answer":
            pass
        if not answer["ok"]:
            raise DeviceError(
                say("The table refused {act}: {answer}", act=act, answer=answer["sentence"])
            )
        while self._read()["kind"] != "table":
            pass
        return self.table

    def until_covered(self, cell: str, seconds: float) -> str | None:
        """Wait until a cell is covered. Return its cover, such as ``red``; None after
        ``seconds``."""
        until = time.monotonic() + seconds
        with suppress(TimeoutError):
            while (covered := self.table["public"]["cells"][cell]["covered"]) is None:
                self._wire.settimeout(max(0.01, until - time.monotonic()))
                self._read()
            return str(covered)
        return None

    def _read(self) -> Message:
        line = self._lines.readline()
        if not line:
            raise DeviceError(say("The table stopped; its log says why: see above."))
        told = msgspec.json.decode(line)
        message: Message = restore_texts(told, told.pop("texts", {}))
        if message["kind"] == "table":
            self.table = message
        return message


@contextmanager
def _engine(bench: Bench, folder: Path) -> Iterator[_Console]:
    """Run an engine during the context; yield a client of its console socket."""
    config = folder / "table.toml"
    config.write_text(config_text(bench.config, folder), "utf-8")
    log = folder / "log"
    with log.open("wb") as out:
        engine = subprocess.Popen(
            [sys.executable, "-m", "pi_table", "run", "--config", config],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        with _connect(engine, bench, folder / "run" / "console.sock", log) as wire:
            yield _Console(wire)
    finally:
        engine.terminate()
        engine.wait()


def _connect(
    engine: "subprocess.Popen[bytes]", bench: Bench, path: Path, log: Path
) -> socket.socket:
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and engine.poll() is None:
        wire = socket.socket(socket.AF_UNIX)
        try:
            wire.connect(str(path))
        except OSError:
            wire.close()
            bench.wait(0.1)
        else:
            wire.settimeout(READY_SECONDS)
            return wire
    said = log.read_text("utf-8", errors="replace").strip().splitlines()
    raise DeviceError(
        say("The table does not start. It said: {said}", said=said[-1] if said else "nothing")
    )


def config_text(config: Config, folder: Path) -> str:
    """Return a TOML configuration with the same devices as ``config``. Its journal and sockets are
    in ``folder``."""
    sections: dict[str, dict[str, object]] = {
        "touch": {"driver": config.touch.driver, "hold_ms": config.touch.hold_ms},
        "lights": msgspec.to_builtins(config.lights),
        "controller": msgspec.to_builtins(config.controller),
        "simulated": msgspec.to_builtins(config.simulated),
        "paths": {"state": str(folder / "state"), "runtime": str(folder / "run")},
    }
    return "".join(
        f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        for name, keys in sections.items()
    )
