"""The judge of a new version: what it keeps and what it does not, and no endless circle."""

import json
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import check_slot
import held_folder
import pytest
import standing
from slots_without_a_machine import SLOTS, Slots

from pi_table.maintenance.first_boot import places

FARES = {"kind": "house", "can_store": True, "link": True, "out_of_order": False}


def told(**otherwise: bool) -> bytes:
    """Return an engine's first message: a healthy one, except for ``otherwise``."""
    return json.dumps(FARES | otherwise).encode() + b"\n"


WELL = told()
SYSTEMCTL = """\
#!/bin/sh
# A unit is enabled whose file lies here; what stands in it is its state.
cd "$(dirname "$0")"
for unit; do :; done
case $1 in
    --quiet) [ -e "$unit" ] ;;
    show) cat "$unit" ;;
    reboot) touch rebooted ;;
esac
"""


class Engine:
    """An engine's socket, at which everybody is told the same."""

    def __init__(self, path: Path) -> None:
        self.path, self.tells, self.stays = path, WELL, True
        self._listening = socket.socket(socket.AF_UNIX)
        self._connected: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve)

    def start(self) -> None:
        self._listening.bind(str(self.path))
        self._listening.listen()
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connected, _ = self._listening.accept()
            except OSError:
                return
            self._connected.append(connected)
            connected.sendall(self.tells)
            if not self.stays:
                connected.close()

    def asked(self) -> list[dict[str, object]]:
        """Return the requests to it."""
        heard = b"".join(each.recv(1 << 16, socket.MSG_DONTWAIT) for each in self._connected)
        return [json.loads(line)["do"] for line in heard.splitlines()]

    def end(self) -> None:
        if self._thread.is_alive():
            self._listening.shutdown(socket.SHUT_RDWR)
            self._thread.join()
        for each in (self._listening, *self._connected):
            each.close()


