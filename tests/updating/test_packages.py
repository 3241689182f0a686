"""What tells that an update is to be finished; tests/package has the real programs."""

from pathlib import Path

import pytest

from pi_table.updating import packages
from pi_table.updating.packages import Packages


def test_what_dpkg_was_interrupted_in_is_to_be_finished_whosever_package_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """apt installs nothing until then: "dpkg was interrupted, you must manually run …"."""
    query = tmp_path / "dpkg-query"
    query.write_text("#!/bin/sh\nprintf 'installed\\ninstalled\\n'\n")
    query.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(packages, "OF_DPKG", tmp_path / "updates")
    assert not Packages().is_cut_short()
    (tmp_path / "updates").mkdir()
    assert not Packages().is_cut_short()
    (tmp_path / "updates/tmp.i").touch()  # dpkg's own, from which nothing follows
    assert not Packages().is_cut_short()
    (tmp_path / "updates/0003").touch()
    assert Packages().is_cut_short()
