"""The collector's database at a real PostgreSQL: which one it takes, and when it counts as lost."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from postgres import Postgres

from pi_table.collector.opening import open_database
from pi_table.collector.postgres import SILENT_SECONDS, PostgresDatabase
from pi_table.errors import InputError

pytestmark = pytest.mark.fleet


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


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
