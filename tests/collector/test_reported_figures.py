"""The figures of a report, over a few games whose numbers were reckoned by hand."""

import csv
import io
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from kept_games import take
from rich.console import Console
from told_games import told

from pi_table.common.language import Lang, Say, in_english, pack_text, say, translate
from pi_table.fleet.collector.attention import Problem, problems
from pi_table.fleet.collector.database import Database
from pi_table.fleet.collector.figures import Figures, Games, Period, Played, Trouble, Word, read
from pi_table.fleet.collector.ingest import Delivery
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.owner_sheets import MAX_ROWS, what_is_wrong
from pi_table.fleet.collector.record import Record
from pi_table.fleet.collector.report_in_terminal import show
from pi_table.fleet.collector.report_sheets import csv_sheets, sheets, summary
from pi_table.fleet.collector.sheet import Sheet, Unit, as_csv, format_cell
from pi_table.fleet.collector.spread import NO_VALUES, spread_of
from pi_table.games.rules.outcome import Outcome, Why
from pi_table.games.rules.team import Team
from pi_table.protocols.ipc.house import FinishedClue, FinishedGame, FinishedGuess

RECEIVED: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
ROME: Final = timezone(timedelta(hours=1))
RED_WON: Final = Outcome(Team.RED, (Team.BLUE,), Why.AGENTS)
BLUE_WON: Final = Outcome(Team.BLUE, (Team.RED,), Why.ASSASSIN)
STOPPED: Final = Outcome(None, (), Why.STOPPED)
WET: Final = say("Something wet, or an arm, is on the table: wipe it dry, or lift the arm.")


def game(
    number: int, table: str, begun: str, minutes: int, outcome: Outcome, **fields: Any
) -> Record:
    plain = FinishedGame(
        game=f"{number:032x}",
        number=number,
        revision=9,
        begun=begun,
        profile="codenames",
        lang="en",
        seconds=60.0 * minutes,
        outcome=outcome,
        turns=6,
    )
    return told(plain, table=table, version="0.7.0", **fields)


def clue(seconds: float) -> FinishedClue:
    return FinishedClue(Team.RED, "sea", 2, seconds)


def guess(word: str | None, was: str) -> FinishedGuess:
    return FinishedGuess(Team.RED, word, was)


PLAYED: Final = (
    # Friday: two games at one table, the second after midnight and won by the assassin.
    game(
        *(1, "rome-1", "2026-11-20T20:00:00Z", 20, RED_WON),
        clues=(clue(30.0), clue(70.0)),
        dealt=("SEA", "SUN"),
        guesses=(guess("SEA", "right"), guess("SUN", "nobody"), guess("SUN", "right")),
    ),
    game(
        *(2, "rome-1", "2026-11-21T00:30:00Z", 40, BLUE_WON),
        clues=(clue(90.0),),
        dealt=("SEA", "SKY"),
        guesses=(guess("SKY", "other"), guess("SEA", "fatal")),
        turns=8,
    ),
    # Saturday: one in Italian at another table, which somebody stops; its words nobody knows.
    game(
        *(3, "milan-1", "2026-11-21T18:30:00+00:00", 5, STOPPED),
        profile="nome-in-codice",
        lang="it",
        guesses=(guess(None, "right"),),
    ),
    # One of a table whose clock was never set: it counts on Monday, when its record came.
    game(4, "milan-1", "1970-01-01T00:10:00Z", 30, RED_WON, clues=(clue(50.0),), dealt=("SEA",)),
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(f"sqlite://{tmp_path}/games.sqlite")) as one:
        for each in PLAYED:
            topic = f"pi-table/{each.table}/record"
            take(one, Delivery(topic, msgspec.json.encode(each), RECEIVED))
        for at, table, sentences in (
            ("2026-11-20T20:00:00Z", "rome-1", ["The table is wet."]),
            ("2026-11-20T21:00:00Z", "rome-1", ["The table is wet.", "There is no sound."]),
            ("2026-11-20T22:00:00Z", "rome-1", ["There is no sound."]),
            ("2026-11-21T01:00:00Z", "rome-1", []),
            ("2026-11-22T20:00:00Z", "rome-1", ["The table is wet."]),
            ("2026-11-22T20:30:00Z", "rome-1", []),
            ("2026-11-30T11:00:00Z", "milan-1", ["The table is wet."]),
        ):
            payload = msgspec.json.encode({"faults": sentences})
            when = datetime.fromisoformat(at)
            take(one, Delivery(f"pi-table/{table}/faults", payload, when))
        yield one


