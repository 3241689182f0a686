"""No circle of imports, and none that runs back: read from the source, over files and over folders.

`ORDER` is the order of the house. Where a folder has folders of its own, the files beside them are
places too: some carry what is above them, others (a front, such as `rules.games`) stand on it.
"""

from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
from test_imports import ROOT, Imports, imports_of, program

ORDER: tuple[set[str], ...] = (
    {
        *("absence", "arguments", "crashes", "errors", "files", "geometry"),
        *("lettering", "log", "notify", "pacing", "packet_limit", "palettes", "prometheus_text"),
        *("reader", "scheduling", "sealing"),
    },
    {"bounded_process", "broker_trouble", "decoding", "language", "until_told"},
    {"edited_text"},
    {"house", "words"},
    {"config", "listening", "referee", "sound.sounds", "store", "wire"},
    {"fault", "rules.team"},
    {"rules.chance", "rules.countdown", "rules.explained", "rules.outcome", "rules.profile"},
    {"rules.events", "rules.refusal", "rules.seat"},
    {"rules.codex", "rules.word_games"},
    {"rules.games"},
    {"rules.play"},
    {"cards", "hal", "ipc", "keeping", "names"},
    {"announcer", "lines", "sound"},
    {"lights"},
    {"bridge", "collector", "console", "engine", "updating", "web"},
    {"provisioning", "simulator"},
    {"first_boot"},
    {"bring_up", "lab"},
    {"cli"},
    {"__main__"},
)
"""Every part of the package, the lowest first. A part imports itself and what is below it; no two
of one step import each other."""

KNOWN_CIRCLES: set[tuple[str, str]] = set()
"""Circles that still are there: whose import of what closes each. There are to be none."""

Graph = dict[str, set[str]]


def below_package(module: str) -> str:
    """``rules.team`` for ``pi_table.games.rules.team``."""
    return module.removeprefix("pi_table").removeprefix(".")


def files(imports: dict[str, Imports]) -> Graph:
    """Each module, and the other modules of the package that it imports."""
    return {
        below_package(module): {
            below_package(other) for other, _ in imported if other in imports and other != module
        }
        - {""}
        for module, imported in imports.items()
        if below_package(module)
    }


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


def standing(module: str) -> tuple[int | None, str]:
    """The module's step in the order, None if it has none; and the part that it belongs to."""
    for step, parts in enumerate(ORDER):
        for part in parts:
            if f"{module}.".startswith(f"{part}."):
                return step, part
    return None, ""


def breaches(imports: dict[str, Imports], known: set[tuple[str, str]]) -> Iterator[str]:
    """Everything that is out of order, but for the circles that are known."""
    graph = files(imports)
    places = folders(graph)
    for place, other in known:
        places[place] = places[place] - {other}
    for of, what in ((graph, "files"), (places, "folders")):
        if found := circle(of):
            yield f"circle of {what}: {', '.join(found)}"
    for module, imported in graph.items():
        step, part = standing(module)
        if step is None:
            if imported or module != "rules":
                yield f"{module} has no step in the order"
            continue
        for other in imported:
            of_other, its_part = standing(other)
            if of_other is not None and of_other >= step and its_part != part:
                yield f"{module} imports {other}, which is not below it"


def test_no_import_runs_back_and_none_in_a_circle() -> None:
    assert not [*breaches(program().imports, KNOWN_CIRCLES)]


@pytest.mark.parametrize("known", sorted(KNOWN_CIRCLES))
def test_what_is_known_to_close_a_circle_still_does(known: tuple[str, str]) -> None:
    assert [*breaches(program().imports, KNOWN_CIRCLES - {known})]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("rules.chance", "from pi_table.games.rules.word_games.key import Key"),
        ("rules.team", "from pi_table.games.rules.seat import Seat"),
        ("rules.outcome", "import pi_table.games.rules.countdown"),  # of the same step
        ("rules.refusal", "from pi_table.games.rules.codex.identikit import Fact"),
        ("rules.codex.acts", "from pi_table.games.rules.word_games import acts"),
        ("rules.word_games.game", "from pi_table.games.rules import games"),
        ("rules.games", "def late(): from pi_table.games.rules.play import play"),
        ("wire.codec", "import pi_table.devices.wire.link"),  # a circle within a folder
        ("geometry", "import pi_table.common.language"),
        ("ipc.messages", "import pi_table.table.engine.daemon"),
        ("hal.contracts", "from pi_table.protocols.ipc import server"),
        ("engine.daemon", "import pi_table.simulator.stage"),
        ("simulator.headless", "from pi_table.lab.clips import CLIPS"),
        ("bring_up.doctor", "from pi_table.lab.bench import wear"),
        ("house", "import pi_table.games.words.pack"),
        ("hal.contracts", "import pi_table.devices.sound.voice"),
        ("sound.sounds", "import pi_table.devices.sound.scores"),
        ("newcomer", "import pi_table.common.errors"),
    ],
)
def test_one_import_that_runs_back_is_noticed(module: str, line: str) -> None:
    whole = f"pi_table.{module}"
    more = program().imports.get(whole, frozenset()) | imports_of(line)
    assert any(breaches(program().imports | {whole: more}, KNOWN_CIRCLES))
