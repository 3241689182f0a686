"""A power cut while settings are taken over: the next boot takes them over, whatever was left."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cut_machine import Machine, build, images, record
from pem_pairs import pair
from planted import parameters
from powercut import memory_folder
from small_system import ALL, System

from pi_table import cli
from pi_table.maintenance.first_boot import places
from pi_table.table.engine.storage import pin
from pi_table.table.engine.storage.house_files import PinFile

PIN = "471102"
PASSWORD = "Kgm8-wq2Zr_tB5xN"
COMMAND = """
import sys
from pi_table.table.engine.storage import pin
pin.ROUNDS, pin.COST = 1, 2
from pi_table.cli import main
sys.exit(main(sys.argv[1:]))
"""
FAULTS = {
    "the digits go first": """
from pi_table.maintenance.first_boot import applying
keep = applying._keep_pin
applying._keep_pin = lambda *of: (applying.once.blank(FILE, applying.once.PIN), keep(*of))
""",
    "the secrets of the bridge go first": """
from pi_table.maintenance.first_boot import applying
keep = applying.bridge_secrets.keep
applying.bridge_secrets.keep = lambda *of: (
    [applying.once.blank(each, *kinds) for each, kinds in applying._secret_in(FILE).items()],
    keep(*of),
)
""",
    "letters go before their line is a comment": """
from pi_table.maintenance.first_boot import once
write = once._write
once._write = lambda fd, data, at: None if data == b"#" else write(fd, data, at)
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
from pi_table.maintenance.first_boot import applying, below_root
def write_whole(path, chunks, mode=0o600, owner=None):
    path.write_bytes(b"".join(chunks))
applying.write_whole = below_root.write_whole = write_whole
""",
}
EACH = 1


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("recorder"))


def in_two_sectors(text: str) -> str:
    """The settings, with the PIN and the password each in two sectors of the card."""
    for line, behind in ((f'pin = "{PIN}"', 512 - 10), (f'password = "{PASSWORD}"', 1024 - 20)):
        before, after = text.split(line)
        text = f"{before}{'#' * (behind - len(before.encode()) - 1)}\n{line}{after}"
    return text


def losses(
    system: System, recorder: Path, monkeypatch: pytest.MonkeyPatch, fault: str = ""
) -> Iterator[str]:
    """Yield the faults after each cut, before the next boot and after it."""
    monkeypatch.setattr(pin, "ROUNDS", 1)
    monkeypatch.setattr(pin, "COST", 2)
    system.file.write_text(in_two_sectors(ALL))
    certificate, key = pair("window")
    system.beside(places.CERTIFICATE).write_text(certificate)
    system.beside(places.KEY).write_text(key)
    line = "console=tty1 cfg80211.ieee80211_regdom={} rootwait\n"
    system.beside(places.CMDLINE).write_text(line.format("GB"))
    before = system.all()
    command = ["settings", "apply", str(system.file), "--root", str(system.root)]
    machine = Machine(system.top)
    program = fault.replace("FILE", f"__import__('pathlib').Path({str(system.file)!r})") + COMMAND
    operations = record(recorder, system.top, program, *command)
    after = system.all()
    assert len(operations) > 30
    for where in images(machine, operations, EACH):
        left = system.all()
        mixed = [
            name
            for name in {*before, *after} - {f"{places.STATE}/pin.json"}
            if left.get(name) not in (before.get(name), after.get(name))
        ]
        if mixed:
            yield f"{where}: between old and new: {mixed}"
        if cli.main(command) != 0:
            yield f"{where}: the next boot says {system.says()}"
        kept = PinFile(system.root / places.STATE)
        if kept.fault or not kept.try_pin(PIN):
            yield f"{where}: the PIN is lost"
        if any(PIN[n : n + 3] in system.file.read_text() for n in range(4)):
            yield f"{where}: the PIN lies on the card"
        if system.beside(places.CMDLINE).read_text() != line.format("IT"):
            yield f"{where}: the line of the kernel is not as it was to be"
        now = system.all()
        if any(PASSWORD[n : n + 4] in system.file.read_text() for n in range(12)):
            yield f"{where}: the password lies on the card"
        if any(line in system.beside(places.KEY).read_text() for line in key.splitlines()[1:-1]):
            yield f"{where}: the key lies on the card"
        other = [n for n in after if now.get(n) != after[n] and "pin.json" not in n]
        if other or [n for n in now if n not in after and not Path(n).name.startswith(".")]:
            yield f"{where}: not as it was to be: {other}"


def test_settings_that_are_cut_are_taken_over_at_the_next_boot(
    recorder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memory_folder() as folder:
        found = next(losses(System(folder), recorder, monkeypatch), None)
    assert found is None


@pytest.mark.parametrize(
    "fault", parameters(FAULTS, quick=("files are not synced", "the digits go first"))
)
def test_the_harness_catches_settings_that_may_be_lost(
    recorder: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    with memory_folder() as folder:
        assert next(losses(System(folder), recorder, monkeypatch, fault), None)
