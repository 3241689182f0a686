"""The collector's database at a real PostgreSQL: which one it takes, when it counts as lost, and
that several may write into it."""

import os
import pwd
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from collecting import asked, until
from kept_games import NOON, delivery, expected, stored, take
from msgspec.structs import replace
from postgres import PROGRAMS, Postgres
from told_games import records

from pi_table.common.errors import InputError
from pi_table.fleet import collector
from pi_table.fleet.collector import schema
from pi_table.fleet.collector.database import DatabaseAwayError
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.postgres import SILENT_SECONDS, PostgresDatabase
from pi_table.fleet.collector.settings import load

pytestmark = pytest.mark.fleet


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_lacks_letters_is_refused_and_left_alone(
    server: Postgres, encoding: str
) -> None:
    address = server.new_database(encoding)
    with pytest.raises(InputError, match=f"keeps texts as {encoding}"):
        open_database(address)
    with pytest.raises(InputError, match=f"keeps texts as {encoding}"):
        open_database(address, to_read=True)


def test_every_letter_is_kept_whatever_the_environment_says(
    server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with closing(open_database(server.new_database())) as database, database.snapshot():
        assert database.ask("SELECT ?", ["Ω"]) == [("Ω",)]


def test_a_server_that_is_silent_is_asked_soon_whether_it_is_there(server: Postgres) -> None:
    # By itself the kernel asks after two hours, for which a collector would wait for an answer.
    with closing(PostgresDatabase(server.new_database())) as database:
        told = database._connection.info.get_parameters()
    assert int(told["keepalives_idle"]) == SILENT_SECONDS
    assert int(told["tcp_user_timeout"]) == SILENT_SECONDS * 1000


def test_collectors_that_are_told_the_same_in_another_order_keep_each_game_once(
    server: Postgres,
) -> None:
    games = [*islice(records(15), 30)]
    told = [*games, *(replace(one, revision=one.revision + 2, clues=()) for one in games)]
    address = server.new_database()

    def collect(seed: int) -> int:
        """Keep all, in an order of its own, and return the number of tries."""
        tries, left = 0, Random(f"order/{seed}").sample(told, len(told))
        while left:
            some = [delivery(one) for one in left[:7]]
            tries += 1
            with closing(open_database(address)) as database:
                try:
                    take(database, *some)
                except DatabaseAwayError:  # two that wait for each other: one of them is let go
                    continue
            left = left[7:]
        return tries

    with ThreadPoolExecutor(4) as collectors:
        assert all(collectors.map(collect, range(4)))
    with closing(open_database(address)) as database:
        assert stored(database) == expected(told)


def test_a_game_that_another_collector_keeps_at_this_moment_stays_with_its_table(
    server: Postgres,
) -> None:
    (game,) = islice(records(16), 1)
    ours, forged = replace(game, table="rome-1"), replace(game, table="milan-1", revision=1_000)
    address = server.new_database()

    def waits() -> bool:
        return asked(address, "SELECT 1 FROM pg_locks WHERE NOT granted") != []

    with (
        closing(open_database(address)) as first,
        closing(open_database(address)) as second,
        ThreadPoolExecutor(1) as thread,
    ):
        with first.transaction():
            assert take(first, delivery(ours)) == []
            told = thread.submit(take, second, delivery(forged))
            until(waits, "A lock")
        (said,) = told.result()
        assert stored(first) == expected([ours])
    ((why,),) = asked(address, "SELECT why FROM rejects")
    assert why == "The table rome-1 told this game first, and it stays that table's."
    assert why in said


def test_a_database_of_the_first_version_keeps_what_is_in_it(server: Postgres) -> None:
    address = server.new_database()
    with closing(PostgresDatabase(address)) as older, older.transaction():
        for statement in (schema.VERSION_TABLE, *schema.VERSIONS[1]):
            older.ask(statement.format(**msgspec.structs.asdict(older.dialect)))
        older.put("INSERT INTO schema_version VALUES (?)", [(1,)])
        older.put("INSERT INTO tables VALUES (?, ?, ?, ?)", [("rome-1", NOON, NOON, "0.8.0")])
    with pytest.raises(InputError, match=r"of version 1, .*start the collector"):
        open_database(address, to_read=True)
    (game,) = islice(records(17), 1)
    for _ in range(2):
        with closing(open_database(address)) as database:
            take(database, delivery(replace(game, table="milan-1"), bar="north/"))
    assert asked(address, "SELECT name, version, bar FROM tables ORDER BY name") == [
        ("milan-1", game.version, "north"),
        ("rome-1", "0.8.0", ""),
    ]
    assert asked(address, "SELECT bar FROM games") == [("north",)]
    versions = asked(address, "SELECT version FROM schema_version ORDER BY version")
    assert versions == [(each,) for each in schema.VERSIONS]


def test_the_page_makes_a_database_and_a_password_that_the_collector_can_use(
    server: Postgres, tmp_path: Path
) -> None:
    """Its lines are typed as they stand, but for the user of the machine, who is not made."""
    (block,) = re.findall(r"```sh\n(sudo adduser [^`]*)```", PAGE.read_text("utf-8"))
    made, *lines = block.splitlines()
    assert made == f"sudo adduser --system --group {USER}"
    (tmp_path / "fleet/users").mkdir(parents=True)
    secret = tmp_path / "fleet/users/collector"
    secret.write_text("open sesame\n")
    (tmp_path / "ca.pem").write_text("a certificate\n")
    me = pwd.getpwuid(os.geteuid()).pw_name
    environment = {
        "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
        "PGHOST": str(server.folder),
        "PGUSER": "postgres",
    }
    for line in lines:
        typed = line.removeprefix("sudo ").removeprefix("-u postgres ")
        typed = typed.replace(f"-o {USER}", f"-o {me}").replace(" /etc/", f" {tmp_path}/etc/")
        done = subprocess.run(
            shlex.split(typed), cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{line}: {done.stderr}"
    address = server.address("games", USER)
    (game,) = islice(records(18), 1)
    with closing(open_database(address)) as database:
        assert take(database, delivery(game)) == []
        assert stored(database) == expected([game])
    (_, text) = re.findall("```collector\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "collector.toml").write_text(text.replace('"/etc/', f'"{tmp_path}/etc/'))
    settings = load(tmp_path / "collector.toml")
    assert settings.password() == "open sesame"
    assert Path(settings.password_file).stat().st_mode & 0o777 == 0o400
    assert Path(settings.ca).read_text() == "a certificate\n"
    assert settings.database == "postgresql:///games"


PAGE = Path(next(iter(collector.__path__))) / "README.md"
USER = "pi-table-collector"