def figures(database: Database, since: str = "", until: str = "") -> Figures:
    first = date.fromisoformat(since) if since else None
    last = date.fromisoformat(until) if until else None
    return read(database, Period(first, last), RECEIVED, ROME)


def test_everything_is_counted_once(database: Database) -> None:
    found = figures(database)
    assert (found.all.games, found.all.seconds) == (4, 95 * 60.0)
    assert found.all.ended == {"red": 2, "blue": 1, "stopped": 1}
    assert (found.all.first, found.all.last) == (date(2026, 11, 20), date(2026, 11, 30))
    assert (found.doubtful, found.rejects) == (1, 0)


def test_what_is_played_where(database: Database) -> None:
    found = figures(database)
    assert found.where == {
        ("rome-1", ("codenames", "en")): 2,
        ("milan-1", ("nome-in-codice", "it")): 1,
        ("milan-1", ("codenames", "en")): 1,
    }
    rome = found.of_table["rome-1"]
    assert (rome.games, rome.lengths.count, rome.lengths.median) == (2, 2, 1800.0)


def test_a_game_after_midnight_is_of_the_evening_before(database: Database) -> None:
    assert sorted(figures(database).evenings()) == [
        (date(2026, 11, 20), "rome-1", 2),
        (date(2026, 11, 21), "milan-1", 1),
        (date(2026, 11, 30), "milan-1", 1),
    ]


def test_the_hours_are_those_of_the_place_and_only_of_clocks_that_are_right(
    database: Database,
) -> None:
    friday, saturday = 4, 5
    assert figures(database).hours == {(friday, 21): 1, (friday, 1): 1, (saturday, 19): 1}


def test_lengths_are_of_games_that_nobody_stopped_and_first_clues_are_the_first(
    database: Database,
) -> None:
    classic = figures(database).of_kind["codenames", "en"]
    assert (classic.lengths.count, classic.lengths.median) == (3, 1800.0)
    assert classic.lengths.bins == {4: 1, 6: 1, 8: 1}  # of five minutes
    assert (classic.turns.count, classic.turns.median) == (3, 6)
    assert (classic.first_clues.count, classic.first_clues.median) == (3, 50.0)
    assert classic.first_clues.bins == {2: 1, 3: 1, 6: 1}  # of 15 seconds
    stopped = figures(database).of_kind["nome-in-codice", "it"]
    assert stopped.lengths == stopped.turns == stopped.first_clues == NO_VALUES


def test_words_are_counted_as_they_were_dealt_and_guessed(database: Database) -> None:
    assert figures(database).words == (
        Word("SEA", "en", dealt=3, right=1, fatal=1),
        Word("SKY", "en", dealt=1, other=1),
        Word("SUN", "en", dealt=1, right=1, nobody=1),
    )


def test_faults_last_as_long_as_they_did_and_two_at_a_time_make_a_table_faulty_once(
    database: Database,
) -> None:
    found = figures(database)
    hour = 3600.0
    assert found.troubles == (
        Trouble("milan-1", "The table is wet.", 1, 1 * hour, still=True),
        Trouble("rome-1", "There is no sound.", 1, 4 * hour, still=False),
        Trouble("rome-1", "The table is wet.", 2, 2.5 * hour, still=False),
    )
    assert found.faulty == {"milan-1": 1 * hour, "rome-1": 5.5 * hour}


def test_a_period_has_its_first_and_its_last_evening_and_nothing_else(database: Database) -> None:
    friday = figures(database, "2026-11-20", "2026-11-20")
    assert friday.all.games == 2
    assert [word.word for word in friday.words] == ["SEA", "SKY", "SUN"]
    assert friday.faulty == {"rome-1": 5 * 3600.0}
    assert figures(database, since="2026-11-21").all.games == 2
    assert figures(database, until="2026-11-19").all.games == 0


def test_a_fault_counts_as_far_as_the_period_goes(database: Database) -> None:
    # The evening of the 20th ends at six in the morning, in Rome at five by UTC.
    at = datetime(2026, 11, 21, 4, tzinfo=UTC)
    take(database, Delivery("pi-table/turin-1/faults", b'{"faults": ["It is dark."]}', at))
    assert figures(database, until="2026-11-20").faulty["turin-1"] == 3600.0


