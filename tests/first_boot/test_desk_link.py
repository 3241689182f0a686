"""The link of the desk of a table without a hidden screen: on the card until a device opens it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from small_system import System

from pi_table.games.rules.seat import Seat
from pi_table.maintenance.first_boot import places
from pi_table.protocols.sealing.frames import from_text
from pi_table.protocols.sealing.seal import KEY_BYTES
from pi_table.table.engine.storage.phones_file import PhonesFile

Apply = Callable[[str], int]
NO_SCREEN = 'hostname = "window"\nlanguage = "en"\npin = "471102"\nscreen = "none"\n'
ADDRESS = re.compile(r"^http://window\.local(/desk#([A-Za-z0-9_-]{43}))$", re.M)


def key_in(system: System) -> str:
    """The link's key in the report."""
    found = ADDRESS.search(system.says().replace("\r\n", "\n"))
    assert found is not None
    return found[2]


def links(system: System) -> PhonesFile:
    """The links as the table reads them at its start."""
    return PhonesFile(system.root / places.STATE)


def open_link(system: System) -> None:
    """A device opens the desk's link."""
    key = from_text(key_in(system), KEY_BYTES)
    assert key is not None
    links(system).claim(Seat.OPERATOR, key, bytes(KEY_BYTES))


def test_the_report_has_the_link_that_the_table_knows(
    system: System, apply: Apply, capsys: pytest.CaptureFixture[str]
) -> None:
    assert apply(NO_SCREEN) == 0
    desk = links(system).links.desk
    assert desk is not None
    assert desk.page == f"/desk#{key_in(system)}"
    assert system.beside(places.DESK).read_bytes().startswith(b"<?xml")
    assert 'screen = "none"' in system.text(places.SETTINGS)
    assert (system.root / places.NO_SCREEN).exists()
    printed = capsys.readouterr()
    assert key_in(system) not in printed.out + printed.err  # the log keeps what is printed


def test_the_link_stays_on_the_card_until_a_device_has_opened_it(
    system: System, apply: Apply
) -> None:
    apply(NO_SCREEN)
    key, said = key_in(system), system.says_file.stat().st_mtime_ns
    assert system.again() == 0
    assert key_in(system) == key
    picture = system.beside(places.DESK).stat().st_mtime_ns
    said = system.says_file.stat().st_mtime_ns
    assert system.again() == 0
    assert system.says_file.stat().st_mtime_ns == said
    assert system.beside(places.DESK).stat().st_mtime_ns == picture

    open_link(system)
    with system.says_file.open("rb") as report, system.beside(places.DESK).open("rb") as drawn:
        assert system.again() == 0
        assert key.encode() not in report.read()  # not even in the old bytes
        assert not drawn.read().strip()
    assert not system.beside(places.DESK).exists()
    assert "The operator’s desk has its device." in system.says()
    desk = links(system).links.desk
    assert desk is not None
    assert desk.device is not None


def test_a_pin_on_the_card_ends_the_link_and_makes_another(system: System, apply: Apply) -> None:
    apply(NO_SCREEN)
    key = key_in(system)
    open_link(system)
    assert apply(NO_SCREEN.replace("471102", "2580")) == 0
    assert key_in(system) != key
    desk = links(system).links.desk
    assert desk is not None
    assert desk.device is None


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ('screen = "none"\n', "needs a PIN"),
        (NO_SCREEN + "pages = false\n", "pages = true"),
        ('pin = "1234"\nscreen = "off"\n', "hidden, none"),
    ],
)
def test_no_table_is_set_up_that_nobody_could_open(
    system: System, apply: Apply, settings: str, named: str
) -> None:
    before = system.all()
    assert apply(settings) == 2
    assert named in system.says()
    assert system.all() == before


def test_a_table_that_gets_a_hidden_screen_has_no_link_on_its_card(
    system: System, apply: Apply
) -> None:
    apply(NO_SCREEN)
    assert apply('language = "en"\nscreen = "hidden"\n') == 0
    assert not system.beside(places.DESK).exists()
    assert links(system).links.desk is None
    assert not (system.root / places.NO_SCREEN).exists()
    assert "desk#" not in system.says()


def test_only_the_tables_user_reads_the_link(system: System, apply: Apply) -> None:
    apply(NO_SCREEN)
    file = system.root / places.STATE / "desk-link.json"
    assert file.stat().st_mode & 0o777 == 0o600


def test_where_the_name_comes_from(system: System, tmp_path: Path) -> None:
    assert system.apply('language = "en"\npin = "4711"\nscreen = "none"\n') == 0
    assert "http://old.local/desk#" in system.says()
