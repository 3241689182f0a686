"""Rights on the real Mosquitto, by the files of `pi-table provision`: a table's credentials give
access to that table's topics, and to no others."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

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
from patience import PATIENCE
from provisioned import Provisioned, Rights

from pi_table.fleet.provisioning.broker_files import MAX_PACKET_BYTES
from pi_table.fleet.provisioning.rights import OF_THE_BROKER, RECEIVE, SEND, SUBSCRIBE

pytestmark = pytest.mark.fleet

Make = Callable[..., Provisioned]


class Hole(NamedTuple):
    """Rights that are added to what was provisioned, what everybody may, and lines of the
    configuration in the place of others."""

    rights: Rights = ()
    defaults: tuple[str, ...] = ()
    instead: dict[str, str] | None = None


TABLES = "tables"
"""The role that all tables have."""
DEFAULTS = ("publishClientSend", "publishClientReceive", "subscribe")


def hears(topics: str, role: str = TABLES) -> Rights:
    return (role, SUBSCRIBE, topics), (role, RECEIVE, topics)


def says(topics: str, role: str = TABLES) -> Rights:
    return ((role, SEND, topics),)


HOLES: dict[str, tuple[str, Hole]] = {
    "every table may all": (
        f"write {P}/{VICTIM}/do/volume to",
        Hole(hears(f"{P}/#") + says(f"{P}/#")),
    ),
    "every table may read all": (f"hear {P}/{VICTIM}/state by {P}/#", Hole(hears(f"{P}/#"))),
    "every table may subscribe to all": (
        f"hear {P}/{VICTIM}/state by #",
        Hole(((TABLES, SUBSCRIBE, "#"), (TABLES, RECEIVE, "#"))),
    ),
    "every table may write all": (f"clear {P}/{VICTIM}/health", Hole(says(f"{P}/#"))),
    "tables write each other's state": (
        f"write {P}/{VICTIM}/state to",
        Hole(says(f"{P}/+/state")),
    ),
    "tables write each other's last words": (
        f"last will in {P}/{VICTIM}/availability",
        Hole(says(f"{P}/+/availability")),
    ),
    "tables read each other's records": (
        f"hear {P}/{VICTIM}/record by",
        Hole(hears(f"{P}/+/record")),
    ),
    "tables read each other's commands": (
        f"hear {P}/{VICTIM}/do/volume by {P}/+",
        Hole(hears(f"{P}/+/do/#")),
    ),
    "tables command all": (f"write {P}/all/do/closing to", Hole(says(f"{P}/all/do/#"))),
    "tables command themselves": (
        f"write {P}/{THIEF}/do/volume to",
        Hole(says(f"{P}/{THIEF}/#", f"table-{THIEF}")),
    ),
    "tables write what nobody reads": (
        f"write {P}/{THIEF}/other to",
        Hole(says(f"{P}/{THIEF}/other", f"table-{THIEF}")),
    ),
    "tables say what Home Assistant finds": (
        f"clear homeassistant/device/{VICTIM}/config",
        Hole(says("homeassistant/#")),
    ),
    "tables read what Home Assistant finds": (
        f"hear homeassistant/device/{VICTIM}/config by",
        Hole(hears("homeassistant/#")),
    ),
    "tables greet Home Assistant": (
        "write homeassistant/status to",
        Hole(says("homeassistant/status")),
    ),
    "one table commands another": (
        f"write {P}/{VICTIM}/do/volume to",
        Hole(says(f"{P}/{VICTIM}/do/volume", f"table-{THIEF}")),
    ),
    "one table reads the broker": ("hear $SYS/#", Hole(hears("$SYS/#", f"table-{THIEF}"))),
    "what no right names is granted": (
        f"write {P}/{VICTIM}/do/volume to",
        Hole(defaults=DEFAULTS),
    ),
    "anybody may come": (
        "enter as None",
        Hole(instead={"allow_anonymous": "allow_anonymous true", "use_username": ""}),
    ),
    "clients are known by the name they give": (
        "take over a connection",
        Hole(instead={"use_username": ""}),
    ),
}
"""Holes by name: the start of an attempt that gets through, and the planted rights."""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provisioned]:
    fleet = Provisioned(tmp_path_factory.mktemp("fleet"))
    yield fleet
    fleet.close()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a fleet of its own."""
    made: list[Provisioned] = []

    def make(hole: Hole = Hole()) -> Provisioned:  # noqa: B008 - a value
        made.append(Provisioned(tmp_path, hole.rights, hole.instead, defaults=hole.defaults))
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
def test_the_attempts_find_a_hole(make: Make, hole: str) -> None:
    noticed, planted = HOLES[hole]
    found = getting_through(make(planted))
    assert any(attempt.startswith(noticed) for attempt in found), found
    assert len(found) < len(ATTEMPTS)


