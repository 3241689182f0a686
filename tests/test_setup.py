"""A fresh machine: the locks, and how the set-up chooses a Python and knows what is ready."""

import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

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
TESTS_SOURCES = f".ci/{DEV}", "pyproject.toml"
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
    call = f"pythons='3.98 3.99'; make_venv '{tmp_path}/venv' .ci/{RUNTIME}"
    refused = setup(ROOT, "eval", call, PATH=str(tmp_path), HOME=str(tmp_path))
    assert refused.returncode == 1
    assert "3.98 3.99" in refused.stderr
    assert not (tmp_path / "venv").exists()


Programs = Callable[..., dict[str, str]]


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    """Put scripts before the programs on PATH; returns the environment."""
    folder = tmp_path / "programs"
    folder.mkdir()

    def put(**bodies: str) -> dict[str, str]:
        for name, body in bodies.items():
            (folder / name).write_text(f"#!/bin/sh\n{body}\n")
            (folder / name).chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path)}

    return put


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the set-up depends on, with an environment that is said to be ready."""
    root = tmp_path / "tree"
    shutil.copytree(ROOT / ".ci", root / ".ci")
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (root / ".venv" / "stamp").write_text(setup(root, "stamp", ".venv", *TESTS_SOURCES).stdout)
    assert is_ready(root)
    return root


def is_ready(root: Path) -> bool:
    return setup(root, "is_ready", ".venv", *TESTS_SOURCES).returncode == 0


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("pyproject.toml", "\n", "\n\n"),
        (f".ci/{DEV}", "\n", "\n\n"),
        (".ci/setup.sh", "--no-compile", "--compile"),
    ],
)
def test_an_environment_is_outdated_when_what_it_was_made_from_changes(
    tree: Path, file: str, old: str, new: str
) -> None:
    (tree / file).write_text((tree / file).read_text().replace(old, new, 1))
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


def test_a_user_is_told_of_all_packages_at_once_and_of_those_of_the_python_that_is_here(
    tree: Path, programs: Programs
) -> None:
    (tree / ".ci/debian.txt").write_text(
        "jar | glassX.Y | jars | false\nvenv | venvX.Y | jars | false\nlid | tin | lids | true\n"
    )
    (tree / ".ci/made.txt").write_text(f"lid | .lid | .ci/{PEER} | {RUNNING}, or without |\n")
    refused = setup(tree, "jar", "lid", **programs(id="echo 1000", sudo="exit 1"))
    assert "Debian packages to install:\n  for jars: glass" in refused.stderr
    assert f" venv{RUNNING}\n" in refused.stderr
    assert "glassX.Y" not in refused.stderr


def test_what_else_is_to_be_done_is_done_with_the_packages_that_it_needs(
    tree: Path, programs: Programs
) -> None:
    listed = "bell | brass | bells | test -e brass\nrope | hemp | ropes | test -e hemp\n"
    (tree / ".ci/debian.txt").write_text(listed)
    (tree / ".ci/made.txt").write_text("bell | | | | ./bell.sh\n")
    (tree / "bell.sh").write_text("#!/bin/sh\ntest -e brass && echo rung\n")
    (tree / "bell.sh").chmod(0o755)
    apt = 'for each; do :; done; case "$*" in *" install "*) touch "$each" ;; esac'
    env = programs(**{"id": "echo 0", "apt-get": apt})
    done = setup(tree, "bell", **env)
    assert (done.returncode, done.stdout) == (0, "rung\n"), done.stderr
    assert "Installing 1 Debian packages" in done.stderr
    setup(tree, "rope", **env)
    assert (tree / "hemp").exists()


def test_each_debian_package_has_a_reason_and_a_probe() -> None:
    for line in (ROOT / ".ci/debian.txt").read_text().splitlines():
        assert line.startswith("#") or re.fullmatch(
            r"[\w ]+ \| [a-z0-9.+XY-]+ \| [^|]+ \| \S[^|]+", line
        ), line


MADE = [
    [cell.strip() for cell in line.split("|")]
    for line in (ROOT / ".ci/made.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("row", MADE, ids=[row[0] for row in MADE])
def test_what_is_made_has_its_sources_and_where_it_is_made(row: list[str]) -> None:
    name, folder, sources, pythons, also = row
    assert name not in functions()
    assert bool(folder) == bool(sources)
    assert all((ROOT / source).is_file() for source in sources.split())
    assert re.fullmatch(r"(.+, kept( \(.+\))?)?|[\w./-]+", folder)
    assert re.fullmatch(r"([\d. ]+, or without .+)?", pythons)
    other = also.removeprefix("or ")
    known = {each[0] for each in MADE} if other != also else {"", *functions()}
    assert other in known or os.access(ROOT / other, os.X_OK)


def functions() -> set[str]:
    return {*re.findall(r"^(\w+)\(\)", (ROOT / ".ci/setup.sh").read_text(), re.MULTILINE)}


def test_what_the_makefiles_ask_for_is_listed() -> None:
    files = [*ROOT.glob("**/Makefile"), ROOT / "hardware/harness.mk", ROOT / ".ci/run"]
    asked = {
        name
        for file in files
        for call in re.findall(r"\.ci/setup\.sh (?:need )?([a-z0-9_ ]+)$", file.read_text(), re.M)
        for name in call.split()
    }
    listed = (ROOT / ".ci/debian.txt").read_text().splitlines()
    groups = {name for line in listed for name in line.split("|")[0].split() if line[0] != "#"}
    assert asked | {"arm64", "browsers", "venv", "image"} == groups | {row[0] for row in MADE}


def test_a_name_that_is_not_listed_is_refused() -> None:
    refused = setup(ROOT, "tests", "kitchen")
    assert refused.returncode == 1
    assert refused.stderr == "Neither .ci/debian.txt nor .ci/made.txt names 'kitchen'.\n"


def test_what_is_kept_is_made_once_for_every_clone(tree: Path, tmp_path: Path) -> None:
    """And made again when the script that makes it changes."""
    script = tree / "make.sh"
    script.write_text("#!/bin/sh\nmkdir $1 && echo made >$1/log && echo >>$XDG_CACHE_HOME/count\n")
    script.chmod(0o755)
    (tree / ".ci/made.txt").write_text("jar | shelf/jar, kept | ./make.sh | |\n")
    other = shutil.copytree(tree, tmp_path / "other", symlinks=True)
    env = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for root in (tree, other, tree):
        assert setup(root, "jar", **env).returncode == 0
        assert (root / "shelf/jar/log").read_text() == "made\n"
    assert os.path.samefile(tree / "shelf/jar", other / "shelf/jar")
    assert (tmp_path / "cache/count").read_text() == "\n"
    script.write_text(script.read_text().replace("made", "made anew"))
    assert "Making shelf/jar, kept, in " in setup(tree, "jar", **env).stderr
    assert (tree / "shelf/jar/log").read_text() == "made anew\n"
    assert (other / "shelf/jar/log").read_text() == "made\n"


def test_what_could_not_be_made_is_made_again(tree: Path, tmp_path: Path) -> None:
    script = tree / "make.sh"
    script.write_text("#!/bin/sh\nmkdir $1 && test -e again\n")
    script.chmod(0o755)
    (tree / ".ci/made.txt").write_text("jar | jar, kept | ./make.sh | |\n")
    env = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(tmp_path / "cache")}
    failed = setup(tree, "jar", **env)
    assert (failed.returncode, (tree / "jar").exists()) == (1, False)
    assert "could not be made: see above." in failed.stderr
    (tree / "again").touch()
    assert setup(tree, "jar", **env).returncode == 0
    assert (tree / "jar/stamp").exists()


def test_what_needs_a_python_that_is_not_here_may_be_gone_without(tree: Path) -> None:
    (tree / ".ci/made.txt").write_text(f"hut | .hut | .ci/{PEER} | 3.98 3.99, or without a hut |\n")
    done = setup(tree, "hut")
    assert done.returncode == 0
    assert done.stderr == "No Python 3.98 or 3.99 runs here: going on without a hut.\n"


INPUTS: Final[dict[str, Any]] = runpy.run_path(str(ROOT / ".ci/inputs.py"))


def inputs(check: str) -> set[str]:
    return {str(file.relative_to(ROOT)) for file in INPUTS["inputs"](check)}


def test_the_checks_of_boards_and_box_are_repeated_when_what_they_read_changes() -> None:
    """And only then: most of the program is not among it."""
    boards, box = inputs("hardware"), inputs("enclosure")
    assert {"hardware/wiring.csv", "enclosure/dimensions.toml", ".ci/setup.sh"} <= boards & box
    assert {"hardware/boards/kicad.sh", "firmware/vectors/facts.txt"} <= boards - box
    assert {"pi_table/devices/hal/strip.py", "pi_table/common/geometry.py"} <= boards - box
    assert {"enclosure/printer.ini", ".ci/requirements-enclosure.txt"} <= box - boards
    assert {"enclosure/places.py", "hardware/boards/wires.py"} <= boards & box
    unread = {"pi_table/cli.py", "README.md", "hardware/README.md", ".ci/run"}
    assert not unread & (boards | box)


def test_the_checks_are_not_repeated_for_a_comment_or_a_docstring() -> None:
    content = INPUTS["content"]
    code = b'X = "text"\ndef f() -> int:\n    return 1\n'
    explained = (
        b'"""One."""\nX = "text"\n"""Two."""\ndef f() -> int:\n    """3."""\n    return 1  # 4\n'
    )
    assert content(explained, "a.py") == content(code, "a.py")
    assert content(code.replace(b"1", b"2"), "a.py") != content(code, "a.py")
    assert content(code.replace(b"text", b"texts"), "a.py") != content(code, "a.py")
    assert content(b"# 1", "a.toml") != content(b"# 2", "a.toml")
