#!/usr/bin/env python3
"""Rights of the services, tried from inside their own sandboxes, in a booted machine.

Run it there as root, while the table runs, with that machine's Python and nothing else:

    sandbox.py            print the differences, a line each; exit status 1 if there are any
    sandbox.py probe WHO  what this program runs in a copy of the unit: print JSON

The copy has every line of the unit's sandbox and another program. `anybody` is a user of no group.
"""

import ctypes
import json
import mmap
import os
import re
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

UNITS = Path("/usr/lib/systemd/system")
STATE = Path("/var/lib/pi-table")
RUNTIME = Path("/run/pi-table")
ANYBODY = "nobody"
COPY = Path("/run/pi-table-sandbox.py")


def opens(path: str, how: int = os.O_RDONLY) -> Callable[[], None]:
    return lambda: os.close(os.open(path, how | os.O_NONBLOCK | os.O_NOCTTY))


def writes(path: str) -> Callable[[], None]:
    def write() -> None:
        Path(path).write_text("tried")
        Path(path).unlink()

    return write


def lists(path: str) -> Callable[[], None]:
    def look() -> None:
        os.listdir(path)

    return look


def network(family: int, kind: int, protocol: int = 0) -> Callable[[], None]:
    return lambda: socket.socket(family, kind, protocol).close()


def takes_a_port(number: int) -> Callable[[], None]:
    def take() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
            tried.bind(("127.0.0.1", number))

    return take


def connects(name: str) -> Callable[[], None]:
    def connect() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tried:
            tried.connect(str(RUNTIME / name))

    return connect


def runs(*command: str, given: bytes = b"") -> Callable[[], None]:
    def run() -> None:
        subprocess.run(command, input=given, check=True, capture_output=True, timeout=60)

    return run


def makes_a_program() -> None:
    """As one does who has got in: memory that is written, then run."""
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def makes_a_namespace() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x10000000):  # CLONE_NEWUSER
        raise OSError(ctypes.get_errno(), "unshare")


def comes_first() -> None:
    if (os.sched_getscheduler(0), os.sched_getparam(0).sched_priority) != (os.SCHED_RR, 1):
        raise OSError("it is an ordinary program")


def starts_ordinary_programs() -> None:
    with subprocess.Popen(["sleep", "1"]) as program:
        os.sched_setscheduler(program.pid, os.SCHED_OTHER, os.sched_param(0))


def puts_itself_first(priority: int) -> Callable[[], None]:
    def put() -> None:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))

    return put


def dumps_no_core() -> None:
    if resource.getrlimit(resource.RLIMIT_CORE) != (0, 0):
        raise OSError("a core may be dumped")


def sees_nobody_else() -> None:
    others = [name for name in os.listdir("/proc") if name.isdigit()]
    if any(Path("/proc", name).stat().st_uid != os.getuid() for name in others):
        raise OSError("other users' processes are seen")


def fails(mark: str) -> str:
    return f"not {mark}"


MAY: dict[str, Callable[[], None]] = {
    "dump no core": dumps_no_core,
    "see no process of others": sees_nobody_else,
    "look on": connects("public.sock"),
    "use a folder for what is temporary": writes("/tmp/tried"),
    "read the configuration": opens("/etc/pi-table/table.toml"),
}
NO_NETWORK: dict[str, Callable[[], None]] = {
    "open a network socket": network(socket.AF_INET, socket.SOCK_STREAM),
    "open one of IPv6": network(socket.AF_INET6, socket.SOCK_DGRAM),
}
MAY_NOT: dict[str, Callable[[], None]] = {
    "open a raw socket": network(socket.AF_PACKET, socket.SOCK_RAW),
    "become root": lambda: os.setuid(0),
    "make a namespace": makes_a_namespace,
    "ask systemd for anything": runs("systemctl", "--no-ask-password", "daemon-reload"),
    "read passwords": opens("/etc/shadow"),
    "write the configuration": writes("/etc/pi-table/tried"),
    "write programs": writes("/usr/bin/tried"),
    "write elsewhere": writes("/var/lib/tried"),
    "look into homes": lists("/root"),
    "open the disk": opens("/dev/vda"),
    "open memory": opens("/dev/mem"),
    "read the kernel's log": opens("/dev/kmsg"),
    "type on the text screen": opens("/dev/tty1", os.O_RDWR),
    "change the kernel": writes("/proc/sys/kernel/tried"),
    "set what the kernel does": opens("/proc/sys/kernel/sysrq", os.O_WRONLY),
}