def test_a_fault_that_ended_after_the_period_remains_at_its_end(database: Database) -> None:
    for hour, payload in ((3, b'{"faults": ["It is dark."]}'), (6, b'{"faults": []}')):
        at = datetime(2026, 11, 21, hour, tzinfo=UTC)
        take(database, Delivery("pi-table/turin-1/faults", payload, at))
    friday = figures(database, until="2026-11-20")
    assert [(each.table, each.seconds) for each in friday.troubles if each.still] == [
        ("turin-1", 7200.0)
    ]
    assert "It is dark." in [one.what for one in problems(friday) if one.table == "turin-1"]
    (faults,) = (each for each in sheets(friday) if each.name == "faults")
    assert faults.columns[-1].title == "At the end"
    later = figures(database, until="2026-11-21")
    assert not [each for each in later.troubles if each.table == "turin-1" and each.still]


# Bars, and the period before


@pytest.mark.parametrize(
    ("since", "until", "before"),
    [
        ("2026-10-01", "2026-10-31", ("2026-09-01", "2026-09-30")),  # whole months
        ("2026-03-01", "2026-03-30", ("2026-02-01", "2026-02-28")),
        ("2026-11-01", "", ("2026-10-01", "2026-10-26")),  # a month that is not over
        ("2026-11-01", "2026-11-30", ("2026-10-01", "2026-10-26")),
        ("2026-11-01", "2026-12-31", ("2026-10-01", "2026-10-26")),
        ("2026-11-09", "2026-11-15", ("2026-11-02", "2026-11-08")),
        ("2026-10-01", "2026-11-15", ("2026-08-16", "2026-09-30")),
        ("2026-11-26", "", ("2026-11-25", "2026-11-25")),
        ("", "2026-11-15", None),
        ("2027-01-01", "", None),
        ("0001-01-01", "", None),
    ],
)
def test_a_period_is_compared_with_the_one_before(
    since: str, until: str, before: tuple[str, str] | None
) -> None:
    period = Period(
        date.fromisoformat(since) if since else None, date.fromisoformat(until) if until else None
    )
    expected = None if before is None else Period(*map(date.fromisoformat, before))
    assert period.before(date(2026, 11, 26)) == expected


NORTH: Final = {"a": 3, "b": 1, "c": 0}
SOUTH: Final = {"d": 2}


@pytest.fixture
def chain(tmp_path: Path) -> Iterator[Database]:
    """Two bars: on each of ten evenings in November so many games at each table of one bar, and on
    five those of the other; one game in October. "c" has a fault."""
    with closing(open_database(f"sqlite://{tmp_path}/chain.sqlite")) as one:
        told, number = [], 0
        for bar, tables, evenings in (("north", NORTH, 10), ("south", SOUTH, 5)):
            for day in range(1, 1 + evenings):
                for table, games in tables.items():
                    for _ in range(games):
                        number += 1
                        begun = f"2026-11-{day:02}T20:00:00Z"
                        told.append((bar, game(number, table, begun, 30, RED_WON)))
        told.append(("north", game(number + 1, "a", "2026-10-05T20:00:00Z", 30, RED_WON)))
        for bar, record in told:
            topic = f"pi-table/{bar}/{record.table}/record"
            at = record.at + timedelta(hours=1)
            take(one, Delivery(topic, msgspec.json.encode(record), at))
        fault = msgspec.json.encode(
            {"faults": [in_english(WET)], "texts": {in_english(WET): pack_text(WET)}}
        )
        at = datetime(2026, 10, 2, tzinfo=UTC)
        take(one, Delivery("pi-table/north/c/faults", fault, at))
        yield one


def november(chain: Database, day: int) -> Figures:
    """The figures of November, as they are at a day of it."""
    now = datetime(2026, 11, day, 12, tzinfo=UTC)
    return read(chain, Period(date(2026, 11, 1)), now, ROME)


def test_a_bar_stands_beside_itself_in_the_month_before(chain: Database) -> None:
    found = next(each for each in sheets(november(chain, 11)) if each.name == "bars")
    names = [column.name for column in found.columns]
    rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in found.rows]
    assert [translate(row["bar"], "en") for row in rows] == ["north", "south", "all"]
    north, south, every = rows
    assert (north["tables"], north["games"], north["games_before"]) == (3, 40, 1)
    # Of three tables on ten evenings; of the two that were there on the one evening in October.
    assert north["games_per_table_evening"] == pytest.approx(40 / 30)
    assert north["games_per_table_evening_before"] == pytest.approx(1 / 2)
    assert (south["games"], south["games_per_table_evening"]) == (10, 2.0)
    assert (south["games_before"], south["games_per_table_evening_before"]) == (0, None)
    assert (every["tables"], every["games"]) == (4, 50)
    assert every["games_per_table_evening"] == pytest.approx(50 / 35)
    assert north["fault_seconds_before"] > 0


