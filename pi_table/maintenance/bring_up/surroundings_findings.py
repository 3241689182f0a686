"""Findings about what is around the engine: journal, disk, screen, knobs, the table's case."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from pi_table.common.config import Config, ConsoleSection
from pi_table.common.errors import DeviceError, StorageError, TableError
from pi_table.common.language import join_texts, say, system_says
from pi_table.devices.hal import displays
from pi_table.devices.hal.backlight import FIRST, FOLDER, backlight_names, open_backlight
from pi_table.devices.hal.console_registry import open_inputs
from pi_table.devices.hal.pi_board import is_pi, model
from pi_table.devices.hal.registry import PANEL, PARTS
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.holders import is_running
from pi_table.maintenance.bring_up.mounts import (
    IN_THE_NETWORK,
    WITHOUT_OWNERS,
    mount_of,
    mounts,
    wear,
)
from pi_table.table.backups.finishing import READY
from pi_table.table.backups.places import HELD_ASIDE
from pi_table.table.store.faults import (
    JournalInUseError,
    JournalMissingError,
    JournalUnwritableError,
)
from pi_table.table.store.journal import Journal

MIB: Final = 1 << 20
SCARCE_BYTES: Final = 200 * MIB
"""Number of free bytes below which the disk is almost full."""
FULL_BYTES: Final = 10 * MIB
SCARCE_FILES: Final = 1000
"""Number of free inodes below which the disk is almost full. ext4 has a fixed number of inodes."""
FULL_FILES: Final = 10

INVISIBLE: Final = ("offscreen", "dummy")
"""Names of SDL drivers that draw only into memory, not on a screen."""
SDL_SECONDS: Final = 20
"""Timeout in seconds for SDL to open a display."""


def surroundings(config: Config, root: Path = Path("/")) -> Iterator[Finding]:
    path = root / config.paths.journal.absolute().relative_to("/")
    yield journal(path)
    yield restore_state(path.parent)
    yield disk(config.paths.journal.parent, root)
    yield screen(root, config.console)
    if config.console.screen != "none":
        yield light_of_the_screen(root, config.console.backlight)
        yield knobs(config)
    yield case(config)


def journal(path: Path) -> Finding:
    """Check that the journal can be read and its hash chain is intact. Its contents are not
    shown."""
    try:
        opened = Journal.open_to_read(path)
        try:
            opened.check()
            games = opened.latest_number()
        finally:
            opened.close()
    except JournalMissingError:
        return Finding(
            "journal",
            Verdict.NOT_HERE,
            say("There is none yet at {path}: the first game makes it.", path=path),
        )
    except (JournalUnwritableError, JournalInUseError) as error:
        return Finding("journal", Verdict.LOOK, str(error))
    except StorageError as error:
        return Finding("journal", Verdict.BROKEN, str(error))
    return Finding(
        "journal",
        Verdict.OK,
        say("{path} is in order, with {games} games.", path=path, games=games),
        figures={"games": games},
    )


def restore_state(folder: Path) -> Finding:
    """Return the finding about an unfinished restore of a backup, and about files of earlier
    restores."""
    finding = partial(Finding, "restored")
    if os.path.lexists(folder / READY):
        return finding(
            Verdict.LOOK,
            say(
                "A restore was begun but not finished ({folder}): play will go on with another "
                "journal than this one.",
                folder=folder / READY,
            ),
            say(
                "Start the table, which finishes it; if it says that it cannot, run `pi-table "
                "restore --finish` as root, with the same --config."
            ),
        )
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        names = []
    except OSError as error:
        return finding(
            Verdict.LOOK,
            say(
                "{folder} cannot be opened: {strerror}.", folder=folder, strerror=system_says(error)
            ),
            say("Run as the table's own user."),
        )
    kept = sorted(name for name in names if name.startswith(HELD_ASIDE))
    if not kept:
        return finding(Verdict.OK, say("Nothing of a restore is left at {folder}.", folder=folder))
    return finding(
        Verdict.OK,
        say(
            "What was there before a restore is kept at {folder}: {kept}.",
            folder=folder,
            kept=", ".join(kept),
        ),
        say("It takes room: remove it when nobody wants to go back."),
        figures={"kept": kept},
    )


def disk(folder: Path, root: Path = Path("/")) -> Finding:
    """Check that the disk has room, keeps stored data in a power cut, and is not worn."""
    inside = root / folder.absolute().relative_to("/")
    real = next(each for each in (inside, *inside.parents) if os.path.isdir(each))
    free = shutil.disk_usage(real).free
    there = "/" / Path(os.path.realpath(real)).relative_to(os.path.realpath(root))
    says = say("{free} MiB are free at {there}.", free=f"{free // MIB:,}", there=there)
    figures: dict[str, object] = {"free_bytes": free}
    counted = os.statvfs(real)
    files = counted.f_favail if counted.f_files else None  # some file systems have no inodes
    if files is not None and files < SCARCE_FILES:
        says += say(" There is room for {files} further files.", files=files)
        figures["free_files"] = files
    finding = partial(Finding, "disk", figures=figures)
    if (lost := _not_kept(str(there), root)) is not None:
        verdict, why, do = lost
        return finding(verdict, join_texts(" ", (why, says)), do)
    advice = say("Free some: a table that cannot store refuses to play on.")
    if free < FULL_BYTES or (files is not None and files < FULL_FILES):
        return finding(Verdict.BROKEN, says, advice)
    if (worn := wear(root)) is not None:
        verdict, why, do = worn
        return finding(verdict, join_texts(" ", (why, says)), do)
    if free < SCARCE_BYTES or "free_files" in figures:
        return finding(Verdict.LOOK, says, advice)
    return finding(Verdict.OK, says)


def _not_kept(place: str, root: Path) -> tuple[Verdict, str, str] | None:
    """Return verdict, reason and advice if games in this folder are not stored safely; None if no
    reason is known."""
    known = mounts(root)
    mount = mount_of(place, known)
    if mount is None:
        return None
    on = say("{place} is on {kind}, mounted at {at}.", place=place, kind=mount.kind, at=mount.at)
    if mount.is_read_only:
        return (
            Verdict.BROKEN,
            say("{on} It is read-only: no game can be stored.", on=on),
            say(
                "The kernel makes a damaged card read-only ('sudo dmesg' says so): replace it. "
                "Otherwise remove ro from its line in /etc/fstab, and restart."
            ),
        )
    if mount.kind in WITHOUT_OWNERS:
        return (
            Verdict.BROKEN,
            say(
                "{on} It keeps no permissions: every user of this machine could read the key.",
                on=on,
            ),
            say("Give it a partition with ext4."),
        )
    if mount.kind in IN_THE_NETWORK:
        return (
            Verdict.LOOK,
            say("{on} It is in the network: SQLite does not keep the journal safely there.", on=on),
            say("Give it a partition of this machine, with ext4."),
        )
    if mount.is_in_memory:
        return (
            Verdict.LOOK,
            say("{on} It is in memory: a power cut loses all games and the PIN.", on=on),
            say(
                "Remove the line for {at} from /etc/fstab, or mount a partition at {place}.",
                at=mount.at,
                place=place,
            ),
        )
    if mount.kind == "overlay":
        upper = mount_of(mount.upper, known) if mount.upper else None
        if upper is not None and upper != mount and not upper.is_in_memory:
            return None
        return (
            Verdict.LOOK,
            say(
                "{on} What is written stays in memory: a power cut loses all games and the PIN.",
                on=on,
            ),
            say(
                "Switch the overlay file system off (sudo raspi-config, Performance Options), or "
                "mount a partition at {place}.",
                place=place,
            ),
        )
    if option := mount.unsafe_option:
        return (
            Verdict.LOOK,
            say(
                "{on} With its option {option} a power cut can lose what was stored.",
                on=on,
                option=option,
            ),
            say("Remove {option} from its line in /etc/fstab, and restart.", option=option),
        )
    return None


def screen(root: Path, console: ConsoleSection) -> Finding:
    """Check that the console can find the hidden screen, and report which one it is."""
    if console.screen == "none":
        return Finding(
            "screen",
            Verdict.OK,
            say("There is no hidden screen: the spymasters’ phones show the key."),
            say(
                "The desk gives out the codes for these phones. The card has the desk’s link: see "
                "pi-table-says.txt."
            ),
        )
    found = displays.connectors(root)
    connected = [each.name for each in found if each.has_screen]
    figures: dict[str, object] = {"connectors": {each.name: each.has_screen for each in found}}
    hidden, why = None, ""
    try:
        hidden = displays.find_hidden_screen(console.display, found)
    except DeviceError as error:
        why = str(error)
    sdl = _sdl({} if hidden is None else {displays.CARD: str(hidden.card)})
    driver, sizes = sdl.driver, sdl.sizes
    figures |= {"driver": driver, "sizes": sizes}
    finding = partial(Finding, "screen", figures=figures)
    in_desktop = driver not in (None, displays.DRIVER, *INVISIBLE)
    if hidden is not None and sdl.version is not None and not in_desktop:
        try:
            displays.check_drawn_on(hidden, found, sdl.version)
        except DeviceError as error:
            return finding(Verdict.BROKEN, str(error))
    if hidden is None and not in_desktop:
        if connected or console.display:
            return finding(Verdict.BROKEN, why)
        on_pi = is_pi(model(root))
        return finding(Verdict.LOOK if on_pi else Verdict.NOT_HERE, why)
    where = hidden.name if hidden and not in_desktop else say("a desktop ({driver})", driver=driver)
    if driver is None or driver in INVISIBLE:
        return finding(
            Verdict.LOOK,
            say("The key is shown at {where}, which cannot be drawn on from here.", where=where),
            say(
                "That is normal while the console or a desktop uses it; if neither does, add "
                "this user to the groups video and render."
            ),
        )
    try:
        number = displays.choose_display(console, found, driver, len(sizes))
    except DeviceError as error:
        return finding(Verdict.BROKEN, str(error))
    sizes = sizes if in_desktop else sizes[number : number + 1]
    sized = " and ".join(f"{w} × {h}" for w, h in sizes)
    says = say("The key is shown at {where}, {sized}.", where=where, sized=sized)
    if (console.width, console.height) in sizes:
        return finding(Verdict.OK, says)
    return finding(
        Verdict.LOOK,
        say(
            "{says} [console] says {width} × {height}.",
            says=says,
            width=console.width,
            height=console.height,
        ),
        say("Give the screen's width, height and inches there, so that text has the right size."),
    )


class _Sdl(msgspec.Struct, frozen=True):
    """The output of `sdl_probe`. If it fails, version and driver are None, and sizes is empty."""

    version: tuple[int, int, int] | None
    driver: str | None
    sizes: list[tuple[int, int]]


def _sdl(environment: dict[str, str]) -> _Sdl:
    """Run `sdl_probe` with these additional environment variables, and return its output."""
    try:
        output = subprocess.run(
            [sys.executable, "-m", "pi_table.maintenance.bring_up.sdl_probe"],
            capture_output=True,
            timeout=SDL_SECONDS,
            env={**os.environ, **environment},
        ).stdout
        return msgspec.json.decode(output, type=_Sdl)
    except (subprocess.TimeoutExpired, msgspec.DecodeError):
        return _Sdl(None, None, [])


def light_of_the_screen(root: Path, name: str) -> Finding:
    """Check that the screen's brightness can be set, if the configuration names a backlight."""
    there = backlight_names(root)
    if not name:
        says = say("The configuration names none: [console] backlight is ''.")
        if there:
            says += say(" There is {there}.", there=join_texts(" and ", there))
        return Finding("backlight", Verdict.NOT_HERE, says)
    said: list[str] = []
    open_backlight(name, said.append, root)
    named = root / FOLDER / (there[0] if name == FIRST and there else name) / "brightness"
    if not said and not os.access(named, os.W_OK):
        said.append(say("This user may not write to {named}.", named=named))
    if said:
        return Finding(
            "backlight",
            Verdict.LOOK,
            join_texts(" ", said),
            say("The console runs without, at full light."),
        )
    return Finding("backlight", Verdict.OK, say("{name} can be set.", name=named.parent.name))


