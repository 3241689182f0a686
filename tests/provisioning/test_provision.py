"""Provisioning: what the folder holds, what stays when it is run again, and what is refused."""

import base64
import errno
import hashlib
import json
import re
import tomllib
from pathlib import Path, PurePosixPath

import pytest
from old_folder import RIGHTS, make_old_folder

from pi_table import cli
from pi_table.fleet.collector.subscription import AT_BROKER, DROPPED
from pi_table.fleet.provisioning import command, dynamic_security
from pi_table.fleet.provisioning.broker_files import (
    COLLECTOR_AWAY_DAYS,
    OPEN_FILES,
    configuration,
    room_for,
)
from pi_table.fleet.provisioning.passwords import Hash
from pi_table.fleet.provisioning.rights import (
    KEPT,
    OF_THE_BROKER,
    RECEIVE,
    SEND,
    SUBSCRIBE,
    TOLD,
    roles,
)
from pi_table.fleet.provisioning.rights import roles_of as roles_of_user
from pi_table.fleet.provisioning.users import ALWAYS, RESERVED, Kind, User

TREE = Path(__file__).parents[2]
BROKER = ("--broker", "mqtts://broker.lan")
USERS = tuple(ALWAYS)
SECURITY = "broker/dynamic-security.json"


class Fleet:
    """A folder of provisioned files, and the command that writes them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def provision(self, *words: str) -> int:
        return cli.main(["provision", "--out", str(self.folder), *words])

    def refuses(self, *words: str, says: str) -> None:
        """Check that the command refuses in these words, and changes nothing."""
        before = self.files()
        assert self.provision(*words) == 2
        assert says in self.capsys.readouterr().err
        assert self.files() == before

    def files(self) -> dict[str, bytes]:
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths}

    def settings(self, table: str) -> dict[str, str]:
        text = (self.folder / "tables" / table / "pi-table.toml").read_text()
        found: dict[str, str] = tomllib.loads(text)["bridge"]
        return found

    def password(self, table: str) -> str:
        return self.settings(table)["password"]

    def roles(self) -> dict[str, set[tuple[str, str]]]:
        """Return the rights of each role: pairs of access type and topic."""
        found = json.loads((self.folder / SECURITY).read_text())["roles"]
        return {
            role["rolename"]: {(right["acltype"], right["topic"]) for right in role["acls"]}
            for role in found
        }

    def security(self) -> dynamic_security.Security:
        return dynamic_security.read((self.folder / SECURITY).read_text(), SECURITY)

    def hashes(self) -> dict[str, Hash]:
        """The hash of the password of each user of the broker."""
        return {name: account.password for name, account in self.security().accounts.items()}


@pytest.fixture
def fleet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Fleet:
    return Fleet(tmp_path / "fleet", capsys)


def opens(hashed: Hash, password: str) -> bool:
    """True if this password has this hash, computed here once more."""
    salt, made = (base64.b64decode(each) for each in (hashed.salt, hashed.password))
    assert len(salt) == 12
    return hashlib.pbkdf2_hmac("sha512", password.encode(), salt, hashed.iterations) == made


def test_each_table_gets_a_file_for_its_boot_partition(fleet: Fleet) -> None:
    assert fleet.provision("window", "door", *BROKER, "--prefix", "bar/tables") == 0
    for name in ("window", "door"):
        text = (fleet.folder / "tables" / name / "pi-table.toml").read_text()
        told = tomllib.loads(text)["bridge"]
        password = told.pop("password")
        assert told == {"broker": BROKER[1], "table": name, "prefix": "bar/tables"}
        assert re.fullmatch(r"[\w-]{32}", password, re.ASCII)
        assert opens(fleet.hashes()[name], password)
    assert fleet.password("window") != fleet.password("door")
    salts = {hashed.salt for hashed in fleet.hashes().values()}
    assert len(salts) == len(fleet.hashes())


def test_what_it_writes_for_a_table_is_taken_over_by_one(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    file = fleet.folder / "tables/window/pi-table.toml"
    assert cli.main(["settings", "check", str(file)]) == 0
    assert "table among many: window\nbroker: mqtts://broker.lan" in fleet.capsys.readouterr().out


def test_tables_can_be_counted(fleet: Fleet) -> None:
    fleet.provision("door", "--count", "3", "--named", "bar", *BROKER)
    names = {"door", "bar-1", "bar-2", "bar-3"}
    assert {each.name for each in (fleet.folder / "tables").iterdir()} == names
    assert {*fleet.hashes()} == {*USERS, *names}


def test_the_users_that_are_no_tables_have_a_password_on_the_first_line(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    for user in USERS:
        lines = (fleet.folder / "users" / user).read_text().splitlines()
        assert opens(fleet.hashes()[user], lines[0])


def test_files_with_secrets_are_their_owners_alone(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    secret = {fleet.folder / SECURITY, fleet.folder / "tables/window/pi-table.toml"}
    secret |= {fleet.folder / "users" / user for user in USERS}
    for path in fleet.folder.rglob("*"):
        if path.is_file():
            assert path.stat().st_mode & 0o777 == (0o600 if path in secret else 0o644), path
    assert fleet.folder.stat().st_mode & 0o777 == 0o700


def test_another_run_adds_tables_and_leaves_those_that_are_there(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    before = fleet.files()
    fleet.capsys.readouterr()
    assert fleet.provision("window", "door", *BROKER) == 0
    said = fleet.capsys.readouterr().out
    assert "new: door\n" in said
    assert f"with the password they had: {', '.join(USERS)}, window\n" in said
    after = fleet.files()
    hashes = fleet.hashes()
    assert {*hashes} == {*USERS, "window", "door"}
    (fleet.folder / SECURITY).write_bytes(before.pop(SECURITY))
    after.pop(SECURITY)
    assert fleet.hashes().items() <= hashes.items()
    assert {name: after[name] for name in before} == before
    assert {*after} - {*before} == {"tables/door/pi-table.toml"}


def test_a_table_whose_file_was_put_away_keeps_its_password(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    before = fleet.hashes()
    (fleet.folder / "tables/window/pi-table.toml").unlink()
    assert fleet.provision("window", "door", *BROKER) == 0
    assert fleet.hashes()["window"] == before["window"]
    assert not (fleet.folder / "tables/window/pi-table.toml").exists()


def test_the_same_run_again_changes_nothing(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    before = {path: path.stat().st_ino for path in fleet.folder.rglob("*")}
    assert fleet.provision("window", *BROKER) == 0
    assert {path: path.stat().st_ino for path in fleet.folder.rglob("*")} == before


def test_a_table_that_is_revoked_is_gone(fleet: Fleet) -> None:
    fleet.provision("window", "door", *BROKER)
    before = fleet.files()
    fleet.capsys.readouterr()
    assert fleet.provision("--revoke", "window") == 0
    assert "revoked: window" in fleet.capsys.readouterr().out
    assert "window" not in fleet.hashes()
    assert not (fleet.folder / "tables/window").exists()
    assert fleet.files().items() <= before.items() | {
        (SECURITY, (fleet.folder / SECURITY).read_bytes())
    }


def test_a_table_whose_password_cannot_be_taken_away_is_not_revoked(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next run would take the password that is left up again."""

    def broken(path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    fleet.provision("window", *BROKER)
    before = fleet.files()
    monkeypatch.setattr("pi_table.fleet.provisioning.provision.remove", broken)
    assert fleet.provision("--revoke", "window") != 0
    assert fleet.files() == before


def test_a_table_that_is_revoked_and_named_gets_another_password(fleet: Fleet) -> None:
    fleet.provision("window", "door", *BROKER)
    old, door = fleet.password("window"), fleet.hashes()["door"]
    assert fleet.provision("window", "--revoke", "window", *BROKER) == 0
    new = fleet.password("window")
    assert new != old
    assert opens(fleet.hashes()["window"], new)
    assert fleet.hashes()["door"] == door


def test_folders_and_what_a_power_cut_left_are_nobody_elses(fleet: Fleet) -> None:
    fleet.folder.mkdir(mode=0o755)
    fleet.provision("window", "door", *BROKER)
    for path in fleet.folder.rglob("*"):
        if path.is_dir():
            assert path.stat().st_mode & 0o777 == 0o700, path
    (fleet.folder / "tables/window/.pi-table.toml.new").write_text("half of a password")
    assert fleet.provision("--revoke", "window") == 0
    assert not (fleet.folder / "tables/window").exists()


def test_a_user_that_is_no_table_can_get_another_password(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    old = (fleet.folder / "users/operator").read_text()
    assert fleet.provision("--revoke", "operator") == 0
    new = (fleet.folder / "users/operator").read_text()
    assert new != old
    assert opens(fleet.hashes()["operator"], new.strip())


def test_who_signs_for_the_broker_lies_beside_each_tables_settings(
    fleet: Fleet, tmp_path: Path
) -> None:
    (tmp_path / "ca.pem").write_text(CERTIFICATE)
    assert fleet.provision("window", *BROKER, "--ca", str(tmp_path / "ca.pem")) == 0
    assert (fleet.folder / "tables/window/pi-table-ca.pem").read_text() == CERTIFICATE
    assert fleet.provision("--revoke", "window") == 0
    assert not (fleet.folder / "tables/window").exists()


@pytest.mark.parametrize("name", ["mosquitto.conf", "mosquitto-service.conf"])
def test_nothing_that_was_changed_by_hand_is_overwritten_in_silence(
    fleet: Fleet, name: str
) -> None:
    fleet.provision("window", *BROKER)
    file = fleet.folder / "broker" / name
    file.write_text(file.read_text() + "# by hand\n")
    fleet.refuses("door", *BROKER, says=f"{file} is not as it would be written now")
    assert fleet.provision("door", *BROKER, "--replace") == 0
    assert "by hand" not in file.read_text()
    assert {*fleet.hashes()} == {*USERS, "window", "door"}


def test_a_folder_for_another_prefix_or_broker_is_told(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    for words in (
        (*BROKER, "--prefix", "other"),
        ("--broker", "mqtts://broker.lan:8884"),
        ("--broker", "mqtts://other.lan"),
        (*BROKER, "--at", "/srv/broker"),
        (*BROKER, "--home-assistant", ""),
    ):
        fleet.refuses("door", *words, says="")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *(
            ((name, *BROKER), f"'{name}' cannot be a table: its name must not be one of")
            for name in RESERVED
        ),
        (("Window", *BROKER), "'Window' cannot be a table: its name must be 1 to 40"),
        (("a/b", *BROKER), "'a/b' cannot be a table"),
        (("+", *BROKER), "'+' cannot be a table"),
        (("#", *BROKER), "'#' cannot be a table"),
        (("%u", *BROKER), "'%u' cannot be a table"),
        (("..", *BROKER), "'..' cannot be a table"),
        (("", *BROKER), "'' cannot be a table"),
        (("a:b", *BROKER), "'a:b' cannot be a table"),
        (("a\n", *BROKER), "cannot be a table"),
        (("a" * 41, *BROKER), "cannot be a table"),
        (("--count", "2", "--named", "Bar", *BROKER), "'Bar-1' cannot be a table"),
        (("--count", "-1", *BROKER), "--count is 0 to 10,000"),
        (("--count", "10001", *BROKER), "--count is 0 to 10,000"),
        (("window",), "Give --broker"),
        ((), "Give --broker"),
        (("window", "--broker", "mqtt://broker.lan"), "passwords must not travel in the open"),
        (("window", "--broker", "broker.lan"), "The broker's address must be an address such as"),
        (
            ("window", "--broker", "mqtts://u:p@b"),
            "The broker's address must be an address such as",
        ),
        (("window", *BROKER, "--prefix", "a/#"), "The prefix of topics must be 1 to 4 levels"),
        (("window", *BROKER, "--home-assistant", "a b"), "Home Assistant's prefix must be 1 to 4"),
        (("window", *BROKER, "--at", "here"), "The broker's folder must be a path such as"),
        (
            ("window", *BROKER, "--at", "/a\nuser b"),
            "The broker's folder must be a path such as",
        ),
        (("window", *BROKER, "--ca", "/nowhere"), "/nowhere cannot be read"),
        (("window", *BROKER, "--ca", "/dev/null"), "The file of --ca is not a PEM certificate"),
        (("--count", "10000", "window", *BROKER), "A broker has 10,000 tables at most"),
        (("window", *BROKER, "--revoke", "door"), "dynamic-security.json has no user door"),
        (("window", *BROKER, "--revoke", "window"), "dynamic-security.json has no user window"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(
    fleet: Fleet, words: tuple[str, ...], said: str
) -> None:
    assert fleet.provision(*words) == 2
    assert said in fleet.capsys.readouterr().err
    assert not fleet.folder.exists()


def test_all_that_is_wrong_is_told_at_once(fleet: Fleet) -> None:
    assert fleet.provision("all", "B", "--prefix", "+", "--broker", "x") == 2
    assert len(fleet.capsys.readouterr().err.splitlines()) == 4


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"clients": [], "roles": []}', '{"clients": 5, "roles": []}']
)
def test_a_file_of_users_that_is_another_one_is_left_alone(fleet: Fleet, text: str) -> None:
    (fleet.folder / "broker").mkdir(parents=True)
    (fleet.folder / SECURITY).write_text(text)
    fleet.refuses(
        "door", *BROKER, says=f"{fleet.folder}/{SECURITY} is not a file of pi-table provision"
    )


def test_users_and_rights_that_were_changed_by_hand_are_told(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    file = fleet.folder / SECURITY
    text = file.read_text()
    for changed in (
        text.replace("pi-table/window/do/#", "pi-table/+/do/#"),
        text.replace('"username":"window"', '"username":"door"'),
        text.replace('"rolename":"table-window"}', '"rolename":"admin"}'),
        text.replace('"subscribe":false', '"subscribe":true'),
    ):
        assert changed != text
        file.write_text(changed)
        for words in (("door", *BROKER), ("--revoke", "collector")):
            fleet.refuses(*words, says=f"{file} is not as it would be written now")


def test_a_settings_file_without_the_tables_password_is_told(fleet: Fleet) -> None:
    place = fleet.folder / "tables/window/pi-table.toml"
    place.parent.mkdir(parents=True)
    place.write_text('[bridge]\ntable = "door"\npassword = "somebody-elses"\n')
    fleet.refuses("window", *BROKER, says="has no password of the table window")


def test_the_rights_name_what_the_readme_of_the_bridge_lists() -> None:
    page = (TREE / "pi_table/fleet/bridge/README.md").read_text()
    rows = re.findall(r"^\| `PREFIX/TABLE/(\w+)` \| ([^|]+) \|", page, re.MULTILINE)
    assert {name for name, _ in rows} == {*TOLD}
    assert {name for name, kept in rows if kept != "no"} == {*KEPT}


@pytest.mark.parametrize("kind", Kind)
def test_the_readme_shows_the_rights_as_they_are(kind: Kind) -> None:
    page = (TREE / "pi_table/fleet/provisioning/README.md").read_text()
    cells = re.findall(rf"^\| {kind.value} \| (.*) \| (.*) \|$", page, re.MULTILINE)
    hears, writes = (
        {word.removeprefix("PREFIX/T/") for word in re.findall("`([^`]+)`", cell)} - {""}
        for cell in cells[-1]
    )
    users = {"T": User(Kind.TABLE)}
    found: dict[str, set[str]] = {RECEIVE: set(), SEND: set(), SUBSCRIBE: set()}
    for name, rights in roles(users, "PREFIX", "homeassistant"):
        if name in ((kind.value,) if kind is not Kind.TABLE else roles_of_user("T", users["T"])):
            for right in rights:
                topic = re.sub(r"^PREFIX/(\+/\+|\+|T)/", "", right.topic)
                found[right.acltype].add(topic.replace("/+/", "/T/"))
    assert (found[RECEIVE], found[SEND]) == (hears, writes)


def test_a_collector_may_hear_what_it_asks_the_broker_for() -> None:
    assert {AT_BROKER, DROPPED} == {*OF_THE_BROKER}


def test_without_home_assistant_nobody_has_a_right_to_its_topics(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER)
    assert "homeassistant" in (fleet.folder / SECURITY).read_text()
    fleet.folder.rename(fleet.folder.with_name("other"))
    fleet.provision("window", *BROKER, "--home-assistant", "")
    assert "/device/" not in (fleet.folder / SECURITY).read_text()
    assert fleet.provision("window", *BROKER, "--home-assistant", "") == 0


# Bars


def test_a_table_of_a_bar_has_the_bar_in_its_topics(fleet: Fleet) -> None:
    assert fleet.provision("window", *BROKER, "--prefix", "chain", "--bar", "north") == 0
    assert fleet.provision("door", *BROKER, "--prefix", "chain") == 0
    assert fleet.settings("window")["prefix"] == "chain/north"
    assert fleet.settings("door")["prefix"] == "chain"
    roles = fleet.roles()
    assert {topic for _, topic in roles["table-window"]} == {
        *(f"chain/north/window/{what}" for what in (*TOLD, "do/#")),
        "homeassistant/device/window/config",
    }
    assert {topic for _, topic in roles["tables-north"]} == {"chain/north/all/do/#"}
    assert ("publishClientReceive", "chain/+/+/record") in roles["collector"]


def test_users_of_a_bar_see_its_tables_alone(fleet: Fleet) -> None:
    bar = ("--bar", "north")
    assert fleet.provision("window", *BROKER, *bar, "--home-assistant-user", "north-home") == 0
    assert fleet.provision("door", *BROKER, "--operator", "boss", "--collector", "backup") == 0
    assert (
        fleet.provision(*BROKER, *bar, "--operator", "north-staff", "--collector", "north-games")
        == 0
    )
    assert {name: user.user for name, user in fleet.security().accounts.items()} == {
        **ALWAYS,
        "window": User(Kind.TABLE, "north"),
        "door": User(Kind.TABLE),
        "north-home": User(Kind.HOME_ASSISTANT, "north"),
        "north-staff": User(Kind.OPERATOR, "north"),
        "north-games": User(Kind.COLLECTOR, "north"),
        "boss": User(Kind.OPERATOR),
        "backup": User(Kind.COLLECTOR),
    }
    roles = fleet.roles()
    for kind in ("home-assistant", "operator", "collector"):
        topics = {topic for may, topic in roles[f"{kind}-north"] if may != "subscribePattern"}
        discovery = {"homeassistant/device/window/config"} - {kind == "collector" or ""}
        others = {topic for topic in topics if not topic.startswith("pi-table/north/")}
        assert others <= {*discovery, *OF_THE_BROKER}
    for user in ("north-home", "boss"):
        password = (fleet.folder / "users" / user).read_text().strip()
        assert opens(fleet.hashes()[user], password)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("window", "--bar", "south"), "window exists already (table, north)"),
        (("window",), "window exists already (table, north)"),
        (("--collector", "window"), "window exists already (table, north)"),
        (("backup",), "backup exists already (collector)"),
        (("--operator", "backup"), "backup exists already (collector)"),
        (("garden", "--bar", "door"), "'door' cannot be a bar: its name is a table's"),
        (("north",), "'north' cannot be a bar: its name is a table's"),
        (("garden", "--bar", "garden"), "'garden' cannot be a bar: its name is a table's"),
        (("garden", "--bar", "all"), "'all' cannot be a bar"),
        (("garden", "--bar", "a/b"), "'a/b' cannot be a bar: its name must be 1 to 40"),
        (("--collector", "all"), "'all' cannot be a user of the broker: its name must not be"),
        (("--collector", "a b"), "'a b' cannot be a user of the broker: its name must be 1 to 40"),
        (("garden", "--collector", "garden"), "garden cannot be two users"),
        (("--collector", "x", "--operator", "x"), "x cannot be two users"),
    ],
)
def test_a_name_is_one_users_over_all_bars(fleet: Fleet, words: tuple[str, ...], said: str) -> None:
    fleet.provision("window", *BROKER, "--bar", "north")
    fleet.provision("door", *BROKER, "--collector", "backup")
    fleet.refuses(*words, *BROKER, says=said)


