"""A table's whole machine, booted in QEMU: seen, touched and unplugged from outside.

The image is what `make image` has made, and is not changed for a test. What a test brings (the
witness of `inside.py`, files for /run) comes in an archive behind the image's own initrd. The plug
is pulled by ending QEMU; what the card then holds, `card.py` says.
"""

import gzip
import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from card import Card

TREE: Final = Path(__file__).parents[2]
IMAGES: Final = TREE / "build/image"
INSIDE: Final = Path(__file__).with_name("inside.py")
WITNESS_UNIT: Final = """\
[Unit]
DefaultDependencies=no
After=systemd-udevd.service

[Service]
ExecStart=/usr/bin/python3 -u /run/pi-table-witness.py
Restart=on-failure
"""
TIMEOUT_SECONDS: Final = 240.0
"""Seconds after which a machine has no excuse any more: an emulated one on a busy host is slow."""


EMULATED: Final = "no_timer_check mitigations=off"
"""For an emulated kernel: it does not judge its clock by a timer that a busy host makes late, and
does not guard against faults of real processors, which costs a tenth of a boot."""
KERNEL_WORDS: Final = f"quiet {EMULATED} panic=5 fsck.repair=yes systemd.show_status=0"
"""Command line of the image's kernel. With it, the kernel asks nobody anything."""


class TooLongError(AssertionError):
    """The awaited event did not come in time."""


class Kind(NamedTuple):
    """A kind of machine that QEMU has."""

    program: str
    machine: Sequence[str]
    console: str


KINDS: Final = {
    # More than Debian asks for, but no AVX: its registers are slow to save here.
    "amd64": Kind("qemu-system-x86_64", ("-M", "q35", "-cpu", "Nehalem"), "ttyS0"),
    "arm64": Kind("qemu-system-aarch64", ("-M", "virt", "-cpu", "cortex-a72"), "ttyAMA0"),
}


class Boot(NamedTuple):
    """The settings of a machine's start."""

    kernel: Path
    initrd: Path
    words: str
    """Command line of the kernel."""


def without_firmware(arch: str) -> Boot:
    """The image's own kernel, which finds the first slot."""
    image = IMAGES / arch
    words = f"console={KINDS[arch].console} {KERNEL_WORDS}"
    return Boot(image / "vmlinuz", image / "initrd.gz", words)


class Parts(NamedTuple):
    """The parts of a machine, in QEMU's words. The screen has the name `screen`."""

    disk: str = "virtio-blk-pci"
    screen: str = "virtio-gpu-pci,id=screen,xres=800,yres=480"


ORDINARY: Final = Parts()


class Done(NamedTuple):
    """The result of a program inside."""

    status: int | None
    out: str
    err: str


