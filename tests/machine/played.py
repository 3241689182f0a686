"""A game in a booted machine, played from outside: fingers go in at the emulated controller, which
hangs at the machine's USB; what comes of it is read off the lights and the public socket.
"""

import json
import os
import random
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from subprocess import Popen
from typing import Any, Final, Protocol

import msgspec
from card import Card
from machine import ORDINARY, Boot, Machine, Parts, TooLongError

from pi_table.simulator.emulated import Build, running

RUNTIME: Final = "/run/pi-table"
PUBLIC: Final = f"{RUNTIME}/public.sock"
CONSOLE: Final = f"{RUNTIME}/console.sock"
CELLS: Final = [f"{column}{row}" for row in range(1, 6) for column in "ABCDE"]
CONTROLLER: Final = "nano"
"""Name of the machine's controller in QEMU."""
FINGER: Final = 20
"""Counts that a fingertip takes from a pad."""
TRIES: Final = 10
TRY_SECONDS: Final = 6.0
LIFTED_SECONDS: Final = 0.7
TURNS: Final = 3
"""Questions to QEMU's monitor, each of which takes at least a turn of its loop."""
SETTLE_SECONDS: Final = 60.0
"""Seconds in which a table that has just started may still report a fault: a busy machine may find
its controller late."""
SLOW: Final = {
    f"systemd/system/pi-table-{name}.service.d/emulated.conf": (
        "[Service]\nWatchdogSec=120\nTimeoutStartSec=300\nEnvironment=GALLIUM_DRIVER=softpipe\n"
    )
    for name in ("engine", "console")
}
"""An emulated machine runs Python some twenty times as slowly as its host. Mesa's
drawing that makes programs as it runs would be slower still to begin with."""
WHY_NOT: Final = """\
systemctl status --no-pager --full pi-table-engine
systemctl list-jobs --no-pager
journalctl --boot --no-pager --output=short-monotonic --lines=150
for pid in $(systemctl show --property=MainPID --value pi-table-engine) $(pgrep -f pi-table); do
    echo "$pid: $(cat /proc/$pid/wchan /proc/$pid/syscall /proc/$pid/stack)"
done
"""
"""Command for a machine whose table does not answer."""
NO_CONSOLE: Final = "systemd.mask=pi-table-console.service"
"""Where a test stands in for the hidden screen, there is none."""


class Standing(msgspec.Struct, frozen=True):
    """The state of a table in the public view."""

    view: dict[str, Any] | None

    @property
    def phase(self) -> str | None:
        return None if self.view is None else self.view["phase"]

    @property
    def covered(self) -> dict[str, str]:
        """Return the covers of the cells."""
        cells = {} if self.view is None else self.view["cells"]
        return {cell: is_["covered"] for cell, is_ in cells.items() if is_["covered"]}


class World(Protocol):
    """The control socket of a simulated controller."""

    def tell(self, line: str) -> str:
        """Return the answer to a command of `firmware/model/README.md`."""
        ...


class WorldOutside:
    """The world of a controller that runs beside the machine."""

    def __init__(self, control: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(control))
        self._answers = self._socket.makefile("r")

    def tell(self, line: str) -> str:
        self._socket.sendall(f"{line}\n".encode())
        return self._answers.readline()

    def close(self) -> None:
        self._answers.close()
        self._socket.close()