class Machine:
    """A machine that tries slot b: its card, its engine, and the programs that the judge calls."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.slots, self.engine = Slots(folder), Engine(folder / "house.sock")
        self.slots.try_it()
        self.programs, self.connectors = folder / "programs", folder / "drm"
        self.why = folder / "image/why-not"
        self.programs.mkdir()
        self.program("systemctl", SYSTEMCTL)
        self.program("rauc", f"#!/bin/sh\nexec '{SLOTS}' set-state b good\n")
        self.program("pi-table", '#!/bin/sh\n[ "$*" = "update --check" ]\n')
        self.unit("pi-table-engine.service", "active")
        self.unit("pi-table-console.service", "active")
        for name, value in self.slots.places.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("PATH", f"{self.programs}:{os.environ['PATH']}")
        monkeypatch.setattr(held_folder, "IMAGE", folder / "image")
        monkeypatch.setattr(standing, "HOUSE", str(self.engine.path))
        monkeypatch.setattr(check_slot, "CONNECTORS", self.connectors)
        monkeypatch.setattr(check_slot, "STEADY", 0.0)
        monkeypatch.setattr(check_slot, "START_TIMEOUT_SECONDS", 3.0)
        self.seconds = 0.0
        self.then: Callable[[], None] = lambda: None
        """Callback of the judge's first wait."""
        clock = SimpleNamespace(monotonic=lambda: self.seconds, sleep=self._wait)
        monkeypatch.setattr(check_slot, "time", clock)
        self.connect("disconnected")

    def _wait(self, seconds: float) -> None:
        self.seconds += seconds
        then, self.then = self.then, lambda: None
        then()

    def program(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def connect(self, status: str) -> None:
        """The first of two connectors, as the kernel tells of it. A Pi has both, display or not."""
        for name, said in (("card1-HDMI-A-1", status), ("card1-HDMI-A-2", "disconnected")):
            (self.connectors / name).mkdir(parents=True, exist_ok=True)
            (self.connectors / name / "status").write_text(f"{said}\n")

    def was(self, **otherwise: bool) -> None:
        """Write the table's state in the old slot, for the judge to read."""
        old = Engine(self.programs / "old.sock")
        old.tells = told(**otherwise)
        old.start()
        with pytest.MonkeyPatch.context() as before:
            before.setattr(standing, "HOUSE", str(old.path))
            standing.remember()
        old.end()

    def unit(self, name: str, state: str) -> None:
        (self.programs / name).write_text(f"{state}\n")

    def stands(self) -> tuple[str, str]:
        """The slot that starts, and how slot b is."""
        return self.slots.ask("get-default"), self.slots.ask("get-state", "b")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    machine = Machine(tmp_path, monkeypatch)
    yield machine
    machine.engine.end()


def test_a_version_whose_engine_answers_is_kept(machine: Machine) -> None:
    machine.was()
    machine.connect("connected")
    machine.engine.start()
    assert check_slot.main() == 0
    assert machine.stands() == ("b", "good")
    assert not machine.why.exists()
    # While it is judged no game begins, which might be ended by the machine's new start.
    keep = {"act": "keep-free", "seat": "operator"}
    assert machine.engine.asked() == [keep | {"seconds": 600}, keep | {"seconds": 0}]


def test_a_version_that_takes_its_time_is_waited_for(machine: Machine) -> None:
    machine.then = machine.engine.start
    assert check_slot.main() == 0
    assert machine.stands() == ("b", "good")
    assert machine.seconds > 0


@pytest.mark.parametrize(
    ("tells", "says"),
    [
        (b"", "does not answer"),
        (b"hello\n", "does not answer"),
        (b"[1]\n", "does not answer"),
        (b'{"kind": "busy"}\n', "does not answer"),
        (b'{"kind": "house"}\n', "does not answer"),
        (told(can_store=False), "no journal"),
        (told(link=False), "touch device"),
        (told(out_of_order=True), "out of order"),
    ],
)
def test_a_version_whose_engine_says_something_else_is_not_kept(
    machine: Machine, tells: bytes, says: str
) -> None:
    machine.was()
    machine.engine.tells, machine.engine.stays = tells, False
    machine.engine.start()
    assert check_slot.main() == 1
    assert machine.stands() == ("a", "bad")
    assert says in machine.why.read_text()
    assert machine.seconds == pytest.approx(check_slot.START_TIMEOUT_SECONDS)


@pytest.mark.parametrize("fares", [{"link": False}, {"out_of_order": True}])
def test_what_ailed_the_table_before_condemns_no_version(
    machine: Machine, fares: dict[str, bool]
) -> None:
    machine.was(**fares)
    machine.engine.tells = told(**fares)
    machine.engine.start()
    assert check_slot.main() == 0


@pytest.mark.parametrize("written", [None, "", "7", "[", "null"])
def test_where_nobody_knows_how_it_was_a_table_that_can_store_is_kept(
    machine: Machine, written: str | None
) -> None:
    if written is not None:
        (held_folder.image_folder() / standing.BEFORE).write_text(written)
    machine.engine.tells = told(link=False, out_of_order=True)
    machine.engine.start()
    assert check_slot.main() == 0


def test_of_an_engine_that_cannot_be_asked_nothing_was_well(machine: Machine) -> None:
    machine.was()
    assert standing.earlier_faults() == []
    standing.remember()
    assert standing.earlier_faults() == ["can_store", "link", "out_of_order"]


def test_a_version_whose_engine_does_not_stay_is_not_kept(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_slot, "STEADY", 20.0)
    machine.engine.stays = False
    machine.engine.start()
    assert check_slot.main() == 1
    assert "ended" in machine.why.read_text()


def test_a_version_whose_engine_was_given_up_is_not_waited_for(machine: Machine) -> None:
    machine.unit("pi-table-engine.service", "failed")
    assert check_slot.main() == 1
    assert machine.stands() == ("a", "bad")
    assert machine.seconds == 0


@pytest.mark.parametrize(("display", "kept"), [(True, False), (False, True)])
def test_the_hidden_screen_runs_where_there_is_a_display(
    machine: Machine, display: bool, kept: bool
) -> None:
    machine.unit("pi-table-console.service", "activating")
    if display:
        machine.connect("connected")
    machine.engine.start()
    assert check_slot.main() == (0 if kept else 1)
    assert machine.stands() == (("b", "good") if kept else ("a", "bad"))


def test_a_table_that_does_without_a_screen_is_kept_without(machine: Machine) -> None:
    machine.connect("connected")
    (machine.programs / "pi-table-console.service").unlink()  # masked
    machine.engine.start()
    assert check_slot.main() == 0


def test_a_table_whose_settings_name_no_screen_is_kept_with_any_display(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert Path("/", places.NO_SCREEN) == check_slot.NO_SCREEN
    monkeypatch.setattr(check_slot, "NO_SCREEN", tmp_path)
    machine.unit("pi-table-console.service", "inactive")
    machine.connect("connected")
    machine.engine.start()
    assert check_slot.main() == 0


@pytest.mark.parametrize(
    ("program", "text", "says"),
    [
        ("pi-table", "#!/bin/sh\nexit 1\n", "pi-table update --check does not run"),
        ("hawkbit.py", "import what_is_not_there", "import hawkbit does not run"),
        ("rauc", "#!/bin/sh\necho The card is read-only. >&2\nexit 1\n", "The card is read-only."),
    ],
)
def test_a_version_that_could_not_bring_the_next_or_be_marked_good_is_not_kept(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, program: str, text: str, says: str
) -> None:
    monkeypatch.setattr(check_slot, "HERE", machine.programs if ".py" in program else SLOTS.parent)
    machine.program(program, text)
    machine.engine.start()
    assert check_slot.main() == 1
    assert machine.stands() == ("a", "bad")
    assert says in machine.why.read_text()


def test_a_reason_that_cannot_be_written_down_is_told_and_the_slot_is_bad_all_the_same(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.engine.tells = told(can_store=False)
    machine.engine.start()
    machine.why.parent.touch()  # no folder: the partition of the games cannot be written
    assert check_slot.main() == 1
    assert machine.stands() == ("a", "bad")
    said = capsys.readouterr().out
    assert "no journal" in said
    assert "cannot be written" in said


def test_the_old_slot_says_that_the_new_one_did_not_come_so_far(machine: Machine) -> None:
    machine.slots.start()
    assert check_slot.main() == 0
    assert machine.stands() == ("a", "bad")
    assert "did not come so far" in machine.why.read_text()


def test_a_slot_that_nobody_asked_for_is_not_judged(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.slots.ask("set-state", "b", "bad")
    assert check_slot.main() == 0
    assert "nobody asked for" in capsys.readouterr().out
    assert machine.stands() == ("a", "bad")


# What comes of the judgement

JUDGES = {
    "keeps it": "raise SystemExit(0)",
    "does not keep it": "raise SystemExit(1)",
    "breaks down": "import what_is_not_there",
    "hangs": "import time; time.sleep(600)",
}


@pytest.mark.parametrize(
    ("judge", "tried", "started_anew"),
    [
        ("keeps it", True, False),
        ("does not keep it", True, True),
        ("breaks down", True, True),
        ("hangs", True, True),
        ("breaks down", False, False),
    ],
)
def test_the_machine_is_started_anew_where_what_is_tried_is_not_kept(
    machine: Machine, tmp_path: Path, judge: str, tried: bool, started_anew: bool
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for name in ("slots", "keep-or-go-back"):
        shutil.copy(SLOTS.with_name(name), here)
    (here / "check_slot.py").write_text(JUDGES[judge])
    # The clock of this timeout goes faster.
    machine.program("timeout", '#!/bin/sh\nshift 2\nexec /usr/bin/timeout 0.2 "$@"\n')
    if judge != "hangs":
        (machine.programs / "timeout").unlink()
    if not tried:
        machine.slots.ask("set-state", "b", "bad")
    subprocess.run([here / "keep-or-go-back"], check=False, capture_output=True, timeout=20)
    assert (machine.programs / "rebooted").exists() == started_anew