def test_a_report_of_one_bar_names_no_bar(database: Database) -> None:
    for each in sheets(figures(database)):
        assert "bar" not in {column.name for column in each.columns}
    (row,) = next(each.rows for each in sheets(figures(database)) if each.name == "bars")
    assert row == (2, 4, pytest.approx(4 / 6), 95 * 60.0, 6.5 * 3600)  # two tables, three evenings


# What is wrong


def test_what_is_wrong_is_told_first_with_what_to_do_the_worst_first(chain: Database) -> None:
    found = november(chain, 11)
    assert [*map(told_of, problems(found))] == [
        ("north", "c", in_english(WET)),
        ("north", "c", "Nobody has played at it. It was last heard on 2026-10-02."),
    ]
    assert [each.name for each in sheets(found)][:3] == ["wrong", "bars", "tables"]
    assert all(translate(each.todo, "en") for each in problems(found))


@pytest.mark.parametrize(("day", "is_told"), [(18, False), (19, True)])
def test_a_table_that_nobody_plays_at_for_two_weeks_is_told(
    chain: Database, day: int, is_told: bool
) -> None:
    told = [told_of(each) for each in problems(november(chain, day))]
    sentence = ("south", "d", "Nobody has played at it since 2026-11-05.")
    assert (sentence in told) is is_told


@pytest.mark.parametrize(("last", "is_told"), [(18, False), (19, True)])
def test_a_report_on_a_finished_period_counts_the_days_up_to_its_last_evening(
    chain: Database, last: int, is_told: bool
) -> None:
    period = Period(date(2026, 11, 1), date(2026, 11, last))
    found = read(chain, period, datetime(2026, 11, 25, 12, tzinfo=UTC), ROME)
    days = [each.seconds for each in problems(found) if each.table == "d"]
    assert days == ([14 * 86_400.0] if is_told else [])


@pytest.mark.parametrize("evenings", [4, 5])
def test_a_table_that_is_not_played_while_its_bar_is_open_is_told(evenings: int) -> None:
    found = Figures()
    found.end = datetime(2026, 11, 2 + evenings, tzinfo=UTC)
    found.known = frozenset({"a", "b"})
    for day in range(1 + evenings):
        for table in ("a", "b") if day == 0 else ("a",):
            at = datetime(2026, 11, 1 + day, 20, tzinfo=UTC)
            one = Played(table, "", "codenames", "en", at, False, 60.0, "red", False, False)
            found.add([one], UTC)
    found.zone = UTC
    assert [each.table for each in problems(found)] == (["b"] if evenings == 5 else [])


def told_of(each: Problem) -> tuple[str, str, str]:
    return each.bar, each.table, translate(each.what, "en")


def test_that_nothing_is_wrong_is_told_too(database: Database) -> None:
    clear = Delivery("pi-table/milan-1/faults", b'{"faults": []}', RECEIVED)
    lines = [translate(line, "en") for line in summary(figures(database))]
    assert "Nothing is wrong with any table." not in lines
    take(database, clear)
    lines = [translate(line, "en") for line in summary(figures(database))]
    assert "Nothing is wrong with any table." in lines


def test_the_head_says_at_how_many_tables_nothing_was_played(chain: Database) -> None:
    lines = [translate(line, "en") for line in summary(november(chain, 11))]
    assert lines[0] == "50 games at 3 tables"
    assert "Nobody played at 1 of 4 tables." in lines


def test_more_than_a_page_of_what_is_wrong_is_counted() -> None:
    found = Figures()
    found.known = frozenset(f"table-{number}" for number in range(MAX_ROWS + 3))
    sheet = what_is_wrong(found)
    assert len(sheet.rows) == MAX_ROWS
    assert translate(sheet.note or "", "en").startswith("3 more are not shown")


@pytest.mark.parametrize(
    ("cell", "unit", "en", "it"),
    [
        (38.7 * 3600, Unit.HOURS, "38.7 h", "38,7 h"),
        (549.2 * 3600, Unit.HOURS, "549 h", "549 h"),
        (0.0, Unit.HOURS, "–", "–"),
        (2.25, Unit.RATE, "2.2", "2,2"),
        (1234, Unit.COUNT, "1234", "1234"),
    ],
)
def test_numbers_have_the_comma_of_their_language(
    cell: float, unit: Unit, en: str, it: str
) -> None:
    assert (format_cell(cell, unit, "en"), format_cell(cell, unit, "it")) == (en, it)


