"""What the broker grants, by the files of `pi-table provision` and the real Mosquitto: a table's
credentials open what is that table's, and nothing else."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attempts import (
    ATTEMPTS,
    HOUSE,
    STAFF,
    TAKEN,
    THIEF,
    TOLD,
    VICTIM,
    Attempt,
    P,
    Write,
    getting_through,
    heard_all,
    new_payload,
)
from member import Member, Refused
from provisioned import Provisioned

from pi_table.provisioning.broker_files import LARGEST_MESSAGE

pytestmark = pytest.mark.fleet

HOLES: dict[str, tuple[str, str, dict[str, str]]] = {
    "every user may all": (f"write {P}/{VICTIM}/do/volume to", f"pattern readwrite {P}/#", {}),
    "every user may read all": (f"hear {P}/{VICTIM}/state by #", f"pattern read {P}/#", {}),
    "every user may write all": (f"clear {P}/{VICTIM}/health", f"pattern write {P}/#", {}),
    "tables write each other's state": (
        f"write {P}/{VICTIM}/state to",
        f"pattern write {P}/+/state",
        {},
    ),
    "tables write each other's last words": (
        f"last will in {P}/{VICTIM}/availability",
        f"pattern write {P}/+/availability",
        {},
    ),
    "tables read each other's records": (
        f"hear {P}/{VICTIM}/record by",
        f"pattern read {P}/+/record",
        {},
    ),
    "tables read each other's commands": (
        f"hear {P}/{VICTIM}/do/volume by #",
        f"pattern read {P}/+/do/#",
        {},
    ),
    "tables command all": (f"write {P}/all/do/closing to", f"pattern write {P}/all/do/#", {}),
    "tables command themselves": (
        f"write {P}/{THIEF}/do/volume to",
        f"pattern readwrite {P}/%u/#",
        {},
    ),
    "tables write what nobody reads": (
        f"write {P}/{THIEF}/other to",
        f"pattern write {P}/%u/other",
        {},
    ),
    "tables say what Home Assistant finds": (
        f"clear homeassistant/device/{VICTIM}/config",
        "pattern write homeassistant/#",
        {},
    ),
    "tables read what Home Assistant finds": (
        f"hear homeassistant/device/{VICTIM}/config by",
        "pattern read homeassistant/#",
        {},
    ),
    "tables greet Home Assistant": (
        "write homeassistant/status to",
        "pattern write homeassistant/status",
        {},
    ),
    "one table commands another": (
        f"write {P}/{VICTIM}/do/volume to",
        f"user {THIEF}\ntopic write {P}/{VICTIM}/do/volume",
        {},
    ),
    "one table reads the broker": ("hear $SYS/#", f"user {THIEF}\ntopic read $SYS/#", {}),
    "there are no rights": (f"write {P}/{VICTIM}/do/volume to", "", {"acl_file": ""}),
    "anybody may come": (
        "enter as None",
        "",
        {"allow_anonymous": "allow_anonymous true", "use_username": ""},
    ),
    "clients are known by the name they give": ("take over a connection", "", {"use_username": ""}),
}
"""What is noticed of it, lines behind those of the file of rights, and lines of the configuration
in the place of others."""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provisioned]:
    fleet = Provisioned(tmp_path_factory.mktemp("fleet"))
    yield fleet
    fleet.close()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Provisioned]]:
    """Makes a fleet of its own."""
    made: list[Provisioned] = []

    def make(rights: str = "", instead: dict[str, str] | None = None) -> Provisioned:
        made.append(Provisioned(tmp_path, rights, instead))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=str)
def test_what_is_not_a_tables_is_refused_to_it(fleet: Provisioned, attempt: Attempt) -> None:
    assert not attempt.succeeds(fleet, THIEF)
    if attempt.rightful is not None:
        assert attempt.succeeds(fleet, attempt.rightful)


@pytest.mark.parametrize("hole", HOLES)
def test_the_attempts_find_a_hole(make: Callable[..., Provisioned], hole: str) -> None:
    noticed, rights, instead = HOLES[hole]
    found = getting_through(make(rights, instead))
    assert any(attempt.startswith(noticed) for attempt in found), found
    assert len(found) < len(ATTEMPTS)


def test_without_a_hole_no_attempt_gets_through(fleet: Provisioned) -> None:
    assert getting_through(fleet) == []
    assert len({*ATTEMPTS}) == len(ATTEMPTS) > 60


@pytest.mark.parametrize("user", ["collector", HOUSE, STAFF])
@pytest.mark.parametrize("what", TOLD)
def test_a_user_that_is_no_table_has_no_topics_of_one(
    fleet: Provisioned, user: str, what: str
) -> None:
    hearer = STAFF if user == HOUSE else HOUSE
    assert not Write(f"{P}/{user}/{what}", hearer=hearer).succeeds(fleet, user)


@pytest.mark.parametrize(
    ("user", "topic"),
    [
        *(("collector", f"{P}/{VICTIM}/{what}") for what in TOLD),
        ("collector", f"{P}/{VICTIM}/do/volume"),
        ("collector", f"{P}/all/do/closing"),
        ("collector", f"homeassistant/device/{VICTIM}/config"),
        ("collector", "homeassistant/device/collector/config"),
        *((HOUSE, f"{P}/{VICTIM}/{what}") for what in TOLD),
        (HOUSE, f"homeassistant/device/{VICTIM}/config"),
        (HOUSE, "homeassistant/device/home-assistant/config"),
        *((STAFF, f"{P}/{VICTIM}/{what}") for what in ("event", "record", "done")),
        (STAFF, "homeassistant/device/operator/config"),
    ],
)
def test_who_is_no_table_writes_no_more_than_its_own(
    fleet: Provisioned, user: str, topic: str
) -> None:
    with fleet.member(user) as member:
        assert member.write(topic, b"made up") == "Not authorized"


def test_the_collector_hears_records_and_faults_alone(fleet: Provisioned) -> None:
    with fleet.member("collector") as collector, fleet.member(VICTIM) as table:
        collector.listen("#")
        for what in TOLD:
            assert table.write(f"{P}/{VICTIM}/{what}", what.encode()) == "Success"
        with fleet.member(STAFF) as staff:
            staff.write(f"{P}/all/do/closing", b"closing")
            staff.write(f"{P}/collector/do/closing", b"closing")
        heard_all(fleet, collector, "collector")
        assert {payload.decode() for topic, payload in collector.heard if VICTIM in topic} == {
            *("record", "faults")
        }
        assert not any("/do/" in topic for topic, _ in collector.heard)


def test_an_operator_clears_what_a_table_that_is_gone_has_left(fleet: Provisioned) -> None:
    left = [f"{P}/{VICTIM}/{what}" for what in TOLD[:5]]
    left.append(f"homeassistant/device/{VICTIM}/config")
    with fleet.member(VICTIM) as table, fleet.member(STAFF) as staff:
        for topic in left:
            table.write(topic, b"left", kept=True)
            assert staff.write(topic, b"", kept=True) in TAKEN
    with fleet.member(HOUSE) as house:
        house.listen("#")
        heard_all(fleet, house, HOUSE)
        assert not house.has_heard(b"left")


def test_a_subscription_is_granted_and_delivers_nothing_of_another(fleet: Provisioned) -> None:
    with fleet.member(THIEF) as thief:
        for topics in ("#", f"{P}/{VICTIM}/#", "$SYS/#", "$share/g/#"):
            assert thief.listen(topics) == "Granted QoS 1"  # as Mosquitto does


def test_whoever_shares_a_subscription_can_starve_it(fleet: Provisioned) -> None:
    """So nobody of ours shares one: the collector's session is its own."""
    shared = f"$share/collectors/{P}/+/record"
    with fleet.member("collector") as collector, fleet.member(THIEF) as thief:
        collector.listen(shared)
        thief.listen(shared)
        with fleet.member(VICTIM) as table:
            for number in range(10):
                table.write(f"{P}/{VICTIM}/record", b"record %d" % number)
        heard_all(fleet, thief, THIEF)
        heard_all(fleet, collector, "collector")
        records = [payload for _, payload in collector.heard if payload.startswith(b"record")]
        assert len(records) < 10
        assert not any(payload.startswith(b"record") for _, payload in thief.heard)


