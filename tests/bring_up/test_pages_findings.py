"""The doctor's findings about the pages, from the real process of the pages, which needs no
table."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ports import free_port
from said import BROKEN, LOOK, NOT_HERE, OK, assert_says

from pi_table.common.config import Config, load
from pi_table.maintenance.bring_up.findings import Finding
from pi_table.maintenance.bring_up.pages_findings import pages, with_other_addresses
from pi_table.screens.web.address import Own

pytestmark = pytest.mark.paced

ANOTHER = "127.0.0.2"
"""An address of this machine alone, which stands for one in a network."""


@pytest.fixture
def port() -> int:
    return free_port(ANOTHER)


def configured(folder: Path, port: int, listen: str = ANOTHER, address: str = "") -> Config:
    file = folder / "table.toml"
    file.write_text(
        f'[web]\nlisten = "{listen}"\nport = {port}\naddress = "{address}"\n'
        f'[paths]\nstate = "{folder}"\nruntime = "{folder}/run"\n'
    )
    return load(file)


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """The pages, from when they are there."""
    words = [sys.executable, "-m", "pi_table", "web", "--config", str(folder / "table.toml")]
    process = subprocess.Popen(words, stderr=subprocess.PIPE)
    try:
        assert process.stderr
        while b"are served" not in (line := process.stderr.readline()):
            assert line
        yield
    finally:
        process.terminate()
        process.communicate()


def test_pages_that_nobody_serves_are_not_here(tmp_path: Path, port: int) -> None:
    found = pages(configured(tmp_path, port))
    assert (found.verdict, found.says) == (
        NOT_HERE,
        f"No pages are served at port {port}.",
    )


def test_pages_that_nobody_serves_are_missed_without_a_hidden_screen(
    tmp_path: Path, port: int
) -> None:
    configured(tmp_path, port)
    used = load(tmp_path / "table.toml", changes={"console": {"screen": "none"}})
    assert pages(used).verdict is BROKEN


def test_pages_are_told_with_the_address_that_leads_to_them(tmp_path: Path, port: int) -> None:
    config = configured(tmp_path, port)
    with served(tmp_path):
        found = pages(config)
    assert found.verdict is OK
    assert found.figures == {"address": f"http://{ANOTHER}:{port}"}
    assert f"http://{ANOTHER}:{port}." in found.says


def test_other_addresses_of_the_house_are_told_with_what_to_do() -> None:
    found, chosen = Finding("pages", OK, "They are served."), "192.168.1.7"
    own = [Own(chosen, "eth0"), Own("10.42.0.1", "wlan0"), Own("172.17.0.1", "docker0")]
    told = with_other_addresses(found, chosen, [*own, Own("169.254.7.7", "eth1")])
    assert told.says == f"{found.says} This machine has other addresses too: 10.42.0.1 wlan0."
    assert "[web] address" in told.do
    assert with_other_addresses(found, chosen, own[:1]) == found


def test_an_address_that_leads_elsewhere_is_told(tmp_path: Path, port: int) -> None:
    config = configured(tmp_path, port, address=f"http://{ANOTHER}:1")
    with served(tmp_path):
        found = pages(config)
    assert_says(found, LOOK, f"http://{ANOTHER}:1 does not lead to them")


def test_pages_for_this_machine_alone_are_told(tmp_path: Path) -> None:
    here = "127.0.0.1"
    config = configured(tmp_path, free_port(here), listen=here)
    with served(tmp_path):
        found = pages(config)
    assert_says(found, LOOK, "to this machine alone")


def test_why_they_have_stopped_is_told(tmp_path: Path, port: int) -> None:
    config = configured(tmp_path, port)
    (tmp_path / "run-fault").mkdir()
    (tmp_path / "run-fault/web").write_text("Nobody can be listened for.\n")
    found = pages(config)
    assert (found.verdict, found.says) == (
        BROKEN,
        "They have stopped: Nobody can be listened for.",
    )