# What is shown


def sheet(database: Database, name: str) -> Sheet:
    found = figures(database)
    return next(each for each in (*sheets(found), *csv_sheets(found)) if each.name == name)


def rows_of(found: Figures, name: str) -> tuple[tuple[Any, ...], ...]:
    return next(each.rows for each in sheets(found) if each.name == name)


def test_the_sheet_of_tables(database: Database) -> None:
    assert sheet(database, "tables").rows == (
        ("milan-1", 2, 2 / 3, 35 * 60.0, 30 * 60.0, 0.5, date(2026, 11, 30), 3600.0),
        ("rome-1", 2, 2 / 3, 60 * 60.0, 30 * 60.0, 0.0, date(2026, 11, 20), 5.5 * 3600),
    )


def test_the_sheet_of_games(database: Database) -> None:
    classic, italian = sheet(database, "games").rows
    third = 1 / 3
    assert classic[1:] == (3, 2 * third, third, 0.0, 0.0)
    assert italian[1:] == (1, 0.0, 0.0, 0.0, 1.0)


def test_the_sheet_of_lengths_says_of_three_games_only_which_is_in_the_middle(
    database: Database,
) -> None:
    classic, italian = sheet(database, "lengths").rows
    assert classic[1:] == (1800.0, None, None, 6, 50.0, None)
    assert italian[1:] == (None, None, None, None, None, None)


def test_of_ten_games_one_is_shorter_than_short_and_one_longer_than_long() -> None:
    found, minutes = Figures(), [12.0, 30, 14, 16, 18, 10, 20, 22, 24, 26]
    kind = found.of_kind["codenames", "en"] = Games()
    for count in range(1, 11):
        values = [(length, 1) for length in sorted(minutes[:count])]
        kind.lengths = kind.first_clues = spread_of(values, count)
        ((_, middle, short, long, _, _, late),) = rows_of(found, "lengths")
        if count < 10:
            assert (short, long, late) == (None, None, None)
    assert middle == 19.0
    assert isinstance(short, float)
    assert isinstance(long, float)
    assert [length for length in minutes if length < short] == [10.0]
    assert [length for length in minutes if length > long] == [30.0]
    assert late == long


def test_a_table_at_which_nothing_was_played_is_told(database: Database) -> None:
    found = figures(database, since="2026-11-30")
    games = {row[0]: row[1] for row in rows_of(found, "tables")}
    assert games == {"milan-1": 1, "rome-1": 0}
    assert rows_of(figures(database, until="2026-11-19"), "tables") == ()


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("found", [("SUN", "en", 1, 1, 1.0), ("SEA", "en", 1, 3, 1 / 3)]),
        ("missed", [("SKY", "en", 1, 1, 1.0), ("SUN", "en", 1, 1, 1.0)]),
        ("lost", [("SEA", "en", 1, 3, 1 / 3)]),
    ],
)
def test_the_sheets_of_words(database: Database, name: str, rows: list[tuple[Any, ...]]) -> None:
    assert [*sheet(database, name).rows] == rows


def test_words_and_tables_are_called_what_they_are_called_in_every_language() -> None:
    found = Figures()
    found.of_table["red"] = Games()
    found.words = (Word("COMET", "en", 1, right=1),)
    found.troubles = (Trouble("red", WET, 1, 60.0, still=False),)
    shown = in_terminal(found, "it")
    assert translate(Say("red"), "it") == "rosso"
    assert translate(Say("COMET"), "it") == "COMETA"
    assert "red " in shown
    assert "COMET " in shown
    assert WET not in shown
    assert translate(WET, "it") in " ".join(shown.split())


def test_lists_hold_plain_values_under_english_names(database: Database) -> None:
    text = {each.name: as_csv(each) for each in csv_sheets(figures(database))}
    assert [*text] == ["tables", "games", "lengths", "where", "faults", "words", "evenings", "bars"]
    assert text["words"].splitlines() == [
        "word,language,dealt,right,nobody,other,fatal",
        "SEA,en,3,1,0,0,1",
        "SKY,en,1,0,0,1,0",
        "SUN,en,1,1,1,0,0",
    ]
    assert text["evenings"].splitlines()[1] == "2026-11-20,rome-1,2"
    games = [*csv.DictReader(io.StringIO(text["lengths"]))]
    assert games[0]["median_seconds"] == "1800.000"
    assert games[1]["median_seconds"] == ""


