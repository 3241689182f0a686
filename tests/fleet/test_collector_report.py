"""The page, the pictures and the lists of a report, over records of real games in each database."""

import csv
import re
from contextlib import closing
from html.parser import HTMLParser
from io import StringIO
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from kept_games import NOON, delivery, take
from msgspec.structs import replace
from postgres import Postgres
from told_games import records

from pi_table.cli import main
from pi_table.fleet.collector.ingest import Delivery
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.record import Record
from pi_table.games.rules.outcome import Outcome, Why

pytestmark = pytest.mark.fleet

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with 300 games, and with faults."""
    if request.param == "sqlite":
        address = f"sqlite://{tmp_path}/games.sqlite"
    else:
        server: Postgres = request.getfixturevalue("server")
        address = server.new_database()
    fill(address, [*islice(records(11), 300)])
    return address


def fill(address: str, told: list[Record]) -> None:
    with closing(open_database(address)) as database:
        take(database, *(delivery(record) for record in told))
        wrong = msgspec.json.encode({"faults": ["The table is wet.", HOSTILE]})
        take(database, Delivery("pi-table/rome-1/faults", wrong, NOON))


def report(address: str, *options: str) -> None:
    assert main(["collect", "report", "--database", address, *options]) == 0


class Page(HTMLParser):
    """The parts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_report_is_a_folder_of_a_page_pictures_and_lists(address: str, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    report(address, "--out", str(out))
    assert sorted(path.name for path in out.iterdir()) == [
        *(
            "bars.csv",
            "evenings-picture.svg",
            "evenings.csv",
            "faults.csv",
            "first-clue-picture.svg",
        ),
        *("games.csv", "hours-picture.svg", "lengths-picture.svg", "lengths.csv", "report.html"),
        *("tables.csv", "where-picture.svg", "where.csv", "words.csv"),
    ]
    for picture in out.glob("*.svg"):
        root = ElementTree.fromstring(picture.read_text("utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    tables = [*csv.DictReader(StringIO((out / "tables.csv").read_text("utf-8")))]
    assert sum(int(row["games"]) for row in tables) == 300


def pictures_of(tmp_path: Path, told: list[Record]) -> dict[str, set[str]]:
    """The texts of each picture of a report, which its file names where it draws them."""
    address = f"sqlite://{tmp_path}/games.sqlite"
    fill(address, told)
    return pictures_in(address, tmp_path)


def pictures_in(address: str, tmp_path: Path) -> dict[str, set[str]]:
    report(address, "--out", str(tmp_path))
    return {
        path.stem: {*re.findall("<!-- (.*?) -->", path.read_text("utf-8"))}
        for path in tmp_path.glob("*.svg")
    }


def test_names_stand_in_the_pictures_as_they_are(tmp_path: Path) -> None:
    first, second, third = islice(records(13), 3)
    told = [
        replace(first, table="_window", lang="$\\frac$"),
        replace(second, table="door-" + "w" * 33 + "-1", profile="$x$"),
        replace(third, table="door-" + "w" * 33 + "-2"),
    ]
    drawn = pictures_of(tmp_path, told)
    tables = {"_window", "door-wwwwwww…wwwwwwwww-1", "door-wwwwwww…wwwwwwwww-2"}
    assert tables <= drawn["evenings-picture"]
    assert tables <= drawn["where-picture"]
    assert any("$\\frac$" in text for text in drawn["where-picture"])
    assert any("$x$" in text for text in drawn["lengths-picture"])


def test_a_picture_says_that_it_does_not_show_all_tables(tmp_path: Path) -> None:
    told = [replace(one, table=f"bar-{at}") for at, one in enumerate(islice(records(14), 41))]
    title = "The 40 busiest of 41 tables"
    assert title not in pictures_of(tmp_path, told[:40])["where-picture"]
    assert title in pictures_of(tmp_path, told[40:])["where-picture"]  # of the same database


def test_the_evenings_of_a_chain_are_coloured_by_bar(tmp_path: Path) -> None:
    told = [*islice(records(18), 60)]
    address = f"sqlite://{tmp_path}/games.sqlite"
    with closing(open_database(address)) as database:
        for one in told:
            bar = "coast/" if one.table == "turin-1" else "inland/"
            take(database, delivery(one, bar=bar))
    drawn = pictures_in(address, tmp_path)
    assert {"coast", "inland"} <= drawn["evenings-picture"]
    assert "rome-1" not in drawn["evenings-picture"]
    assert {"coast · turin-1", "inland · rome-1"} <= drawn["where-picture"]


def test_what_is_wrong_stands_before_the_pictures_and_words_stand_last(
    address: str, tmp_path: Path
) -> None:
    report(address, "--out", str(tmp_path))
    text = (tmp_path / "report.html").read_text("utf-8")
    classes = re.findall('<section class="([a-z]+)"', text)
    assert classes[:4] == ["wrong", "bars", "tables", "picture"]
    assert classes[-3:] in (["faults", "found", "missed"], ["found", "missed", "lost"])


def test_a_phone_shows_no_line_for_a_time_that_nobody_knows(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/games.sqlite"
    fill(address, [])  # so nothing was played at a table that was heard
    report(address, "--out", str(tmp_path))
    text = (tmp_path / "report.html").read_text("utf-8")
    assert '<td class="number unknown">–</td>' in text
    assert ".wrong td.unknown { display: none; }" in text.partition("@media (max-width")[2]


def test_the_page_stands_alone_and_has_no_script(address: str, tmp_path: Path) -> None:
    report(address, "--out", str(tmp_path))
    text = (tmp_path / "report.html").read_text("utf-8")
    page = Page(text)
    assert page.open == []
    assert "script" not in page.tags
    assert HOSTILE not in text
    assert "&lt;script&gt;" in text
    assert page.addresses
    assert all(each.startswith("data:image/svg+xml;base64,") for each in page.addresses)


def test_both_databases_give_the_same_report(
    server: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [*islice(records(12), 200)]
    shown = []
    for address in (f"sqlite://{tmp_path}/games.sqlite", server.new_database()):
        fill(address, told)
        report(address, "--since", "2026-09-02", "--until", "2026-09-05")
        shown.append(re.sub(r"[\d.]+ h", "… h", capsys.readouterr().out))
    assert shown[0] == shown[1]
    assert "games at 4 tables" in shown[0]


def test_the_page_reads_in_the_language_of_the_reader(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "it")
    report(address, "--out", str(tmp_path))
    text = (tmp_path / "report.html").read_text("utf-8")
    assert '<html lang="it">' in text
    assert "Che cosa si è giocato ai tavoli" in text
    assert "Il gioco classico, English" in text


def test_a_report_of_no_games_has_a_page_without_pictures(tmp_path: Path) -> None:
    address = f"sqlite://{tmp_path}/games.sqlite"
    open_database(address).close()
    report(address, "--out", str(tmp_path / "out"))
    assert not [*(tmp_path / "out").glob("*.svg")]
    assert Page((tmp_path / "out" / "report.html").read_text("utf-8")).open == []


def test_a_report_of_games_without_a_clue_and_without_an_end_has_its_pictures(
    tmp_path: Path,
) -> None:
    """All were stopped at once: nothing has a length."""
    address = f"sqlite://{tmp_path}/games.sqlite"
    stopped = Outcome(None, (), Why.STOPPED)
    games = [replace(each, outcome=stopped, clues=()) for each in islice(records(11), 3)]
    fill(address, games)
    report(address, "--out", str(tmp_path / "out"))
    assert len([*(tmp_path / "out").glob("*.svg")]) > 3
