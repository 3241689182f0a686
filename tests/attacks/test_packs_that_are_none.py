"""Uploads at the operator's desk that are no valid word packs."""

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from desk_table import DeskTable
from sealed_desk import Desk

pytestmark = pytest.mark.paced

HEAD: Final = (
    "name: {name}\ntitle: {title}\nlanguage: en\naudience: everybody\nsource: us\nlicence: none\n\n"
)
WORDS: Final = "\n".join(f"WORD{chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(60)) + "\n"


def pack(name: str = "kitchen", title: str = "Our kitchen", words: str = WORDS) -> bytes:
    return (HEAD.format(name=name, title=title) + words).encode()


def zipped(names: tuple[str, ...], content: bytes = b"WORD\n") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name in names:
            made.writestr(name, content)
    return file.getvalue()


def tarred(link: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as made:
        member = tarfile.TarInfo("packs/kitchen.txt")
        member.type, member.linkname = tarfile.SYMTYPE, link
        made.addfile(member)
    return file.getvalue()


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskTable]:
    table = DeskTable(tmp_path_factory.mktemp("packs"))
    yield table
    assert table.table.engine.process.poll() is None
    assert "Traceback" not in table.table.engine.log.read_text()
    table.close()


@pytest.fixture(scope="module")
def desk(at: DeskTable) -> Desk:
    return at.open_desk()


NO_PACKS: Final = {
    "nothing": b"",
    "zeros": bytes(5000),
    "random bytes": os.urandom(20_000),
    "another encoding": "naïve\n".encode("utf-16"),
    "a program": b"#!/bin/sh\nrm -rf /\n",
    "a page": b"<!doctype html><script>alert(1)</script>" * 100,
    "a giant line": pack() + b"A" * 200_000 + b"\n",
    "more than a pack may have": pack(words="".join(f"W{n:06}\n" for n in range(34_000))),
    "a bomb": gzip.compress(bytes(5_000_000), 9),
    "an archive": zipped(("kitchen.txt", "../../escape.txt")),
    "a bomb in an archive": zipped(("kitchen.txt",), bytes(5_000_000)),
    "an archive with a link": tarred("/etc/passwd"),
    "a head without an end": b"name: kitchen\n" * 1000,
    "words that cannot be seen": pack(words="\u200b\u202e\n\x1b[31m\n\x07\n" + WORDS),
    "a title that cannot be seen": pack(title="\x1b[2J"),
    "too few words": pack(words="ONE\nTWO\n"),
}


@pytest.mark.parametrize("content", NO_PACKS.values(), ids=NO_PACKS)
def test_what_is_no_pack_is_refused_and_nothing_is_kept(
    at: DeskTable, desk: Desk, content: bytes
) -> None:
    if desk.put(content) is None:
        answer = desk.ask("save-pack")
        assert answer is not None
        told = answer["told"] or {}
        assert not answer["ok"] or not told["ok"]
        assert len(str(told)) < 60_000
    assert [*at.packs.iterdir()] == []
    assert desk.why("packs") is None


NO_NAMES: Final = (
    *("../escape", "../../escape", "/tmp/escape", "a/b", "a\\b", "..", ".", ".hidden", "", " "),
    *("kitchen.txt", "CON", "Kitchen", "kit chen", "kitchen\x00", "k\u0456tchen", "-rf", "a" * 41),
    *("english", "ENGLISH", "%2e%2e", "~", "$HOME", "kitchen;id", "\u202etxt", "kitchen\t", "*"),
)  # fmt: skip


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_of_a_pack_is_never_a_path(at: DeskTable, desk: Desk, name: str) -> None:
    around = sorted(path.name for path in at.packs.parent.iterdir())
    assert desk.put(pack(name=name)) is None
    answer = desk.ask("save-pack")
    assert answer is not None
    kept = [path.name for path in at.packs.iterdir()]
    assert kept in ([], ["kitchen.txt"] if name.strip() == "kitchen" else [])
    for path in at.packs.iterdir():
        path.unlink()
    for act in ("pack", "remove-pack"):
        assert desk.why(act, name=name) is not None or name == "english"
    assert sorted(path.name for path in at.packs.parent.iterdir()) == around


def test_a_pack_in_order_is_kept_so_the_others_were_refused_for_themselves(
    at: DeskTable, desk: Desk
) -> None:
    assert desk.put(pack()) is None
    answer = desk.ask("save-pack")
    assert answer is not None
    assert answer["ok"], answer
    assert answer["told"]["ok"], answer["told"]
    assert [path.name for path in at.packs.iterdir()] == ["kitchen.txt"]
    assert desk.why("remove-pack", name="kitchen") is None


def test_a_link_in_the_folder_of_packs_shows_no_other_file(
    at: DeskTable, desk: Desk, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the words of another file")
    (at.packs / "stolen.txt").symlink_to(secret)
    (at.packs / "endless.txt").symlink_to("/dev/zero")
    os.mkfifo(at.packs / "pipe.txt")
    assert desk.why("packs") is None
    for name in ("endless", "pipe"):
        desk.why("pack", name=name)
    assert desk.why("settings") is None  # nobody waits for what never ends
    for path in at.packs.iterdir():
        path.unlink()


@pytest.mark.parametrize("name", [b"citt\xe0.txt", b"citt\xe0.csv"])
def test_a_file_whose_name_is_not_utf8_is_listed(at: DeskTable, desk: Desk, name: bytes) -> None:
    file = at.packs / os.fsdecode(name)
    file.write_text("no pack")
    answer = desk.ask("packs")
    assert answer is not None
    assert [each["name"][:5] for each in answer["told"] if each["own"]] == ["citt?"]
    assert (desk.why("backup") is not None) == (file.suffix == ".txt")
    file.unlink()


def test_a_backup_that_is_none_changes_nothing(at: DeskTable, desk: Desk) -> None:
    for content in (os.urandom(30_000), tarred("/etc/passwd")):
        assert desk.put(content, what="backup") is None
        assert desk.why("check-backup") is not None
        assert desk.why("restore") is not None
    assert desk.why("put", what="backup", at=1 << 39, piece="") is not None
    assert desk.why("put", what="backup", at=10**6, piece="QUJD") is not None
    assert desk.why("put", what="../x", at=0, piece="QUJD") is not None
    assert desk.why("settings") is None