def test_a_table_moves_to_another_bar_with_another_password(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER, "--bar", "north")
    old = fleet.password("window")
    assert fleet.provision("window", *BROKER, "--bar", "south", "--revoke", "window") == 0
    assert fleet.security().accounts["window"].user == User(Kind.TABLE, "south")
    assert fleet.settings("window")["prefix"] == "pi-table/south"
    assert fleet.password("window") != old


def test_a_further_user_can_be_taken_away(fleet: Fleet) -> None:
    fleet.provision("window", *BROKER, "--collector", "backup")
    assert fleet.provision("--revoke", "backup") == 0
    assert "backup" not in fleet.hashes()
    assert not (fleet.folder / "users/backup").exists()


# A folder of 0.8


@pytest.fixture
def old(fleet: Fleet) -> dict[str, Hash]:
    """A folder of 0.8, with the tables window and door; the hashes of its passwords."""
    return make_old_folder(fleet.folder, "window", "door", *BROKER)


@pytest.mark.parametrize("words", [(), ("window", "door"), ("garden",)])
def test_an_old_folder_is_carried_over_and_no_table_needs_another_password(
    fleet: Fleet, old: dict[str, Hash], words: tuple[str, ...]
) -> None:
    before = fleet.files()
    assert fleet.provision(*words, *BROKER) == 0
    assert "rights in a new form" in fleet.capsys.readouterr().out
    assert old.items() <= fleet.hashes().items()
    assert opens(fleet.hashes()["window"], fleet.password("window"))
    assert {each.name for each in (fleet.folder / "broker").iterdir()} == {
        *("dynamic-security.json", "mosquitto.conf", "mosquitto.conf.old"),
        "mosquitto-service.conf",
    }
    assert fleet.files()["broker/mosquitto.conf.old"] == before["broker/mosquitto.conf"]
    assert fleet.provision(*words, *BROKER) == 0
    assert "new form" not in fleet.capsys.readouterr().out


