"""The storm would notice: faults planted at either end of the wire, one at a time."""

import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from planted import parameters
from stormy import Storm

from pi_table.devices.wire import codec
from pi_table.devices.wire.link import Event, Link, Standing
from pi_table.devices.wire.messages import State
from pi_table.simulator import emulated

Plant = Callable[[pytest.MonkeyPatch], None]
MIN_BURSTS = 12_000
"""Bursts in which each of these faults shows."""


def rages() -> None:
    for seed in range(3):
        Storm("host", seed).rage(MIN_BURSTS // 3)


def careless(change: Callable[[Link, State], None]) -> Plant:
    """A link that does this to itself before it judges a state."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        judges: Callable[[Link, State, float], list[Event]] = Link._on_state

        def on_state(self: Link, state: State, now: float) -> list[Event]:
            change(self, state)
            return judges(self, state, now)

        patch.setattr(Link, "_on_state", on_state)

    plant.__name__ = change.__name__
    return plant


@careless
def the_sequence_is_ignored(link: Link, state: State) -> None:
    if link.state is not None:
        earlier = (state.sequence - 1) % 65536
        link.state = msgspec.structs.replace(link.state, sequence=earlier)


@careless
def the_boot_id_is_ignored(link: Link, state: State) -> None:
    if link.hello is not None:
        link.hello = msgspec.structs.replace(link.hello, boot=state.boot)
    if link.state is not None:  # nor is it asked how long it took since the state before
        link.state = msgspec.structs.replace(link.state, uptime_ms=state.uptime_ms)


@careless
def the_greeting_need_not_be_heard(link: Link, state: State) -> None:
    if link.standing is Standing.MET:
        link._outbox.number, link._outbox.due_at = state.applied, 0.0


def checking(mask: int) -> Plant:
    """A decoder that looks at these bits of the CRC only."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        def message(frame: bytes) -> bytes | None:
            text = codec._uncobs(frame)
            if text is None or not codec.CRC_BYTES < len(text) <= codec.MAX_FRAME_BYTES:
                return None
            crc = int.from_bytes(text[-codec.CRC_BYTES :], "little")
            return text[: -codec.CRC_BYTES] if (zlib.crc32(text[:-4]) ^ crc) & mask == 0 else None

        patch.setattr(codec, "_message", message)

    plant.__name__ = f"only_{mask:#010x}_of_the_crc_is_checked"
    return plant


PLANTS = [
    the_sequence_is_ignored,
    the_boot_id_is_ignored,
    pytest.param(the_greeting_need_not_be_heard, marks=pytest.mark.mutation),
    *(checking(mask) for mask in (0, 0xFFFF, 0xFFFF0000)),
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: str(plant.__name__))
def test_a_careless_pi_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        rages()


CHECK = "decoder->crc == CRC_OF_INTACT"
CARELESS = {
    "checks-nothing": "true",
    "checks-the-low-half": "(uint16_t)decoder->crc == (uint16_t)CRC_OF_INTACT",
    "checks-the-high-half": "decoder->crc >> 16 == CRC_OF_INTACT >> 16",
}


def build(folder: Path, check: str) -> None:
    """The firmware's core with another check of the CRC, as a library of this machine."""
    sources = emulated.FIRMWARE
    shutil.copytree(sources / "core", folder / "core")
    decoder = folder / "core/frame.c"
    text = decoder.read_text("utf-8")
    assert text.count(CHECK) == 1
    decoder.write_text(text.replace(CHECK, check), "utf-8")
    parts = [folder / "core", sources / "model", sources / "host"]
    folders = [*parts, sources / "linux"]
    files = [file for part in parts for file in part.glob("*.c") if file.name != "serve.c"]
    subprocess.run(
        [
            *("gcc", "-std=c99", "-O2", "-fPIC", "-shared", "-D_POSIX_C_SOURCE=200809L"),
            *("-D_DEFAULT_SOURCE", f"-I{emulated.BUILT}", *(f"-I{each}" for each in folders)),
            *("-o", str(folder / "libhosttable.so"), *map(str, files), "-lm"),
        ],
        check=True,
    )


@pytest.mark.parametrize("check", parameters(CARELESS, quick=("checks-nothing",)))
def test_a_careless_controller_is_noticed(
    check: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, check)
    monkeypatch.setattr(emulated, "BUILT", tmp_path)
    with pytest.raises(AssertionError):
        rages()


@pytest.mark.mutation
def test_a_controller_that_was_built_like_those_but_careful_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, CHECK)
    monkeypatch.setattr(emulated, "BUILT", tmp_path)
    Storm("host", 0).rage(1000)
