"""Which of the versions that lie in a root is started."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

LAUNCHER: Final = Path(__file__).parents[2] / "systemd/package/launcher"
HOME: Final = "/usr/lib/pi-table"
MAIN: Final = "def main(): print('started', {version!r}, __import__('of_libs').VERSION); return 3"


class Root:
    """The folder of versions of a root, and its launcher."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.launcher = folder / "launcher"
        text = LAUNCHER.read_text()
        assert HOME in text
        self.launcher.write_text(text.replace(HOME, str(folder)))

    def code(self, version: str, whole: bool = True, kept: bool = False) -> "Root":
        package = self.folder / ("kept" if kept else "") / f"code-{version}" / "pi_table"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "cli.py").write_text(MAIN.format(version=version))
        return self._whole(package.parent, whole)

    def libs(self, version: str, whole: bool = True, kept: bool = False) -> "Root":
        libs = self.folder / ("kept" if kept else "") / f"libs-{version}"
        libs.mkdir(parents=True)
        (libs / "of_libs.py").write_text(f"VERSION = {version!r}")
        return self._whole(libs, whole)

    def _whole(self, folder: Path, whole: bool) -> "Root":
        if whole:
            (folder / "zz-complete").touch()
        return self

    def start(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-I", self.launcher], capture_output=True, text=True, check=False
        )


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return Root(tmp_path)


def started(root: Root) -> str:
    done = root.start()
    assert (done.returncode, done.stderr) == (3, "")
    code, libs = done.stdout.split()[1:]
    assert code == libs
    return code.strip("'")


def test_the_newest_that_is_whole_is_started(root: Root) -> None:
    root.code("0.9.1").libs("0.9.1")
    assert started(root) == "0.9.1"
    root.code("0.10.0").libs("0.10.0")
    assert started(root) == "0.10.0"


@pytest.mark.parametrize(("code", "libs"), [(False, True), (True, False), (True, None)])
def test_half_a_version_is_not_started(root: Root, code: bool, libs: bool | None) -> None:
    root.code("1.0.0").libs("1.0.0").code("1.1.0", whole=code)
    if libs is not None:
        root.libs("1.1.0", whole=libs)
    assert started(root) == "1.0.0"


def test_of_what_is_another_one_for_each_python_its_own_is_taken(root: Root) -> None:
    root.code("1.0.0").libs("1.0.0")
    (root.folder / "libs-1.0.0/of_libs.py").unlink()
    minor = sys.version_info[1]
    for python in (minor - 1, minor, minor + 1):
        folder = root.folder / f"libs-1.0.0/python3.{python}"
        folder.mkdir()
        (folder / "of_libs.py").write_text(f"VERSION = {'1.0.0' if python == minor else ''!r}")
    assert started(root) == "1.0.0"


def test_the_libraries_that_are_kept_serve_the_old_code(root: Root) -> None:
    root.code("1.0.0").libs("1.0.0", kept=True).code("1.1.0", whole=False).libs("1.1.0")
    assert started(root) == "1.0.0"


def test_the_code_that_is_kept_serves_until_its_libraries_go(root: Root) -> None:
    root.code("1.0.0", kept=True).libs("1.0.0").code("1.1.0")
    assert started(root) == "1.0.0"
    root.libs("1.1.0")
    assert started(root) == "1.1.0"


def test_without_any_whole_version_it_is_said(root: Root) -> None:
    root.code("1.0.0").libs("1.1.0")
    done = root.start()
    assert done.returncode == 1
    assert done.stderr.startswith(f"pi-table: {root.folder} has no whole version")
    assert "Traceback" not in done.stderr
