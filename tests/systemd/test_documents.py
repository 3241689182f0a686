"""The commands in the documents of a table work, and their quotes are true.

A command is in a block marked `sh`, one a line. Behind a bar (`> `) is the output of the program,
with … for what it puts in; in *italics*, words of its screens. Each command is run here, or in the
booted machine (`tests/machine/documented.py`), or a reason is given here.
"""

import ast
import fnmatch
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from documented import DOCUMENTED

from build import DOCUMENTS as LAID
from pi_table.common import config
from pi_table.games.rules import games
from pi_table.games.rules.chance import Chance
from pi_table.table.store.entries import Entry
from pi_table.table.store.journal import Journal

TREE = Path(__file__).parents[2]
SYSTEMD = TREE / "systemd"
DOCUMENTS = ("INSTALL.md", "OPERATE.md", "FAULTS.md")
CONFIG = "--config /etc/pi-table/table.toml"
WALL = "2026-11-22T20:15:00.000+00:00"

HERE = {
    f"sudo -u pi-table pi-table doctor {CONFIG}": "journal +.* is in order, with 1 games",
    f"sudo -u pi-table pi-table doctor {CONFIG} --lights": "config +.* is in order",
    "pi-table settings check /boot/firmware/pi-table.toml": "pi-table.toml is in order.",
    f"sudo pi-table backup pi-table.backup --replace {CONFIG}": "keeps 1 game",
    f"sudo pi-table restore pi-table.backup {CONFIG}": "The table may be started now.",
    f"sudo pi-table restore --finish {CONFIG}": "^$",
    f"sudo -u pi-table pi-table journal check {CONFIG}": "is in order",
    f"sudo -u pi-table pi-table journal set-aside {CONFIG}": "the table begins a new one",
}
"""Commands that run here, each with a pattern of its output."""

_TO_A_PI = "typed on another machine, to a Pi"
_DEBIANS = "Debian's own, and takes Debian's package server"
_FINGERS = "wants a finger on every pad: tests/bring_up/test_calibrate_command.py has one"
ELSEWHERE = {
    "ssh NAME@table.local": _TO_A_PI,
    "scp install.sh SHA256SUMS *.deb NAME@table.local:": _TO_A_PI,
    "scp NAME@table.local:pi-table.backup .": _TO_A_PI,
    "sudo apt update": _DEBIANS,
    "sudo apt full-upgrade": _DEBIANS,
    "sudo apt remove pi-table pi-table-libs": "tests/package/test_life_of_a_package.py does",
    "sudo apt purge pi-table pi-table-libs": "tests/package/test_life_of_a_package.py does",
    "sudo sh install.sh --check": "tests/package/test_release.py runs it",
    "sudo sh install.sh": "tests/package/test_installer.py runs it",
    "sudo cp /usr/share/doc/pi-table/pi-table.toml /boot/firmware/": "an image has no documents",
    "sudo reboot": "ends the machine that would tell of it; every machine test starts one",
    f"sudo pi-table flash {CONFIG}": "wants a boot loader: tests/bring_up/test_flash.py has one",
    f"sudo -u pi-table pi-table calibrate {CONFIG}": _FINGERS,
    'sudo chown "$USER" pi-table.backup': "the system's own; a machine without logins has no USER",
    "lsusb": "Debian's own, of a package that Raspberry Pi OS has and the image has not",
}
"""Commands that do not run here, each with the reason."""


@cache
def text_of(document: str) -> str:
    return (SYSTEMD / document).read_text("utf-8")


def commands_in(document: str) -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", text_of(document), re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line]


def test_every_command_is_run_somewhere_or_says_why_not() -> None:
    named = {command for document in DOCUMENTS for command in commands_in(document)}
    machine = [each.command for each in DOCUMENTED]
    assert named == {*HERE, *machine, *ELSEWHERE}
    assert not {*ELSEWHERE} & {*HERE, *machine}
    assert len(machine) == len({*machine})


