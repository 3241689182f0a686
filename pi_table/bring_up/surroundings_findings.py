"""What stands round the engine: the journal, the spymasters' screen, its knobs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pi_table.bring_up.findings import Finding, Verdict
from pi_table.config import Config, ConsoleSection
from pi_table.errors import StorageError, TableError
from pi_table.hal.console_registry import open_inputs
from pi_table.store.faults import JournalInUseError, JournalMissingError, JournalUnwritableError
from pi_table.store.journal import Journal

MIB: Final = 1 << 20
SCARCE_BYTES: Final = 200 * MIB
"""The least room that is enough: with less, something else will soon fill the disk."""
FULL_BYTES: Final = 10 * MIB

INVISIBLE: Final = ("offscreen", "dummy")
"""SDL's drivers that draw where nobody sees it."""
SDL_SECONDS: Final = 20
"""How long SDL may take to open a display."""


def surroundings(config: Config, root: Path = Path("/")) -> Iterator[Finding]:
    """Every finding about what stands round the engine; ``root`` is where the file system
    begins."""
    yield journal(config.paths.journal)
    yield disk(config.paths.journal.parent)
    yield screen(root, config.console)
    yield knobs(config)


def journal(path: Path) -> Finding:
    """Can the journal be read, and does its chain hold? Nothing of its content is told."""
    try:
        opened = Journal.open_to_read(path)
        try:
            opened.check()
            games = len(opened.games())
        finally:
            opened.close()
    except JournalMissingError:
        return Finding(
            "journal", Verdict.NOT_HERE, f"There is none yet at {path}: the first game begins it."
        )
    except (JournalUnwritableError, JournalInUseError) as error:
        return Finding("journal", Verdict.LOOK, str(error))
    except StorageError as error:
        return Finding("journal", Verdict.BROKEN, str(error))
    return Finding(
        "journal", Verdict.OK, f"{path} is in order, with {games} games.", figures={"games": games}
    )


def disk(folder: Path) -> Finding:
    """Is there room for the journal?"""
    there = next(each for each in (folder, *folder.absolute().parents) if os.path.isdir(each))
    free = shutil.disk_usage(there).free
    says = f"{free // MIB:,} MiB are free at {there}."
    figures: dict[str, object] = {"free_bytes": free}
    advice = "Free some: a table that cannot store refuses to play on."
    if free < FULL_BYTES:
        return Finding("disk", Verdict.BROKEN, says, advice, figures=figures)
    if free < SCARCE_BYTES:
        return Finding("disk", Verdict.LOOK, says, advice, figures=figures)
    return Finding("disk", Verdict.OK, says, figures=figures)


def screen(root: Path, console: ConsoleSection) -> Finding:
    """Would the console find a display to draw on?"""
    driver, sizes = _sdl()
    figures: dict[str, object] = {"driver": driver, "sizes": sizes}
    if sizes and driver not in INVISIBLE:
        sized = " and ".join(f"{w} × {h}" for w, h in sizes)
        says = f"SDL draws by {driver}, on {sized}."
        if (console.width, console.height) in sizes:
            return Finding("screen", Verdict.OK, says, figures=figures)
        return Finding(
            "screen",
            Verdict.LOOK,
            f"{says} [console] says {console.width} × {console.height}.",
            "Give the screen's width, height and inches there, so that its type has the size that "
            "it should.",
            figures=figures,
        )
    connected = _connected(root)
    if connected:
        return Finding(
            "screen",
            Verdict.LOOK,
            f"One is connected ({', '.join(connected)}), but cannot be drawn on from here.",
            "That is as it should be while the console or a desktop has it; if neither has, let "
            "this user into the groups video and render.",
            figures=figures,
        )
    return Finding("screen", Verdict.NOT_HERE, "SDL finds no display.", figures=figures)


def _sdl() -> tuple[str | None, list[tuple[int, int]]]:
    """The driver that SDL takes by itself, and the sizes of its displays."""
    try:
        output = subprocess.run(
            [sys.executable, "-m", "pi_table.bring_up.sdl_probe"],
            capture_output=True,
            timeout=SDL_SECONDS,
        ).stdout
        found = msgspec.json.decode(output, type=_Display)
    except (subprocess.TimeoutExpired, msgspec.DecodeError):
        return None, []
    return found.driver, found.sizes


class _Display(msgspec.Struct, frozen=True):
    driver: str | None
    sizes: list[tuple[int, int]]


def _connected(root: Path) -> list[str]:
    """The connectors that the kernel sees a screen at."""
    found = []
    for status in sorted((root / "sys/class/drm").glob("card*-*/status")):
        if status.read_text("utf-8").strip() == "connected":
            found.append(status.parent.name.partition("-")[2])
    return found


def knobs(config: Config) -> Finding:
    """Can the console's encoder and buttons be opened, if it has any?"""
    pins = config.console
    if pins.inputs == "none":
        return Finding(
            "knobs", Verdict.NOT_HERE, "The configuration has none: [console] inputs is 'none'."
        )
    try:
        open_inputs(config).close()
    except TableError as error:
        if "busy" in str(error).lower():
            return Finding("knobs", Verdict.OK, "Another program has them: the console, no doubt.")
        return Finding("knobs", Verdict.BROKEN, str(error))
    return Finding(
        "knobs",
        Verdict.OK,
        f"The encoder and the buttons can be opened by {pins.inputs!r}.",
    )
