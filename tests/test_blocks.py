"""Every block of every page is what it says it is: commands run, or at least could; TOML, JSON and
word packs are read by what reads them on a table."""

import json
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from pi_table import cli
from pi_table.common import config
from pi_table.common.arguments import parser
from pi_table.lab.commands import add_commands

ROOT = Path(__file__).parent.parent
BUILT = {"build", "out", ".venv", ".git", "node_modules"}

LANGUAGES = {
    *("sh", "toml", "json", "jsonl", "pack", "text", "mermaid", "requests", "relayed", "service"),
    *("house", "house-requests"),
    *("http", "dnsmasq"),
    *("collector", "sql"),
}
"""Languages of a block. `text` is read by people alone. `mermaid` is checked against the code by
the tests of its folder, `requests`, `relayed`, `service`, `house` and `house-requests` by
`tests/ipc/test_ipc_readme.py`, `http` by `tests/web/test_interface_page.py`, `dnsmasq` by
`tests/web/test_portal.py`, `collector` and `sql` by `tests/collector/test_collector_readme.py`."""

IN_A_CLONE: Final = ".venv/bin/pi-table "
"""The beginning of a command that anybody can run in a clone, so it is run here."""

NOT_RUN: Final = {
    "simulate --profile": "opens a window",
    "simulate --web": "opens a window",
    "simulate --controller": "opens a window",
}
"""The beginnings of commands in a clone that are not run here, and why. Their options are read."""

TYPED: Final = {"pi_table/fleet/provisioning/README.md": "tests/fleet/test_provisioning_page.py"}
"""Pages of which a test types every block as it is, and that test: no command there is excused."""

IN_BARE_ROOTS: Final = {"make play", "make test"}
"""Commands of README.md that `.ci/run` and `make fresh-check` run in minimal roots of Debian."""

OF_OTHERS: Final = {
    "make": "its targets are looked for; what they do has checks of its own",
    "ssh": "needs a Raspberry Pi",
    "scp": "needs a Raspberry Pi",
    "apt": "needs root",
    "apt-mark": "needs root",
    "rauc": "needs a table with two slots",
    "wget": "needs a maker's package source",
    "sh": "installs, as root",
    "systemctl": "needs a running systemd",
    "journalctl": "needs a running systemd",
    "timedatectl": "needs a running systemd",
    "udevadm": "needs root",
    "reboot": "needs a machine that may",
    "gpg": "makes a key; tests/package/test_repository.py runs it",
    "rm": "needs root here",
    "ln": "needs root here",
    "python3": "needs root, or a maker's key; tests/package/test_release.py and "
    "tests/package/test_repository.py run it",
    "/opt/pi-table/bin/pip": "needs a release; tests/package/test_release.py has one",
    "cp": "needs root here",
    "install": "needs root",
    "adduser": "needs root",
    "createuser": "needs PostgreSQL",
    "createdb": "needs PostgreSQL",
    "chown": "needs root",
    "ls": "looks at a table's devices",
    "lsusb": "looks at a table's devices",
    "grep": "looks at a table's devices",
    "aplay": "looks at a table's devices",
    "df": "looks at a table's disk",
    "findmnt": "looks at a table's disk",
    "firmware/build/emulated-table": "goes on for ever",
    "avrdude": "needs a controller",
    "overlayroot-chroot": "needs the image, as root",
    "rpi-image-gen": "needs Raspberry Pi's tool",
}
"""Commands of other programs, and why they are not run here."""


class Block(NamedTuple):
    """A block of a page."""

    page: str
    line: int
    """The number of the line that opens it."""
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@cache
def blocks() -> tuple[Block, ...]:
    """All blocks of all pages."""
    found = []
    for path in sorted(ROOT.rglob("*.md")):
        page = path.relative_to(ROOT)
        if BUILT & {*page.parts} or any(part.startswith(".") for part in page.parts):
            continue
        text = path.read_text("utf-8")
        for match in re.finditer(r"^ *```(.*)\n((?:.*\n)*?) *```$", text, re.MULTILINE):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(str(page), line, match[1], match[2]))
    return tuple(found)


def of(*languages: str) -> list[Block]:
    return [block for block in blocks() if block.language in languages]