def test_a_topic_alias_leads_nowhere(fleet: Provisioned) -> None:
    with fleet.member(HOUSE) as house:
        house.listen("#")
        with fleet.member(THIEF) as thief:
            assert thief.write(f"{P}/{VICTIM}/state", b"alias", alias=1) == ""  # and is thrown out
        heard_all(fleet, house, HOUSE)
        assert not house.has_heard(b"alias")


def test_a_message_that_is_too_large_ends_the_connection_of_who_sent_it(
    fleet: Provisioned,
) -> None:
    large = b"x" * LARGEST_MESSAGE
    with fleet.member(HOUSE) as house, fleet.member(VICTIM) as table, fleet.member(THIEF) as thief:
        house.listen(f"{P}/#")
        assert table.write(f"{P}/{VICTIM}/record", large) == "Success"
        house.hears(large)
        assert thief.write(f"{P}/{THIEF}/record", large + b"x") == ""
        assert thief.lost.is_set()
        assert table.write(f"{P}/{VICTIM}/state", b"still there") == "Success"


@pytest.mark.parametrize("hearer", [THIEF, VICTIM])
def test_a_command_to_all_reaches_every_table(fleet: Provisioned, hearer: str) -> None:
    payload = new_payload()
    with fleet.member(hearer) as table, fleet.member(STAFF) as staff:
        table.listen(f"{P}/all/do/+")
        assert staff.write(f"{P}/all/do/closing", payload) == "Success"
        table.hears(payload)


