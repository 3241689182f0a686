"""Updates from a server: what the image's agent does, with a server that speaks the protocol, and
with the slots of a card. In RAUC's place stands what it asks of a boot loader."""

import os
from collections.abc import Iterator
from pathlib import Path

import ddi
import hawkbit
import pytest
from ddi_server import BASE, TABLE, TENANT, TOKEN, DdiServer, serving
from pi_firmware import TRYBOOT
from slots_without_a_machine import Slots

ABOUT = {"image_id": "pi-table-rpi4", "image_version": "1.2.3"}
BUNDLE = os.urandom(300_000)


class Table:
    """A table's slots, and an installer that takes what begins well."""

    def __init__(self, slots: Slots) -> None:
        self.slots = slots
        self.refusal = ""
        self.installed: list[bytes] = []
        self.reason = "The engine does not answer."

    def ask(self, *words: str) -> str:
        return self.slots.ask(*words)

    def install(self, bundle: Path) -> str:
        self.installed.append(bundle.read_bytes())
        if not self.refusal:
            self.slots.install("b" if self.slots.ask("get-default") == "a" else "a")
        return self.refusal

    def why_not(self) -> str:
        return self.reason


class Evening:
    """A table that polls its server; the agent is made anew each time, as after a start."""

    def __init__(self, server: DdiServer, folder: Path) -> None:
        self.server, self.table = server, Table(Slots(folder))
        self.state = folder / "state"
        self.state.mkdir()

    def poll(self, token: str = TOKEN) -> float:
        account = ddi.Account(self.server.address, TENANT, TABLE, token, "TargetToken")
        return hawkbit.Agent(ddi.Server(account), self.table, self.state, ABOUT).step()

    def left(self) -> list[str]:
        return sorted(each.name for each in self.state.iterdir())

    def try_it(self) -> None:
        """The table is free: what was installed is started."""
        assert self.table.slots.ask("try") == "b"
        self.table.slots.start(TRYBOOT)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with serving() as server:
        yield Evening(server, tmp_path)


def test_it_says_what_it_is_and_asks_again_when_the_server_wants(evening: Evening) -> None:
    assert evening.poll() == 300.0
    assert evening.server.attributes == ABOUT
    assert evening.left() == []


def test_an_update_is_closed_when_it_was_started_and_found_good(evening: Evening) -> None:
    server = evening.server
    server.assign(8, update_raucb=BUNDLE)
    evening.poll()
    assert evening.table.installed == [BUNDLE]
    assert evening.left() == ["under-way.json"]
    assert [each[1] for each in server.feedback] == ["download", "downloaded", "scheduled"]
    evening.poll()  # a game is played: nothing more is done, and nothing twice
    assert len(evening.table.installed) == 1
    evening.try_it()
    evening.poll()
    assert server.closed() == []  # it is being judged
    evening.table.slots.ask("set-state", "b", "good")
    evening.poll()
    assert server.closed() == [("8", "success")]
    assert evening.left() == []


def test_an_update_that_went_back_is_closed_with_the_reason(evening: Evening) -> None:
    server = evening.server
    server.assign(8, update_raucb=BUNDLE)
    evening.poll()
    evening.try_it()
    evening.table.slots.start()
    evening.table.slots.ask("set-state", "b", "bad")
    evening.poll()
    assert server.closed() == [("8", "failure")]
    assert evening.table.reason in server.feedback[-1][3]
    server.assign(9, update_raucb=BUNDLE + b"mended")
    evening.poll()
    assert evening.table.installed[1:] == [BUNDLE + b"mended"]


def test_what_is_refused_is_told_and_the_old_version_stays(evening: Evening) -> None:
    evening.table.refusal = "LastError: signature verification failed"
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.poll()
    assert evening.server.closed() == [("8", "failure")]
    assert evening.table.refusal in evening.server.feedback[-1][3]
    assert evening.left() == []
    assert evening.table.ask("get-primary") == "a"


def test_a_download_that_broke_off_goes_on_where_it_was(evening: Evening) -> None:
    server = evening.server
    server.assign(8, update_raucb=BUNDLE)
    server.cut_after = 100_000
    with pytest.raises(ddi.Trouble, match="in part"):
        evening.poll()
    assert evening.table.installed == []
    evening.poll()
    assert server.asked_from == [0, 100_000]
    assert evening.table.installed == [BUNDLE]


