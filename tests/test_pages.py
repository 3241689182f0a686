"""Statements of the pages are true: links, paths, commands, targets, imports, figures, version."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import pi_table
from enclosure.levels import FLOOR, HOOD_TOP
from pi_table import cli
from pi_table.games.lines.offers import OFFERS

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
LEFT_OUT = {"build", "out", "__pycache__"}
MADE_HERE = ("out/", "build/", ".venv/")
"""Folders that commands write. They are not in the repository."""
NO_PATHS_OF_OURS = ("PREFIX/", "pi-table/", "homeassistant/", "tables/", "users/", "broker/")
"""First parts of a broker's topics, and names in the folder of `pi-table provision`."""
OF_A_TABLE = {
    "pi-table.toml.txt",
    "table.toml",
    "touches.jsonl",
    "kitchen.txt",
    "guests-en.txt",
    "guests-it.txt",
}
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


def every_page() -> list[str]:
    return [str(path) for path in files() if path.suffix == ".md"]


def prose_of(page: str) -> str:
    """The text without blocks and code spans."""
    return re.sub(r"^ *```.*?^ *```$|`[^`]+`", "", text_of(page), flags=re.DOTALL | re.MULTILINE)


@cache
def anchors_of(page: str) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    text = re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    found: list[str] = []
    for heading in re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        # Spaces become hyphens, also one whose neighbour "…" went.
        found.append(re.sub(r"[^\w -]", "", shown).replace(" ", "-"))
    same = [found[:number].count(anchor) for number, anchor in enumerate(found)]
    return {f"{anchor}-{n}" if n else anchor for anchor, n in zip(found, same, strict=True)}


@pytest.mark.parametrize("page", every_page())
def test_every_link_leads_somewhere(page: str) -> None:
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
        path, _, anchor = link.partition("#")
        if re.match(r"\w+:", link):
            continue
        target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
        if not target.exists() or (
            anchor and anchor not in anchors_of(str(target.relative_to(ROOT)))
        ):
            dead.append(link)
    assert dead == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, left = {"README.md"}, ["README.md"]
    while left:
        page = left.pop()
        for path in re.findall(r"\]\(([\w./-]+)", prose_of(page)):
            target = ((ROOT / page).parent / path).resolve()
            # GitHub shows the README of a folder.
            target = target / "README.md" if target.is_dir() else target
            name = str(target.relative_to(ROOT))
            if name.endswith(".md") and target.exists() and name not in reached:
                reached.add(name)
                left.append(name)
    assert {*every_page()} - reached == set()


def test_anchors_are_those_of_github() -> None:
    anchors = anchors_of("ARCHITECTURE.md")
    assert {"life-of-a-touch", "import-rules"} <= anchors
    assert {"1-the-card", "7-the-first-clue"} <= anchors_of("systemd/INSTALL.md")


def test_the_readme_is_short_and_has_the_figures_of_other_pages() -> None:
    text = text_of("README.md")
    assert 700 <= len(text.split()) <= 900
    prices = re.findall(r"(\d+) to (\d+) € \(P\)", text_of("hardware/README.md"))
    low, high = min(int(low) for low, _ in prices), max(int(high) for _, high in prices)
    size = re.search(
        r"(\d+ × \d+ mm) over its rims, (\d+ mm high without the hood)",
        text_of("enclosure/README.md"),
    )
    printing = re.search(r"pieces together: (\d+) h", text_of("enclosure/figures.txt"))
    assert size is not None
    assert printing is not None
    assert f"| {low} to {high} € (estimated)" in text
    with_hood = f"{HOOD_TOP - FLOOR:.0f} mm with it"
    assert f"| {size[1]}, {size[2]}, {with_hood} (designed) |" in text
    assert with_hood in text_of("enclosure/README.md")
    assert f"| work | {printing[1]} hours of printing (calculated)" in text
    rows = re.findall(r"^\| `([\w-]+)` \| .+ \| (.+) \| (.+) \|$", text, re.MULTILINE)
    assert rows == [(name, offer.players, offer.minutes) for name, offer in OFFERS.items()]


NUMBERED: Final = re.compile(
    r"\bcard\d+\b|\brenderD\d+|\bfb\d+\b|\btty(?:USB|ACM|AMA|S)\d+|\bserial\d+\b|\bgpiochip\d+"
    r"|\bi2c-\d+|\bspidev\d+\.\d+|\bleds\d+|\bsd[a-z]\d*\b|\bnvme\d+n\d+|\bmmcblk\d+|\bwlan\d+"
    r"|\beth\d+|\b(?:plug)?hw:\d|\bevent\d+\b|\bhidraw\d+|\bvideo\d+\b|\bhwmon\d+|\bthermal_zone\d+"
)
"""Devices by a number that the kernel may give to another one at the next start."""
FIXED: Final = {
    "i2c-1": "the board's description numbers its I²C",
    "spidev0.0": "the board's description numbers its SPI",
    "leds0": "one driver makes it, and one overlay loads that",
}
"""Numbers that are the same at every start, and why."""


def test_no_number_that_changes_is_given_as_the_name_of_a_device() -> None:
    """A name that somebody writes down is valid at the next start and on the next board. This
    covers pages, examples of settings, rules and units."""
    read = [
        each
        for each in files()
        if each.suffix in (".md", ".toml", ".rules", ".service", ".conf", ".sysusers", ".tmpfiles")
        and each.parts[0] not in ("tests", "CHANGELOG.md")
    ]
    assert {"KIOSK.md", "default.toml", "70-pi-table.rules"} <= {each.name for each in read}
    found = {(str(each), name) for each in read for name in NUMBERED.findall(text_of(str(each)))}
    assert {(page, name) for page, name in found if name not in FIXED} == set()
    assert {name for _, name in found} == {*FIXED}


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
    """True if such a file or folder exists: from the root, beside the page, or in the package. If
    the text named the folder before, the end of any path counts too."""
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


def test_contributing_says_what_make_test_leaves_out_and_what_ci_runs() -> None:
    section = text_of("CONTRIBUTING.md").split("## Test")[1].split("\n## ")[0]
    options = tomllib.loads(text_of("pyproject.toml"))["tool"]["pytest"]["ini_options"]["addopts"]
    (marked,) = re.findall(r"and those marked (.+?)\. ", section, re.DOTALL)
    assert {*re.findall(r"`(\w+)`", marked)} == {*re.findall(r"not (\w+)", options)}
    (left_out,) = re.findall(r"but those in `(.+?)`", section)
    assert f"pytest -n auto --ignore={left_out};" in text_of("Makefile")
    targets = re.findall(r"^\| `make ([^`]+)`", section, re.MULTILINE)
    run = text_of(".ci/run")
    assert targets[0] == "fresh-check"
    assert {*targets[1:9]} == {
        *re.findall(
            r"\b(?:step|once) \w+ (?:nice -n -\d+ )?make (.+-check|walk|machine|-C .+?)(?: &)?$",
            run,
            re.MULTILINE,
        )
    }


def test_the_command_that_shows_two_worlds_again_runs() -> None:
    page = "tests/worlds/pairs.py"
    (command,) = re.findall(r"^    (export .+\n.+/python .+)$", text_of(page), re.MULTILINE)
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