def test_whatever_stands_elsewhere_names_a_test_that_is_there() -> None:
    for reason in ELSEWHERE.values():
        assert all((TREE / path).exists() for path in re.findall(r"tests/\S+\.py", reason)), reason


def test_blocks_are_of_commands_or_say_what_they_are() -> None:
    for document in DOCUMENTS:
        fences = re.findall(r"^```(.*)$", text_of(document), re.MULTILINE)
        assert {*fences[::2]} <= {"sh", "toml"}, document
        assert {*fences[1::2]} <= {""}, document


def blocks_of_install() -> list[tuple[str, list[str]]]:
    """Each block of commands of the first page, with the paragraph before it."""
    parts = re.split(r"^```(?:sh)?\n", text_of("INSTALL.md"), flags=re.MULTILINE)
    return [
        (" ".join(text.strip().split("\n\n")[-1].split()), block.splitlines())
        for text, block in zip(parts[::2], parts[1::2], strict=False)
    ]


def rows_under(head: str, page: str) -> list[list[str]]:
    """The rows of the table whose head begins so."""
    (rows,) = re.findall(rf"^\| {re.escape(head)} .*\n\|[-|]+\n((?:\|.*\n)+)", page, re.M)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]


@pytest.mark.parametrize(
    ("before", "block"), blocks_of_install(), ids=[block[0] for _, block in blocks_of_install()]
)
def test_each_block_says_on_which_machine_and_as_whom_it_is_typed(
    before: str, block: list[str]
) -> None:
    is_own, on_the_pi = ("on your own machine" in before, "on the pi" in before.lower())
    assert is_own != on_the_pi
    users = {"".join(re.findall(r"^sudo(?: -u \S+)?", line)) for line in block}
    said = {"sudo": "root", "sudo -u pi-table": "the table's user", "": "yourself"}
    assert users == {""} if is_own else all(said[user] in before for user in users)
    # Whoever pastes a whole block reads first what is to be in order.
    assert "sudo reboot" not in block or len(block) == 1


def test_each_command_of_ours_begins_as_the_table_of_commands_says() -> None:
    begins = {}
    for commands, begin, _ in rows_under("command", text_of("README.md")):
        for command in re.findall(r"`([^`]+)`", commands):
            begins[command.replace(" FILE", "")] = "".join(re.findall(r"^`(.+?)`", begin))
    for line in (line for document in DOCUMENTS for line in commands_in(document)):
        if found := re.match(r"((?:sudo (?:-u \S+ )?)?)(pi-table .+)", line):
            named = max((each for each in begins if found[2].startswith(each)), key=len)
            assert found[1].strip() == begins[named], line


def test_what_is_copied_to_the_pi_is_what_a_release_has_and_its_installer_takes() -> None:
    (line,) = (each for each in commands_in("INSTALL.md") if each.startswith("scp install.sh"))
    patterns = shlex.split(line)[1:-1]
    page = (SYSTEMD / "package/RELEASE.md").read_text("utf-8")
    released = {*re.findall(r"^\| `([^`]+)` \|", page, re.M)}
    assert all(fnmatch.filter(released, pattern) for pattern in patterns)
    copied = {name for pattern in patterns for name in fnmatch.filter(released, pattern)}
    debs = {name for name in released if name.endswith(".deb")}
    assert {"install.sh", "SHA256SUMS", *debs} <= copied
    installer = (SYSTEMD / "package/install.sh").read_text("utf-8")
    for machine in re.findall(r"^    (amd64.*)\) ;;", installer, re.M)[0].split(" | "):
        for name in re.findall(r'^only "\$here"/(\S+)', installer, re.M):
            wanted = name.replace('"$machine"', machine)
            assert fnmatch.filter(copied, wanted), wanted


def test_the_page_says_of_each_system_that_is_taken_whether_it_was_rehearsed() -> None:
    installer = (SYSTEMD / "package/install.sh").read_text("utf-8")
    (named,) = re.findall(r"tested with Debian (\w+ and \w+), ", text_of("INSTALL.md"))
    assert {*named.split(" and ")} == {*re.findall(r'"debian (\w+)"', installer)}


