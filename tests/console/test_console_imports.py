"""The console sees views and messages; it has no way to a state, a key or an event."""

import ast
import subprocess
import sys
from pathlib import Path

import pi_table.screens.console

FOLDER = Path(next(iter(pi_table.screens.console.__path__)))
OF_THE_RULES = {
    "pi_table.games.rules.profile": None,
    "pi_table.games.rules.team": None,
    "pi_table.games.rules.outcome": None,
    "pi_table.games.rules.word_games.views": None,
    "pi_table.games.rules.word_games.board": {
        "NUMBERS",
        "Number",
        "Phase",
        "UNLIMITED",
        "WORD_LENGTH",
    },
    "pi_table.games.rules.word_games.key": {
        "AGENT_OF",
        "CLASSIC",
        "Identity",
        "LAYOUTS",
        "identity_at",
    },
    "pi_table.games.rules.codex.views": None,
    "pi_table.games.rules.codex.board": {"Phase", "Place"},
    "pi_table.games.rules.codex.identikit": {
        *("ALPHABET", "CODE_LENGTH", "FRAGMENT_LENGTH", "NAME_LENGTH", "REVEALABLE", "TELLABLE"),
        *("OWN_CODE_LENGTH", "WRONG_CODES", "Fact", "Hides", "Role", "Value"),
    },
    "pi_table.games.rules.seat": {"AGENTS", "Role", "Seat", "seat_of"},
}
"""The modules, and the names in them where not all will do: value types of the views."""
ELSEWHERE = (
    "pi_table.games.announcer.announcement",
    "pi_table.games.announcer.first_game",
    "pi_table.common.palettes",
    "pi_table.common.config",
    "pi_table.screens.console",
    "pi_table.common.errors",
    "pi_table.common.failure_report",
    "pi_table.common.geometry",
    "pi_table.devices.hal.backlight",
    "pi_table.devices.hal.contracts",
    "pi_table.devices.hal.displays",
    "pi_table.common.house_settings",
    "pi_table.protocols.ipc",
    "pi_table.common.language",
    "pi_table.common.lettering",
    "pi_table.common.log",
    "pi_table.games.lines",
    "pi_table.games.names",
    "pi_table.common.notify",
    "pi_table.games.referee.opinion",
    "pi_table.games.referee.reasons",
    "pi_table.games.words.word",
)
INPUTS_DRIVER = "pi_table.devices.hal.console_registry"


def imports(path: Path) -> list[tuple[str, str]]:
    """Return the imports of a file: (module, name)."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.module or "", alias.name) for alias in node.names]
    return found


def test_the_console_imports_only_what_a_viewer_may_know() -> None:
    # ALL-1
    for path in FOLDER.rglob("*.py"):
        for module, name in imports(path):
            if module in OF_THE_RULES:
                names = OF_THE_RULES[module]
                assert names is None or name in names, (path.name, module, name)
            elif module.startswith("pi_table") and module != INPUTS_DRIVER:
                full = f"{module}.{name}"
                assert module.startswith(ELSEWHERE) or full.startswith(ELSEWHERE), (path.name, full)


def test_only_the_painter_the_display_and_the_loop_know_pygame() -> None:
    with_pygame = {
        path.name
        for path in FOLDER.rglob("*.py")
        if any(module.startswith("pygame") for module, _ in imports(path))
    }
    assert with_pygame == {"painter.py", "display.py", "app.py"}


def test_only_the_loop_names_a_driver() -> None:
    naming = {
        path.name
        for path in FOLDER.rglob("*.py")
        if any(module == INPUTS_DRIVER for module, _ in imports(path))
    }
    assert naming == {"app.py"}


def test_the_console_starts_without_an_http_client() -> None:
    """It came with the library for QR codes, and took a sixth of the time to import the console."""
    program = "import sys, pi_table.screens.console.app as app; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert "pi_table.screens.console.drawn_codes" in loaded
    assert not {"segno", "http", "ssl", "email"} & {*loaded}