class Machine:
    """A machine that is switched on; as a context it is off when it is left."""

    def __init__(
        self,
        arch: str,
        card: Card,
        scratch: Path,
        *,
        files: Mapping[str, str | bytes] = {},
        kernel: str = "",
        devices: Sequence[str] = (),
        screen: bool = True,
        cores: int = 1,
        boot: Boot | None = None,
        parts: Parts = ORDINARY,
    ) -> None:
        """Switch it on. ``files`` are laid into /run before systemd starts, by their paths in it;
        ``kernel`` are more words for the kernel; ``devices`` words for QEMU; ``boot`` is what the
        firmware has found (`pi_firmware.py`)."""
        self.arch, self.card, self.scratch = arch, card, scratch
        self.log = scratch / "console.log"
        kind, boot = KINDS[arch], boot or without_firmware(arch)
        initrd, words = scratch / "initrd", f"{boot.words} {kernel}"
        initrd.write_bytes(boot.initrd.read_bytes() + _archive(files))
        self._monitor_path, self._witness_path = scratch / "monitor", scratch / "witness"
        for path in (self._monitor_path, self._witness_path):
            path.unlink(missing_ok=True)
        self._command = [
            *("setpriv", "--pdeathsig", "KILL"),  # it ends with the test, however that ends
            kind.program, *kind.machine, "-accel", "tcg,thread=multi", "-smp", str(cores),
            "-m", "1024", "-kernel", boot.kernel, "-initrd", initrd, "-append", words,
            *card.insert(),
            "-display", "none", "-vga", "none", "-serial", f"file:{self.log}", "-no-reboot",
            "-net", "none", "-device", "virtio-rng-pci", "-device", "virtio-serial-pci",
            "-qmp", f"unix:{self._monitor_path},server=on,wait=off",
            "-chardev", f"socket,id=witness,path={self._witness_path},server=on,wait=off",
            "-device", "virtserialport,chardev=witness,name=pi-table.witness",
            "-device", "qemu-xhci,id=usb", "-device", f"{parts.disk},drive=card",
            "-device", "virtio-keyboard-pci",
            *(("-device", parts.screen) if screen else ()), *devices,
        ]  # fmt: skip
        self.began = time.monotonic()
        self._qemu = subprocess.Popen([*map(str, self._command)], stdin=subprocess.DEVNULL)
        self._monitor = _Lines(self._monitor_path, self._alive)
        self._monitor.say({"execute": "qmp_capabilities"})
        self._witness = _Lines(self._witness_path, self._alive)
        self._answers: dict[int, dict[str, Any]] = {}
        self.heard: list[tuple[str, str]] = []
        """Lines from the watched sockets, each with its path."""
        self._asked = 0
        self._here = False
        self._told = 0

    # Power

    def pull_the_plug(self) -> None:
        """Now. What the card holds is to be settled by its `power_cut`."""
        self._qemu.kill()
        self._qemu.wait()

    def switch_off(self, seconds: float = TIMEOUT_SECONDS) -> None:
        """Ask the machine to switch itself off, and wait until it has."""
        with suppress(AssertionError, OSError):
            self.run("systemctl", "poweroff", "--no-block", seconds=20)
        self._qemu.wait(seconds)
        self.card.switched_off()

    def started_anew(self, seconds: float = TIMEOUT_SECONDS) -> str:
        """Wait until the machine starts itself anew, which ends it here. Answers with what the
        firmware is told, which a pulled plug would make it forget."""
        self._qemu.wait(seconds)
        self.card.switched_off()
        said = self.log.read_text(errors="replace")
        assert "reboot: Restarting system" in said, said[-4000:]
        return said.rpartition("Restarting system")[2].partition("command '")[2].partition("'")[0]

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: object) -> None:
        self.pull_the_plug()
        self._monitor.close()
        self._witness.close()

    def _alive(self) -> None:
        if self._qemu.poll() is not None:
            raise AssertionError(f"The machine has gone; it said:\n{self.said()}")

    def said(self) -> str:
        """Return the text on the machine's serial console."""
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    # The witness

    def until(self, condition: Callable[[], object], seconds: float = TIMEOUT_SECONDS) -> float:
        """Wait until ``condition`` holds; the seconds since the machine was switched on."""
        end = time.monotonic() + seconds
        while True:
            asked = time.monotonic()
            if condition():
                return time.monotonic() - self.began
            self._alive()
            if time.monotonic() > end:
                raise TooLongError(f"In vain for {seconds:.0f} s; it said:\n{self.said()}")
            # A question keeps the machine from its work, so it gets three times as long for that.
            self._listen(max(0.05, 3 * (time.monotonic() - asked)))

    def _listen(self, seconds: float) -> None:
        for said in self._witness.hear(seconds):
            if "id" in said:
                self._answers[said["id"]] = said
            elif "line" in said:
                self.heard.append((said["from"], said["line"]))
            elif "here" in said:
                self._here = True

    def here(self) -> float:
        """Wait until the witness is there."""
        return self.until(lambda: self._here)

    def _ask(self, patience: float, **request: Any) -> dict[str, Any]:
        self.here()
        self._asked += 1
        number = self._asked
        self._witness.say({"id": number, **request})
        self.until(lambda: number in self._answers, patience)
        return self._answers.pop(number)

    def run(
        self,
        *words: str,
        user: str | None = None,
        given: str = "",
        seconds: float = TIMEOUT_SECONDS,
    ) -> Done:
        """Run a program inside, as root or as another user."""
        answer = self._ask(seconds + 5, run=words, user=user, input=given, seconds=seconds)
        return Done(answer["status"], answer["out"], answer["err"])

    def ran(self, *words: str, user: str | None = None, seconds: float = TIMEOUT_SECONDS) -> str:
        """Return the output of a program inside, which must succeed."""
        done = self.run(*words, user=user, seconds=seconds)
        assert done.status == 0, f"{words} ended with {done.status}: {done.err}\n{done.out}"
        return done.out

    def watch(self, path: str) -> bool:
        """Hear what comes from a Unix socket inside; False if nobody listens there."""
        return bool(self._ask(TIMEOUT_SECONDS, watch=path)["ok"])

    def say(self, path: str, line: str) -> None:
        """Say a line to a socket that is watched."""
        answer = self._ask(TIMEOUT_SECONDS, say=path, line=line)
        assert answer["ok"], answer

    # The monitor

    def monitor(self, command: str, **arguments: Any) -> Any:
        """Tell QEMU's monitor a command of QMP, and wait for its answer."""
        self._told += 1
        self._monitor.say({"execute": command, "arguments": arguments, "id": self._told})
        end = time.monotonic() + 30
        while time.monotonic() < end:
            for said in self._monitor.hear(0.1):
                if said.get("id") == self._told and "error" in said:
                    raise AssertionError(f"{command}: {said['error']['desc']}")
                if said.get("id") == self._told:
                    return said["return"]
            self._alive()
        raise AssertionError(f"The monitor did not answer {command}.")

    def plug_in(self, driver: str, name: str, /, **more: str) -> None:
        """Plug a device in."""
        self.monitor("device_add", driver=driver, id=name, **more)

    def unplug(self, name: str) -> None:
        """Pull a device out."""
        self.monitor("device_del", id=name)

    def press(self, *keys: str) -> None:
        """Press and release the keys, one after another (names of QEMU's QKeyCode)."""
        for key in keys:
            for down in (True, False):
                event = {"down": down, "key": {"type": "qcode", "data": key}}
                self.monitor("input-send-event", events=[{"type": "key", "data": event}])
                self._listen(0.06)

    def picture(self, path: Path, head: int = 0) -> Path:
        """Return the screen as a PNG; ``head`` is the screen's number."""
        self.monitor("screendump", filename=str(path), format="png", device="screen", head=head)
        return path