def test_a_revoked_table_is_thrown_out_and_does_not_come_back(
    make: Callable[..., Provisioned],
) -> None:
    fleet = make()
    with fleet.member(VICTIM) as table, fleet.member(THIEF) as gone:
        old = fleet.password(THIEF)
        fleet.provision("--revoke", THIEF)
        fleet.take_over()
        with pytest.raises(Refused, match="Not authorized"):
            Member(fleet.broker.port, THIEF, old)
        assert gone.write(f"{P}/{THIEF}/state", b"still here") == ""
        assert gone.lost.is_set()
        assert table.write(f"{P}/{VICTIM}/state", b"not in the way") != ""
        assert not table.lost.is_set()


def test_a_table_with_another_password_leaves_its_old_one_without_use(
    make: Callable[..., Provisioned],
) -> None:
    fleet = make()
    left = [f"{P}/{THIEF}/{what}" for what in TOLD]
    with fleet.member(THIEF) as thief:
        for topic in left:
            thief.write(topic, b"left", kept=True)
    old = fleet.password(THIEF)
    fleet.provision(THIEF, "--revoke", THIEF)
    fleet.take_over()
    with pytest.raises(Refused, match="Not authorized"):
        Member(fleet.broker.port, THIEF, old)
    with fleet.member(HOUSE) as house:
        house.listen("#")
        assert {house.hears_of(topic) for topic in left} == {b"left"}
    with fleet.member(THIEF) as table:  # what only it can take away, it takes away
        for topic in left:
            assert table.write(topic, b"", kept=True) in TAKEN
    with fleet.member(HOUSE) as house:
        house.listen("#")
        heard_all(fleet, house, HOUSE)
        assert not house.has_heard(b"left")


def test_a_table_that_is_added_comes_in_and_disturbs_nobody(
    make: Callable[..., Provisioned],
) -> None:
    fleet = make()
    with fleet.member(VICTIM) as table:
        fleet.provision("garden")
        fleet.take_over()
        with fleet.member("garden") as garden:
            assert garden.write(f"{P}/garden/state", b"here") in (
                "Success",
                "No matching subscribers",
            )
            assert garden.write(f"{P}/{VICTIM}/state", b"here") == "Not authorized"
        assert not table.lost.is_set()
        assert table.write(f"{P}/{VICTIM}/state", b"here") != ""
