"""Provisioning: what the folder holds, what stays when it is run again, and what is refused."""

import base64
import errno
import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from old_folder import RIGHTS, make_old_folder

from pi_table import cli
from pi_table.fleet.absence import COLLECTOR_AWAY_DAYS
from pi_table.fleet.collector.subscription import AT_BROKER, DROPPED
from pi_table.fleet.provisioning import command, dynamic_security
from pi_table.fleet.provisioning.broker_files import OPEN_FILES, configuration, room_for
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

Provision = Callable[..., int]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "fleet"


@pytest.fixture
def provision(folder: Path) -> Provision:
    return lambda *words: cli.main(["provision", "--out", str(folder), *words])


def settings_of(folder: Path, table: str) -> dict[str, str]:
    text = (folder / "tables" / table / "pi-table.toml").read_text()
    found: dict[str, str] = tomllib.loads(text)["bridge"]
    return found


def password_of(folder: Path, table: str) -> str:
    return settings_of(folder, table)["password"]


def roles_of(folder: Path) -> dict[str, set[tuple[str, str]]]:
    """What each role may, and in which topics."""
    found = json.loads((folder / SECURITY).read_text())["roles"]
    return {
        role["rolename"]: {(right["acltype"], right["topic"]) for right in role["acls"]}
        for role in found
    }


def security_of(folder: Path) -> dynamic_security.Security:
    return dynamic_security.read((folder / SECURITY).read_text(), SECURITY)


def hashes_of(folder: Path) -> dict[str, Hash]:
    """The hash of the password of each user of the broker."""
    return {name: account.password for name, account in security_of(folder).accounts.items()}


def opens(hashed: Hash, password: str) -> bool:
    """True if this password has this hash, computed here once more."""
    salt, made = (base64.b64decode(each) for each in (hashed.salt, hashed.password))
    assert len(salt) == 12
    return hashlib.pbkdf2_hmac("sha512", password.encode(), salt, hashed.iterations) == made


def all_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_each_table_gets_a_file_for_its_boot_partition(folder: Path, provision: Provision) -> None:
    assert provision("window", "door", *BROKER, "--prefix", "bar/tables") == 0
    for name in ("window", "door"):
        text = (folder / "tables" / name / "pi-table.toml").read_text()
        told = tomllib.loads(text)["bridge"]
        password = told.pop("password")
        assert told == {"broker": BROKER[1], "table": name, "prefix": "bar/tables"}
        assert re.fullmatch(r"[\w-]{32}", password, re.ASCII)
        assert opens(hashes_of(folder)[name], password)
    assert password_of(folder, "window") != password_of(folder, "door")
    salts = {hashed.salt for hashed in hashes_of(folder).values()}
    assert len(salts) == len(hashes_of(folder))


def test_what_it_writes_for_a_table_is_taken_over_by_one(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str]
) -> None:
    provision("window", *BROKER)
    file = folder / "tables/window/pi-table.toml"
    assert cli.main(["settings", "check", str(file)]) == 0
    assert "table among many: window\nbroker: mqtts://broker.lan" in capsys.readouterr().out


def test_tables_can_be_counted(folder: Path, provision: Provision) -> None:
    provision("door", "--count", "3", "--named", "bar", *BROKER)
    names = {"door", "bar-1", "bar-2", "bar-3"}
    assert {each.name for each in (folder / "tables").iterdir()} == names
    assert {*hashes_of(folder)} == {*USERS, *names}


def test_the_users_that_are_no_tables_have_a_password_on_the_first_line(
    folder: Path, provision: Provision
) -> None:
    provision("window", *BROKER)
    for user in USERS:
        lines = (folder / "users" / user).read_text().splitlines()
        assert opens(hashes_of(folder)[user], lines[0])


def test_files_with_secrets_are_their_owners_alone(folder: Path, provision: Provision) -> None:
    provision("window", *BROKER)
    secret = {folder / SECURITY, folder / "tables/window/pi-table.toml"}
    secret |= {folder / "users" / user for user in USERS}
    for path in folder.rglob("*"):
        if path.is_file():
            assert path.stat().st_mode & 0o777 == (0o600 if path in secret else 0o644), path
    assert folder.stat().st_mode & 0o777 == 0o700


