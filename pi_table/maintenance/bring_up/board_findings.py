"""Findings about the Raspberry Pi: its model, and what the table's lights need from it.

``root`` is the root of the file system: `/`, or another folder in tests.
"""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import util
from pathlib import Path
from typing import Final, NamedTuple

from pi_table.common.config import Config
from pi_table.common.errors import InputError
from pi_table.common.geometry import LED_COUNT
from pi_table.common.language import join_texts, say, system_says
from pi_table.common.light_layout import read_layout
from pi_table.devices.hal import devices, own_controller, pi_board
from pi_table.maintenance.bring_up.config_txt import ConfigTxt
from pi_table.maintenance.bring_up.findings import Finding, Verdict
from pi_table.maintenance.bring_up.system_files import text_in

CONFIG_TXT: Final = ("boot/slot/config.txt", "boot/firmware/config.txt", "boot/config.txt")
"""Paths of config.txt in the order in which they are tried: the table's own image, Raspberry Pi OS,
older Raspberry Pi OS."""


def board(config: Config, root: Path = Path("/")) -> Iterator[Finding]:
    """Yield the findings about the Pi, its config.txt, the pins, and the device of the lights."""
    model = pi_board.model(root)
    yield board_model(model, config.lights.driver, root)
    yield config_txt(model, config, root)
    known = pi_board.board_of(model)
    yield pins(config, lines_that_take(model, root), known)
    if (
        lights_driver(config, known) == pi_board.PIO_DRIVER
        and known
        and pi_board.PIO_DRIVER in known.lights
    ):
        yield boot_loader(config, known, root)
    yield device(config, root)


def board_model(model: str, driver: str, root: Path = Path("/")) -> Finding:
    """Check that this model of the Pi is known, and that the lights' driver works on it."""
    finding = partial(Finding, "board", figures={"model": model})
    unknown = pi_board.unknown_revision(pi_board.revision(root))
    refusal = pi_board.refusal(driver, model)
    if refusal is None and driver == pi_board.SPI_DRIVER:
        refusal = unknown
    if refusal is not None:
        return finding(Verdict.BROKEN, refusal)
    if not pi_board.is_pi(model):
        return finding(Verdict.NOT_HERE, say("This is not a Raspberry Pi."))
    known = pi_board.board_of(model)
    if known is None:
        return finding(
            Verdict.LOOK,
            say("{model}: nobody has tried a table on such a board.", model=model),
            say("hardware/BOARDS.md has those that are known."),
        )
    drive = [name for name in known.lights if name != pi_board.SPI_DRIVER or unknown is None]
    others = join_texts(" or ", map(repr, drive))
    says = say(
        "{model}. Lights can be driven by {others} here, and are by {driver}.",
        model=model,
        others=others,
        driver=repr(driver),
    )
    return finding(Verdict.OK, says)


