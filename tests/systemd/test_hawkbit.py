"""Updates from a server: what the image's agent does, with a server that speaks the protocol, and
with the slots of a card. In RAUC's place stands what it asks of a boot loader."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import ddi
import hawkbit
import held_folder
import pytest
from ddi_server import BASE, TABLE, TENANT, TOKEN, DdiServer, serving
from pi_firmware import TRYBOOT
from slots_without_a_machine import Slots

ABOUT = {"image_id": "pi-table-rpi4", "image_version": "1.2.3"}
BUNDLE = os.urandom(300_000)


class PowerCut(BaseException):
    """The power goes."""


class Table:
    """A table's slots, and an installer that takes what begins well."""

    def __init__(self, slots: Slots) -> None:
        self.slots = slots
        self.refusal = ""
        self.installed: list[bytes] = []
        self.reason = "The engine does not answer."
        self.power_goes = ""
        """``before`` or ``after`` the next installation."""
        self.then: Callable[[], object] = lambda: None
        """Callback after an installation."""

    def ask(self, *words: str) -> str:
        return self.slots.ask(*words)

    def install(self, bundle: Path) -> str:
        goes, self.power_goes = self.power_goes, ""
        if goes == "before":
            raise PowerCut
        self.installed.append(bundle.read_bytes())
        if not self.refusal:
            self.slots.install("b" if self.slots.ask("get-default") == "a" else "a")
        if goes == "after":
            raise PowerCut
        self.then()
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

    def poll_in_trouble(self, match: str, token: str = TOKEN) -> None:
        with pytest.raises(ddi.Trouble, match=match):
            self.poll(token)

    def install(self, action: int = 8, bundle: bytes = BUNDLE) -> None:
        """Poll once more, with an update at the server."""
        self.server.assign(action, update_raucb=bundle)
        self.poll()

    def lose_power(self, when: str) -> None:
        """Poll as in `install`; the power goes before or after the installation."""
        self.table.power_goes = when
        with pytest.raises(PowerCut):
            self.install()

    def try_it(self) -> None:
        """The table is free: what was installed is started."""
        assert self.table.slots.ask("try") == "b"
        self.table.slots.start(TRYBOOT)

    def judge(self, state: str) -> None:
        """Mark what is tried as good or bad; where it is bad, the old version starts again."""
        if state == "bad":
            self.table.slots.start()
        self.table.slots.ask("set-state", "b", state)
        self.poll()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with serving() as server:
        yield Evening(server, tmp_path)


def test_it_says_what_it_is_and_asks_again_when_the_server_wants(evening: Evening) -> None:
    assert evening.poll() == 300.0
    assert evening.server.attributes == ABOUT
    assert evening.left() == []


def test_an_update_is_closed_when_it_was_started_and_found_good(evening: Evening) -> None:
    evening.install()
    assert evening.table.installed == [BUNDLE]
    assert evening.left() == ["under-way.json"]
    assert [each[1] for each in evening.server.feedback] == ["download", "downloaded", "scheduled"]
    evening.poll()  # a game is played: nothing more is done, and nothing twice
    assert len(evening.table.installed) == 1
    evening.try_it()
    evening.poll()
    assert evening.server.closed() == []  # it is being judged
    evening.judge("good")
    assert evening.server.closed() == [("8", "success")]
    assert evening.left() == []


def test_an_update_that_went_back_is_closed_with_the_reason(evening: Evening) -> None:
    evening.install()
    evening.try_it()
    evening.judge("bad")
    assert evening.server.closed() == [("8", "failure")]
    assert evening.table.reason in evening.server.feedback[-1][3]
    evening.install(9, BUNDLE + b"mended")
    assert evening.table.installed[1:] == [BUNDLE + b"mended"]


