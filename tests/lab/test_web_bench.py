"""The benchmark of the pages: real programs are measured, and what is measured is said."""

import socket
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from needs_root import looks_inside

from pi_table.common.errors import DeviceError
from pi_table.lab.bench import web
from pi_table.lab.bench.contents import subject_of
from pi_table.simulator.processes import free_port

pytestmark = pytest.mark.paced


@looks_inside
def test_the_pages_are_measured_beside_a_running_table() -> None:
    crowded = web.guess_beside_a_crowd("web/guess_to_light_crammed", 3, web.CORES)
    every = (*web.among_viewers(20, acts=4, rest=0.2), crowded)
    measured: dict[str, Any] = {str(each["name"]): each for each in every}
    for name, one in measured.items():
        subject = subject_of(name)
        assert subject is not None, name
        assert subject.unit == one["unit"]
    news, guess = measured["web/20_viewers/news_to_viewer"], measured["web/guess_to_light_crammed"]
    assert measured["web/20_viewers/admitted"]["value"] == 20
    assert (news["times"], guess["times"]) == (4 * 20, 3)
    assert guess["cores_of_pages"] == len(web.CORES)
    for spread in (news, guess):
        assert 0 < spread["value"] <= spread["p99"] <= spread["max"]
    assert 10 < measured["web/20_viewers/pss"]["value"] < 100
    assert 0 <= measured["web/20_viewers/rest_cpu"]["value"] < 100


def test_pages_that_end_before_they_are_ready_are_not_waited_for(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", free_port()))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DeviceError, match="web"), web.pages_running(tmp_path, port):
            raise AssertionError("They cannot be ready.")


def test_a_free_port_is_given_to_no_connection_by_chance() -> None:
    given = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    assert all(10_080 < free_port() < int(given[0]) for _ in range(100))