class _Lines:
    """Lines of JSON over a Unix socket of QEMU's."""

    def __init__(self, path: Path, alive: Callable[[], None]) -> None:
        end = time.monotonic() + 30
        while True:
            alive()
            self._socket = socket.socket(socket.AF_UNIX)
            try:
                self._socket.connect(str(path))
                break
            except OSError:
                self._socket.close()
                assert time.monotonic() < end, f"Nobody listens at {path}."
                select.select([], [], [], 0.02)
        self._rest = b""

    def say(self, said: dict[str, Any]) -> None:
        self._socket.sendall(json.dumps(said).encode() + b"\n")

    def hear(self, seconds: float) -> list[dict[str, Any]]:
        """Return the messages within so many seconds; none if nothing comes."""
        if not select.select([self._socket], [], [], seconds)[0]:
            return []
        data = self._socket.recv(1 << 16)
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines if line.strip()]

    def close(self) -> None:
        self._socket.close()


def _archive(files: Mapping[str, str | bytes]) -> bytes:
    """An archive for behind the initrd: the witness, and files for /run."""
    units = "systemd/system"
    content: dict[str, str | bytes] = {
        "pi-table-witness.py": INSIDE.read_text(),
        f"{units}/pi-table-witness.service": WITNESS_UNIT,
        **files,
    }
    entries = [_entry("beside", 0o040755), _entry("beside/run", 0o040755)]
    made: set[str] = set()

    def folder(path: str) -> None:
        if path and path not in made:
            folder(os.path.dirname(path))
            made.add(path)
            entries.append(_entry(f"beside/run/{path}", 0o040755))

    for path, held in content.items():
        folder(os.path.dirname(path))
        data = held.encode() if isinstance(held, str) else held
        entries.append(_entry(f"beside/run/{path}", 0o100644, data))
    folder(f"{units}/sysinit.target.wants")
    link = f"beside/run/{units}/sysinit.target.wants/pi-table-witness.service"
    entries.append(_entry(link, 0o120777, b"../pi-table-witness.service"))
    return gzip.compress(b"".join([*entries, _entry("TRAILER!!!", 0)]))


def _entry(path: str, mode: int, data: bytes = b"") -> bytes:
    """An entry of an archive in the form `newc` of cpio(5)."""
    name = path.encode() + b"\0"
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
    return _padded(head) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)