def test_without_a_hole_no_attempt_gets_through(fleet: Provisioned) -> None:
    assert getting_through(fleet) == []
    assert len({*ATTEMPTS}) == len(ATTEMPTS) > 60


@pytest.mark.parametrize(("user", "told"), [("collector", TOLD), (HOUSE, TOLD), (STAFF, TOLD[5:])])
def test_a_user_that_is_no_table_has_no_topics_of_one(
    fleet: Provisioned, user: str, told: tuple[str, ...]
) -> None:
    hearer = STAFF if user == HOUSE else HOUSE
    for what in told:
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
    ],
)
def test_who_is_no_table_writes_no_more_than_its_own(
    fleet: Provisioned, user: str, topic: str
) -> None:
    with fleet.member(user) as member:
        assert member.write(topic, b"made up") == "Not authorized"


def test_the_collector_hears_records_and_faults_alone(fleet: Provisioned) -> None:
    with fleet.member("collector") as collector, fleet.member(VICTIM) as table:
        collector.subscribe("#")
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


@pytest.mark.parametrize("topic", OF_THE_BROKER)
def test_the_collector_hears_how_many_messages_the_broker_holds(make: Make, topic: str) -> None:
    # Mosquitto 2.0.11 forgets a figure that has not changed for a minute.
    with make().member("collector") as collector:
        assert collector.subscribe(topic) == "Granted QoS 1"
        assert collector.hears_of(topic).isdigit()


def test_an_operator_clears_what_a_table_that_is_gone_has_left(fleet: Provisioned) -> None:
    left = [f"{P}/{VICTIM}/{what}" for what in TOLD[:5]]
    left.append(f"homeassistant/device/{VICTIM}/config")
    with fleet.member(VICTIM) as table, fleet.member(STAFF) as staff:
        for topic in left:
            table.write(topic, b"left", kept=True)
            assert staff.write(topic, b"", kept=True) in TAKEN
    with fleet.member(HOUSE) as house:
        house.subscribe("#")
        heard_all(fleet, house, HOUSE)
        assert not house.has_heard(b"left")


def test_a_subscription_to_what_is_not_a_tables_is_refused(fleet: Provisioned) -> None:
    with fleet.member(THIEF) as thief:
        for topics in ("#", f"{P}/{VICTIM}/#", f"{P}/+/do/+", "$SYS/#", "$share/g/#"):
            assert thief.subscribe(topics) == "Not authorized"
        for topics in (f"{P}/{THIEF}/do/+", f"{P}/all/do/+"):
            assert thief.subscribe(topics) == "Granted QoS 1"


def test_no_table_can_share_what_others_hear(fleet: Provisioned) -> None:
    """Else it would be dealt its part of the messages, which would then be lost."""
    with fleet.member(THIEF) as thief:
        for topics in (f"$share/collectors/{P}/+/record", f"$share/home/{P}/#"):
            assert thief.subscribe(topics) == "Not authorized"


def test_a_topic_alias_leads_nowhere(fleet: Provisioned) -> None:
    with fleet.member(HOUSE) as house:
        house.subscribe("#")
        with fleet.member(THIEF) as thief:
            assert thief.write(f"{P}/{VICTIM}/state", b"alias", alias=1) == ""  # and is thrown out
        heard_all(fleet, house, HOUSE)
        assert not house.has_heard(b"alias")