def commands(block: Block) -> list[list[str]]:
    """The commands of a block, each as its words, without what a shell does round it."""
    text = re.sub(r"\\\n", " ", block.text)
    text = re.sub(r" <<'END'\n.*?^END$", "", text, flags=re.DOTALL | re.MULTILINE)
    found = []
    for line in text.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;")
        lexer.whitespace_split = True
        words: list[str] = []
        for word in (*lexer, "&&"):
            if word in ("&&", "||", "|", ";"):
                if words:
                    found.append(without_sudo(words))
                words = []
            else:
                words.append(word)
    return found


def without_sudo(words: list[str]) -> list[str]:
    if words[0] != "sudo":
        return words
    return words[3:] if words[1] == "-u" else words[1:]


def program(words: list[str]) -> str:
    return words[0].removeprefix(".venv/bin/")


def of_pi_table(block: Block) -> list[list[str]]:
    return [words[1:] for words in commands(block) if program(words) == "pi-table"]


def test_the_pages_have_blocks() -> None:
    assert len(of("sh")) > 30
    assert len(of("toml")) > 3
    assert {block.page for block in blocks()} >= {"README.md", "hardware/README.md"}


def test_every_block_says_what_it_is() -> None:
    assert [str(block) for block in blocks() if block.language not in LANGUAGES] == []


@pytest.mark.parametrize("block", of("sh"), ids=str)
def test_commands_could_be_run(block: Block) -> None:
    read = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True)
    assert (read.returncode, read.stderr) == (0, "")
    for words in commands(block):
        name = program(words)
        assert name == "pi-table" or name in OF_OTHERS or block.page in TYPED, (
            f"{block}: who runs {name}?"
        )
        if name == "pi-table":
            accepted(block, words[1:])
        elif name == "make":
            assert {*targets(words)} <= targets_of(folder_of(block, words)), str(block)


def accepted(block: Block, words: list[str]) -> None:
    """The words after `pi-table` are taken by it."""
    try:
        parser(add_commands).parse_args(words)
    except SystemExit as end:
        raise AssertionError(f"{block}: pi-table {' '.join(words)}") from end


def targets(words: list[str]) -> list[str]:
    skip = 3 if words[1:2] == ["-C"] else 1
    return [word for word in words[skip:] if "=" not in word]


def folder_of(block: Block, words: list[str]) -> Path:
    if words[1:2] == ["-C"]:
        return ROOT / words[2]
    beside = (ROOT / block.page).parent
    return beside if (beside / "Makefile").exists() else ROOT


def targets_of(folder: Path) -> set[str]:
    text = (folder / "Makefile").read_text("utf-8")
    return {*re.findall(r"^([\w-]+):(?!=)", text, re.MULTILINE)}


@cache
def commands_in_a_clone() -> dict[str, list[tuple[Block, str]]]:
    """For each page, its commands in a clone, each with what it is given as standard input."""
    found: dict[str, list[tuple[Block, str]]] = {}
    for block in of("sh"):
        for command in re.findall(r"^\S.*<<'END'\n(?:.*\n)*?END$|^\S.*$", block.text, re.MULTILINE):
            if command.startswith(IN_A_CLONE):
                found.setdefault(block.page, []).append((block, command))
    return found


def excuse(command: str) -> str | None:
    """The beginning in `NOT_RUN` that fits the command, if one does."""
    rest = command.removeprefix(IN_A_CLONE)
    return next((begin for begin in NOT_RUN if f"{rest} ".startswith(f"{begin} ")), None)


@pytest.mark.parametrize("page", commands_in_a_clone())
def test_commands_run(page: str, tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    (tmp_path / "pi_table").symlink_to(ROOT / "pi_table")
    english = (ROOT / "pi_table/games/words/packs/english.txt").read_text("utf-8")
    (tmp_path / "our-pack.txt").write_text(
        english.replace("name: english", "name: our-pack"), "utf-8"
    )
    words = english.split("\n\n", 1)[1]
    (tmp_path / "our-list.csv").write_text(words.replace("\n", ","), "utf-8")
    for block, command in commands_in_a_clone()[page]:
        if excuse(command):
            continue
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            executable="/bin/bash",
        )
        assert done.returncode == 0, f"{block}: {command}\n{done.stderr}"
        assert '"ok":false' not in done.stdout.replace(" ", ""), f"{block}: {done.stdout}"