class PlayedTable:
    """A machine, and its table."""

    def __init__(
        self, machine: Machine, world: World, controller: "Popen[bytes] | None" = None
    ) -> None:
        """``controller`` is the process at the machine's USB."""
        self.machine = machine
        self._world = world
        self._controller = controller
        self._asked = 0
        self._read = 0
        self.public: dict[str, Any] | None = None
        """The newest public message."""
        self.console: dict[str, Any] | None = None
        """The newest message to the hidden screen, where this stands in for it."""
        self._given: dict[int, dict[str, Any]] = {}

    # What is heard

    def look(self, console: bool = True) -> float:
        """Wait until the table is ready, and look at it from now on; the seconds since power-on."""
        paths = [PUBLIC, CONSOLE] if console else [PUBLIC]
        try:
            for path in paths:
                self.machine.until(lambda path=path: self.machine.watch(path))  # type: ignore[misc]
            return self.until(lambda: self.public and (self.console or not console))
        except TooLongError as error:
            why = self.machine.run("sh", "-c", WHY_NOT)
            raise TooLongError(f"{error}\n{why.out}{why.err}") from None

    def look_again(self, console: bool = True) -> None:
        """Look at a table that was started anew."""
        self.public = self.console = None
        self._read = len(self.machine.heard)
        self.look(console)

    def until(self, condition: Callable[[], object], seconds: float = 120.0) -> float:
        """Wait until ``condition`` holds of what was heard."""

        def heard() -> object:
            for path, line in self.machine.heard[self._read :]:
                if path not in (PUBLIC, CONSOLE):
                    continue
                said = json.loads(line)
                if path == PUBLIC:
                    self.public = said
                elif said["kind"] == "answer":
                    self._given[said["id"]] = said
                else:
                    self.console = said
            self._read = len(self.machine.heard)
            return condition()

        return self.machine.until(heard, seconds)

    @property
    def faults(self) -> list[str]:
        """Return the faults that the table reports to the staff."""
        return [*(self.console or {}).get("faults", ())]

    def settled_faults(self) -> list[str]:
        """Return the faults that the table still reports when it has had time to settle."""
        with suppress(TooLongError):
            self.until(lambda: not self.faults, SETTLE_SECONDS)
        return self.faults

    @property
    def stands(self) -> Standing:
        """Return the latest state of the table."""
        return Standing(None if self.public is None else self.public["view"])

    # What is done

    def world(self, line: str) -> str:
        """Tell the world round the controller one line."""
        answer = self._world.tell(line)
        assert answer.startswith("ok"), answer
        return answer

    def press(self, place: str) -> None:
        """Lay a finger on a place, and leave it there."""
        self.world(f"shape 0 {place} 20:{FINGER}")

    def lift(self, place: str) -> None:
        self.world(f"shape 0 {place} 20:0")

    def unplug(self) -> None:
        """Pull the controller's cable out.

        Nothing moves meanwhile: QEMU 7.2 dies where a byte comes in the very turn in which it takes
        away the USB serial port that the byte is for (usb_wakeup, of a device that has no bus any
        more). The controller says nothing; the machine takes nothing out of the port, so what the
        controller had said before fills it, or has all come, within a turn.
        """
        assert self._controller is not None
        self._controller.send_signal(signal.SIGSTOP)
        try:
            os.waitid(os.P_PID, self._controller.pid, os.WSTOPPED)
            self.machine.monitor("stop")
            for _ in range(TURNS):
                self.machine.monitor("query-status")
            self.machine.unplug(CONTROLLER)
            self.machine.monitor("cont")
        finally:
            self._controller.send_signal(signal.SIGCONT)

    def ask(self, **do: Any) -> int:
        """Ask for an act in the hidden screen's place, and do not wait."""
        self._asked += 1
        self.machine.say(CONSOLE, json.dumps({"id": self._asked, "do": do}))
        return self._asked

    def act(self, **do: Any) -> dict[str, Any]:
        """Ask for an act, and wait for the answer."""
        number = self.ask(**do)
        self.until(lambda: number in self._given)
        return self._given[number]

    def step(self, chance: random.Random) -> str | None:
        """One step of a game: begin one, give a clue, or guess. What it came to is heard when this
        is over. Answers with the cell of a guess."""
        stands = self.stands
        if stands.phase in (None, "over"):
            answer = self.act(act="start", seat="operator", profile="codenames", cards="own")
            assert answer["ok"], answer
            self.until(lambda: self.stands.phase == "clue")
            return None
        assert stands.view is not None
        if stands.phase == "clue":
            seat = f"{stands.view['turn']}-spymaster"
            answer = self.act(act="clue", seat=seat, number=chance.randint(1, 3))
            assert answer["ok"], answer
            self.until(lambda: self.stands.phase == "guess")
            return None
        cell = chance.choice([each for each in CELLS if each not in stands.covered])
        self.guess(cell)
        return cell

    def guess(self, cell: str) -> None:
        """Touch a cell until it is guessed: a guest whose touch was refused touches again."""
        for _ in range(TRIES):
            self.press(cell)
            with suppress(TooLongError):
                self.until(lambda: cell in self.stands.covered, TRY_SECONDS)
            self.lift(cell)
            if cell in self.stands.covered:
                return
            self.pause(LIFTED_SECONDS)
        raise AssertionError(f"{cell} was touched in vain: {self.public}")

    def pause(self, seconds: float) -> None:
        """Let the machine go on for so many seconds."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end)


@contextmanager
def booted(
    arch: str,
    card: Card,
    scratch: Path,
    *,
    build: Build = "emulated",
    kernel: str = NO_CONSOLE,
    files: Mapping[str, str] = {},
    devices: Sequence[str] = (),
    screen: bool = False,
    cores: int = 1,
    boot: Boot | None = None,
    parts: Parts = ORDINARY,
) -> Iterator[PlayedTable]:
    """A machine that has just been switched on, with a controller at its USB."""
    port, control, memory = scratch / "port", scratch / "control", scratch / "eeprom"
    usb = ("-chardev", f"serial,id=controller,path={port}",
           "-device", f"usb-serial,chardev=controller,bus=usb.0,id={CONTROLLER}")  # fmt: skip
    with ExitStack() as stack:
        controller = stack.enter_context(running(build, port, control, memory))
        machine = stack.enter_context(
            Machine(
                arch,
                card,
                scratch,
                files={**SLOW, **files},
                kernel=kernel,
                devices=[*usb, *devices],
                screen=screen,
                cores=cores,
                boot=boot,
                parts=parts,
            )
        )
        world = stack.enter_context(closing(WorldOutside(control)))
        yield PlayedTable(machine, world, controller)
