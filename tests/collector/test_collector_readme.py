"""The collector’s page: its settings, its question to the database, and its unit, all tried."""

import re
import shlex
from configparser import RawConfigParser
from contextlib import closing
from pathlib import Path

from pi_table.common.arguments import parser
from pi_table.fleet import collector
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.settings import Settings, load

FOLDER = Path(next(iter(collector.__path__)))
FILES = FOLDER / "files"
PAGE = (FOLDER / "README.md").read_text("utf-8")


def block(language: str) -> str:
    """The first block of the page in a language."""
    found, *_ = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def test_the_settings_are_shown_with_what_they_are_where_they_are_not(tmp_path: Path) -> None:
    path = tmp_path / "collector.toml"
    path.write_text(block("collector"))
    settings = load(path)
    assert settings == Settings(settings.broker, settings.database)
    assert re.findall("^([a-z_]+) =", block("collector"), re.M) == [*Settings.__struct_fields__]


def test_the_question_can_be_asked(tmp_path: Path) -> None:
    with (
        closing(open_database(f"sqlite://{tmp_path}/games.sqlite")) as database,
        database.snapshot(),
    ):
        assert database.ask(block("sql").strip().rstrip(";")) == []


def test_the_unit_starts_the_collector() -> None:
    unit = RawConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((FILES / "pi-table-collector.service").read_text("utf-8"))
    assert "/pi_table/fleet/collector/files/pi-table-collector.service\n" in PAGE
    program, *arguments = shlex.split(unit["Service"]["ExecStart"])
    assert program.endswith("/pi-table")
    assert parser().parse_args(arguments).command == "collect"
