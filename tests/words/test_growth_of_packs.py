"""The work for a pack grows with its words, and no faster. Calls are counted, because time is not
the same twice."""

import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from pi_table.games.words.deck import deal
from pi_table.games.words.kinship import kinship
from pi_table.games.words.pack import Pack, check_pack, read_pack
from pi_table.lab.bench.packs import bench_pack
from pi_table.table.engine.storage.packs import PackFolder

SMALL, LARGE = 500, 5000


@cache
def text_of(size: int) -> str:
    return bench_pack(size)


@cache
def pack_of(size: int) -> Pack:
    return read_pack(text_of(size))


def calls(do: Callable[[], object]) -> int:
    """Return how many functions in Python are called, each iteration of a generator included."""
    count = 0

    def on_event(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(on_event)
    try:
        do()
    finally:
        sys.setprofile(before)
    return count


def in_folder(folder: Path, size: int) -> PackFolder:
    """Return a folder with a pack that nobody uploaded through the desk."""
    where = folder / str(size)
    where.mkdir()
    (where / "bench.txt").write_text(text_of(size))
    return PackFolder(where)


def begin(pack: Pack, *blanks: str) -> None:
    used = pack.words[: len(pack.words) // 2]
    known = kinship((*pack.words, *blanks), pack.language)
    deal(pack, 0, used, Random(1), sure=blanks, kinship=known)


@pytest.mark.parametrize(
    ("most", "work"),
    [
        (75, lambda folder, size: check_pack(text_of(size))),
        (75, lambda folder, size: in_folder(folder, size).read_packs()),
        (20, lambda folder, size: kinship(pack_of(size).words, "en")),
        (25, lambda folder, size: begin(pack_of(size))),
        (50, lambda folder, size: begin(pack_of(size), "BIRTHDAY CAKE")),
        (125, lambda folder, size: in_folder(folder, size).check(text_of(size))),
        (125, lambda folder, size: in_folder(folder, size).save(text_of(size), "bench")),
    ],
    ids=["reading", "shelf", "kin", "deal", "deal with blanks", "desk's check", "storing"],
)
def test_a_further_word_takes_so_many_calls_at_most(
    tmp_path: Path, most: int, work: Callable[[Path, int], object]
) -> None:
    pack_of(LARGE)  # made before, and not counted
    small, large = (calls(partial(work, tmp_path, size)) for size in (SMALL, LARGE))
    assert large - small <= most * (LARGE - SMALL)
