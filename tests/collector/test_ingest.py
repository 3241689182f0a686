"""Deliveries go into SQLite exactly once, whatever comes, in whatever order, and however often."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_games import NOON, delivery, expected, stored, take
from msgspec.structs import replace
from told_games import records

from pi_table.common.errors import InputError, StorageError
from pi_table.fleet.collector import ingest, schema
from pi_table.fleet.collector.database import Database, DatabaseAwayError, UnfitError, as_text
from pi_table.fleet.collector.ingest import Delivery, keep
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.record import Record
from pi_table.fleet.collector.sqlite import SqliteDatabase

GAMES = [*islice(records(7), 6)]
TOLD = [
    *GAMES,
    *(replace(game, revision=game.revision + 1, guesses=game.guesses[:-1]) for game in GAMES[:4]),
    *(replace(game, revision=game.revision + 2, clues=(), dealt=()) for game in GAMES[:2]),
]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(f"sqlite://{tmp_path}/games.sqlite")) as one:
        yield one


def faults(*sentences: str, at: float, table: str = "rome-1") -> Delivery:
    payload = msgspec.json.encode({"count": len(sentences), "faults": sentences})
    return Delivery(f"pi-table/{table}/faults", payload, NOON + timedelta(seconds=at))


def asked(database: Database, sql: str) -> list[tuple[Any, ...]]:
    with database.snapshot():
        return database.ask(sql)


def in_memory() -> Database:
    database = SqliteDatabase(":memory:", to_read=False)
    database.prepare()
    return database


@given(st.data())
def test_of_each_game_the_highest_revision_is_kept_in_any_order(data: st.DataObject) -> None:
    told = data.draw(st.lists(st.sampled_from(TOLD), min_size=1, max_size=30))
    with closing(in_memory()) as database:
        rest = told
        while rest:
            size = data.draw(st.integers(1, len(rest)))
            assert take(database, *(delivery(record) for record in rest[:size])) == []
            rest = rest[size:]
        assert stored(database) == expected(told)


def test_a_game_that_comes_again_leaves_everything_as_it_was(database: Database) -> None:
    take(database, delivery(GAMES[0]))
    before = asked(database, "SELECT * FROM games")
    take(database, delivery(GAMES[0], NOON + timedelta(days=3)))
    assert asked(database, "SELECT * FROM games") == before


def test_a_game_of_a_clock_that_stands_in_1970_counts_as_played_when_it_came(
    database: Database,
) -> None:
    wrong = replace(GAMES[0], begun="1970-01-01T00:03:00Z")
    take(database, delivery(wrong), delivery(GAMES[1]))
    assert asked(
        database, "SELECT begun, clock_doubtful, played FROM games ORDER BY clock_doubtful DESC"
    ) == [
        ("1970-01-01T00:03:00.000000+00:00", 1, "2026-11-24T12:00:00.000000+00:00"),
        (f"{GAMES[1].begun[:19]}.000000+00:00", 0, f"{GAMES[1].begun[:19]}.000000+00:00"),
    ]


def test_a_table_is_known_by_when_it_was_seen_and_by_its_latest_version(database: Database) -> None:
    take(database, delivery(replace(GAMES[0], table="a", version="1")))
    later = NOON + timedelta(hours=1)
    take(database, delivery(replace(GAMES[1], table="a", version="2"), later))
    take(database, faults(at=7200, table="a"))
    ((name, first, last, version, bar),) = asked(database, "SELECT * FROM tables")
    assert (name, version, bar) == ("a", "2", "")
    assert (first[11:16], last[11:16]) == ("12:00", "14:00")


# Bars


def told_in(bar: str, record: Record) -> Delivery:
    return delivery(record, bar=f"{bar}/")


def test_a_game_is_of_the_bar_in_whose_topic_it_was_told(database: Database) -> None:
    first, second, third = (replace(each, table="a") for each in GAMES[:3])
    prefixes = ("pi-table", "pi-table/old")
    told = [delivery(first), told_in("north", second), told_in("old", third)]
    assert keep(database, prefixes, told) == []
    games = asked(database, "SELECT id, bar FROM games")
    assert dict(games) == {first.game: "", second.game: "north", third.game: ""}


def test_a_table_stands_in_the_bar_of_its_latest_game(database: Database) -> None:
    moved = Delivery("pi-table/south/rome-1/faults", b'{"faults": []}', NOON)
    game = replace(GAMES[0], table="rome-1")
    bars = []
    for told in (moved, told_in("north", game), moved):  # the broker keeps faults of before
        take(database, told)
        bars += asked(database, "SELECT bar FROM tables")
    assert bars == [("south",), ("north",), ("north",)]
    take(database, moved, told_in("west", replace(GAMES[1], table="rome-1")), moved)
    assert asked(database, "SELECT bar FROM tables") == [("west",)]
    assert asked(database, "SELECT DISTINCT bar FROM games ORDER BY bar") == [("north",), ("west",)]


def test_a_game_that_is_told_again_from_another_bar_stays_where_it_was_played(
    database: Database,
) -> None:
    take(database, told_in("north", GAMES[0]))
    take(database, told_in("south", GAMES[0]))
    assert asked(database, "SELECT bar FROM games") == [("north",)]


# Whose a game is, and how many there may be


def rejected(database: Database) -> list[tuple[Any, ...]]:
    return asked(database, "SELECT topic, why FROM rejects ORDER BY key")


@pytest.mark.parametrize("at_once", [True, False])
def test_a_game_stays_with_the_table_that_told_it_first(database: Database, at_once: bool) -> None:
    game = replace(GAMES[0], table="rome-1")
    forged = replace(game, table="milan-1", revision=1_000, clues=())
    corrected = replace(game, revision=game.revision + 1)
    told = [delivery(each) for each in (game, forged, corrected)]
    said = [
        sentence
        for batch in ([told] if at_once else [[each] for each in told])
        for sentence in take(database, *batch)
    ]
    assert stored(database) == expected([corrected])
    ((topic, why),) = rejected(database)
    assert (topic, why) == (
        "pi-table/milan-1/record",
        "The table rome-1 told this game first, and it stays that table's.",
    )
    assert len(said) == 1
    assert why in said[0]


def test_a_table_has_no_more_games_than_it_can_have_played(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "MAX_GAMES_PER_TABLE", 3)
    ours = [replace(each, table="rome-1") for each in GAMES]
    (said,) = take(database, *(delivery(each) for each in ours[:4]))
    assert "3 games of the table rome-1 are kept" in said
    corrected = replace(ours[0], revision=ours[0].revision + 1)
    other = replace(GAMES[5], table="rome-2")
    assert take(database, *(delivery(each) for each in (corrected, other))) == []
    assert len(take(database, delivery(ours[4]))) == 1
    assert stored(database) == expected([*ours[:3], corrected, other])
    assert len(rejected(database)) == 2


def test_of_a_tables_faults_the_newest_are_kept_and_all_that_still_are(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "MAX_FAULTS_PER_TABLE", 2)
    take(database, faults("of another", at=0, table="rome-2"))
    said = [take(database, faults("always", f"wet {number}", at=number)) for number in range(4)]
    told = ["Only the newest 2 faults of the table rome-1 are kept."]
    assert said == [[], [], told, told]
    assert spans(database) == [
        ("of another", 0, None),
        ("always", 0, None),
        ("wet 2", 2, 3),
        ("wet 3", 3, None),
    ]


# What cannot be read


def test_one_bad_record_does_not_stop_the_others(database: Database) -> None:
    bad = Delivery("pi-table/rome-1/record", b"\xff" * 10_000, NOON)
    (sentence,) = take(database, delivery(GAMES[0]), bad, delivery(GAMES[1]))
    assert sentence.startswith("What came in pi-table/rome-1/record is not counted.")
    assert stored(database) == expected(GAMES[:2])
    ((topic, why, size, beginning),) = asked(
        database, "SELECT topic, why, bytes, beginning FROM rejects"
    )
    assert (topic, size, beginning) == ("pi-table/rome-1/record", 10_000, b"\xff" * 4096)
    assert "cannot be read" in why


def test_a_record_that_says_it_is_of_another_table_is_among_the_rejects(database: Database) -> None:
    forged = Delivery("pi-table/milan-1/record", msgspec.json.encode(GAMES[0]), NOON)
    assert GAMES[0].table != "milan-1"
    take(database, forged)
    assert stored(database) == {}
    assert asked(database, "SELECT count(*) FROM rejects") == [(1,)]


def test_rejects_are_kept_once_each_and_only_the_newest(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "MAX_REJECTS", 3)
    for number in (0, 1, 1, 2, 3, 4, 4):
        take(database, Delivery("pi-table/x/record", b"%d" % number, NOON))
    assert asked(database, "SELECT beginning FROM rejects ORDER BY key") == [
        (b"2",),
        (b"3",),
        (b"4",),
    ]


def test_of_a_reject_neither_the_topic_nor_why_is_kept_or_said_at_length(
    database: Database,
) -> None:
    telling = '{"outcome": {"why": "%s"}}' % ("x" * 200_000)
    for topic in ("pi-table/x/record", f"pi-table/{'y' * 60_000}/record"):
        (said,) = take(database, Delivery(topic, telling.encode(), NOON))
        assert len(said) < 1000
    sizes = asked(database, "SELECT length(topic), length(why), length(beginning) FROM rejects")
    assert all(max(row) <= ingest.MAX_REJECT_BYTES for row in sizes)
    assert len(sizes) == 2


class Choosy(SqliteDatabase):
    """A database that does not take a word, for a reason that nobody foresaw."""

    def put(self, sql: str, rows: Any) -> None:
        if any("POISON" in row for row in rows):
            raise UnfitError("The database does not take it: it is poison.")
        super().put(sql, rows)


def test_what_the_database_does_not_take_goes_among_the_rejects_alone() -> None:
    database = Choosy(":memory:", to_read=False)
    database.prepare()
    poisoned = replace(GAMES[1], dealt=("POISON",))
    told = [GAMES[0], poisoned, GAMES[2]]
    (sentence,) = take(database, *(delivery(record) for record in told))
    assert "it is poison" in sentence
    assert stored(database) == expected([GAMES[0], GAMES[2]])
    assert asked(database, "SELECT count(*) FROM rejects") == [(1,)]
    database.close()


# Faults


def spans(database: Database) -> list[tuple[Any, ...]]:
    """Faults with the seconds after noon at which each began and ended."""
    return [
        (sentence, *(None if at is None else seconds_of(at) for at in times))
        for sentence, *times in asked(
            database, "SELECT sentence, since, until FROM faults ORDER BY key"
        )
    ]


def seconds_of(at: str) -> float:
    return (datetime.fromisoformat(at) - NOON).total_seconds()


def test_a_fault_lasts_from_when_it_is_told_until_it_is_told_no_more(database: Database) -> None:
    for one in (
        faults(at=0),
        faults("wet", at=10),
        faults("wet", "deaf", at=20),
        faults("deaf", at=30),
    ):
        take(database, one)
    assert spans(database) == [("wet", 10, 30), ("deaf", 20, None)]


def test_faults_that_are_told_twice_are_the_same_ones(database: Database) -> None:
    told = [faults("wet", at=10), faults(at=20)]
    take(database, *told)
    again = [replace(each, at=each.at + timedelta(seconds=30)) for each in told]
    take(database, *again)
    assert spans(database) == [("wet", 10, 50)]


def test_a_fault_that_comes_back_after_a_while_is_another_one(database: Database) -> None:
    take(database, faults("wet", at=0), faults(at=10), faults("wet", at=131))
    assert spans(database) == [("wet", 0, 10), ("wet", 131, None)]


def test_the_faults_of_one_table_are_none_of_another(database: Database) -> None:
    take(database, faults("wet", at=0), faults(at=10, table="rome-2"))
    assert spans(database) == [("wet", 0, None)]


# The database itself


def test_a_database_that_is_opened_again_is_as_it_was(tmp_path: Path) -> None:
    where = f"sqlite://{tmp_path}/games.sqlite"
    for record in GAMES[:2]:
        with closing(open_database(where)) as database:
            take(database, delivery(record))
    with closing(open_database(where, to_read=True)) as database:
        assert stored(database) == expected(GAMES[:2])


def test_a_path_with_one_slash_more_is_the_same_file(tmp_path: Path) -> None:
    open_database(f"sqlite://{tmp_path}/games.sqlite").close()
    open_database(f"sqlite:///{tmp_path}/games.sqlite", to_read=True).close()
    assert tmp_path.is_absolute()


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseAwayError, match=f"there is no folder {tmp_path}/data"):
        open_database(f"sqlite://{tmp_path}/data/games.sqlite")


def of_version(path: Path, version: int) -> None:
    """Make a database as the program of that version made it."""
    with closing(sqlite3.connect(path)) as older:
        older.execute(schema.VERSION_TABLE)
        for number in range(1, version + 1):
            for statement in schema.VERSIONS[number]:
                older.execute(statement.format(**msgspec.structs.asdict(SqliteDatabase.dialect)))
            older.execute("INSERT INTO schema_version VALUES (?)", (number,))
        older.commit()


def test_a_database_of_the_first_version_keeps_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    of_version(path, 1)
    with closing(sqlite3.connect(path)) as older:
        older.execute("INSERT INTO tables VALUES ('rome-1', 'then', 'later', '0.8.0')")
        older.execute(
            "INSERT INTO games VALUES (1, 'ab', 'rome-1', 7, 2, 'b', 'r', 0, 'p', 'codenames', "
            "'en', 60.0, 'red', 'agents', NULL, 6, NULL)"
        )
        older.commit()
    with pytest.raises(InputError, match=r"of version 1, .*start the collector"):
        open_database(f"sqlite://{path}", to_read=True)
    for _ in range(2):
        with closing(open_database(f"sqlite://{path}")) as database:
            tables = asked(database, "SELECT name, first_seen, last_seen, version, bar FROM tables")
            assert tables == [("rome-1", "then", "later", "0.8.0", "")]
            assert asked(database, "SELECT id, number, bar FROM games") == [("ab", 7, "")]
            assert asked(database, "SELECT version FROM schema_version") == [(1,), (2,), (3,)]
    open_database(f"sqlite://{path}", to_read=True).close()


@pytest.mark.parametrize("to_read", [False, True])
def test_a_database_of_a_newer_version_is_refused_and_left_alone(
    tmp_path: Path, to_read: bool
) -> None:
    path = tmp_path / "games.sqlite"
    with closing(sqlite3.connect(path)) as newer:
        newer.executescript(
            "CREATE TABLE schema_version (version); INSERT INTO schema_version VALUES (7)"
        )
    with pytest.raises(InputError, match="of version 7, and this program knows no newer one"):
        open_database(f"sqlite://{path}", to_read)
    with closing(sqlite3.connect(path)) as newer:
        assert newer.execute("SELECT name FROM sqlite_master").fetchall() == [("schema_version",)]


def test_what_is_committed_to_a_file_is_on_the_disk(database: Database) -> None:
    assert asked(database, "PRAGMA journal_mode") == [("wal",)]
    assert asked(database, "PRAGMA synchronous") == [(2,)]  # FULL


@pytest.mark.parametrize("value", [2**63, "\ud800"])
def test_what_a_file_can_never_keep_is_unfit_and_not_tried_again(
    database: Database, value: object
) -> None:
    with pytest.raises(UnfitError), database.transaction():
        database.put("INSERT INTO schema_version VALUES (?)", [(value,)])
    assert asked(database, "SELECT version FROM schema_version") == [(1,), (2,), (3,)]


def test_times_are_kept_in_utc_whatever_zone_they_come_from() -> None:
    in_rome = datetime(2026, 11, 24, 0, 30, tzinfo=timezone(timedelta(hours=1)))
    assert as_text(in_rome) == "2026-11-23T23:30:00.000000+00:00"


def test_a_file_that_is_only_to_be_read_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(DatabaseAwayError, match="unable to open"):
        open_database(f"sqlite://{tmp_path}/none.sqlite", to_read=True)
    assert not [*tmp_path.iterdir()]


def test_a_file_that_is_no_database_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(DatabaseAwayError, match="cannot be used"):
        open_database(f"sqlite://{path}")


def test_what_fails_in_the_middle_changes_nothing(database: Database) -> None:
    take(database, delivery(GAMES[0]))
    with database.transaction():
        database.ask("DROP TABLE dealt")
    with pytest.raises(StorageError):
        take(database, delivery(GAMES[1]), faults("wet", at=0))
    assert asked(database, "SELECT count(*) FROM games") == [(1,)]
    assert spans(database) == []


@pytest.mark.parametrize("slashes", ["sqlite://", "sqlite:///"])
def test_a_path_may_be_written_as_other_programs_write_it(tmp_path: Path, slashes: str) -> None:
    open_database(f"{slashes}{tmp_path}/games.sqlite").close()
    assert (tmp_path / "games.sqlite").exists()


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("mysql://here/games", "write postgresql://HOST/NAME"),
        ("games.sqlite", "write postgresql://HOST/NAME"),
        ("postgresql://[::1/games", "write postgresql://HOST/NAME"),
        ("sqlite://games.sqlite", "comes an absolute path"),
        ("sqlite://", "comes an absolute path"),
        ("sqlite:///games.sqlite", "comes an absolute path"),
        ("sqlite:////games.sqlite", "comes an absolute path"),
        ("sqlite:data/games.sqlite", "comes an absolute path"),
        ("sqlite:///var/games/", "comes an absolute path"),
        ("postgresql://me:secret@here/games", "contains a password"),
        ("postgresql://here/games?password=secret", "contains a password"),
    ],
)
def test_an_address_that_is_none_of_a_database_is_refused(address: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        open_database(address)
    assert why in str(refused.value)
    assert "secret" not in str(refused.value)
