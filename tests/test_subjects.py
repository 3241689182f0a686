"""The check of commit subjects finds what breaks the rules, and nothing else."""

import shutil
import subprocess
from pathlib import Path

import pytest
from subjects import main, new_commits, problems

BODY = "\n\nA restart showed messages of the evening before."


@pytest.mark.parametrize(
    "subject",
    [
        "bridge: drop stale messages after reconnect",
        "tests/wire: focus on one link",
        "web: process requests by turns",
        "sound: bring back the low bell",
        "console: speed up the first picture",
        "calibrate: string the pads together",
        "tests/hal: pass the loop",
    ],
)
def test_a_good_subject_has_no_problem(subject: str) -> None:
    assert [*problems(subject + BODY)] == []


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (f"bridge: drop{' drop' * 10}{BODY}", "62 characters, at most 60"),
        (f"Drop stale messages{BODY}", "begin with the part"),
        (f"bridge drop stale messages{BODY}", "begin with the part"),
        (f"bridge: dropped stale messages{BODY}", "not with “dropped”"),
        (f"bridge: dropping stale messages{BODY}", "not with “dropping”"),
        (f"bridge: drops stale messages{BODY}", "not with “drops”"),
        (f"bridge: told what is stale{BODY}", "not with “told”"),
        (f"bridge: The stale messages go{BODY}", "not with “The”"),
        (f"bridge: drop stale messages.{BODY}", "no full stop"),
        ("bridge: drop stale messages", "a body"),
        ("bridge: drop stale messages\n\nSigned-off-by: A <a@b.org>\n", "a body"),
    ],
)
def test_each_rule_is_checked(message: str, problem: str) -> None:
    (found,) = problems(message)
    assert problem in found


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@b.org")
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


def commit(folder: Path, message: str) -> None:
    git(folder, "commit", "--allow-empty", "-qm", message)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A repository with one bad commit before the check, and one good commit after it."""
    if shutil.which("git") is None:
        pytest.skip("There is no git.")
    folder = tmp_path / "history"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, "Something old.")
    (folder / "tests").mkdir()
    (folder / "tests" / "subjects.py").touch()
    git(folder, "add", "tests")
    commit(folder, "Added the check.")
    commit(folder, f"bridge: drop stale messages{BODY}")
    return folder


def test_only_commits_after_the_check_count(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(history) == 0
    commit(history, f"bridge: drops it{BODY}")
    assert main(history) == 1
    assert "bridge: drops it: begin with a verb" in capsys.readouterr().out


def test_a_shallow_clone_passes(history: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", history.as_uri(), str(clone))
    assert main(clone) == 0
    commit(clone, "Something new.")
    assert [message for _, message in new_commits(clone)] == ["Something new."]


def test_there_is_nothing_to_check_without_a_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(tmp_path) == 0
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(tmp_path) == 0
