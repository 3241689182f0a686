"""Provisioning: what the folder holds, what stays when it is run again, and what is refused."""

import base64
import errno
import hashlib
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_table import cli
from pi_table.provisioning import passwords
from pi_table.provisioning.rights import KEPT, TOLD, acl
from pi_table.provisioning.users import RESERVED, User

TREE = Path(__file__).parents[2]
BROKER = ("--broker", "mqtts://broker.lan")
USERS = tuple(user.value for user in User)

Provision = Callable[..., int]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "fleet"


@pytest.fixture
def provision(folder: Path) -> Provision:
    return lambda *words: cli.main(["provision", "--out", str(folder), *words])


def password_of(folder: Path, table: str) -> str:
    text = (folder / "tables" / table / "pi-table.toml").read_text()
    password: str = tomllib.loads(text)["bridge"]["password"]
    return password


def lines_of(folder: Path) -> dict[str, str]:
    """The lines of the broker's file of passwords, by user."""
    return passwords.read((folder / "broker/passwords").read_text(), "passwords")


def opens(line: str, password: str) -> bool:
    """Is this the password of a line, reckoned anew?"""
    _, method, rounds, salt, made = line.split(":", 1)[1].split("$")
    assert (method, len(base64.b64decode(salt))) == ("7", 12)
    found = hashlib.pbkdf2_hmac("sha512", password.encode(), base64.b64decode(salt), int(rounds))
    return found == base64.b64decode(made)


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
        assert opens(lines_of(folder)[name], password)
    assert password_of(folder, "window") != password_of(folder, "door")
    salts = {line.split("$")[3] for line in lines_of(folder).values()}
    assert len(salts) == len(lines_of(folder))


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
    assert {*lines_of(folder)} == {*USERS, *names}


def test_the_users_that_are_no_tables_have_a_password_on_the_first_line(
    folder: Path, provision: Provision
) -> None:
    provision("window", *BROKER)
    for user in USERS:
        lines = (folder / "users" / user).read_text().splitlines()
        assert opens(lines_of(folder)[user], lines[0])


def test_files_with_secrets_are_their_owners_alone(folder: Path, provision: Provision) -> None:
    provision("window", *BROKER)
    secret = {folder / "broker/passwords", folder / "tables/window/pi-table.toml"}
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
    assert "with the password they had: collector, home-assistant, operator, window\n" in said
    after = all_of(folder)
    assert after.pop("broker/passwords").startswith(before.pop("broker/passwords"))
    assert {name: after[name] for name in before} == before
    assert {*after} - {*before} == {"tables/door/pi-table.toml"}


def test_a_table_whose_file_was_put_away_keeps_its_password(
    folder: Path, provision: Provision
) -> None:
    provision("window", *BROKER)
    before = lines_of(folder)
    (folder / "tables/window/pi-table.toml").unlink()
    assert provision("window", "door", *BROKER) == 0
    assert lines_of(folder)["window"] == before["window"]
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
    assert "window" not in lines_of(folder)
    assert not (folder / "tables/window").exists()
    assert all_of(folder).items() <= before.items() | {
        ("broker/passwords", (folder / "broker/passwords").read_bytes())
    }


def test_a_table_whose_password_cannot_be_taken_away_is_not_revoked(
    folder: Path, provision: Provision, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next run would take the password that is left up again."""

    def broken(path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    provision("window", *BROKER)
    before = all_of(folder)
    monkeypatch.setattr("pi_table.provisioning.provision.remove", broken)
    assert provision("--revoke", "window") != 0
    assert all_of(folder) == before


def test_a_table_that_is_revoked_and_named_gets_another_password(
    folder: Path, provision: Provision
) -> None:
    provision("window", "door", *BROKER)
    old, door = password_of(folder, "window"), lines_of(folder)["door"]
    assert provision("window", "--revoke", "window", *BROKER) == 0
    new = password_of(folder, "window")
    assert new != old
    assert opens(lines_of(folder)["window"], new)
    assert lines_of(folder)["door"] == door


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
    assert opens(lines_of(folder)["operator"], new.strip())


def test_who_signs_for_the_broker_lies_beside_each_tables_settings(
    folder: Path, provision: Provision, tmp_path: Path
) -> None:
    (tmp_path / "ca.pem").write_text(CERTIFICATE)
    assert provision("window", *BROKER, "--ca", str(tmp_path / "ca.pem")) == 0
    assert (folder / "tables/window/pi-table-ca.pem").read_text() == CERTIFICATE
    assert provision("--revoke", "window") == 0
    assert not (folder / "tables/window").exists()


@pytest.mark.parametrize("name", ["acl", "mosquitto.conf"])
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
    assert {*lines_of(folder)} == {*USERS, "window", "door"}


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
            ((name, *BROKER), f"'{name}' cannot be a table: its name is another")
            for name in RESERVED
        ),
        (("Window", *BROKER), "'Window' cannot be a table: its name is 1 to 40"),
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
        (("window", "--broker", "broker.lan"), "The broker's address is an address such as"),
        (("window", "--broker", "mqtts://u:p@b"), "The broker's address is an address such as"),
        (("window", *BROKER, "--prefix", "a/#"), "The prefix of topics is 1 to 4 levels"),
        (("window", *BROKER, "--home-assistant", "a b"), "Home Assistant's prefix is 1 to 4"),
        (("window", *BROKER, "--at", "here"), "The broker's folder is a path such as"),
        (("window", *BROKER, "--at", "/a\nuser b"), "The broker's folder is a path such as"),
        (("window", *BROKER, "--ca", "/nowhere"), "/nowhere cannot be read"),
        (("window", *BROKER, "--ca", "/dev/null"), "The file of --ca is no certificate"),
        (("--count", "10000", "window", *BROKER), "A broker has 10,000 tables at most"),
        (("window", *BROKER, "--revoke", "door"), "passwords has no user door"),
        (("window", *BROKER, "--revoke", "window"), "passwords has no user window"),
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


@pytest.mark.parametrize("text", ["window:secret\n", "no user\n", "window:$7$101$a$b\n\n"])
def test_a_file_of_passwords_that_is_another_one_is_left_alone(
    folder: Path, provision: Provision, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (folder / "broker").mkdir(parents=True)
    (folder / "broker/passwords").write_text(text)
    assert provision("door", *BROKER) == 2
    assert "is no user with a hashed password" in capsys.readouterr().err
    assert all_of(folder) == {"broker/passwords": text.encode()}


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
    page = (TREE / "pi_table/bridge/README.md").read_text()
    rows = re.findall(r"^\| `PREFIX/TABLE/(\w+)` \| ([^|]+) \|", page, re.MULTILINE)
    assert {name for name, _ in rows} == {*TOLD}
    assert {name for name, kept in rows if kept != "no"} == {*KEPT}


def test_the_readme_shows_the_rights_as_they_are() -> None:
    page = (TREE / "pi_table/provisioning/README.md").read_text()
    assert re.findall(r"^```acl\n(.*?)^```$", page, re.DOTALL | re.MULTILINE) == [
        acl("pi-table", "homeassistant")
    ]


def test_without_home_assistant_nobody_has_a_right_to_its_topics() -> None:
    assert "homeassistant" in acl("pi-table", "homeassistant")
    assert "device" not in acl("pi-table", "")


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
