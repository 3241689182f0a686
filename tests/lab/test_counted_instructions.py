"""The instructions of a program of arm64, counted by QEMU."""

import subprocess
from pathlib import Path

import pytest

from pi_table.common.errors import InputError
from pi_table.lab.arm64 import emulated_python
from pi_table.lab.arm64.emulated_python import EmulatedPython, counted, is_there, read_count

emulated = pytest.mark.skipif(not is_there(), reason="needs '.ci/setup.sh small' on Debian 12")

LOOP = """
.global _start
_start: ldr x0, ={times}
again:  subs x0, x0, #1
        b.ne again
        mov x8, #93
        svc #0
"""
"""A program of arm64: two instructions in each turn of a loop, and three around it."""


def built(folder: Path, source: str, name: str, *options: str) -> Path:
    (folder / name).write_text(source)
    program = folder / "program"
    compiler = ["aarch64-linux-gnu-gcc", "-static", *options]
    subprocess.run([*compiler, "-o", program, folder / name], check=True)
    return program


@emulated
@pytest.mark.parametrize("times", [1, 1000, 123_456_789])
def test_each_instruction_is_counted_once(tmp_path: Path, times: int) -> None:
    program = built(tmp_path, LOOP.format(times=times), "loop.s", "-nostdlib")
    counter = tmp_path / "count"
    subprocess.run([*counted(counter), program], check=True)
    assert read_count(counter) == 2 * times + 3


THREADS = """
#include <pthread.h>
static void *work(void *none)
{
    for (long i = 0; i < 20000000; i++)
        __asm__ volatile("nop\\n nop\\n nop\\n nop");
    return none;
}
int main(int count, char **words)
{
    (void)words;
    pthread_t threads[8];
    for (int i = 1; i < count; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 1; i < count; i++)
        pthread_join(threads[i], 0);
    return 0;
}
"""


@emulated
def test_nothing_is_lost_where_threads_run_at_the_same_time(tmp_path: Path) -> None:
    program, counter = built(tmp_path, THREADS, "threads.c", "-O1", "-pthread"), tmp_path / "count"

    def count(threads: int) -> int:
        subprocess.run([*counted(counter), program, *["thread"] * threads], check=True)
        return read_count(counter)

    none, one, four = count(0), count(1), count(4)
    assert one - none > 4 * 2 * 10**7
    assert four - none == pytest.approx(4 * (one - none), rel=0.0001)


def test_what_is_missing_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(emulated_python, "ROOT", tmp_path)
    with pytest.raises(InputError, match=r"run '\.ci/setup\.sh small'"):
        EmulatedPython(tmp_path / "count")


def test_a_qemu_without_plugins_is_as_good_as_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "stamp").touch()
    monkeypatch.setattr(emulated_python, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for option, there in (("-plugin", True), ("-trace", False)):
        program = tmp_path / "qemu-aarch64"
        program.write_text(f"#!/bin/sh\necho {option} FILE\n")
        program.chmod(0o755)
        assert is_there() is there
