"""Until when tables accept a repository, and how it is signed again: by GnuPG and apt-utils."""

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


def repository(folder: Path, *words: str) -> str:
    """What the maker's program says about the repository in ``folder``."""
    done = subprocess.run(
        [sys.executable, PROGRAM, *words[:-1], folder, words[-1]],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def release(folder: Path, ring: str = "stable") -> dict[str, str]:
    """The lines of a ring's signed Release, by their names."""
    text = (folder / "dists" / ring / "InRelease").read_text()
    return dict(re.findall("^([A-Z][A-Za-z-]+): (.+)$", text, re.MULTILINE))


def test_a_repository_is_accepted_for_90_days_and_renewed_without_a_new_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "repository"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int((datetime.now(UTC) - 10 * DAY).timestamp())))
    said = repository(folder, "renew")
    for ring in ("early", "stable"):
        lines = release(folder, ring)
        signed = parsedate_to_datetime(lines["Date"])
        assert parsedate_to_datetime(lines["Valid-Until"]) - signed == 90 * DAY
        assert lines["Valid-Until"] in said
    assert "renew it before" in said
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    repository(folder, "renew")
    assert parsedate_to_datetime(release(folder)["Date"]) > signed
    repository(folder, "--valid-days", "0", "renew")
    assert "Valid-Until" not in release(folder)
    # What would be refused from its first hour on is not signed.
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert "90 days, which are over" in repository(folder, "renew")
    assert "Valid-Until" not in release(folder)