TRIED: dict[str, dict[str, Callable[[], None]]] = {
    "engine": {
        **MAY,
        "write the journal's folder": writes(str(STATE / "tried")),
        "wish to be switched off": writes(str(RUNTIME / "tried")),
        "speak": runs("espeak-ng", "--stdout", given=b"ready"),
        "come before ordinary programs": comes_first,
        "start ordinary programs": starts_ordinary_programs,
        "play": runs("aplay", "--device=null", "/usr/share/sounds/alsa/Noise.wav"),
    },
    "console": {
        **MAY,
        "open the hidden socket": connects("console.sock"),
        "hear of devices that come": network(socket.AF_NETLINK, socket.SOCK_RAW, 15),
        "open the display": opens("/dev/dri/card0", os.O_RDWR),
    },
    "web": {
        **MAY,
        "open the sealed socket": connects("sealed.sock"),
        "open a network socket": network(socket.AF_INET, socket.SOCK_STREAM),
        "open one of IPv6": network(socket.AF_INET6, socket.SOCK_STREAM),
    },
    "anybody": {
        "look on": connects("public.sock"),
        "read why a service has failed": lists("/run/pi-table-fault"),
    },
}
REFUSED: dict[str, dict[str, Callable[[], None]]] = {
    "engine": {
        **NO_NETWORK,
        **MAY_NOT,
        "come before all others": puts_itself_first(2),
        "hear of devices": network(socket.AF_NETLINK, socket.SOCK_RAW, 15),
        "make programs": makes_a_program,
        "open the display": opens("/dev/dri/card0", os.O_RDWR),
        "read a keyboard": opens("/dev/input/event0"),
    },
    "console": {
        **NO_NETWORK,
        **MAY_NOT,
        "come before ordinary programs": puts_itself_first(1),
        "look at the journal": lists(str(STATE)),
        "read the journal": opens(str(STATE / "journal.sqlite")),
        "make a socket beside the table's": writes(str(RUNTIME / "tried")),
        "read a keyboard": opens("/dev/input/event0"),
        "open a serial port": opens("/dev/ttyS0", os.O_RDWR),
    },
    "web": {
        **MAY_NOT,
        "come before ordinary programs": puts_itself_first(1),
        "open the hidden socket": connects("console.sock"),
        "open a port that is the system's": takes_a_port(81),
        "hear of devices": network(socket.AF_NETLINK, socket.SOCK_RAW, 15),
        "make programs": makes_a_program,
        "look at the journal": lists(str(STATE)),
        "read the journal": opens(str(STATE / "journal.sqlite")),
        "read the settings with the Wi-Fi's password": lists("/boot/firmware"),
        "read the log": lists("/run/log"),
        "make a socket beside the table's": writes(str(RUNTIME / "tried")),
        "open the display": opens("/dev/dri/card0", os.O_RDWR),
        "read a keyboard": opens("/dev/input/event0"),
        "open a serial port": opens("/dev/ttyS0", os.O_RDWR),
    },
    "anybody": {
        "open the hidden socket": connects("console.sock"),
        "open the sealed socket": connects("sealed.sock"),
        "look at the journal": lists(str(STATE)),
        "read the journal": opens(str(STATE / "journal.sqlite")),
        "make a socket beside the table's": writes(str(RUNTIME / "tried")),
        "leave a wrong fault": writes("/run/pi-table-fault/engine"),
    },
}


def probe(who: str) -> dict[str, str]:
    """Return the result of each: an empty text, or the error."""
    found = {}
    for name, attempt in {**TRIED[who], **{fails(n): a for n, a in REFUSED[who].items()}}.items():
        try:
            attempt()
            found[name] = ""
        except (OSError, subprocess.SubprocessError) as error:
            found[name] = f"{type(error).__name__}: {error}"
    return found


def in_the_sandbox(who: str) -> dict[str, str]:
    """Run the probe in a copy of the unit, or as a user of no group."""
    COPY.write_text(Path(__file__).read_text())  # where this lies, the sandbox may not look
    COPY.chmod(0o644)
    command = f"/usr/bin/python3 {COPY} probe {who}"
    if who == "anybody":
        words = subprocess.run(
            ["runuser", "-u", ANYBODY, "--", *command.split()], capture_output=True, check=True
        ).stdout
        return dict(json.loads(words))
    unit = (UNITS / f"pi-table-{who}.service").read_text()
    left_out = r"(Type|Exec\w+|Restart\w*|Watchdog\w+|OnFailure|Conflicts|Wants|After|Runtime\w+)"
    unit = re.sub(rf"(?m)^{left_out}=.*\n", "", unit)
    # The table's own folder stays the table's: made by systemd for a copy, it would go with it.
    folder = f"ReadWritePaths={RUNTIME}\n" if who == "engine" else ""
    program = f"[Service]\nType=oneshot\nExecStart={command}\nStandardOutput=journal\n{folder}"
    copy = f"try-{who}-{os.getpid()}.service"
    Path("/run/systemd/system", copy).write_text(unit.replace("[Service]\n", program))
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    subprocess.run(["systemctl", "start", copy], check=False)
    subprocess.run(["journalctl", "--sync"], check=True)
    log = ["journalctl", "--boot", "--output=cat", f"_SYSTEMD_UNIT={copy}"]
    words = subprocess.run(log, capture_output=True, check=True).stdout
    Path("/run/systemd/system", copy).unlink()
    return dict(json.loads(words.splitlines()[-1]))


def wrong(who: str, found: dict[str, str]) -> list[str]:
    """Return the results that are not as required."""
    may = [f"{who} cannot {name}: {found[name]}" for name in TRIED[who] if found[name]]
    return may + [f"{who} can {name}" for name in REFUSED[who] if not found[fails(name)]]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["probe", who]:
            print(json.dumps(probe(who)))
        case []:
            if not RUNTIME.exists():
                raise SystemExit("The table does not run: start it first.")
            said = [line for who in TRIED for line in wrong(who, in_the_sandbox(who))]
            print("\n".join(said))
            sys.exit(1 if said else 0)
        case _:
            raise SystemExit(__doc__)