def test_a_table_of_an_old_folder_is_revoked_as_it_is_carried_over(
    fleet: Fleet, old: dict[str, Hash]
) -> None:
    assert fleet.provision("--revoke", "window", *BROKER) == 0
    assert {*fleet.hashes()} == {*USERS, "door"}
    assert not (fleet.folder / "tables/window").exists()


@pytest.mark.parametrize(
    ("added", "words", "said"),
    [
        ("", ("--revoke", "window"), "passwords is from an older pi-table. Give --broker"),
        ("", ("door", *BROKER, "--prefix", "x"), "acl is for another prefix"),
        ("", ("door", *BROKER, "--home-assistant", ""), "acl is for another prefix"),
        ("", ("door", *BROKER, "--home-assistant", "x"), "acl is for another prefix"),
        ("user backup\n", ("door", *BROKER), "acl has users that were added by hand: backup."),
    ],
)
def test_an_old_folder_is_not_carried_over_by_guesses(
    fleet: Fleet, old: dict[str, Hash], added: str, words: tuple[str, ...], said: str
) -> None:
    (fleet.folder / "broker/acl").write_text(RIGHTS + added)
    fleet.refuses(*words, says=said)


def test_a_user_that_was_added_by_hand_is_carried_over_by_its_name(
    fleet: Fleet, old: dict[str, Hash]
) -> None:
    (fleet.folder / "broker/acl").write_text(f"{RIGHTS}user backup\n")
    with (fleet.folder / "broker/passwords").open("a") as file:
        file.write("backup:$7$101$c2FsdA==$aGFzaA==\n")
    assert fleet.provision(*BROKER, "--collector", "backup") == 0
    assert fleet.security().accounts["backup"].user == User(Kind.COLLECTOR)
    assert fleet.hashes()["backup"] == Hash("aGFzaA==", "c2FsdA==", 101)