def config_txt(model: str, config: Config, root: Path) -> Finding:
    """Check that config.txt has the lines that this board needs, and no harmful line."""
    finding = partial(Finding, "config.txt")
    known = pi_board.board_of(model)
    if known is None:
        return finding(Verdict.NOT_HERE, say("No lines for config.txt are known for this board."))
    try:
        place, read = _read(known, root)
    except FileNotFoundError:
        return finding(
            Verdict.LOOK,
            say("There is none at /boot/firmware nor at /boot."),
            say("Is the card's first partition mounted? hardware/BOARDS.md has its lines."),
        )
    except OSError as error:
        there = error.filename
        return finding(
            Verdict.LOOK,
            say("{there} cannot be read: {strerror}.", there=there, strerror=system_says(error)),
            say("Run doctor as root (sudo), which may read it."),
        )
    missing = [line for line in needed_lines(known, config) if not read.has(line)]
    harmful = {
        entry.line: why
        for begins, why in pi_board.FORBIDDEN.items()
        for entry in read.entries(begins)
    }
    twice = [line for line in pi_board.ONCE if len(read.entries(line)) > 1]
    figures: dict[str, object] = {"missing": missing}
    says, do = [], []
    if missing:
        lines = join_texts(" and ", missing)
        says.append(say("/{place} lacks {lines}.", place=place, lines=lines))
        do.append(say("Write each on a line of its own, under [all], and restart the machine."))
    if harmful:
        figures["harmful"] = [*harmful]
        says += [
            say("/{place} has the line {line}. {why}", place=place, line=line, why=why)
            for line, why in harmful.items()
        ]
        do.append(say("Remove {harmful}, and restart.", harmful=join_texts(" and ", harmful)))
    if twice:
        figures["twice"] = twice
        says += [
            say("/{place} has more than one line {line}.", place=place, line=line) for line in twice
        ]
        do.append(say("Keep the one that hardware/BOARDS.md has, remove the others, and restart."))
    if says:
        verdict = Verdict.BROKEN if missing or harmful else Verdict.LOOK
        return finding(verdict, join_texts(" ", says), join_texts(" ", do), figures=figures)
    return finding(
        Verdict.OK,
        say("/{place} has the lines that this board needs.", place=place),
        figures=figures,
    )


