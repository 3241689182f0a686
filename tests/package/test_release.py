"""The folder of a release: its page names every file, the sums hold, and install.sh runs in it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from built_packages import Packages
from debian_root import TREE, DebianRoot, base

from pi_table import __version__

PROGRAM = TREE / "systemd/package/release.py"
NAMED = re.compile(r"`([\w.-]+\.(?:md|sh|zip|pdf|deb|whl)|SHA256SUMS)`")
MAX_WORDS = 450

pytestmark = pytest.mark.package


def make(packages: Path, parent: Path) -> Path:
    command: list[str | Path] = [sys.executable, PROGRAM, packages, parent]
    subprocess.run(command, check=True, capture_output=True, cwd=TREE)
    return parent / f"pi-table-{__version__}"


@pytest.fixture(scope="module")
def release(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(packages.folder, tmp_path_factory.mktemp("release"))


def test_the_page_names_every_file_and_no_other(release: Path) -> None:
    page = (release / "README.md").read_text("utf-8")
    assert len(page.split()) <= MAX_WORDS
    assert "@" not in page
    assert {*NAMED.findall(page), "README.md"} == {file.name for file in release.iterdir()}


def test_every_path_that_its_pages_name_in_an_archive_is_there(release: Path) -> None:
    source = {*ZipFile(release / "source.zip").namelist()}
    recipe = {*ZipFile(release / "image-recipe.zip").namelist()}
    named = [
        path
        for page in release.glob("*.md")
        for path in re.findall(r"`([^`]+)` in source", page.read_text())
    ]
    named += re.findall(r"`(\w+/[^`]+)`", (release / "README.md").read_text())
    assert len(named) > 10
    assert {path for path in named if path not in source} == set()
    (command,) = re.findall("^rpi-image-gen .+", (release / "README.md").read_text(), re.MULTILINE)
    _, folder, _, config = command.removeprefix("rpi-image-gen build ").split()
    assert f"{folder}/config/{config}" in recipe
    assert f"build/deb/pi-table-libs_{__version__}_arm64.deb" in recipe
    for page in ("INSTALL.md", "OPERATE.md", "FAULTS.md", "BOARDS.md"):
        links = re.findall(r"\]\((?!https?:)([^)#]+)", (release / page).read_text("utf-8"))
        assert [link for link in links if not (release / link).exists()] == []


def test_what_is_printed_and_etched_is_all_there(release: Path) -> None:
    enclosure = {*ZipFile(release / "enclosure.zip").namelist()}
    files = {str(file.relative_to(TREE)) for file in (TREE / "enclosure/files").rglob("*.*")}
    assert files <= enclosure
    for board in (TREE / "hardware/boards").glob("*/gerbers"):
        with ZipFile(release / f"gerbers-{board.parent.name}.zip") as archive:
            assert {*archive.namelist()} == {file.name for file in board.iterdir()}


def test_the_sums_hold(release: Path) -> None:
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=release, check=True)
    listed = {line.split("  ")[1] for line in (release / "SHA256SUMS").read_text().splitlines()}
    assert listed == {file.name for file in release.iterdir()} - {"SHA256SUMS"}


def test_it_is_made_of_the_same_bytes_again(
    release: Path, packages: Packages, tmp_path: Path
) -> None:
    again = make(packages.folder, tmp_path)
    assert (again / "SHA256SUMS").read_text() == (release / "SHA256SUMS").read_text()


def test_the_wheel_has_everything_of_the_program_and_nothing_else(release: Path) -> None:
    (wheel,) = release.glob("*.whl")
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    listed = ["git", "ls-files", "-co", "--exclude-standard", "pi_table"]
    done = subprocess.run(listed, cwd=TREE, check=True, capture_output=True, text=True)
    files = {name for name in done.stdout.splitlines() if not name.startswith("pi_table/lab/")}
    missing = files - names
    assert names <= files
    # The pictures of pages for readers, and what translations are compiled from.
    assert {Path(name).suffix for name in missing} <= {".png", ".gif", ".po"}
    assert {Path(name).parent.name for name in missing} == {"simulator", "web", "LC_MESSAGES"}


@pytest.fixture(scope="module")
def server(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server, on which the page's lines were typed."""
    folder = tmp_path_factory.mktemp("server")
    (folder / "bin").mkdir()
    page = (release / "README.md").read_text("utf-8")
    (block,) = re.findall("^```sh\n((?:.+\n)*?.+ -m venv (?:.+\n)*?)```", page, re.MULTILINE)
    assert block in (TREE / "pi_table/fleet/bridge/README.md").read_text("utf-8")
    packages, lines = block.split("\n", 1)
    assert packages == "sudo apt install python3-venv"
    for there, here in (("sudo ", ""), ("/opt/", f"{folder}/"), ("/usr/local/bin", "$PWD/bin")):
        assert there in lines
        lines = lines.replace(there, here.replace("$PWD", str(folder)))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    # A tenth of what this brings is imported here: that is compiled when it is.
    environment = {**os.environ, "PATH": path, "PIP_NO_COMPILE": "1"}
    subprocess.run(["sh", "-ec", lines], cwd=release, env=environment, check=True)
    return folder


def typed(server: Path, *words: str, lang: str = "en") -> str:
    """Return the output of a command there."""
    environment = {"PATH": f"{server}/bin:/usr/bin:/bin", "LANGUAGE": lang, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(words, cwd=server, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_server_that_was_set_up_by_the_page_provisions_tables(server: Path) -> None:
    assert "--revoke" in typed(server, "pi-table", "provision", "--help")
    key = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    typed(server, *key, "-nodes", "-subj", "/CN=our tables", "-keyout", "ca.key", "-out", "ca.pem")
    broker = ("--broker", "mqtts://broker.lan", "--ca", "ca.pem")
    typed(server, "pi-table", "provision", "bar-1", "--out", "fleet", *broker)
    assert (server / "fleet/tables/bar-1/pi-table.toml").exists()


def test_a_server_that_was_set_up_by_the_page_collects_games_and_reports(server: Path) -> None:
    assert "--once" in typed(server, "pi-table", "collect", "--help")
    database = f"sqlite://{server}/games.sqlite"
    made = (
        f"from pi_table.fleet.collector.opening import open_database; open_database({database!r})"
    )
    typed(server, f"{server}/pi-table/bin/python", "-c", f"{made}.close()")
    typed(server, f"{server}/pi-table/bin/python", "-c", "import psycopg")
    for lang, out in (("en", "report"), ("it", "rapporto")):
        words = ("collect", "report", "--database", database, "--out", out)
        typed(server, "pi-table", *words, lang=lang)
    pages = [(server / each / "report.html").read_text() for each in ("report", "rapporto")]
    assert ['lang="en"' in pages[0], 'lang="it"' in pages[1]] == [True, True]


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest) -> Iterator[DebianRoot]:
    with DebianRoot.over(base(request.param)) as fresh:
        yield fresh


def test_its_installer_says_how_much_it_is_and_changes_nothing(
    root: DebianRoot, release: Path
) -> None:
    for name in ("arm64", "armhf"):
        assert (release / f"pi-table-libs_{__version__}_{name}.deb").exists()
    shutil.copytree(release, root.folder / "tmp/release")
    before = root.entries()
    said = root.run("sh", "/tmp/release/install.sh", "--check")
    assert f"The files are complete: pi-table {__version__}" in said
    assert "This installs 2 packages: 0 B to fetch" in said
    now = root.entries()
    assert {
        path for path in now if now[path] != before.get(path) and "cache/apt" not in path
    } == set()