@pytest.mark.parametrize("text", ["window:secret\n", "no user\n", "window:$7$101$a$b\n\n"])
def test_an_old_file_of_passwords_that_is_another_one_is_left_alone(
    fleet: Fleet, text: str
) -> None:
    (fleet.folder / "broker").mkdir(parents=True)
    (fleet.folder / "broker/passwords").write_text(text)
    fleet.refuses("door", *BROKER, says="is not a user with a hashed password")


# The size of the broker


def test_the_broker_is_sized_by_its_tables(fleet: Fleet) -> None:
    numbers = {}
    for tables in (1, 100, 101, 1000, 10_000):
        text = configuration(BROKER[1], PurePosixPath("/etc"), room_for(tables))
        numbers[tables] = {key: int(n) for key, n in re.findall(r"^(\w+) (\d+)$", text, re.M)}
    fleet.provision("window", *BROKER, "--at", "/etc")
    expected = configuration(BROKER[1], PurePosixPath("/etc"), room_for(1))
    assert (fleet.folder / "broker/mosquitto.conf").read_text() == expected
    assert f"\npersistent_client_expiration {COLLECTOR_AWAY_DAYS}d\n" in expected
    assert numbers[1] == numbers[100]
    assert numbers[101]["max_connections"] > 2 * 101
    games = 20 * COLLECTOR_AWAY_DAYS * 1000
    assert numbers[1000]["max_queued_messages"] > games
    assert numbers[1000]["max_queued_bytes"] > 1700 * games
    assert numbers[1000]["max_connections"] > 2 * 1000
    assert numbers[10_000]["max_connections"] < OPEN_FILES
    assert numbers[10_000]["max_queued_bytes"] < 2**31  # which is what Mosquitto can count
    assert numbers[1000]["memory_limit"] == 2 * numbers[1000]["max_queued_bytes"]


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (1000, ""),
        (1001, "One broker was measured with 1,000 tables, not with 1,001"),
        (3000, "3,000 tables are too many for one broker: their messages to a collector"),
    ],
)
def test_what_one_broker_cannot_serve_is_said(tables: int, said: str) -> None:
    found = command.limits_of(tables)
    assert said in found
    assert bool(found) == bool(said)


CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBdzCCAR2gAwIBAgIUJDahvPN938UwnSUwg7acLB0Hi1owCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFaG91c2UwIBcNMjYxMTI0MTc1MTA2WhgPMjEyNjEwMzExNzUx
MDZaMBAxDjAMBgNVBAMMBWhvdXNlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
yO3VUB/kEZsayJeIbEFQUQvxKU49dhlGK/fEZ2CxdKmNkWUhTdercqW/Nz8bMU8n
8SkJn6ckHl3dsmYtQbZbT6NTMFEwHQYDVR0OBBYEFAnGJmlX4ZGcM+GAgc/jE4Js
P7eGMB8GA1UdIwQYMBaAFAnGJmlX4ZGcM+GAgc/jE4JsP7eGMA8GA1UdEwEB/wQF
MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgDCAf2KkCfhQ8S5rXPgkE0WqMHFmrcCVc
rUKf/bnNgScCIQDedTXgaTGd/DpisT77jSQJ+eheJy7W1xp61W/6x8t/Gw==
-----END CERTIFICATE-----
"""
