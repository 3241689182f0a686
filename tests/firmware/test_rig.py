"""The emulated table notices what a program does wrong, and does itself as the data sheet says."""

import random
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pi_table.common.errors import DeviceError
from pi_table.simulator import emulated
from pi_table.simulator.emulated import EmulatedTable

PROGRAM = Path(__file__).parent / "programs" / "misbehaves.c"
BYTE_US = 40
LATCH_US = 280


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    elf = tmp_path_factory.mktemp("program") / "misbehaves.elf"
    compiler = ["avr-gcc", "-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-std=gnu99"]
    subprocess.run([*compiler, "-o", elf, PROGRAM], check=True)
    return elf


@pytest.fixture
def table(program: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatedTable]:
    monkeypatch.setattr(emulated, "BINARY", program)
    with EmulatedTable("emulated") as table:
        table.run(1000)
        yield table


def told(table: EmulatedTable, line: bytes) -> bytes:
    """Return the program's answer within 50 ms of these bytes."""
    table.write(line)
    table.run(table.now_us + 50_000)
    return table.read()


def test_interrupts_that_were_off_are_measured(table: EmulatedTable) -> None:
    assert table.stats["off_worst_us"] == 0
    told(table, b"i")
    assert 100 <= table.stats["off_worst_us"] <= 102


def test_a_bit_of_light_that_is_neither_zero_nor_one_is_measured(table: EmulatedTable) -> None:
    told(table, b"g")
    assert table.stats["bit_worst_ns"] == 25
    told(table, b"b")
    assert table.stats["bit_worst_ns"] == 163


def test_a_gap_between_lights_is_measured_and_a_long_one_shows_what_was_told(
    table: EmulatedTable,
) -> None:
    told(table, b"g")
    assert 100 <= table.stats["gap_worst_us"] <= 102
    (shown,) = table.new_frames()
    assert not shown.whole
    assert shown.at_us - shown.begun_us > 100 + LATCH_US


def test_bytes_that_nobody_reads_overrun_the_buffer_of_two_and_the_shift_register(
    table: EmulatedTable,
) -> None:
    assert told(table, b"o...") != b"\x08"  # three wait: nothing is lost
    assert table.stats["overruns"] == 0
    assert told(table, b"o....") == b"\x08"  # DOR
    assert table.stats["overruns"] == 1


def test_a_byte_takes_its_ten_bits(table: EmulatedTable) -> None:
    begun_us = table.now_us
    table.write(bytes(100))
    table.write(b"e")
    table.run(begun_us + 3400 + 101 * BYTE_US + 30)
    assert table.read() == b""
    table.run(table.now_us + 60)
    assert table.read() != b""


def test_the_bus_tells_who_answers_to_an_address_and_takes_its_time(table: EmulatedTable) -> None:
    answered, took, silent, _ = told(table, b"t")
    assert answered == 0x18
    assert silent == 0x20
    assert took / 2 == pytest.approx(9 / 0.4, abs=2)  # 9 bits at 400 kHz, in microseconds


def test_who_is_not_alone_on_the_bus_has_lost_it(table: EmulatedTable) -> None:
    table.write(b"t")
    table.run(table.now_us + BYTE_US + 100)  # it has made its start, and waits with the address
    table.tell("chip 0 hold 5")
    table.run(table.now_us + 50_000)
    assert table.read()[0] == 0x38


def test_a_byte_of_memory_takes_3_4_ms_and_is_lost_without_power(table: EmulatedTable) -> None:
    (took,) = told(table, b"e")
    assert took * 0.128 == pytest.approx(3.4, abs=0.13)
    assert table.memory[5] == 0x33
    table.tell("memory 5 16")
    table.write(b"e")
    table.run(table.now_us + 1000)
    assert table.memory[5] == 16
    table.tell("power-cut")
    assert table.memory[5] == 0xFF


def test_the_stack_is_measured_at_its_deepest(table: EmulatedTable) -> None:
    shallow = table.stats["ram"]
    told(table, b"d")
    assert table.stats["ram"] - shallow > 20 * 32


def test_who_sleeps_with_interrupts_off_sleeps_until_the_reset(table: EmulatedTable) -> None:
    told(table, b"x")
    assert told(table, b"e") == b""
    table.tell("reset")
    table.run(table.now_us + 1000)
    assert told(table, b"e") != b""


def test_tables_of_one_process_do_not_disturb_each_other() -> None:
    def said(*touched_at_ms: int) -> list[bytes]:
        with ExitStack() as stack:
            tables = [stack.enter_context(EmulatedTable("emulated")) for _ in touched_at_ms]
            for ms in range(1, 400):
                for table, touched_ms in zip(tables, touched_at_ms, strict=True):
                    if ms == touched_ms:
                        table.tell("shape 0 B2 5:30")
                    table.run(1000 * ms)
            return [table.read() for table in tables]

    together = said(200, 213)
    assert together == said(200) + said(213)
    assert together[0] != together[1]


def test_however_the_time_is_cut_the_same_comes_of_it() -> None:
    def said(cuts_us: list[int]) -> bytes:
        with EmulatedTable("emulated", seed=3) as table:
            table.tell("noise 1")
            table.tell("shape 0 B2 150:0 170:30 260:30 280:0")
            for until_us in [*cuts_us, 400_000]:
                table.run(until_us)
            return table.read()

    chance = random.Random(5)
    assert said([]) == said(sorted(chance.sample(range(400_000), k=5_000)))


@pytest.mark.parametrize("content", [None, b"", b"not a program", b"\x7fELF" + bytes(60)])
def test_what_is_no_program_for_the_chip_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    content: bytes | None,
) -> None:
    path = tmp_path / "program.elf"
    path.write_bytes(content or b"")
    monkeypatch.setattr(emulated, "BINARY", path)
    with pytest.raises(DeviceError):
        EmulatedTable("emulated")
    assert str(path) in capfd.readouterr().err
