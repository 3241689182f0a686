"""The doctor's findings about package steps whose failure stops nothing."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from said import BROKEN, LOOK, OK
from unit_files import ENGINE, settings

from pi_table.common.config import Config, PathsSection, load
from pi_table.fleet.updating import packages
from pi_table.maintenance.bring_up.package_findings import (
    HOUSE,
    MARK,
    SEALED,
    sockets,
    unfinished_update,
)


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[PathsSection]:
    """Where an engine listens, on sockets of this user's own group."""
    (tmp_path / "table.toml").write_text(f'[paths]\nruntime = "{tmp_path}"\n')
    config: Config = load(tmp_path / "table.toml")
    with ExitStack() as opened:
        for path in (config.paths.sealed_socket, config.paths.house_socket):
            opened.enter_context(socket.socket(socket.AF_UNIX)).bind(str(path))
        yield config.paths


def test_a_socket_that_was_given_to_nobody_is_told_with_what_does_not_work(
    paths: PathsSection,
) -> None:
    own = paths.house_socket.stat().st_gid
    (found,) = sockets(paths, {SEALED: own + 1, HOUSE: own})
    assert found.verdict is BROKEN
    assert "sealed.sock does not belong to the group pi-table-sealed, so phones" in found.says
    assert len([*sockets(paths, {SEALED: own + 1, HOUSE: own + 1})]) == 2


def test_sockets_that_were_given_away_are_in_order(paths: PathsSection) -> None:
    own = paths.house_socket.stat().st_gid
    (found,) = sockets(paths, {SEALED: own, HOUSE: own})
    assert found.verdict is OK


def test_nothing_is_said_of_sockets_where_no_engine_or_no_package_is(paths: PathsSection) -> None:
    assert [*sockets(paths, {})] == []
    for each in (paths.sealed_socket, paths.house_socket):
        each.unlink()
    assert [*sockets(paths, {SEALED: 0, HOUSE: 0})] == []


def test_the_groups_are_those_that_the_engines_unit_gives_the_sockets_to() -> None:
    given = [line.split() for line in settings(ENGINE)["ExecStartPost"] if "chgrp" in line]
    assert [words[-2] for words in given] == [SEALED, HOUSE]


def test_an_update_that_was_cut_short_is_told(tmp_path: Path) -> None:
    assert [*unfinished_update(tmp_path)] == []
    mark = tmp_path / MARK
    mark.parent.mkdir(parents=True)
    mark.write_text("1.2.3\n")
    (found,) = unfinished_update(tmp_path)
    assert found.verdict is LOOK
    assert Path("/") / MARK == packages.MARK