def test_an_update_whose_end_cannot_be_told_does_not_keep_the_next_one_away(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table has an account at another server by now."""
    evening.install()
    evening.try_it()
    evening.table.slots.ask("set-state", "b", "good")
    remembered = evening.state / hawkbit.UNDER_WAY
    text = remembered.read_text()
    remembered.write_text(text.replace(evening.server.address, "http://127.0.0.1:1"))
    evening.install(9, BUNDLE + b"newer")
    assert "cannot be asked" in capsys.readouterr().out
    assert evening.table.installed[1:] == [BUNDLE + b"newer"]


@pytest.mark.parametrize("text", ["", "[]", '{"action": "a", "slot": "b", "since": 1}', "\xff"])
def test_what_is_remembered_and_cannot_be_read_is_said_and_forgotten(
    evening: Evening, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (evening.state / hawkbit.UNDER_WAY).write_bytes(text.encode("latin-1"))
    evening.install()
    assert "cannot be read" in capsys.readouterr().out
    assert evening.table.installed == [BUNDLE]


def test_what_is_refused_is_told_and_the_old_version_stays(evening: Evening) -> None:
    evening.table.refusal = "LastError: signature verification failed"
    evening.install()
    assert evening.server.closed() == [("8", "failure")]
    assert evening.table.refusal in evening.server.feedback[-1][3]
    assert evening.left() == []
    assert evening.table.ask("get-primary") == "a"


def test_a_download_that_broke_off_goes_on_where_it_was(evening: Evening) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.cut_after = 100_000
    evening.poll_in_trouble("in part")
    assert evening.table.installed == []
    evening.poll()
    assert evening.server.asked_from == [0, 100_000]
    assert evening.table.installed == [BUNDLE]


NO_HASHES = ("../../../../tmp/x", "a/b", "", "0" * 63, "g" * 64)


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        ({"hashes": {"sha256": "0" * 64}}, "not as the server says"),
        ({"size": 299_999}, "not as the server says"),
        *(({"hashes": {"sha256": name}}, "no SHA-256") for name in NO_HASHES),
    ],
)
def test_a_file_that_is_not_as_the_server_says_is_not_installed(
    evening: Evening, spoilt: dict[str, object], says: str
) -> None:
    evening.server.spoilt = spoilt
    evening.install()
    assert evening.table.installed == []
    assert evening.server.closed() == [("8", "failure")]  # and is not fetched every five minutes
    assert says in evening.server.feedback[-1][3]
    assert evening.left() == []


def test_a_file_for_which_there_is_no_room_is_not_fetched(evening: Evening) -> None:
    evening.server.spoilt = {"size": 1 << 60}
    evening.install()
    assert evening.server.asked_from == []
    assert evening.server.closed() == [("8", "failure")]
    assert "no room" in evening.server.feedback[-1][3]


@pytest.mark.parametrize("files", [{}, {"a_raucb": b"1", "b_raucb": b"2"}, {"a_swu": b"1"}])
def test_an_update_without_one_bundle_is_a_failure(
    evening: Evening, files: dict[str, bytes]
) -> None:
    evening.server.assign(8, **files)
    evening.poll()
    assert evening.server.closed() == [("8", "failure")]
    assert "one is needed" in evening.server.feedback[-1][3]


@pytest.mark.parametrize(("handling", "window"), [("skip", None), ("forced", "unavailable")])
def test_what_is_not_to_be_installed_yet_waits(
    evening: Evening, handling: str, window: str | None
) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.handling, evening.server.window = handling, window
    evening.poll()
    assert evening.table.installed == []
    assert evening.server.feedback == []
    evening.server.handling, evening.server.window = "attempt", window and "available"
    evening.poll()
    assert evening.table.installed == [BUNDLE]


def test_an_update_that_is_called_off_before_it_starts_is_not_started(evening: Evening) -> None:
    evening.install()
    evening.server.cancelled = True
    evening.poll()
    assert evening.server.closed() == [("8", "success")]
    assert evening.table.slots.run("try").returncode == 1
    assert evening.left() == []


def test_an_update_that_is_called_off_before_it_is_known_is_called_off(evening: Evening) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.cancelled = True
    evening.poll()
    assert evening.server.closed() == [("8", "success")]
    assert evening.table.installed == []


def test_an_update_that_is_being_tried_is_not_called_off(evening: Evening) -> None:
    evening.install()
    evening.try_it()
    evening.server.cancelled = True
    evening.poll()
    assert evening.server.feedback[-1][:2] == ("8", "rejected")
    evening.judge("good")
    assert evening.server.closed() == [("8", "success")]


def test_what_was_fetched_for_another_update_makes_room(evening: Evening) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.cut_after = 1000
    evening.poll_in_trouble("in part")
    evening.install(9, b"another")
    assert evening.left() == ["under-way.json"]
    assert evening.table.installed == [b"another"]


def test_a_token_that_the_server_does_not_know_is_a_trouble_that_is_told(evening: Evening) -> None:
    evening.poll_in_trouble("401", token="wrong")


def test_a_server_that_is_away_is_a_trouble(tmp_path: Path) -> None:
    with serving() as server:
        evening = Evening(server, tmp_path)
    evening.poll_in_trouble("cannot be asked")


def test_nobody_but_the_server_is_shown_the_token(evening: Evening) -> None:
    with serving() as elsewhere:
        elsewhere.assign(1, update_raucb=BUNDLE)
        evening.server.assign(8, update_raucb=BUNDLE)
        link = {"download-http": {"href": f"{elsewhere.address}{BASE}/artifacts/update.raucb"}}
        evening.server.spoilt = {"_links": link}
        with pytest.raises(ddi.Trouble, match="401"):
            evening.poll()


# Power that goes, and a server that changes its mind


def test_an_installation_that_the_power_cut_short_is_made_again(evening: Evening) -> None:
    evening.lose_power("before")
    evening.poll()
    assert evening.server.asked_from == [0]  # it was there
    assert evening.table.installed == [BUNDLE]
    assert evening.left() == ["under-way.json"]
    assert evening.server.closed() == []


def test_what_was_installed_as_the_power_went_is_not_installed_again(evening: Evening) -> None:
    evening.lose_power("after")
    evening.poll()
    assert len(evening.table.installed) == 1
    assert evening.left() == ["under-way.json"]
    evening.try_it()
    evening.judge("bad")
    assert evening.server.closed() == [("8", "failure")]
    assert len(evening.table.installed) == 1


def test_a_fetched_file_that_the_power_has_torn_is_fetched_anew(evening: Evening) -> None:
    evening.lose_power("before")
    (bundle,) = evening.state.glob("*.raucb")
    bundle.write_bytes(bytes(len(BUNDLE)))
    evening.poll_in_trouble("anew")
    evening.poll()
    assert evening.table.installed == [BUNDLE]
    assert evening.server.closed() == []


def test_a_refusal_that_could_not_be_told_is_told_later_and_not_met_again(
    evening: Evening,
) -> None:
    evening.table.refusal = "LastError: signature verification failed"
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.table.then = lambda: evening.server.refuses.update(feedback=503)
    evening.poll_in_trouble("503")
    evening.poll()
    assert len(evening.table.installed) == 1
    assert evening.server.closed() == [("8", "failure")]
    assert evening.left() == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_update_that_could_not_be_asked_for_is_not_a_failure(
    evening: Evening, status: int
) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.refuses["deploymentBase"] = status
    evening.poll_in_trouble(str(status))
    assert evening.server.feedback == []
    evening.poll()
    assert evening.table.installed == [BUNDLE]


def test_an_action_that_the_server_has_closed_itself_keeps_nobody_from_the_next(
    evening: Evening,
) -> None:
    evening.install()
    evening.try_it()
    evening.table.slots.ask("set-state", "b", "good")
    evening.server.action = None
    evening.poll()
    assert evening.left() == []
    assert evening.server.closed() == []


def test_what_the_server_has_ended_by_force_is_not_started(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    evening.install()
    evening.server.action = None  # "force quit", of which the table hears nothing
    evening.poll()
    assert "is not started" in capsys.readouterr().out
    assert evening.table.slots.run("try").returncode == 1
    assert evening.left() == []
    evening.install()
    assert evening.table.installed == [BUNDLE, BUNDLE]


def test_what_is_being_tried_is_judged_although_the_server_has_ended_it(evening: Evening) -> None:
    evening.install()
    evening.try_it()
    evening.server.action = None
    evening.poll()
    assert evening.table.slots.ask("get-word", "b") == "tried"


def test_a_later_action_takes_the_place_of_one_that_was_not_tried_yet(evening: Evening) -> None:
    evening.install()
    evening.install(9, b"the next")
    assert evening.table.installed == [BUNDLE, b"the next"]
    evening.try_it()
    evening.judge("good")
    assert evening.server.closed() == [("9", "success")]


def test_nothing_is_installed_while_another_version_is_being_judged(evening: Evening) -> None:
    slots = evening.table.slots
    slots.install("b")  # by hand
    evening.try_it()
    evening.install()
    assert evening.table.installed == []
    assert evening.server.feedback == []
    slots.ask("set-state", "b", "good")
    evening.poll()
    assert evening.table.installed == [BUNDLE]
    assert slots.ask("get-word", "a") == "new"


def test_a_version_that_was_installed_by_hand_is_not_taken_for_the_servers(
    evening: Evening,
) -> None:
    evening.table.slots.install("b")
    evening.lose_power("before")
    evening.poll()
    assert evening.table.installed == [BUNDLE]


def test_what_was_fetched_of_an_update_that_is_called_off_is_gone(evening: Evening) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.cut_after = 1000
    evening.poll_in_trouble("in part")
    evening.server.cancelled = True
    evening.poll()
    assert evening.left() == []
    assert evening.server.closed() == [("8", "success")]


def test_an_update_that_is_to_be_confirmed_is_told_and_waits(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    evening.server.confirmed = False
    evening.install()
    assert "confirmed" in capsys.readouterr().out
    assert evening.table.installed == []
    evening.server.confirmed = True
    evening.poll()
    assert evening.table.installed == [BUNDLE]


# A server, or somebody in its place, that means ill


def test_a_file_without_an_end_takes_no_more_room_than_it_was_to_have(evening: Evening) -> None:
    evening.server.surplus = 8 << 20
    evening.install()
    assert evening.table.installed == [BUNDLE]


def test_a_file_that_is_half_there_needs_room_for_the_rest(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.cut_after = 200_000
    evening.poll_in_trouble("in part")
    room = hawkbit.ROOM + 100_000
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=room, f_frsize=1))
    evening.poll()
    assert evening.table.installed == [BUNDLE]
    assert [each[1] for each in evening.server.feedback].count("download") == 1


@pytest.mark.parametrize("address", ["file:///etc/passwd", "data:,x", "ftp://127.0.0.1/x", "x"])
def test_only_a_server_is_asked_for_a_file(evening: Evening, address: str) -> None:
    evening.server.assign(8, update_raucb=BUNDLE)
    evening.server.spoilt = {"_links": {"download": {"href": address}}}
    evening.poll_in_trouble("cannot be asked")
    assert evening.table.installed == []


def test_nobody_to_whom_the_server_sends_the_table_is_shown_the_token(evening: Evening) -> None:
    with serving() as elsewhere:
        elsewhere.attributes = ABOUT  # it asks for nothing
        evening.server.sends_to["controller"] = f"{elsewhere.address}{BASE}"
        with pytest.raises(ddi.Trouble, match="401"):
            evening.poll()


def test_what_the_table_says_is_not_lost_where_the_server_sends_it(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    evening.install()
    evening.try_it()
    evening.table.slots.ask("set-state", "b", "good")
    evening.server.sends_to["feedback"] = f"{evening.server.address}{BASE}"
    evening.poll()
    assert "302" in capsys.readouterr().out
    evening.server.sends_to.clear()
    evening.poll()
    assert evening.server.closed() == [("8", "success")]


@pytest.mark.parametrize(
    "told", [b"[" * 200_000, b"\xff", b"[]", b" " * (2 << 20), b'{"_links": 1}']
)
def test_an_answer_that_is_none_is_a_trouble(evening: Evening, told: bytes) -> None:
    evening.server.says["v1/table-7"] = told
    evening.poll_in_trouble(r"understood|no object")


def test_a_server_that_dawdles_is_left(evening: Evening) -> None:
    """The clock goes on by half an hour with each look at it."""
    evening.server.assign(8, update_raucb=BUNDLE)
    account = ddi.Account(evening.server.address, TENANT, TABLE, TOKEN, "TargetToken")
    hours = count(0.0, 1800.0)
    server = ddi.Server(account, clock=lambda: next(hours))
    with pytest.raises(ddi.Trouble, match="longer than 60 s"):
        server.get(f"{evening.server.address}{BASE}")
    artifact = ddi.artifact_of(evening.server.deployment(), ".raucb")
    assert artifact is not None
    path = evening.state / "update.raucb"
    with pytest.raises(ddi.Trouble, match="longer than 3600 s"):
        server.fetch(artifact, path)
    assert 0 < path.stat().st_size < artifact.size
    ddi.Server(account).fetch(artifact, path)
    assert path.read_bytes() == BUNDLE


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("https://x", "https://x:443/a"), ("https://X", "https://x/a"), ("http://x:80", "http://x")],
)
def test_a_server_is_known_however_its_address_is_written(ours: str, theirs: str) -> None:
    assert ddi._origin(ours) == ddi._origin(theirs)
    for other in ("https://x.evil/a", "https://x@evil/a", "http://x:8080", "https://x:444"):
        assert ddi._origin(ours) != ddi._origin(other)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("", "server is missing"),
        ('server = "https://x"\ncontroller = "t"', "token is missing"),
        ('server = "https://x"\ncontroller = 7\ntoken = "t"', "controller is no text"),
        ('server = "x"\ncontroller = "t"\ntoken = "t"', "begins with https"),
        ('server = "https://x"\ncontroller = "t"\ntoken = "t"\nauthorities = "no"', "No such file"),
        ("server =", "Invalid value"),
    ],
)
def test_an_account_that_cannot_be_used_is_told_and_not_tried_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(held_folder, "IMAGE", tmp_path)
    (tmp_path / hawkbit.SETTINGS).write_text(settings)
    assert hawkbit.main() == 2
    told = capsys.readouterr().err
    assert says in told
    assert hawkbit.SETTINGS in told