def in_use(what: str, parts: str, command: str) -> Finding:
    """Return the finding about parts that are in use, by `pi-table COMMAND` or by another
    program."""
    if is_running(command):
        return Finding(what, Verdict.OK, say("{parts} are in use by pi-table itself.", parts=parts))
    do = say("Stop it: the table cannot use them meanwhile.")
    says = say("{parts} are in use by another program.", parts=parts)
    return Finding(what, Verdict.LOOK, says, do)


def knobs(config: Config) -> Finding:
    """Check that the configured encoder and buttons of the console can be opened."""
    pins = config.console
    if pins.inputs == "none":
        return Finding(
            "knobs",
            Verdict.NOT_HERE,
            say("The configuration has none: [console] inputs is 'none'."),
        )
    try:
        open_inputs(config).close()
    except TableError as error:
        if "busy" not in str(error).lower():
            return Finding("knobs", Verdict.BROKEN, str(error))
        return in_use("knobs", say("The encoder and the buttons"), "console")
    return Finding(
        "knobs",
        Verdict.OK,
        say("The encoder and the buttons can be opened by {inputs}.", inputs=repr(pins.inputs)),
    )


def case(config: Config) -> Finding:
    """Check that the case's LED and button can be opened, and that the button can switch the table
    off."""
    driver = config.panel.driver
    if driver == "none":
        return Finding(
            "case", Verdict.NOT_HERE, say("The configuration has none: [panel] driver is 'none'.")
        )
    loop = asyncio.new_event_loop()
    try:
        PANEL.opener(driver, PARTS)(config, loop).close()
        says: str = say(
            "The status LED and the switch-off button can be opened by {driver}.",
            driver=repr(driver),
        )
    except TableError as error:
        if "busy" not in str(error).lower():
            return Finding("case", Verdict.BROKEN, str(error))
        found = in_use("case", say("The status LED and the button"), "run")
        if found.verdict is not Verdict.OK:
            return found
        says = found.says
    finally:
        loop.close()
    if not config.table.switch_off:
        return Finding(
            "case",
            Verdict.LOOK,
            say("{says} The button switches nothing off.", says=says),
            say("Name the command that does, as switch_off in [table] of the configuration."),
        )
    return Finding("case", Verdict.OK, says)
