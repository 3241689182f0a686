"""Which Raspberry Pi this is, and whether it has what the lights that hang on it need.

``root`` is where the file system begins: `/`, and in tests another.
"""

import os
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Final

from pi_table.bring_up.config_txt import ConfigTxt
from pi_table.bring_up.findings import Finding, Verdict
from pi_table.config import Config
from pi_table.hal import pi_board

CONFIG_TXT: Final = ("boot/slot/config.txt", "boot/firmware/config.txt", "boot/config.txt")
"""Where Raspberry Pi OS has it, the newer place first."""


def board(config: Config, root: Path = Path("/")) -> Iterator[Finding]:
    """Every finding about the board, its config.txt, its pins and the device of its lights."""
    model = pi_board.model(root)
    yield which(model, config.lights.driver)
    yield config_txt(model, config, root)
    yield pins(config)
    yield device(config, root)


def which(model: str, driver: str) -> Finding:
    """What is this machine, and does the driver of the lights do on it?"""
    figures: dict[str, object] = {"model": model}
    refusal = pi_board.refusal(driver, model)
    if refusal is not None:
        return Finding("board", Verdict.BROKEN, refusal, figures=figures)
    if not pi_board.is_pi(model):
        return Finding("board", Verdict.NOT_HERE, "This is not a Raspberry Pi.", figures=figures)
    known = pi_board.board_of(model)
    if known is None:
        return Finding(
            "board",
            Verdict.LOOK,
            f"{model}: nobody has tried a table on such a board.",
            "hardware/BOARDS.md has those that are known.",
            figures=figures,
        )
    others = " or ".join(repr(name) for name in known.lights)
    says = f"{model}. Lights can be driven by {others} here, and are by {driver!r}."
    return Finding("board", Verdict.OK, says, figures=figures)


def config_txt(model: str, config: Config, root: Path) -> Finding:
    """Does config.txt have the lines that this board needs?"""
    what = "config.txt"
    known = pi_board.board_of(model)
    if known is None:
        return Finding(what, Verdict.NOT_HERE, "This board is given no lines.")
    there = next((root / name for name in CONFIG_TXT if (root / name).is_file()), None)
    if there is None:
        return Finding(
            what,
            Verdict.LOOK,
            "There is none at /boot/firmware nor at /boot.",
            "Is the card's first partition mounted? hardware/BOARDS.md has its lines.",
        )
    try:
        read = ConfigTxt(there.read_text("utf-8", errors="replace"), known.sections)
    except OSError as error:
        return Finding(what, Verdict.LOOK, f"{there} cannot be read: {error.strerror}.")
    missing = [line for line in wanted(known, config) if not read.has(line)]
    figures: dict[str, object] = {"missing": missing}
    place = there.relative_to(root)
    if missing:
        lines = " and ".join(missing)
        return Finding(
            what,
            Verdict.BROKEN,
            f"/{place} lacks {lines}.",
            "Write each on a line of its own, under [all], and start the machine anew.",
            figures=figures,
        )
    return Finding(
        what, Verdict.OK, f"/{place} has the lines that this board takes.", figures=figures
    )


def wanted(known: pi_board.Board, config: Config) -> tuple[str, ...]:
    """The lines that config.txt must have on this board for what the configuration names."""
    lines = pi_board.SCREEN_LINES + known.lights.get(config.lights.driver, ())
    return lines + pi_board.AMPLIFIER_LINES if _has_amplifier(config) else lines


def _has_amplifier(config: Config) -> bool:
    return config.sound.driver == "alsa" and "MAX98357A" in config.sound.device


def pins(config: Config) -> Finding:
    """Does no pin of this Pi serve two parts?"""
    takes: dict[int, list[str]] = {}
    for part, of_part in pins_of(config).items():
        for pin in of_part:
            takes.setdefault(pin, []).append(part)
    twice = [
        f"GPIO{pin} is taken by {' and '.join(parts)}."
        for pin, parts in sorted(takes.items())
        if len(parts) > 1
    ]
    if twice:
        return Finding(
            "pins",
            Verdict.BROKEN,
            " ".join(twice),
            "Give one of them another pin: hardware/BOARDS.md says which are free.",
        )
    if not takes:
        return Finding("pins", Verdict.NOT_HERE, "The configuration uses no pin of this machine.")
    told = ", ".join(f"GPIO{pin}" for pin in sorted(takes))
    return Finding("pins", Verdict.OK, f"No two parts want the same: {told}.")


def pins_of(config: Config) -> dict[str, tuple[int, ...]]:
    """The pins of this Pi that each part takes, by a name for people."""
    console = config.console
    found = {"the lights": pi_board.PINS.get(config.lights.driver, ())}
    if console.inputs == "gpiozero":
        for name in ("encoder_a", "encoder_b", "press", "back", "peek"):
            found[f"{name} of [console]"] = (getattr(console, name),)
    if _has_amplifier(config):
        found["the amplifier"] = pi_board.AMPLIFIER_PINS
    return found


def device(config: Config, root: Path) -> Finding:
    """Is what the driver of the lights opens there, and may this user open it?"""
    driver = config.lights.driver
    what = "light device"
    needed: tuple[str, ...]
    if driver == pi_board.SPI_DRIVER:
        needed = (pi_board.SPI_DEVICE, pi_board.PINS_DEVICE)
    elif driver == pi_board.PIO_DRIVER:
        needed = (config.lights.device,)
    else:
        return Finding(what, Verdict.NOT_HERE, f"Lights by {driver!r} need none of this machine's.")
    wrong = [fault for path in needed if (fault := _fault(root, path))]
    if driver == pi_board.SPI_DRIVER:
        small = pi_board.small_buffer(pi_board.spi_buffer(root))
        wrong += [small] if small else []
        if util.find_spec("rpi_ws281x") is None:
            wrong.append("The Python package rpi-ws281x is not installed: install it.")
    elif pi_board.board_of(pi_board.model(root)) is not None:
        old = pi_board.old_kernel(os.uname().release)
        wrong += [old] if old else []
    if wrong:
        return Finding(what, Verdict.BROKEN, " ".join(wrong))
    return Finding(what, Verdict.OK, f"{' and '.join(needed)} can be written to.")


def _fault(root: Path, path: str) -> str | None:
    """What is wrong with a device, and what to do; None if nothing is."""
    there = root / path.removeprefix("/")
    if not there.exists():
        return f"There is no {path}: config.txt lacks a line, or the machine was not started since."
    if not os.access(there, os.R_OK | os.W_OK):
        return f"This user may not write to {path}: let it into the group {_group(there)}."
    return None


def _group(path: Path) -> str:
    try:
        return repr(path.group())
    except KeyError:
        return "of the device"