def test_another_run_adds_tables_and_leaves_those_that_are_there(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str]
) -> None:
    provision("window", *BROKER)
    before = all_of(folder)
    capsys.readouterr()
    assert provision("window", "door", *BROKER) == 0
    said = capsys.readouterr().out
    assert "new: door\n" in said
    assert f"with the password they had: {', '.join(USERS)}, window\n" in said
    after = all_of(folder)
    hashes = hashes_of(folder)
    assert {*hashes} == {*USERS, "window", "door"}
    (folder / SECURITY).write_bytes(before.pop(SECURITY))
    after.pop(SECURITY)
    assert hashes_of(folder).items() <= hashes.items()
    assert {name: after[name] for name in before} == before
    assert {*after} - {*before} == {"tables/door/pi-table.toml"}


def test_a_table_whose_file_was_put_away_keeps_its_password(
    folder: Path, provision: Provision
) -> None:
    provision("window", *BROKER)
    before = hashes_of(folder)
    (folder / "tables/window/pi-table.toml").unlink()
    assert provision("window", "door", *BROKER) == 0
    assert hashes_of(folder)["window"] == before["window"]
    assert not (folder / "tables/window/pi-table.toml").exists()


def test_the_same_run_again_changes_nothing(folder: Path, provision: Provision) -> None:
    provision("window", *BROKER)
    before = {path: path.stat().st_ino for path in folder.rglob("*")}
    assert provision("window", *BROKER) == 0
    assert {path: path.stat().st_ino for path in folder.rglob("*")} == before


def test_a_table_that_is_revoked_is_gone(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str]
) -> None:
    provision("window", "door", *BROKER)
    before = all_of(folder)
    capsys.readouterr()
    assert provision("--revoke", "window") == 0
    assert "taken away: window" in capsys.readouterr().out
    assert "window" not in hashes_of(folder)
    assert not (folder / "tables/window").exists()
    assert all_of(folder).items() <= before.items() | {(SECURITY, (folder / SECURITY).read_bytes())}


