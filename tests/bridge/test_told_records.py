"""How far finished games were told: kept whole, and never moved before a game is told."""

from pathlib import Path

import pytest
from house_table import finished

from pi_table.bridge.records import Told
from pi_table.errors import StorageError
from pi_table.ipc.house import Latest


def test_what_was_told_is_known_after_a_new_start(tmp_path: Path) -> None:
    told = Told(tmp_path / "bridge")
    told.read()
    assert told.latest is None
    assert told.question() == {"act": "finished", "seat": "operator", "after": None}
    told.move(finished(7))
    again = Told(tmp_path / "bridge")
    again.read()
    assert again.latest == Latest(7, finished(7).game, 40)
    assert again.question()["after"] == {"number": 7, "game": finished(7).game, "revision": 40}
    assert again.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("latest", "all_told"),
    [
        (None, True),
        (Latest(7, finished(7).game, 40), True),
        (Latest(8, finished(8).game, 12), False),
        (Latest(7, finished(7).game, 44), False),  # it was corrected
        (Latest(7, "f" * 32, 40), False),  # another journal
        (Latest(2, "f" * 32, 40), False),  # another journal, and a shorter one
    ],
)
def test_there_is_more_to_tell(tmp_path: Path, latest: Latest | None, all_told: bool) -> None:
    told = Told(tmp_path)
    told.move(finished(7))
    assert told.all_of(latest) is all_told


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\0" * 100, b'{"number": 7}', b"[" * 1024])
def test_a_damaged_file_is_told_of_and_all_is_told_again(tmp_path: Path, text: bytes) -> None:
    told = Told(tmp_path)
    told.move(finished(7))
    told.path.write_bytes(text)
    with pytest.raises(StorageError, match="is damaged"):
        told.read()
    assert told.latest is None


def test_a_file_that_cannot_be_read_or_written_is_told_of(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.path.mkdir()
    with pytest.raises(StorageError, match="cannot be read"):
        told.read()
    with pytest.raises(StorageError, match="cannot be written"):
        told.move(finished(7))
    assert told.latest == Latest(7, finished(7).game, 40)  # it is told, for as long as this runs
