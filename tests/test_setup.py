"""A fresh machine: the locks, and how the set-up chooses a Python and knows what is ready."""

import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from patience import PATIENCE

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
RUNTIME = "requirements.txt"
DEV = "requirements-dev.txt"
PEER = "requirements-peer.txt"
PACKAGE = "requirements-package.txt"
KIN = "requirements-kin.txt"
BROWSER = "requirements-pages.txt"
ENCLOSURE = "requirements-enclosure.txt"
HARDWARE = "requirements-hardware.txt"
BOARDS = "requirements-boards.txt"
RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"


def pins(lock: str) -> dict[str, tuple[str, set[str]]]:
    """Name → version and hashes, of every package in a lock."""
    found: dict[str, tuple[str, set[str]]] = {}
    for block in re.split(r"\n(?! )", (ROOT / ".ci" / lock).read_text().strip()):
        name, version = re.match(r"([\w.-]+)==(\S+)", block).groups()  # type: ignore[union-attr]
        found[canonicalize_name(name)] = version, set(re.findall(r"sha256:\w+", block))
    return found


def setup(root: Path, *call: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Calls one function of the set-up script that lies in root."""
    command = [shutil.which("bash") or "bash", str(root / ".ci" / "setup.sh"), *call]
    return subprocess.run(command, env=env or None, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("lock", [RUNTIME, DEV])
def test_a_lock_satisfies_everything_that_the_project_asks_for(lock: str) -> None:
    asked = PROJECT["dependencies"] + PYPROJECT["build-system"]["requires"]
    if lock == DEV:
        asked = asked + PROJECT["optional-dependencies"]["dev"]
    locked = pins(lock)
    for requirement in map(Requirement, asked):
        version, _ = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), requirement


def test_what_is_tested_is_what_is_played() -> None:
    assert pins(RUNTIME).items() <= pins(DEV).items()


def test_what_a_package_carries_is_what_is_tested() -> None:
    packaged, tested = pins(PACKAGE), pins(DEV)
    assert {*packaged} > {"msgspec", "simplemma", "lgpio", "rpi-ws281x"}
    for name in packaged.keys() & tested.keys():
        assert packaged[name] == tested[name], name


def test_what_serves_the_pages_in_a_browsers_tests_is_what_is_played() -> None:
    browser = pins(BROWSER)
    assert pins(DEV).items() <= browser.items()
    assert {"playwright", "axe-playwright-python"} <= browser.keys()


def test_the_tables_of_kin_are_made_with_the_lemmas_that_the_referee_reads() -> None:
    made, tested = pins(KIN), pins(DEV)
    assert {"simplemma", "msgspec"} <= made.keys() & tested.keys()
    for name in made.keys() & tested.keys():
        assert made[name] == tested[name], name
    assert "wordfreq" in made.keys() - tested.keys()


@pytest.mark.parametrize(
    "lock", [RUNTIME, DEV, PEER, PACKAGE, BROWSER, KIN, ENCLOSURE, HARDWARE, BOARDS]
)
def test_a_lock_holds_names_versions_and_hashes_and_nothing_else(lock: str) -> None:
    package = re.compile(r"[a-z0-9][\w.-]*==[\w.]+( ; [\w.'<>=! ]+)? \\")
    file_hash = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
    for line in (ROOT / ".ci" / lock).read_text().splitlines():
        assert package.fullmatch(line) or file_hash.fullmatch(line), line
    assert all(hashes for _, hashes in pins(lock).values())


def test_what_has_no_wheel_is_built_and_all_else_is_not(tmp_path: Path) -> None:
    """By the setuptools of the lock, so that nothing comes in without a hash."""
    setup(ROOT, "split", f".ci/{DEV}", str(tmp_path))
    ready, to_build = ((tmp_path / f"{name}.txt").read_text() for name in ("ready", "to-build"))
    assert re.findall(r"^[\w.-]+", to_build, re.M) == ["rpi-ws281x"]
    assert len(re.findall(r"sha256:\w+", to_build)) == 1
    assert len(ready) + len(to_build) == len((ROOT / ".ci" / DEV).read_text())
    assert "setuptools==" in ready


def test_the_set_up_looks_for_the_pythons_that_the_project_supports() -> None:
    looked_for = setup(ROOT, "eval", "echo ${versions[*]}").stdout.split()
    supported = SpecifierSet(PROJECT["requires-python"])
    assert looked_for == [f"3.{minor}" for minor in range(30, 0, -1) if f"3.{minor}" in supported]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A folder of programs: a python3 that is a shim with nothing behind it, and one that runs."""
    programs = {
        "python3": "echo 'command not found' >&2; exit 127",
        f"python{RUNNING}": f"exec '{sys.executable}' \"$@\"",
    }
    for name, body in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def test_a_python_that_does_not_run_is_passed_over(path: Path) -> None:
    found = setup(ROOT, "find_python", RUNNING, PATH=str(path), HOME=str(path))
    assert found.returncode == 0
    assert not Path(found.stdout.strip()).is_relative_to(path)
    assert os.access(found.stdout.strip(), os.X_OK)


def test_a_python_of_an_environment_gives_the_one_it_was_made_from(path: Path) -> None:
    found = setup(ROOT, "find_python", RUNNING, PATH=str(path), HOME=str(path))
    assert found.stdout.strip() == sys._base_executable  # type: ignore[attr-defined]


def test_a_python_of_another_version_is_passed_over(path: Path) -> None:
    (path / "python3.99").symlink_to(path / f"python{RUNNING}")
    found = setup(ROOT, "find_python", "3.99", PATH=str(path), HOME=str(path))
    assert (found.returncode, found.stdout) == (1, "")


def test_without_any_python_the_set_up_names_the_versions_that_would_do(tmp_path: Path) -> None:
    call = ["make_venv", str(tmp_path / "venv"), f".ci/{RUNTIME}", "3.98", "3.99"]
    refused = setup(ROOT, *call, PATH=str(tmp_path), HOME=str(tmp_path))
    assert refused.returncode == 1
    assert "3.98 3.99" in refused.stderr
    assert not (tmp_path / "venv").exists()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the set-up depends on, with an environment that is said to be ready."""
    root = tmp_path / "tree"
    shutil.copytree(ROOT / ".ci", root / ".ci")
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (root / ".venv" / "stamp").write_text(setup(root, "stamp", f".ci/{DEV}").stdout)
    assert is_ready(root)
    return root


def is_ready(root: Path) -> bool:
    return setup(root, "is_ready", ".venv", f".ci/{DEV}").returncode == 0


@pytest.mark.parametrize("file", ["pyproject.toml", f".ci/{DEV}", ".ci/setup.sh"])
def test_an_environment_is_outdated_when_what_it_was_made_from_changes(
    tree: Path, file: str
) -> None:
    (tree / file).write_text((tree / file).read_text() + "\n")
    assert not is_ready(tree)


def test_an_environment_that_was_moved_is_not_ready(tree: Path) -> None:
    assert not is_ready(tree.rename(tree.with_name("elsewhere")))


def test_an_environment_whose_making_was_interrupted_is_not_ready(tree: Path) -> None:
    (tree / ".venv" / "stamp").unlink()
    assert not is_ready(tree)


def test_an_environment_whose_python_is_gone_is_not_ready(tree: Path) -> None:
    (tree / ".venv" / "bin" / "python").unlink()
    assert not is_ready(tree)


def test_what_is_ready_is_left_alone_in_silence(tree: Path) -> None:
    done = setup(tree, "play")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_progress_is_shown_while_a_command_runs_and_its_output_is_not() -> None:
    said = setup(
        ROOT, "run_with_dots", "Fetching", "printf", r"Collecting a\nother\nCollecting b\n"
    )
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "Fetching ..\n")


def test_the_output_of_a_command_that_fails_is_shown() -> None:
    said = setup(ROOT, "run_with_dots", "Fetching", "sh", "-c", "echo no network >&2; exit 3")
    assert said.returncode == 1
    assert said.stderr == "Fetching \nno network\n"


def test_an_interrupted_step_says_that_the_next_run_repeats_it() -> None:
    """Without the traceback of a Python that was interrupted."""
    endless = "import signal; print('Collecting', flush=True); signal.pause()"
    command = ["bash", ".ci/setup.sh", "run_with_dots", "Fetching", sys.executable, "-c", endless]
    with subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as started:
        assert started.stderr is not None
        shown = started.stderr.read(len("Fetching ."))
        os.killpg(started.pid, signal.SIGINT)
        try:
            shown += started.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)  # the step too
            raise
    assert shown == "Fetching .\nInterrupted. The next run starts this step again.\n"


MISSING = "missing=(b-dev a a) reasons=('the case' 'the lights' 'the lights'); install_missing"


def test_a_user_without_sudo_is_told_all_that_root_has_to_do(tmp_path: Path) -> None:
    """Also on a system whose lists of packages are empty, as in a new container."""
    for name, body in {"id": "echo 1000", "apt-get": "exit 1"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    for name in ("awk", "sort"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    refused = setup(ROOT, "eval", MISSING, PATH=str(tmp_path), HOME=str(tmp_path))
    assert refused.returncode == 1
    *reasons, advice = refused.stderr.splitlines()[1:]
    assert reasons == ["  for the case: b-dev", "  for the lights: a"]
    assert "As root, run 'apt-get update && apt-get install a b-dev', then run" in advice


def test_each_debian_package_has_a_reason_and_a_probe() -> None:
    for line in (ROOT / ".ci/debian.txt").read_text().splitlines():
        assert line.startswith("#") or re.fullmatch(
            r"\w+ \| [a-z0-9.+-]+ \| [^|]+ \| \S[^|]+", line
        ), line


def test_the_checks_of_boards_and_box_are_repeated_when_what_they_read_changes() -> None:
    """And only then: most of the program is not among it."""
    inputs = runpy.run_path(str(ROOT / ".ci/inputs.py"))["inputs"]
    read = {str(file.relative_to(ROOT)) for file in inputs()}
    assert {"hardware/wiring.csv", "enclosure/dimensions.toml", "hardware/boards/kicad.sh"} <= read
    assert {
        "pi_table/devices/hal/strip.py",
        "pi_table/common/geometry.py",
        "firmware/vectors/facts.txt",
    } <= read
    assert {".ci/setup.sh", ".ci/requirements-enclosure.txt"} <= read
    assert not read & {"pi_table/cli.py", "README.md", ".ci/run"}