def test_only_tables_with_a_board_are_sent_to_flash_or_to_another_driver_of_lights() -> None:
    installer = (SYSTEMD / "package/install.sh").read_text("utf-8")
    (flash,) = re.findall(r"^\d\. (.*) sudo systemctl stop .* pi-table flash", installer, re.M)
    assert flash.startswith("With a Nano")
    configured = (SYSTEMD / "package/table.toml").read_text("utf-8")
    (comment,) = re.findall(r'^\[lights\]\n((?:# .*\n)+)driver = "controller"', configured, re.M)
    assert 'with the port above leave "controller"' in comment.replace("\n# ", " ")


def test_the_parts_that_the_page_names_are_lines_of_the_packages_configuration(
    tmp_path: Path,
) -> None:
    text = (SYSTEMD / "package/table.toml").read_text("utf-8")
    (tmp_path / "table.toml").write_text(re.sub(r"^# (?=\w+ = )", "", text, flags=re.M))
    assert config.load(tmp_path / "table.toml")
    shipped = tomllib.loads(text)
    everything = tomllib.loads((tmp_path / "table.toml").read_text())
    offered = {
        (section, key): value
        for section, keys in everything.items()
        for key, value in keys.items()
        if key not in shipped[section]
    }
    told = {}
    for _, lines, section in rows_under("your table has", text_of("INSTALL.md")):
        for line in re.findall(r"`(\w+ = [^`]+)`", lines):
            (each,) = tomllib.loads(line).items()
            told[section.strip("`[]"), each[0]] = each[1]
    assert offered.pop(("web", "address")).startswith("http://")
    evening = (SYSTEMD.parent / "hardware/EVENING.md").read_text("utf-8")
    for key in (("table", "build"), ("lights", "layout"), ("console", "screen")):
        assert f'`{key[1]} = "{offered.pop(key)}"`' in evening
    assert told == offered


def test_in_a_release_a_page_links_to_the_pages_beside_it_and_to_no_others() -> None:
    release = runpy.run_path(str(SYSTEMD / "package/release.py"))
    names, without_the_tree = release["PAGES"], release["without_the_tree"]
    beside = {Path(name).name for name in names}
    assert {"BOARDS.md", *DOCUMENTS} == beside
    shown = {name: without_the_tree((TREE / name).read_text("utf-8"), name) for name in names}
    links = {link for page in shown.values() for link in re.findall(r"\]\(([^)#]+)", page)}
    assert links == beside
    assert "](BOARDS.md#your-pi)" in shown["systemd/INSTALL.md"]
    assert "](INSTALL.md#3-the-pi)" in shown["hardware/BOARDS.md"]
    assert "`hardware/BUILD.md` in source.zip" in shown["systemd/INSTALL.md"]