@pytest.mark.parametrize("spoilt", [{"hashes": {"sha256": "0" * 64}}, {"size": 299_999}])
def test_a_file_that_is_not_as_the_server_says_is_not_installed(
    evening: Evening, spoilt: dict[str, object]
) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.spoilt = spoilt
    with pytest.raises(ddi.Trouble, match="not as the server says"):
        evening.poll()
    assert evening.table.installed == []
    assert evening.left() == []


def test_a_file_for_which_there_is_no_room_is_not_fetched(evening: Evening) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.spoilt = {"size": 1 << 60}
    evening.poll()
    assert evening.server.asked_from == []
    assert evening.server.closed() == [("8", "failure")]
    assert "no room" in evening.server.feedback[-1][3]


@pytest.mark.parametrize("files", [{}, {"a_raucb": b"1", "b_raucb": b"2"}, {"a_swu": b"1"}])
def test_an_update_without_one_bundle_is_a_failure(
    evening: Evening, files: dict[str, bytes]
) -> None:
    evening.server.assign(8, **files)
    with pytest.raises(ddi.Trouble, match="one is needed"):
        evening.poll()
    assert evening.server.closed() == [("8", "failure")]


@pytest.mark.parametrize(("handling", "window"), [("skip", None), ("forced", "unavailable")])
def test_what_is_not_to_be_installed_yet_waits(
    evening: Evening, handling: str, window: str | None
) -> None:
    server = evening.server
    server.assign(8, update_raucb=BUNDLE)
    server.handling, server.window = handling, window
    evening.poll()
    assert evening.table.installed == []
    assert server.feedback == []
    server.handling, server.window = "attempt", None if window is None else "available"
    evening.poll()
    assert evening.table.installed == [BUNDLE]


def test_an_update_that_is_called_off_before_it_starts_is_not_started(evening: Evening) -> None:
    server = evening.server
    server.assign(8, update_raucb=BUNDLE)
    evening.poll()
    server.cancelled = True
    evening.poll()
    assert server.closed() == [("8", "success")]
    assert evening.table.slots.run("try").returncode == 1
    assert evening.left() == []


def test_an_update_that_is_called_off_before_it_is_known_is_called_off(evening: Evening) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.cancelled = True
    evening.poll()
    assert evening.server.closed() == [("8", "success")]
    assert evening.table.installed == []


def test_an_update_that_is_being_tried_is_not_called_off(evening: Evening) -> None:
    server = evening.server
    server.assign(8, update_raucb=BUNDLE)
    evening.poll()
    evening.try_it()
    server.cancelled = True
    evening.poll()
    assert server.feedback[-1][:2] == ("8", "rejected")
    evening.table.slots.ask("set-state", "b", "good")
    evening.poll()
    assert server.closed() == [("8", "success")]


def test_what_was_fetched_for_another_update_makes_room(evening: Evening) -> None:
    server = evening.server
    server.assign(8, update_raucb=BUNDLE)
    server.cut_after = 1000
    with pytest.raises(ddi.Trouble):
        evening.poll()
    server.assign(9, update_raucb=b"another")
    evening.poll()
    assert evening.left() == ["under-way.json"]
    assert evening.table.installed == [b"another"]


def test_a_token_that_the_server_does_not_know_is_a_trouble_that_is_told(evening: Evening) -> None:
    with pytest.raises(ddi.Trouble, match="401"):
        evening.poll(token="wrong")


def test_a_server_that_is_away_is_a_trouble(tmp_path: Path) -> None:
    with serving() as server:
        evening = Evening(server, tmp_path)
    with pytest.raises(ddi.Trouble, match="cannot be asked"):
        evening.poll()


def test_nobody_but_the_server_is_shown_the_token(evening: Evening) -> None:
    with serving() as elsewhere:
        elsewhere.assign(1, update_raucb=BUNDLE)
        evening.server.assign(8, update_raucb=BUNDLE)
        link = {"download-http": {"href": f"{elsewhere.address}{BASE}/artifacts/update.raucb"}}
        evening.server.spoilt = {"_links": link}
        with pytest.raises(ddi.Trouble, match="401"):
            evening.poll()