def _read(known: pi_board.Board, root: Path) -> tuple[str, ConfigTxt]:
    """Return the path of config.txt, and its contents for this board. Raises OSError."""
    for name in CONFIG_TXT:
        try:
            text = (root / name).read_text("utf-8", errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            continue
        return name, ConfigTxt(text, known.sections)
    raise FileNotFoundError


class Taking(NamedTuple):
    """A line of config.txt that occupies pins of the header."""

    line: str
    begins: str
    """The beginning of the line, as `pi_board` lists it."""
    pins: tuple[int, ...]


def lines_that_take(model: str, root: Path) -> list[Taking]:
    """Return the lines of config.txt that occupy pins; an empty list if config.txt is
    unreadable."""
    known = pi_board.board_of(model)
    if known is None:
        return []
    try:
        _, read = _read(known, root)
    except OSError:
        return []
    return [
        Taking(entry.line, taker.line, taker.pins_with(entry.parameters))
        for taker in pi_board.PIN_USERS
        if known.name in taker.boards
        for entry in read.entries(taker.line)
    ]


def needed_lines(known: pi_board.Board, config: Config) -> tuple[str, ...]:
    """Return the lines that config.txt needs on this board for this configuration."""
    driver = lights_driver(config, known)
    lines = pi_board.SCREEN_LINES + _lines_of_lights(known, driver, config)
    if own_controller.is_used(config):
        lines += pi_board.BUS_LINES
    return lines + pi_board.AMPLIFIER_LINES if _has_amplifier(config) else lines


def lights_driver(config: Config, known: pi_board.Board | None) -> str:
    """Return the driver that decides which pins and device of this machine the lights use. If the
    controller runs on the Pi itself, this is the engine's driver for this board."""
    if own_controller.is_used(config) and config.lights.driver == "controller":
        return own_controller.lights_driver(known)
    return config.lights.driver


def _has_amplifier(config: Config) -> bool:
    return config.sound.driver == "alsa" and "MAX98357A" in config.sound.device


class Part(NamedTuple):
    """A part of the table that uses pins of this machine."""

    name: str
    pins: tuple[int, ...]
    lines: tuple[str, ...] = ()
    """Lines of config.txt that give these pins to the part, as `pi_board` lists them."""
    chip: str = ""
    """Name of the pins' GPIO chip; "" for the chip of the header."""


def pins(
    config: Config, lines: Sequence[Taking] = (), known: pi_board.Board | None = None
) -> Finding:
    """Check that no pin has two users. A user is a part of the table, or a line of config.txt."""
    takes: dict[tuple[str, int], list[str]] = {}
    own: dict[int, tuple[str, ...]] = {}
    for part in parts_with_pins(config, known):
        for pin in part.pins:
            takes.setdefault((part.chip, pin), []).append(part.name)
            if not part.chip:
                own[pin] = own.get(pin, ()) + part.lines
    if not takes:
        return Finding(
            "pins", Verdict.NOT_HERE, say("The configuration uses no pin of this machine.")
        )
    do = say("Give one of them another pin: hardware/BOARDS.md says which are free.")
    for each in lines:
        hit = [pin for pin in each.pins if pin in own and each.begins not in own[pin]]
        for pin in hit:
            takes["", pin].append(say("the line {line} of config.txt", line=each.line))
        if hit:
            do += say(" Or remove {line} from config.txt, and restart.", line=each.line)
    named = {(chip, pin): f"{pin} ({chip})" if chip else str(pin) for chip, pin in sorted(takes)}
    twice = [
        say("GPIO{pin} is taken by {parts}.", pin=pin, parts=join_texts(" and ", parts))
        for key, pin in named.items()
        if len(parts := takes[key]) > 1
    ]
    if twice:
        return Finding("pins", Verdict.BROKEN, join_texts(" ", twice), do)
    told = ", ".join(f"GPIO{pin}" for pin in named.values())
    return Finding("pins", Verdict.OK, say("No two parts use the same pin: {told}.", told=told))


def parts_with_pins(config: Config, known: pi_board.Board | None = None) -> Iterator[Part]:
    """Yield the parts of this configuration that use pins of this machine."""
    lights = lights_driver(config, known)
    if own_controller.is_used(config):
        yield Part(say("the touch chips"), pi_board.BUS_PINS, pi_board.OWN_LINES_OF_BUS)
        if (pin := own_controller.interrupt_pin(config)) is not None:
            yield Part(say("the touch chips' interrupt"), (pin,))
    if lights in pi_board.PINS:
        yield Part(say("the lights"), pi_board.PINS[lights], pi_board.OWN_LINES[lights])
    chip = "" if config.gpio.chip in pi_board.HEADER_CHIPS else config.gpio.chip
    if config.console.inputs == "gpiozero":
        for name in ("encoder_a", "encoder_b", "press", "back", "peek"):
            yield Part(
                say("{name} of [console]", name=name), (getattr(config.console, name),), chip=chip
            )
    if config.panel.driver == "gpiozero":
        for name in ("status_led", "switch_off"):
            yield Part(
                say("{name} of [panel]", name=name), (getattr(config.panel, name),), chip=chip
            )
    if _has_amplifier(config):
        yield Part(say("the amplifier"), pi_board.AMPLIFIER_PINS, pi_board.OWN_LINES_OF_AMPLIFIER)


def _lines_of_lights(known: pi_board.Board, driver: str, config: Config) -> tuple[str, ...]:
    """Return the lines for the lights. `device` reports a layout with an error; until it is
    corrected, the lines are those of the tiles."""
    try:
        count = read_layout(config.lights.layout).light_count
    except InputError:
        count = LED_COUNT
    if driver == pi_board.SPI_DRIVER and driver not in known.lights:
        return (pi_board.SPI_ON,)
    return known.lines_for(driver, count)


def boot_loader(config: Config, known: pi_board.Board, root: Path) -> Finding:
    """Check that the boot loader is new enough for lights that the kernel drives.

    The lights' device may be missing although config.txt has its line. The finding then names every
    possible cause, in the order to try.
    """
    device = config.lights.device
    what = say("boot loader")
    built = pi_board.boot_loader(root)
    figures: dict[str, object] = {} if built is None else {"built": built.date().isoformat()}
    finding = partial(Finding, what, figures=figures)
    least = pi_board.BOOT_LOADER_SINCE.date().isoformat()
    update = say(
        "Update the boot loader, to one from {least} or later: sudo rpi-eeprom-update -a.",
        least=least,
    )
    is_of = say("The kernel does not say how old it is.")
    if built is not None:
        is_of = say("It is from {isoformat}.", isoformat=built.date().isoformat())
        if built < pi_board.BOOT_LOADER_SINCE:
            says = say(
                "{is_of} Lights with {pio_driver} need one from {least} or later.",
                is_of=is_of,
                pio_driver=repr(pi_board.PIO_DRIVER),
                least=least,
            )
            return finding(Verdict.BROKEN, says, say("{update} Then restart.", update=update))
    try:
        has_line = _read(known, root)[1].has(
            _lines_of_lights(known, pi_board.PIO_DRIVER, config)[0]
        )
    except OSError:
        has_line = False
    if (root / device.removeprefix("/")).exists() or not has_line:
        return finding(Verdict.OK, is_of)
    causes = [
        say("Try in this order, and restart after each: If the line is new, only restart."),
        say("Update the kernel: sudo apt update && sudo apt full-upgrade."),
        *([update] if built is None else []),
    ]
    return finding(
        Verdict.LOOK,
        say(
            "{is_of} There is no {device}, though config.txt has its line.",
            is_of=is_of,
            device=device,
        ),
        join_texts(" ", causes),
    )


def device(config: Config, root: Path) -> Finding:
    """Check the device through which the engine, or the controller on the Pi itself, drives the
    lights."""
    driver = lights_driver(config, pi_board.board_of(pi_board.model(root)))
    what = say("light device")
    by_controller = driver != config.lights.driver
    if driver not in pi_board.PINS:
        return Finding(
            what,
            Verdict.NOT_HERE,
            say("Lights with {driver} need no device of this machine.", driver=repr(driver)),
        )
    if driver == pi_board.PIO_DRIVER:
        needed = [config.lights.device]
    elif by_controller:
        needed = [pi_board.SPI_DEVICE]
    else:
        needed = [device.node for device in devices.devices_of_driver(driver)]
    wrong = [fault for path in needed if (fault := device_fault(root, path))]
    light_count = LED_COUNT
    try:
        light_count = read_layout(config.lights.layout).light_count
    except InputError as error:
        wrong.append(str(error))
    if driver == pi_board.SPI_DRIVER:
        sender = own_controller if by_controller else pi_board
        small = pi_board.small_buffer(pi_board.spi_buffer(root), sender.spi_bytes(light_count))
        wrong += [small] if small else []
        if not by_controller and util.find_spec("rpi_ws281x") is None:
            wrong.append(say("The Python package rpi-ws281x is not installed: install it."))
    elif pi_board.board_of(pi_board.model(root)) is not None:
        old = pi_board.old_kernel(os.uname().release)
        wrong += [old] if old else []
    if wrong:
        return Finding(what, Verdict.BROKEN, join_texts(" ", wrong))
    return Finding(
        what, Verdict.OK, say("{needed} can be written to.", needed=join_texts(" and ", needed))
    )


def device_fault(root: Path, path: str) -> str | None:
    """Return a sentence about a device's fault and the remedy; None if it has no fault."""
    there = root / path.removeprefix("/")
    if not there.exists():
        return say("There is no {path}. If config.txt has its line, restart.", path=path)
    if not os.access(there, os.R_OK | os.W_OK):
        return say(
            "This user may not write to {path}: add it to the group {group}.",
            path=path,
            group=_group(there),
        )
    given = _number_of_group(root, devices.OURS)
    if given is not None and there.stat().st_gid != given:
        return say(
            "{path} does not belong to the group {ours}, so the engine may not open it: restart, "
            "and if that does not help, reinstall pi-table.",
            path=path,
            ours=devices.OURS,
        )
    return None


def _number_of_group(root: Path, name: str) -> int | None:
    """Return the id of a group in the system below ``root``; None if the group is missing."""
    fields = (line.split(":") for line in text_in(root / "etc/group").splitlines())
    return next((int(each[2]) for each in fields if each[0] == name), None)


def _group(path: Path) -> str:
    try:
        return repr(path.group())
    except KeyError:
        return say("of the device")
