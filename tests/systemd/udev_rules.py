"""As much of udev's rules as ours use, to ask what they do with a device that is not there.

The booted machine asks the real udev the same (`tests/machine/usb_devices.py`).
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple, Self

from unit_files import FOLDER

TOKEN = re.compile(r'\s*([A-Z]+)(?:\{([^}]*)\})?\s*(==|!=|\+=|:=|=)\s*"([^"]*)"\s*(?:,|$)')
ASKS = {"==", "!="}


class Token(NamedTuple):
    key: str
    of: str
    does: str
    value: str


Rule = tuple[Token, ...]


def rules(text: str) -> list[Rule]:
    """The rules of a file. Raises ValueError for a line that is none."""
    return [tuple(_tokens(line)) for line in text.splitlines() if line and line[0] != "#"]


def _tokens(line: str) -> Iterator[Token]:
    at = 0
    while at < len(line.rstrip()):
        found = TOKEN.match(line, at)
        if found is None:
            raise ValueError(f"no rule of udev: {line[at:]!r}")
        yield Token(found[1], found[2] or "", found[3], found[4])
        at = found.end()


@dataclass
class Device:
    """A device before the rules, and what they have made of it after."""

    subsystem: str
    kernel: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    parent: Self | None = None
    files: frozenset[str] = frozenset()
    """Other files in its sysfs folder."""
    action: str = "add"
    driver: str = ""
    path: str = ""
    """Where it is below /sys."""
    root: Path | None = None
    """Where the /sys and /proc lie that programs of the rules look at; None: they find nothing."""
    result: str = ""
    """Output of the last program."""
    written: dict[str, str] = field(default_factory=dict)
    """Attributes that the rules set."""
    given: dict[str, str] = field(default_factory=dict)
    """GROUP, MODE, SYMLINK."""
    run: list[str] = field(default_factory=list)

    def chain(self) -> Iterator["Device"]:
        device: Device | None = self
        while device is not None:
            yield device
            device = device.parent


def apply(all_rules: list[Rule], device: Device) -> Device:
    """Let the rules act on a device; its parents have been there before."""
    skip_to = ""
    for rule in all_rules:
        if skip_to:
            if Token("LABEL", "", "=", skip_to) not in rule:
                continue
            skip_to = ""
        if not all(_holds(token, device) for token in rule if _asks(token)):
            continue
        parent = _parent([token for token in rule if _of_parents(token)], device)
        if parent is None:
            continue
        for token in rule:
            if token.key == "GOTO":
                skip_to = token.value
            elif token.does not in ASKS:
                _do(token._replace(value=_filled_in(token.value, device, parent)), device)
    assert not skip_to, f"there is no label {skip_to} below"
    return device


def _asks(token: Token) -> bool:
    return token.does in ASKS and not _of_parents(token)


def _of_parents(token: Token) -> bool:
    return token.key in ("SUBSYSTEMS", "ATTRS", "KERNELS", "DRIVERS")


def _holds(token: Token, device: Device) -> bool:
    if token.key == "TEST":
        return (token.value in device.files) is (token.does == "==")
    if token.key == "PROGRAM":
        return _run(token.value, device) is (token.does == "==")
    has = {
        "ACTION": device.action,
        "SUBSYSTEM": device.subsystem,
        "KERNEL": device.kernel,
        "DRIVER": device.driver,
        "ENV": device.properties.get(token.of, ""),
        "ATTR": device.attributes.get(token.of),
        "RESULT": device.result,
    }[token.key]
    fits = has is not None and any(fnmatchcase(has, each) for each in token.value.split("|"))
    return fits is (token.does == "==")


def _run(command: str, device: Device) -> bool:
    """Run a program of ours as udev does; True if it ends well."""
    device.result = ""
    if device.root is None:
        return True
    program, *arguments = command.replace("$devpath", device.path).split()
    done = subprocess.run(
        ["sh", FOLDER / Path(program).name, *arguments, device.root],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not done.stderr, done.stderr
    device.result = done.stdout.strip()
    return done.returncode == 0


def _parent(tokens: list[Token], device: Device) -> Device | None:
    """The nearest among the device and its parents of which all of these hold."""
    own = [token._replace(key=token.key.removesuffix("S")) for token in tokens]
    holds = (each for each in device.chain() if all(_holds(token, each) for token in own))
    return next(holds, None)


def _filled_in(value: str, device: Device, parent: Device) -> str:
    """A value with attributes of the device in it, or of the parent that a rule has found."""
    has = parent.attributes | device.attributes
    return re.sub(r"\$attr\{(\w+)\}", lambda found: has.get(found[1], ""), value)


def _do(token: Token, device: Device) -> None:
    match token:
        case Token(key="ENV", of=name, value=value):
            device.properties[name] = value
        case Token(key="ATTR", of=name, value=value):
            device.written[name] = value
        case Token(key="IMPORT", of="parent", value=name):
            above = device.parent.properties if device.parent else {}
            if name in above:
                device.properties[name] = above[name]
        case Token(key="RUN", value=value):
            device.run.append(value)
        case Token(key="GROUP" | "MODE" | "SYMLINK" as key, value=value):
            device.given[key] = value
        case Token(key="LABEL" | "TAG"):
            pass
        case _:
            raise AssertionError(f"{token} is not known here")