@pytest.mark.parametrize("old", [False, True])
def test_a_message_that_is_too_large_ends_the_connection_of_who_sent_it(
    fleet: Provisioned, old: bool
) -> None:
    large = b"x" * (128 * 1024)
    with (
        fleet.member(HOUSE) as house,
        fleet.member(VICTIM) as table,
        fleet.member(THIEF, old=old) as thief,
    ):
        house.subscribe(f"{P}/#")
        assert table.write(f"{P}/{VICTIM}/record", large) == "Success"
        assert house.hears(large)
        assert thief.write(f"{P}/{THIEF}/record", b"x" * MAX_PACKET_BYTES) == ""
        assert thief.lost.is_set()
        assert table.write(f"{P}/{VICTIM}/state", b"still there") == "Success"


@pytest.mark.parametrize("hearer", [THIEF, VICTIM])
def test_a_command_to_all_reaches_every_table(fleet: Provisioned, hearer: str) -> None:
    payload = new_payload()
    with fleet.member(hearer) as table, fleet.member(STAFF) as staff:
        table.subscribe(f"{P}/all/do/+")
        assert staff.write(f"{P}/all/do/closing", payload) == "Success"
        assert table.hears(payload)


def test_a_revoked_table_is_thrown_out_and_does_not_come_back(make: Make) -> None:
    fleet = make()
    left = f"{P}/{THIEF}/availability"
    with fleet.member(THIEF) as gone:
        gone.write(left, b"online", kept=True)
        old = fleet.password(THIEF)
        fleet.provision("--revoke", THIEF)
        fleet.take_over()
        with pytest.raises(Refused, match="Not authorized"):
            Member(fleet.broker.port, THIEF, old)
        assert gone.lost.wait(PATIENCE)
    with fleet.member(HOUSE) as house:  # until the operator clears it
        house.subscribe(left)
        assert house.hears_of(left) == b"online"


def test_a_table_with_another_password_leaves_its_old_one_without_use(make: Make) -> None:
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
        house.subscribe("#")
        assert {house.hears_of(topic) for topic in left} == {b"left"}
    with fleet.member(THIEF) as table:  # what only it can take away, it takes away
        for topic in left:
            assert table.write(topic, b"", kept=True) in TAKEN
    with fleet.member(HOUSE) as house:
        house.subscribe("#")
        heard_all(fleet, house, HOUSE)
        assert not house.has_heard(b"left")


def test_a_table_that_is_added_comes_in(make: Make) -> None:
    fleet = make()
    fleet.provision("garden")
    fleet.take_over()
    with fleet.member("garden") as garden:
        assert garden.write(f"{P}/garden/state", b"here") in TAKEN
        assert garden.write(f"{P}/{VICTIM}/state", b"here") == "Not authorized"


@pytest.mark.parametrize("user", [THIEF, HOUSE, STAFF, "collector"])
def test_nobody_changes_users_and_rights_at_the_broker(fleet: Provisioned, user: str) -> None:
    command = {"command": "createClient", "username": "mallory", "password": "mallory"}
    with fleet.member(user) as member:
        asked = json.dumps({"commands": [command]}).encode()
        assert member.write("$CONTROL/dynamic-security/v1", asked) == "Not authorized"
    with pytest.raises(Refused, match="Not authorized"):
        Member(fleet.broker.port, "mallory", "mallory")


# Bars