def test_what_the_pages_copy_from_the_packages_documents_is_there() -> None:
    assert {*(f"systemd/{path.name}" for path in SYSTEMD.glob("*.md"))} <= {*LAID}
    assert all((TREE / name).is_file() for name in LAID)
    lines = (line for document in DOCUMENTS for line in commands_in(document))
    copied = [name for line in lines for name in re.findall(r"doc/pi-table/(\S+)", line)]
    assert copied == ["pi-table.toml"]
    assert {*copied, "BOARDS.md"} <= {Path(name).name for name in LAID}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The folder of a table without hardware, with a game in its journal."""
    state = tmp_path / "state"
    state.mkdir()
    (tmp_path / "table.toml").write_text(
        f'[paths]\nstate = "{state}"\nruntime = "{tmp_path}"\n'
        f'settings = "{tmp_path / "settings.toml"}"\n'
    )
    with closing(Journal.open(state / "journal.sqlite")) as journal:
        opening = games.read_opening({"profile": "codenames"}, Chance())
        journal.begin([Entry(0.0, games.encode(opening))], WALL)
    shutil.copy(TREE / "pi_table/maintenance/first_boot/pi-table.toml", tmp_path)
    return tmp_path


def run(command: str, table: Path) -> subprocess.CompletedProcess[str]:
    """Run it as whoever runs this test, on the table in the folder."""
    command = re.sub(r"^sudo (-u pi-table )?", "", command)
    words = [
        {"pi-table": sys.executable, "/etc/pi-table/table.toml": "table.toml"}.get(word, word)
        for word in shlex.split(command)
    ]
    words = [word.removeprefix("/boot/firmware/") for word in words]
    words[1:1] = ["-m", "pi_table"]
    return subprocess.run(
        words, cwd=table, capture_output=True, text=True, env={"PYTHONPATH": str(TREE)}
    )


@pytest.mark.parametrize("command", HERE, ids=lambda command: command.replace(CONFIG, "…"))
def test_what_can_be_run_here_does_what_it_is_for(command: str, table: Path) -> None:
    if "restore pi-table.backup" in command or "--replace" in command:
        assert run(f"sudo pi-table backup pi-table.backup {CONFIG}", table).returncode == 0
    done = run(command, table)
    assert done.returncode == 0, done
    assert re.search(HERE[command], f"{done.stdout}{done.stderr}".strip()), done


# What the program says

NO_SCREENS = {
    "Raspberry Pi OS Lite (64-bit)",  # the vendor's imager has it
    *("ok", "look", "broken"),  # of doctor
    "set-aside",  # of a file's name
    *("client isolation", "AP isolation"),  # routers have these
}
"""Words in italics that are on no screen of the table."""


@cache
def said() -> str:
    """Every text of the program, a line each; what it puts into one is a …"""
    texts = []
    for path in (TREE / "pi_table").rglob("*.py"):
        texts += [*_texts(ast.parse(path.read_text("utf-8")))]
    texts.append((SYSTEMD / "image/files/usr/lib/pi-table-image/own-partition").read_text("utf-8"))
    return "\n".join(re.sub(r"\s+", " ", each) for each in texts)


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                yield re.sub(r"\{\w*\}", "…", text)
            case ast.JoinedStr(values=values):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "…" for part in values
                )


def quotes_in(document: str) -> list[str]:
    """Return the quotes behind bars; a line without a bar, or an empty one, ends a quote."""
    blocks = re.findall(r"(?:^> .+\n)+", text_of(document), re.MULTILINE)
    return [" ".join(line[2:] for line in block.splitlines()) for block in blocks]


def test_the_program_says_what_the_documents_quote() -> None:
    quotes = [quote for document in DOCUMENTS for quote in quotes_in(document)]
    assert len(quotes) > 30
    assert [quote for quote in quotes if quote not in said() or len(quote) < 10] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_stands_in_italics_is_on_a_screen_of_the_table(document: str) -> None:
    text = re.sub(r"```.*?```", "", text_of(document), flags=re.DOTALL).replace("**", "")
    words = {*re.findall(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])", text)} - NO_SCREENS
    assert words or document == "INSTALL.md"
    assert sorted(words - {*said().splitlines()}) == []


def test_the_staffs_page_is_one_page_and_has_nothing_to_type() -> None:
    assert commands_in("OPERATE.md") == []
    assert len(text_of("OPERATE.md").split()) <= 560
    assert "`" not in text_of("OPERATE.md")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document: str) -> None:
    for target, _, anchor in (
        link.partition("#") for link in re.findall(r"\]\(([^)]+)\)", text_of(document))
    ):
        path = SYSTEMD / (target or document)
        assert path.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
            assert anchor in {
                re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings
            }


def test_every_fault_says_what_to_do() -> None:
    sections = text_of("FAULTS.md").split("\n## ")[1:]
    assert len(sections) > 20
    assert [each.splitlines()[0] for each in sections if "**Do:**" not in each] == []