def test_a_table_whose_password_cannot_be_taken_away_is_not_revoked(
    folder: Path, provision: Provision, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next run would take the password that is left up again."""

    def broken(path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    provision("window", *BROKER)
    before = all_of(folder)
    monkeypatch.setattr("pi_table.fleet.provisioning.provision.remove", broken)
    assert provision("--revoke", "window") != 0
    assert all_of(folder) == before


def test_a_table_that_is_revoked_and_named_gets_another_password(
    folder: Path, provision: Provision
) -> None:
    provision("window", "door", *BROKER)
    old, door = password_of(folder, "window"), hashes_of(folder)["door"]
    assert provision("window", "--revoke", "window", *BROKER) == 0
    new = password_of(folder, "window")
    assert new != old
    assert opens(hashes_of(folder)["window"], new)
    assert hashes_of(folder)["door"] == door


def test_folders_and_what_a_power_cut_left_are_nobody_elses(
    folder: Path, provision: Provision
) -> None:
    folder.mkdir(mode=0o755)
    provision("window", "door", *BROKER)
    for path in folder.rglob("*"):
        if path.is_dir():
            assert path.stat().st_mode & 0o777 == 0o700, path
    (folder / "tables/window/.pi-table.toml.new").write_text("half of a password")
    assert provision("--revoke", "window") == 0
    assert not (folder / "tables/window").exists()


def test_a_user_that_is_no_table_can_get_another_password(
    folder: Path, provision: Provision
) -> None:
    provision("window", *BROKER)
    old = (folder / "users/operator").read_text()
    assert provision("--revoke", "operator") == 0
    new = (folder / "users/operator").read_text()
    assert new != old
    assert opens(hashes_of(folder)["operator"], new.strip())


def test_who_signs_for_the_broker_lies_beside_each_tables_settings(
    folder: Path, provision: Provision, tmp_path: Path
) -> None:
    (tmp_path / "ca.pem").write_text(CERTIFICATE)
    assert provision("window", *BROKER, "--ca", str(tmp_path / "ca.pem")) == 0
    assert (folder / "tables/window/pi-table-ca.pem").read_text() == CERTIFICATE
    assert provision("--revoke", "window") == 0
    assert not (folder / "tables/window").exists()


@pytest.mark.parametrize("name", ["mosquitto.conf", "mosquitto-service.conf"])
def test_nothing_that_was_changed_by_hand_is_overwritten_in_silence(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    provision("window", *BROKER)
    file = folder / "broker" / name
    file.write_text(file.read_text() + "# by hand\n")
    before = all_of(folder)
    assert provision("door", *BROKER) == 2
    assert f"{file} is not as it would be written now" in capsys.readouterr().err
    assert all_of(folder) == before
    assert provision("door", *BROKER, "--replace") == 0
    assert "by hand" not in file.read_text()
    assert {*hashes_of(folder)} == {*USERS, "window", "door"}


def test_a_folder_for_another_prefix_or_broker_is_told(folder: Path, provision: Provision) -> None:
    provision("window", *BROKER)
    before = all_of(folder)
    assert provision("door", *BROKER, "--prefix", "other") == 2
    assert provision("door", "--broker", "mqtts://broker.lan:8884") == 2
    assert provision("door", "--broker", "mqtts://other.lan") == 2
    assert provision("door", *BROKER, "--at", "/srv/broker") == 2
    assert provision("door", *BROKER, "--home-assistant", "") == 2
    assert all_of(folder) == before


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
        (("window",), "Say --broker"),
        ((), "Say --broker"),
        (("window", "--broker", "mqtt://broker.lan"), "passwords do not go in the open"),
        (("window", "--broker", "broker.lan"), "The broker's address must be an address such as"),
        (
            ("window", "--broker", "mqtts://u:p@b"),
            "The broker's address must be an address such as",
        ),
        (("window", *BROKER, "--prefix", "a/#"), "The prefix of topics must be 1 to 4 levels"),
        (("window", *BROKER, "--home-assistant", "a b"), "Home Assistant's prefix must be 1 to 4"),
        (("window", *BROKER, "--at", "here"), "The broker's folder must be a path such as"),
        (("window", *BROKER, "--at", "/a\nuser b"), "The broker's folder must be a path such as"),
        (("window", *BROKER, "--ca", "/nowhere"), "/nowhere cannot be read"),
        (("window", *BROKER, "--ca", "/dev/null"), "The file of --ca is no certificate"),
        (("--count", "10000", "window", *BROKER), "A broker has 10,000 tables at most"),
        (("window", *BROKER, "--revoke", "door"), "dynamic-security.json has no user door"),
        (("window", *BROKER, "--revoke", "window"), "dynamic-security.json has no user window"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(
    folder: Path,
    provision: Provision,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
) -> None:
    assert provision(*words) == 2
    assert said in capsys.readouterr().err
    assert not folder.exists()


def test_all_that_is_wrong_is_told_at_once(
    provision: Provision, capsys: pytest.CaptureFixture[str]
) -> None:
    assert provision("all", "B", "--prefix", "+", "--broker", "x") == 2
    assert len(capsys.readouterr().err.splitlines()) == 4


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"clients": [], "roles": []}', '{"clients": 5, "roles": []}']
)
def test_a_file_of_users_that_is_another_one_is_left_alone(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (folder / "broker").mkdir(parents=True)
    (folder / SECURITY).write_text(text)
    assert provision("door", *BROKER) == 2
    assert f"{folder}/{SECURITY} is not a file of pi-table provision" in capsys.readouterr().err
    assert all_of(folder) == {SECURITY: text.encode()}


def test_users_and_rights_that_were_changed_by_hand_are_told(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str]
) -> None:
    provision("window", *BROKER)
    file = folder / SECURITY
    text = file.read_text()
    for changed in (
        text.replace("pi-table/window/do/#", "pi-table/+/do/#"),
        text.replace('"username":"window"', '"username":"door"'),
        text.replace('"rolename":"table-window"}', '"rolename":"admin"}'),
        text.replace('"subscribe":false', '"subscribe":true'),
    ):
        assert changed != text
        file.write_text(changed)
        before = all_of(folder)
        assert provision("door", *BROKER) == 2
        assert provision("--revoke", "collector") == 2
        assert f"{file} is not as it would be written now" in capsys.readouterr().err
        assert all_of(folder) == before


def test_a_settings_file_without_the_tables_password_is_told(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str]
) -> None:
    place = folder / "tables/window/pi-table.toml"
    place.parent.mkdir(parents=True)
    place.write_text('[bridge]\ntable = "door"\npassword = "somebody-elses"\n')
    before = all_of(folder)
    assert provision("window", *BROKER) == 2
    assert "has no password of the table window" in capsys.readouterr().err
    assert all_of(folder) == before


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


def test_without_home_assistant_nobody_has_a_right_to_its_topics(
    folder: Path, provision: Provision
) -> None:
    provision("window", *BROKER)
    assert "homeassistant" in (folder / SECURITY).read_text()
    folder.rename(folder.with_name("other"))
    provision("window", *BROKER, "--home-assistant", "")
    assert "/device/" not in (folder / SECURITY).read_text()
    assert provision("window", *BROKER, "--home-assistant", "") == 0


# Bars


def test_a_table_of_a_bar_has_the_bar_in_its_topics(folder: Path, provision: Provision) -> None:
    assert provision("window", *BROKER, "--prefix", "chain", "--bar", "north") == 0
    assert provision("door", *BROKER, "--prefix", "chain") == 0
    assert settings_of(folder, "window")["prefix"] == "chain/north"
    assert settings_of(folder, "door")["prefix"] == "chain"
    roles = roles_of(folder)
    assert {topic for _, topic in roles["table-window"]} == {
        *(f"chain/north/window/{what}" for what in (*TOLD, "do/#")),
        "homeassistant/device/window/config",
    }
    assert {topic for _, topic in roles["tables-north"]} == {"chain/north/all/do/#"}
    assert ("publishClientReceive", "chain/+/+/record") in roles["collector"]


def test_users_of_a_bar_see_its_tables_alone(folder: Path, provision: Provision) -> None:
    bar = ("--bar", "north")
    assert provision("window", *BROKER, *bar, "--home-assistant-user", "north-home") == 0
    assert provision("door", *BROKER, "--operator", "boss", "--collector", "backup") == 0
    assert provision(*BROKER, *bar, "--operator", "north-staff", "--collector", "north-games") == 0
    assert {name: user.user for name, user in security_of(folder).accounts.items()} == {
        **ALWAYS,
        "window": User(Kind.TABLE, "north"),
        "door": User(Kind.TABLE),
        "north-home": User(Kind.HOME_ASSISTANT, "north"),
        "north-staff": User(Kind.OPERATOR, "north"),
        "north-games": User(Kind.COLLECTOR, "north"),
        "boss": User(Kind.OPERATOR),
        "backup": User(Kind.COLLECTOR),
    }
    roles = roles_of(folder)
    for kind in ("home-assistant", "operator", "collector"):
        topics = {topic for may, topic in roles[f"{kind}-north"] if may != "subscribePattern"}
        discovery = {"homeassistant/device/window/config"} - {kind == "collector" or ""}
        others = {topic for topic in topics if not topic.startswith("pi-table/north/")}
        assert others <= {*discovery, *OF_THE_BROKER}
    for user in ("north-home", "boss"):
        password = (folder / "users" / user).read_text().strip()
        assert opens(hashes_of(folder)[user], password)


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
def test_a_name_is_one_users_over_all_bars(
    folder: Path,
    provision: Provision,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    said: str,
) -> None:
    provision("window", *BROKER, "--bar", "north")
    provision("door", *BROKER, "--collector", "backup")
    before = all_of(folder)
    assert provision(*words, *BROKER) == 2
    assert said in capsys.readouterr().err
    assert all_of(folder) == before


def test_a_table_moves_to_another_bar_with_another_password(
    folder: Path, provision: Provision
) -> None:
    provision("window", *BROKER, "--bar", "north")
    old = password_of(folder, "window")
    assert provision("window", *BROKER, "--bar", "south", "--revoke", "window") == 0
    assert security_of(folder).accounts["window"].user == User(Kind.TABLE, "south")
    assert settings_of(folder, "window")["prefix"] == "pi-table/south"
    assert password_of(folder, "window") != old


def test_a_further_user_can_be_taken_away(folder: Path, provision: Provision) -> None:
    provision("window", *BROKER, "--collector", "backup")
    assert provision("--revoke", "backup") == 0
    assert "backup" not in hashes_of(folder)
    assert not (folder / "users/backup").exists()


# A folder of 0.8


@pytest.fixture
def old(folder: Path) -> dict[str, Hash]:
    """A folder of 0.8, with the tables window and door; the hashes of its passwords."""
    return make_old_folder(folder, "window", "door", *BROKER)


@pytest.mark.parametrize("words", [(), ("window", "door"), ("garden",)])
def test_an_old_folder_is_carried_over_and_no_table_needs_another_password(
    folder: Path,
    provision: Provision,
    old: dict[str, Hash],
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
) -> None:
    before = all_of(folder)
    assert provision(*words, *BROKER) == 0
    assert "rights in a new form" in capsys.readouterr().out
    assert old.items() <= hashes_of(folder).items()
    assert opens(hashes_of(folder)["window"], password_of(folder, "window"))
    assert {each.name for each in (folder / "broker").iterdir()} == {
        *("dynamic-security.json", "mosquitto.conf", "mosquitto.conf.old"),
        "mosquitto-service.conf",
    }
    assert all_of(folder)["broker/mosquitto.conf.old"] == before["broker/mosquitto.conf"]
    assert provision(*words, *BROKER) == 0
    assert "new form" not in capsys.readouterr().out


def test_a_table_of_an_old_folder_is_revoked_as_it_is_carried_over(
    folder: Path, provision: Provision, old: dict[str, Hash]
) -> None:
    assert provision("--revoke", "window", *BROKER) == 0
    assert {*hashes_of(folder)} == {*USERS, "door"}
    assert not (folder / "tables/window").exists()


@pytest.mark.parametrize(
    ("added", "words", "said"),
    [
        ("", ("--revoke", "window"), "passwords is of an older pi-table. Say --broker"),
        ("", ("door", *BROKER, "--prefix", "x"), "acl is for another prefix"),
        ("", ("door", *BROKER, "--home-assistant", ""), "acl is for another prefix"),
        ("", ("door", *BROKER, "--home-assistant", "x"), "acl is for another prefix"),
        ("user backup\n", ("door", *BROKER), "acl has users that were added by hand: backup."),
    ],
)
def test_an_old_folder_is_not_carried_over_by_guesses(
    folder: Path,
    provision: Provision,
    old: dict[str, Hash],
    capsys: pytest.CaptureFixture[str],
    added: str,
    words: tuple[str, ...],
    said: str,
) -> None:
    (folder / "broker/acl").write_text(RIGHTS + added)
    before = all_of(folder)
    assert provision(*words) == 2
    assert said in capsys.readouterr().err
    assert all_of(folder) == before


def test_a_user_that_was_added_by_hand_is_carried_over_by_its_name(
    folder: Path, provision: Provision, old: dict[str, Hash]
) -> None:
    (folder / "broker/acl").write_text(f"{RIGHTS}user backup\n")
    with (folder / "broker/passwords").open("a") as file:
        file.write("backup:$7$101$c2FsdA==$aGFzaA==\n")
    assert provision(*BROKER, "--collector", "backup") == 0
    assert security_of(folder).accounts["backup"].user == User(Kind.COLLECTOR)
    assert hashes_of(folder)["backup"] == Hash("aGFzaA==", "c2FsdA==", 101)


@pytest.mark.parametrize("text", ["window:secret\n", "no user\n", "window:$7$101$a$b\n\n"])
def test_an_old_file_of_passwords_that_is_another_one_is_left_alone(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (folder / "broker").mkdir(parents=True)
    (folder / "broker/passwords").write_text(text)
    assert provision("door", *BROKER) == 2
    assert "is no user with a hashed password" in capsys.readouterr().err
    assert all_of(folder) == {"broker/passwords": text.encode()}


# The size of the broker


def test_the_broker_is_sized_by_its_tables(folder: Path, provision: Provision) -> None:
    numbers = {}
    for tables in (1, 100, 101, 1000, 10_000):
        text = configuration(BROKER[1], PurePosixPath("/etc"), room_for(tables))
        numbers[tables] = {key: int(n) for key, n in re.findall(r"^(\w+) (\d+)$", text, re.M)}
    provision("window", *BROKER, "--at", "/etc")
    expected = configuration(BROKER[1], PurePosixPath("/etc"), room_for(1))
    assert (folder / "broker/mosquitto.conf").read_text() == expected
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
        (3000, "3,000 tables are too many for one broker: what they tell a collector that is away"),
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