def test_bare_roots_run_each_command_of_the_first_page() -> None:
    first = {
        " ".join(words)
        for block in of("sh")
        if block.page == "README.md"
        for words in commands(block)
    }
    assert first == IN_BARE_ROOTS
    recipe = (ROOT / "Makefile").read_text("utf-8").split("\nfresh-check:")[1].split("\n\n")[0]
    for runs in (recipe, (ROOT / ".ci/run").read_text("utf-8")):
        for suite in ("bookworm", "trixie"):
            (line,) = re.findall(rf"\.ci/fresh\.sh {suite} .*", runs)
            assert {*re.findall(r'"(?:[A-Z_]+=\S* )*(.*?)"', line)} >= IN_BARE_ROOTS


def test_each_excuse_is_needed() -> None:
    every = [command for each in commands_in_a_clone().values() for _, command in each]
    assert {*map(excuse, every)} - {None} == {*NOT_RUN}
    assert not any("tests/" in reason for reason in NOT_RUN.values())


@pytest.mark.parametrize("name", [name for name, reason in OF_OTHERS.items() if "tests/" in reason])
def test_a_test_that_an_excuse_names_reads_the_page(name: str) -> None:
    tests = re.findall(r"tests/[\w/]+\.py", OF_OTHERS[name])
    read = "".join((ROOT / test).read_text("utf-8") for test in tests)
    for page in {
        block.page for block in of("sh") for words in commands(block) if program(words) == name
    }:
        there = Path(page).name.replace("RELEASE.md", "README.md")  # as a release has it
        assert there in read, f"{name} of {page}: {OF_OTHERS[name]}"


@pytest.mark.parametrize("page", TYPED)
def test_a_page_that_is_typed_is_read_by_its_test(page: str) -> None:
    typing = (ROOT / TYPED[page]).read_text("utf-8")
    assert f'"{page}"' in typing
    assert "def test_every_block_of_the_page_is_typed" in typing


def test_no_program_is_excused_that_no_page_runs() -> None:
    untyped = [block for block in of("sh") if block.page not in TYPED]
    named = {program(words) for block in untyped for words in commands(block)}
    assert {*OF_OTHERS} - named == set()


@pytest.mark.parametrize("block", of("toml"), ids=str)
def test_toml_is_a_configuration(block: Block, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(block.text, "utf-8")
    config.load(tmp_path / "table.toml")


@pytest.mark.parametrize("block", of("json", "jsonl", "service"), ids=str)
def test_json_is_read_line_by_line(block: Block) -> None:
    assert all(isinstance(json.loads(line), dict) for line in block.text.splitlines())


@pytest.mark.parametrize("block", of("pack"), ids=str)
def test_a_word_pack_is_read_as_one_that_is_only_too_short(
    block: Block, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kitchen.txt").write_text(block.text, "utf-8")
    assert cli.main(["words", "check", str(tmp_path / "kitchen.txt")]) == 1
    told = capsys.readouterr()
    (complaint,) = [line for line in (told.out + told.err).splitlines() if "line" in line]
    assert "the pack needs 25 different words" in complaint


# What stands within a sentence


@cache
def pages() -> tuple[str, ...]:
    return tuple(
        str(path.relative_to(ROOT))
        for path in sorted(ROOT.rglob("*.md"))
        if not BUILT & {*path.relative_to(ROOT).parts}
        and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    )


def subparsers(of: ArgumentParser) -> "_SubParsersAction[ArgumentParser]":
    (found,) = (each for each in of._actions if isinstance(each, _SubParsersAction))
    return found


def options_of(command: ArgumentParser) -> set[str]:
    """The options of a command, and of the commands within it."""
    within = [each for each in command._actions if isinstance(each, _SubParsersAction)]
    return {*command._option_string_actions}.union(
        *(options_of(inner) for each in within for inner in each.choices.values())
    )


@pytest.mark.parametrize("page", pages())
def test_every_command_and_option_within_a_sentence_is_there(page: str) -> None:
    text = re.sub(r"^ *```.*?^ *```$", "", (ROOT / page).read_text("utf-8"), flags=re.S | re.M)
    choices = subparsers(parser(add_commands)).choices
    wrong = []
    for span in re.findall(r"`([^`]+)`", text):
        said = " ".join(span.split())
        match = re.match(r"(?:\.venv/bin/)?pi-table ([a-z][a-z-]*)(.*)", said)
        if match is None:
            continue
        options = re.findall(r"(?<!\S)\[?(--[a-z-]+)", match[2])
        if match[1] not in choices or not {*options} <= options_of(choices[match[1]]):
            wrong.append(said)
    assert wrong == []
