"""What the pages say of the code is so: paths, commands, targets, imports, the version."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from test_imports import MAY_IMPORT

import pi_table
from pi_table import cli

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
LEFT_OUT = {"build", "out", "__pycache__"}
MADE_HERE = ("out/", "build/", ".venv/")
"""What commands write, and so is not in the repository."""
NO_PATHS_OF_OURS = ("PREFIX/", "homeassistant/", "tables/", "users/", "broker/")
"""How topics of a broker begin, and what stands in the folder of `pi-table provision`."""
OF_A_TABLE = {"table.toml", "touches.jsonl", "kitchen.txt", "guests-en.txt", "guests-it.txt"}
"""Files that somebody writes for a table of their own, or the table does."""
ENDINGS = (".py", ".md", ".toml", ".txt", ".csv", ".c", ".h", ".jsonl", ".po", ".rules")


@cache
def files() -> tuple[Path, ...]:
    """All files and folders of the repository, from its root."""
    found: list[Path] = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT and name[0] != ".")
        found += (Path(folder, name).relative_to(ROOT) for name in (*folders, *names))
    return tuple(found)


def of_folders() -> list[str]:
    """The pages that stand beside what they describe."""
    return [str(path) for path in files() if path.name == "README.md" and len(path.parts) > 1]


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def paths_in(page: str) -> list[str]:
    """Whatever a page names as a file, a folder, or a pattern of them: in a code span, or as the
    target of a link."""
    text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
    spans = re.findall(r"`([\w./*-]+)`", text) + re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", text)
    return [
        span
        for span in dict.fromkeys(spans)
        if (span.endswith(ENDINGS) or "/" in span)
        and not span.startswith((*MADE_HERE, *NO_PATHS_OF_OURS, "/", "."))
        and span not in OF_A_TABLE
    ]


def stands(span: str, page: str) -> bool:
    """Is there such a file or folder: from the root, or beside the page, or in the package, or, if
    the text named the folder before, at the end of any path?"""
    folders = (ROOT, (ROOT / page).parent, ROOT / "pi_table")
    return any((folder / span).exists() for folder in folders) or any(
        path.match(span.rstrip("/")) for path in files()
    )


@pytest.mark.parametrize("page", [*PAGES, "CHANGELOG.md", *of_folders()])
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    missing = [span for span in paths_in(page) if not stands(span, page)]
    assert missing == []
    assert paths_in(page) or page not in PAGES


@pytest.mark.parametrize("page", PAGES)
def test_every_target_and_command_that_a_page_names_is_there(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    targets = {*re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)}
    named = {*re.findall(r"\bmake ([a-z][a-z-]*)", "\n".join(code_in(page)))}
    assert named <= targets
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    commands = {*re.findall(r"^    ([a-z-]+)", capsys.readouterr().out, re.MULTILINE)}
    named = {*re.findall(r"\bpi-table ([a-z][a-z-]*)", "\n".join(code_in(page)))}
    assert named <= commands


def test_the_command_that_shows_two_worlds_again_runs() -> None:
    page = "tests/worlds/README.md"
    (command,) = re.findall(r"^    (.+/python .+)$", text_of(page), re.MULTILINE)
    done = subprocess.run(
        command.replace("../../.venv/bin/python", shlex.quote(sys.executable)),
        shell=True,
        cwd=(ROOT / page).parent,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def code_in(page: str) -> list[str]:
    """The code spans and code blocks of a page."""
    text = text_of(page)
    blocks = re.findall(r"```(.*?)```", text, flags=re.DOTALL)
    return blocks + re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def test_the_page_of_the_architecture_says_who_may_import_whom() -> None:
    section = text_of("ARCHITECTURE.md").split("## Who may import whom")[1].split("\n## ")[0]
    said = {}
    for part, may in re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.MULTILINE):
        said[part] = {*re.findall(r"`(\w+)`", may)}
    folders = {part: may for part, may in MAY_IMPORT.items() if is_folder(part)}
    assert said == {part: {name.split(".")[0] for name in may} for part, may in folders.items()}


def is_folder(part: str) -> bool:
    return (ROOT / "pi_table" / part).is_dir()


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_name_that_a_page_takes_from_the_source_is_there(page: str) -> None:
    spans = re.findall(r"`([A-Za-z]\w+|_\w+)(?:\(\))?`", text_of(page))
    sources = (path for path in files() if path.suffix in (".py", ".toml", ".c", ".h", ".csv"))
    words = {*re.findall(r"\w+", " ".join(text_of(str(path)) for path in sources))}
    assert [name for name in dict.fromkeys(spans) if name not in words] == []


def test_the_version_is_that_of_the_newest_entry_in_the_changelog() -> None:
    entries = re.findall(r"^## \[(.+?)\]", text_of("CHANGELOG.md"), re.MULTILINE)
    assert entries[0] == pi_table.__version__
    numbers = [tuple(map(int, entry.split("."))) for entry in entries]
    assert numbers == sorted(numbers, reverse=True)
    dynamic = tomllib.loads(text_of("pyproject.toml"))["tool"]["setuptools"]["dynamic"]
    assert dynamic["version"] == {"attr": "pi_table.__version__"}