def test_no_text_of_a_list_is_a_formula() -> None:
    found = Figures()
    found.words = (Word("=1+1", "en", 1), Word("@SUM", "en", 1), Word("UN-DO", "en", 1))
    text = next(as_csv(each) for each in csv_sheets(found) if each.name == "words")
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == ["'=1+1", "'@SUM", "UN-DO"]


def test_no_title_of_a_list_is_a_formula() -> None:
    found = Figures()
    found.of_table["rome-1"] = found.of_kind["=1+1\n", "en"] = Games()
    text = next(as_csv(each) for each in csv_sheets(found) if each.name == "where")
    assert text.splitlines()[0] == "table,'=1+1\N{REPLACEMENT CHARACTER} en"


def in_terminal(found: Figures, lang: Lang, width: int = 140) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    show(found, lang, console)
    shown = console.file
    assert isinstance(shown, io.StringIO)
    return shown.getvalue()


def test_the_report_in_the_terminal_reads_in_english(database: Database) -> None:
    shown = in_terminal(figures(database), "en")
    assert "4 games at 2 tables" in shown
    assert "The clock of a table was wrong in 1 game" in shown
    assert "The table is wet." in shown
    assert "2026-11-30" in shown


def test_the_report_in_the_terminal_reads_in_italian(database: Database) -> None:
    shown = in_terminal(figures(database), "it")
    assert "4 partite a 2 tavoli" in shown
    assert "Il gioco classico, English" in shown
    assert "Guasti" in shown


def test_a_report_of_nothing_says_so() -> None:
    shown = in_terminal(Figures(), "en")
    assert shown.strip() == "0 games at 0 tables"


@pytest.mark.parametrize("lang", ["en", "it"])
def test_no_number_of_a_chain_is_cut_off_in_a_terminal_of_80_columns(
    chain: Database, lang: Lang
) -> None:
    lines = in_terminal(november(chain, 11), lang, 80).splitlines()
    assert max(map(len, lines)) <= 80
    for table, games in (("a", "30"), ("b", "10"), ("d", "10")):
        (row,) = (line.split() for line in lines if line.split()[:1] == [table] and "min" in line)
        assert games in row
        assert row[-2:] != []
    (every,) = (
        line.split() for line in lines if line.split()[:2] in (["all", "4"], ["tutti", "4"])
    )
    assert every[2:4] == ["50", "1"]


@pytest.mark.parametrize("lang", ["en", "it"])
def test_no_number_is_cut_off_in_a_terminal_of_80_columns(database: Database, lang: Lang) -> None:
    named = Delivery(f"pi-table/{'w' * 40}/faults", b'{"faults": []}', RECEIVED)
    take(database, named)
    shown = in_terminal(figures(database), lang, 80)
    assert "2026-11-30" in shown
    assert "30 min" in shown
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_what_a_terminal_would_obey_is_shown_as_a_sign() -> None:
    found = Figures()
    found.of_table["\x1b[2Jrome"] = Games()
    assert "\x1b" not in in_terminal(found, "en")
    assert "\N{REPLACEMENT CHARACTER}[2Jrome" in in_terminal(found, "en")


def test_what_is_marked_up_is_shown_as_it_stands() -> None:
    found = Figures()
    found.of_table["[red]rome[/red]"] = Games()
    assert "[red]rome[/red]" in in_terminal(found, "en")


def test_what_could_not_be_read_is_told(database: Database) -> None:
    take(database, Delivery("pi-table/x/record", b"?", RECEIVED))
    lines = [translate(line, "en") for line in summary(figures(database))]
    assert lines[-1].startswith("1 message could not be read, and is not counted")
    assert figures(database, until="2026-11-29").rejects == 0
    assert figures(database, since="2026-12-01").rejects == 0


def test_a_period_may_begin_with_the_first_day_that_there_is_and_end_with_the_last(
    database: Database,
) -> None:
    for zone in (ROME, None):
        period = Period(date.min, date.max)
        assert read(database, period, RECEIVED, zone).all.games == 4


def test_a_page_needs_something_that_is_not_always_there(tmp_path: Path) -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        pass
    else:
        pytest.skip("Here it is.")
    from pi_table.cli import main

    path = tmp_path / "games.sqlite"
    open_database(f"sqlite://{path}").close()
    arguments = ["collect", "report", "--database", f"sqlite://{path}"]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()
    assert main(arguments) == 0
