"""A power cut while settings are taken over: the next boot takes them over, whatever was left."""

from pathlib import Path

import pytest
from cut_machine import Machine, build, images, record
from powercut import memory_folder
from small_system import ALL, System

from pi_table import cli
from pi_table.engine import pin
from pi_table.engine.house_files import PinFile
from pi_table.first_boot import places

PIN = "471102"
COMMAND = """
import sys
from pi_table.engine import pin
pin.ROUNDS, pin.COST = 1, 2
from pi_table.cli import main
sys.exit(main(sys.argv[1:]))
"""
FAULTS = {
    "the digits go first": """
from pi_table.first_boot import applying
keep = applying._keep_pin
applying._keep_pin = lambda *of: (applying.blank(FILE), keep(*of))
""",
    "files are not synced": """
import os, stat
real = os.fsync
os.fsync = lambda fd: real(fd) if stat.S_ISDIR(os.fstat(fd).st_mode) else None
""",
    "folders are not synced": """
import os, stat
real = os.fsync
os.fsync = lambda fd: None if stat.S_ISDIR(os.fstat(fd).st_mode) else real(fd)
""",
    "files are written in their place": """
from pi_table.first_boot import applying
def write_whole(path, chunks, mode=0o600, owner=None):
    path.write_bytes(b"".join(chunks))
applying.write_whole = write_whole
""",
}
EACH = 3


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("recorder"))


def losses(
    system: System, recorder: Path, monkeypatch: pytest.MonkeyPatch, fault: str = ""
) -> list[str]:
    """What is wrong after each cut, before the next boot and after it."""
    monkeypatch.setattr(pin, "ROUNDS", 1)
    monkeypatch.setattr(pin, "COST", 2)
    # The line of the PIN lies in two sectors.
    head = "#" * 505 + "\n"
    system.file.write_text(
        head + ALL.replace(f'pin = "{PIN}"\n', "").replace("#", f'pin="{PIN}"\n#', 1)
    )
    before = system.all()
    command = ["settings", "apply", str(system.file), "--root", str(system.root)]
    machine = Machine(system.top)
    program = fault.replace("FILE", f"__import__('pathlib').Path({str(system.file)!r})") + COMMAND
    operations = record(recorder, system.top, program, *command)
    after = system.all()
    found = []
    for where in images(machine, operations, EACH):
        left = system.all()
        mixed = [
            name
            for name in {*before, *after} - {f"{places.STATE}/pin.json"}
            if left.get(name) not in (before.get(name), after.get(name))
        ]
        if mixed:
            found.append(f"{where}: between old and new: {mixed}")
        if cli.main(command) != 0:
            found.append(f"{where}: the next boot says {system.says()}")
        kept = PinFile(system.root / places.STATE)
        if kept.fault or not kept.try_pin(PIN):
            found.append(f"{where}: the PIN is lost")
        if any(PIN[n : n + 3] in system.file.read_text() for n in range(4)):
            found.append(f"{where}: the PIN lies on the card")
        now = system.all()
        other = [n for n in after if now.get(n) != after[n] and "pin.json" not in n]
        if other or [n for n in now if n not in after and not Path(n).name.startswith(".")]:
            found.append(f"{where}: not as it was to be: {other}")
    assert len(operations) > 30
    return found


def test_settings_that_are_cut_are_taken_over_at_the_next_boot(
    recorder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memory_folder() as folder:
        found = losses(System(folder), recorder, monkeypatch)
    assert not found, found[0]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_the_harness_catches_settings_that_may_be_lost(
    recorder: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    with memory_folder() as folder:
        assert losses(System(folder), recorder, monkeypatch, fault)
