"""Until when tables accept a repository, and what a forgotten key leaves: by GnuPG and apt-utils.
`tests/package/test_keys_of_a_repository.py` has keys of a maker's own."""

import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "systemd/package/repository.py"
DAY = timedelta(days=1)
pytestmark = pytest.mark.skipif(
    shutil.which("apt-ftparchive") is None, reason="apt-utils is not installed"
)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the throw-away key is kept."""
    folder = tmp_path / "home/state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


def repository(folder: Path, *words: str | Path, status: int = 0) -> str:
    """Run the maker's program on the repository in ``folder``, and return its output."""
    done = subprocess.run(
        [sys.executable, PROGRAM, folder, *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def files(folder: Path) -> dict[Path, bytes]:
    """Every file and folder below one, with what is in it."""
    return {
        path.relative_to(folder): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


def release(folder: Path, ring: str = "stable") -> dict[str, str]:
    """The lines of a ring's signed Release, by their names."""
    text = (folder / "dists" / ring / "InRelease").read_text()
    return dict(re.findall("^([A-Z][A-Za-z-]+): (.+)$", text, re.MULTILINE))


def times(folder: Path, ring: str = "stable") -> tuple[datetime, timedelta]:
    """When a ring was signed, and for how long that holds."""
    date, until = (
        parsedate_to_datetime(release(folder, ring)[each]) for each in ("Date", "Valid-Until")
    )
    return date, until - date


def test_a_repository_is_accepted_for_90_days_or_for_as_many_as_were_said_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "repository"
    said = repository(folder, "sign")
    for ring in ("early", "stable"):
        assert times(folder, ring)[1] == 90 * DAY
        assert f"{release(folder, ring)['Valid-Until']}: sign it again before" in said
    repository(folder, "--valid-days", "30", "sign")
    repository(folder, "renew")  # what `sign` was called
    assert times(folder)[1] == 30 * DAY
    # What would be refused from its first hour on is not signed.
    before = files(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert "30 days, which are over" in repository(folder, "sign", status=1)
    assert files(folder) == before
    # Nor is anything changed where GnuPG does not sign: the key is younger than this.
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1500000000")
    said = repository(folder, "--valid-days", "0", "sign", status=1)
    assert "Nothing was changed" in said
    assert files(folder) == before
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert "for ever" in repository(folder, "--valid-days", "0", "sign")
    assert "for ever" in repository(folder, "sign")
    assert "Valid-Until" not in release(folder)


def test_dates_and_signatures_are_those_of_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = (datetime.now(UTC) - 10 * DAY).replace(microsecond=0)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(signed.timestamp())))
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        repository(folder, "--url", "https://packages.example.org", "sign")
    assert times(one) == (signed, 90 * DAY)
    assert files(one) == files(other)


def test_without_the_key_that_tables_trust_nothing_is_signed_or_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "repository"
    (key,) = re.findall("signed by ([0-9A-F]{40})", repository(folder, "sign"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "of another maker"))
    for has_tried_before in (False, True):
        if has_tried_before:
            repository(tmp_path / "other", "sign")
        before = files(tmp_path)
        said = repository(folder, "sign", status=1)
        assert f"tables trust {key}, by {folder}/pi-table-archive-keyring.gpg" in said
        assert files(tmp_path) == before


def test_a_throw_away_key_is_never_where_a_web_server_finds_it(tmp_path: Path, state: Path) -> None:
    folder = tmp_path / "srv/repository"
    assert "THROW-AWAY" in repository(folder, "sign")
    assert [path.name for path in (tmp_path / "srv").iterdir()] == ["repository"]
    assert not [path for path in files(folder) if "private" in path.name]
    (kept,) = (state / "pi-table").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    said = repository(tmp_path / "home", "sign", status=1)
    assert "give the repository a folder of its own" in said