def test_users_of_a_bar_hear_and_command_its_tables_alone(make: Make) -> None:
    fleet = make()
    fleet.provision("garden", "--bar", "north", "--home-assistant-user", "north-home")
    fleet.take_over()
    with (
        fleet.member("north-home") as home,
        fleet.member("garden") as garden,
        fleet.member(VICTIM) as other,
    ):
        for topics in ("#", "$SYS/#", f"{P}/#", "homeassistant/#"):
            home.subscribe(topics)
        assert garden.subscribe(f"{P}/north/all/do/+") == "Granted QoS 1"
        assert garden.subscribe(f"{P}/all/do/+") == "Not authorized"
        for table, levels in ((garden, f"{P}/north/garden"), (other, f"{P}/{VICTIM}")):
            for what in TOLD:
                assert table.write(f"{levels}/{what}", b"told") in TAKEN
            name = levels.rsplit("/", 1)[1]
            assert table.write(f"homeassistant/device/{name}/config", b"found") in TAKEN
        for topic in (f"{P}/garden/state", f"{P}/north/{VICTIM}/state", f"{P}/{VICTIM}/state"):
            assert garden.write(topic, b"forged") == "Not authorized"
        assert other.write(f"{P}/north/{VICTIM}/state", b"forged") == "Not authorized"
        for topic in (
            *(f"{P}/{VICTIM}/do/volume", f"{P}/all/do/closing", f"{P}/do/volume"),
            *(f"{P}/south/all/do/closing", "homeassistant/status"),
            *(
                f"{levels}/{what}"
                for levels in (f"{P}/north/garden", f"{P}/{VICTIM}")
                for what in TOLD
            ),
            *(f"homeassistant/device/{name}/config" for name in ("garden", VICTIM, "north-home")),
            "$CONTROL/dynamic-security/v1",
        ):
            assert home.write(topic, b"command") == "Not authorized"
        assert home.write(f"{P}/north/all/do/closing", b"closing") == "Success"
        assert garden.hears(b"closing")
        assert home.hears(b"closing")  # the last of all that it may hear
        assert {topic for topic, _ in home.heard} == {
            *(f"{P}/north/garden/{what}" for what in TOLD),
            *(f"{P}/north/all/do/closing", "homeassistant/device/garden/config"),
        }


@pytest.mark.parametrize("user", ["collector", HOUSE, STAFF])
def test_users_of_no_bar_hear_the_tables_of_all_bars(make: Make, user: str) -> None:
    fleet = make()
    fleet.provision("garden", "--bar", "north")
    fleet.take_over()
    with (
        fleet.member(user) as hearer,
        fleet.member("garden") as garden,
        fleet.member(VICTIM) as other,
    ):
        for topics in (f"{P}/+/record", f"{P}/+/+/record"):
            assert hearer.subscribe(topics) == "Granted QoS 1"
        assert garden.write(f"{P}/north/garden/record", b"of the north") == "Success"
        assert other.write(f"{P}/{VICTIM}/record", b"of no bar") == "Success"
        assert hearer.hears(b"of the north")
        assert hearer.hears(b"of no bar")


# A file of users and rights that cannot be read


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def emptied(file: Path) -> None:
    file.write_text("")


def of_another_shape(file: Path) -> None:
    file.write_text('{"clients": 5, "roles": {}}')


def replaced_by_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def leading_nowhere(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


BROKEN = [cut_short, emptied, of_another_shape, replaced_by_a_folder, leading_nowhere, Path.unlink]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_reload_does_not_read_users_and_rights(
    make: Make, broken: Callable[[Path], None]
) -> None:
    fleet = make()
    broken(fleet.security)
    fleet.broker.reload()
    few = ATTEMPTS[:: len(ATTEMPTS) // 12]
    assert [str(each) for each in few if each.succeeds(fleet, THIEF)] == []
    assert Write(f"{P}/{THIEF}/state").succeeds(fleet, THIEF)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broker_that_cannot_read_users_and_rights_lets_nobody_in(
    make: Make, broken: Callable[[Path], None]
) -> None:
    fleet = make()
    broken(fleet.security)
    fleet.broker.stop()
    fleet.broker.start()
    for user in (THIEF, VICTIM, HOUSE, STAFF, "collector"):
        with pytest.raises(Refused, match="Not authorized"):
            fleet.member(user)
    with pytest.raises(Refused, match="Not authorized"):
        Member(fleet.broker.port, None, None)
