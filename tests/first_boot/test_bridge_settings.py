"""A table among many: what it is told of its broker, and where what is secret of that goes."""

import codecs
import os
import tomllib
from collections.abc import Callable

import pytest
from pem_pairs import pair
from small_system import System

from pi_table import cli
from pi_table.fleet.provisioning.users import RESERVED
from pi_table.maintenance.first_boot import places

PASSWORD = "Kgm8-wq2Zr_tB5xN"
BRIDGE = f"""\
[bridge]
broker = "mqtts://broker.lan"
table = "window"
password = "{PASSWORD}"
"""
ALONE = '[bridge]\nbroker = ""\n'

Apply = Callable[[str], int]


def of_bridge(system: System) -> dict[str, str]:
    """Return the keys of the bridge in the table's configuration."""
    told: dict[str, str] = tomllib.loads(system.text(places.SETTINGS)).get("bridge", {})
    return told


def laid_out(system: System) -> dict[str, str]:
    """The files that lie there for the bridge, with what they hold."""
    folder = system.root / places.BRIDGE
    return {file.name: file.read_text() for file in folder.iterdir()} if folder.is_dir() else {}


def put_pair(system: System, name: str = "window") -> None:
    """Put a certificate and its key on the boot partition, and who signs for the broker."""
    system.beside(places.CA).write_text(pair("house").certificate)
    system.beside(places.CERTIFICATE).write_text(pair(name).certificate)
    system.beside(places.KEY).write_text(pair(name).key)


def test_a_password_goes_where_the_bridge_alone_reads_it(system: System, apply: Apply) -> None:
    assert apply(BRIDGE + 'prefix = "bar/tables"\n') == 0
    assert of_bridge(system) == {
        "broker": "mqtts://broker.lan",
        "table": "window",
        "prefix": "bar/tables",
        "password_file": f"/{places.BRIDGE}/password",
    }
    assert laid_out(system) == {"password": PASSWORD}
    assert "table among many: window\r\nbroker: mqtts://broker.lan" in system.says()


def test_certificates_and_key_go_there_too(system: System, apply: Apply) -> None:
    put_pair(system)
    assert apply(BRIDGE) == 0
    assert laid_out(system) == {
        "password": PASSWORD,
        "ca.pem": pair("house").certificate,
        "certificate.pem": pair("window").certificate,
        "key.pem": pair("window").key,
    }
    told = of_bridge(system)
    for key, name in (("ca", "ca"), ("certificate", "certificate"), ("key", "key")):
        assert told[key] == f"/{places.BRIDGE}/{name}.pem"


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can give a file to somebody")
def test_nobody_but_root_and_the_bridge_reads_what_is_secret(system: System, apply: Apply) -> None:
    put_pair(system)
    apply(BRIDGE)
    folder = system.root / places.BRIDGE
    rights = {folder: 0o750, **dict.fromkeys(folder.iterdir(), 0o640)}
    for path, mode in rights.items():
        found = path.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (0, 981, mode), path
    kept = (system.root / places.BRIDGE_KEPT).stat()
    assert (kept.st_uid, kept.st_gid, kept.st_mode & 0o777) == (0, 0, 0o600)
    state = (system.root / places.STATE).stat()
    assert (state.st_uid, state.st_gid, state.st_mode & 0o777) == (990, 980, 0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can give a file to somebody")
def test_a_new_partition_is_given_to_the_table_before_a_secret_of_roots_lies_there(
    system: System, apply: Apply
) -> None:
    """systemd gives the table all that lies in a folder which is not the table's yet."""
    state = system.root / places.STATE
    state.mkdir(mode=0o755)
    apply(BRIDGE)
    given = state.stat()
    assert (given.st_uid, given.st_gid, given.st_mode & 0o777) == (990, 980, 0o700)
    assert (system.root / places.BRIDGE_KEPT).stat().st_uid == 0
    os.chown(state, 1234, 1234)  # of a table whose users have other numbers, and it stays so
    system.again()
    assert state.stat().st_uid == 1234


def test_no_secret_stands_where_everybody_reads(
    system: System, apply: Apply, capsys: pytest.CaptureFixture[str]
) -> None:
    put_pair(system)
    apply(BRIDGE)
    system.again()
    apply(BRIDGE.replace(PASSWORD, PASSWORD + " "))  # refused
    said = "".join(capsys.readouterr())
    everywhere = system.all() | {"says": system.says().encode(), "said": said.encode()}
    ours = {places.BRIDGE_KEPT, f"{places.BRIDGE}/password", f"{places.BRIDGE}/key.pem"}
    body = pair("window").key.splitlines()[2].encode()
    found = {name for name, text in everywhere.items() if PASSWORD.encode() in text or body in text}
    assert found == ours


def test_what_is_secret_is_gone_from_the_card_and_lasts(system: System, apply: Apply) -> None:
    put_pair(system)
    system.file.write_text(BRIDGE)
    files = (system.file, system.beside(places.KEY))
    in_place = [(file.stat().st_ino, file.stat().st_size) for file in files]
    system.again()
    first = laid_out(system), of_bridge(system)
    card = b"".join(file.read_bytes() for file in system.boot.iterdir())
    assert PASSWORD.encode() not in card
    assert not any(line.encode() in card for line in pair("window").key.splitlines()[1:-1])
    assert pair("window").certificate.encode() in card
    assert system.again() == 0
    assert (laid_out(system), of_bridge(system)) == first
    assert [(file.stat().st_ino, file.stat().st_size) for file in files] == in_place


def test_they_outlive_a_system_that_is_in_memory(system: System, apply: Apply) -> None:
    put_pair(system)
    apply(BRIDGE)
    before = laid_out(system)
    for name in before:
        (system.root / places.BRIDGE / name).unlink()
    (system.root / places.BRIDGE).rmdir()
    (system.root / places.SETTINGS).unlink()
    assert system.again() == 0
    assert laid_out(system) == before


def test_a_second_start_writes_nothing(system: System, apply: Apply) -> None:
    put_pair(system)
    apply(BRIDGE)
    system.again()
    before = {path: path.lstat().st_ino for path in system.top.rglob("*")}
    assert system.again() == 0
    assert {path: path.lstat().st_ino for path in system.top.rglob("*")} == before


def test_the_password_of_the_wi_fi_stays_on_the_card(system: System, apply: Apply) -> None:
    wifi = '[wifi]\nssid = "Bar"\npassword = "the-guests-know-it"\n'
    for text in (wifi + BRIDGE, BRIDGE + wifi):
        assert apply(text) == 0
        assert 'password = "the-guests-know-it"' in system.file.read_text()
        assert PASSWORD not in system.file.read_text()


def test_another_password_below_the_one_that_was_taken_holds(system: System, apply: Apply) -> None:
    apply(BRIDGE)
    with system.file.open("a") as file:
        file.write('password = "another-one"\n')
    assert system.again() == 0
    assert laid_out(system) == {"password": "another-one"}
    assert "another-one" not in system.file.read_text()


def test_a_certificate_of_another_key_than_the_one_that_was_taken_over_is_told(
    system: System, apply: Apply
) -> None:
    put_pair(system)
    apply(BRIDGE)
    before = system.all()
    system.beside(places.CERTIFICATE).write_text(pair("other").certificate)
    assert system.again() == 2
    assert "pi-table-certificate.pem does not belong to the stored key" in system.says()
    assert system.all() == before
    system.beside(places.KEY).write_text(pair("other").key)
    assert system.again() == 0
    assert laid_out(system)["key.pem"] == pair("other").key


@pytest.mark.parametrize("name", [places.CA, places.CERTIFICATE])
def test_what_is_no_certificate_is_told_also_once_the_key_was_taken_over(
    system: System, apply: Apply, name: str
) -> None:
    put_pair(system)
    apply(BRIDGE)
    before = system.all()
    system.beside(name).write_text("nothing")
    assert system.again() == 2
    assert f"{name} is not a PEM certificate" in system.says()
    assert system.all() == before


def test_what_stands_beside_a_certificate_in_its_file_is_no_matter(
    system: System, apply: Apply
) -> None:
    text = f"Subject: CN = Caffè\n{pair('house').certificate}"
    system.beside(places.CA).write_text(text)
    assert apply(BRIDGE) == 0
    assert laid_out(system)["ca.pem"] == text


def test_a_new_certificate_without_a_new_key_keeps_the_key(system: System, apply: Apply) -> None:
    put_pair(system)
    apply(BRIDGE)
    system.beside(places.CA).write_text(pair("another house").certificate)
    assert system.again() == 0
    assert laid_out(system)["ca.pem"] == pair("another house").certificate
    assert laid_out(system)["key.pem"] == pair("window").key


def test_a_table_that_is_alone_again_forgets_its_secrets(system: System, apply: Apply) -> None:
    put_pair(system)
    apply(BRIDGE)
    assert apply(f'{ALONE}password = "{PASSWORD}"\n') == 0
    assert PASSWORD not in system.file.read_text()
    assert "password of the broker" not in system.says()
    assert of_bridge(system) == {"broker": ""}
    assert not (system.root / places.BRIDGE).exists()
    assert not (system.root / places.BRIDGE_KEPT).exists()
    assert "table among many: it is stand-alone" in system.says()


def test_settings_that_name_no_bridge_any_more_start_none_and_forget_nothing(
    system: System, apply: Apply
) -> None:
    put_pair(system)
    apply(BRIDGE)
    before, written = laid_out(system), system.file.read_text()
    assert apply('hostname = "window"\n') == 0
    assert not (system.root / places.BRIDGE).exists()
    assert of_bridge(system) == {}
    assert apply(written) == 0
    assert laid_out(system) == before


def test_a_broker_that_asks_for_nothing_is_named_without_secrets(
    system: System, apply: Apply
) -> None:
    assert apply('[bridge]\nbroker = "mqtt://10.0.0.2"\ntable = "window"\n') == 0
    assert laid_out(system) == {}
    assert (system.root / places.BRIDGE).is_dir()  # by which the bridge starts
    assert apply('hostname = "window"\n') == 0
    assert not (system.root / places.BRIDGE).exists()


def test_a_certificate_waits_while_the_broker_seals_nothing(system: System, apply: Apply) -> None:
    put_pair(system)
    apply(BRIDGE)
    before = laid_out(system)
    system.beside(places.CERTIFICATE).rename(system.beside("away"))
    assert apply(BRIDGE.replace("mqtts", "mqtt")) == 0
    assert {*laid_out(system)} == {"password", "ca.pem"}
    assert {*of_bridge(system)} == {"broker", "table", "password_file", "ca"}
    assert apply(BRIDGE) == 0
    assert laid_out(system) == before


def test_what_somebody_else_put_beside_the_secrets_stays(system: System, apply: Apply) -> None:
    apply(BRIDGE)
    (system.root / places.BRIDGE / "note").write_text("ours")
    apply(ALONE)
    assert laid_out(system) == {"note": "ours"}


def test_settings_without_a_bridge_leave_what_was_laid_out_by_hand(
    system: System, apply: Apply
) -> None:
    (system.root / places.BRIDGE).mkdir()
    (system.root / places.BRIDGE / "password").write_text("by hand")
    assert apply('hostname = "window"\n') == 0
    assert laid_out(system) == {"password": "by hand"}
    assert of_bridge(system) == {}


@pytest.mark.parametrize("damage", [b"", b"{}", b"\0" * 100])
def test_a_damaged_file_of_secrets_is_told_and_mended_by_writing_them_anew(
    system: System, apply: Apply, damage: bytes
) -> None:
    apply(BRIDGE)
    (system.root / places.BRIDGE_KEPT).write_bytes(damage)
    assert system.again() == 0
    assert "No password for the broker is stored" in system.says()
    assert apply(BRIDGE) == 0
    assert "No password" not in system.says()
    assert laid_out(system) == {"password": PASSWORD}


def test_files_of_pem_that_notepad_saved_are_taken_over_and_the_key_is_gone(
    system: System, apply: Apply
) -> None:
    put_pair(system)
    for name in (places.CA, places.CERTIFICATE, places.KEY):
        text = system.beside(name).read_bytes().replace(b"\n", b"\r\n")
        system.beside(name).unlink()
        system.beside(f"{name}.txt").write_bytes(codecs.BOM_UTF8 + text)
    assert apply(BRIDGE) == 0
    assert laid_out(system)["key.pem"] == pair("window").key
    left = system.beside(f"{places.KEY}.txt").read_text()
    assert not any(line in left for line in pair("window").key.splitlines()[1:-1])


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-16", "pi-table-ca.pem, line 1: this is UTF-16 text"),
        ("latin-1", "pi-table-ca.pem, line 2: this is not UTF-8 text"),
    ],
)
def test_a_file_of_pem_in_another_encoding_is_told(
    system: System, apply: Apply, encoding: str, said: str
) -> None:
    text = f"\nSubject: CN = Caffè\n{pair('house').certificate}"
    system.beside(places.CA).write_bytes(text.encode(encoding))
    assert apply(BRIDGE) == 2
    assert said in system.says()


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_of_an_editor_on_windows_is_understood(system: System, line_end: str) -> None:
    system.file.write_bytes("\ufeff".encode() + BRIDGE.replace("\n", line_end).encode())
    assert system.again() == 0
    assert laid_out(system) == {"password": PASSWORD}
    assert PASSWORD.encode() not in system.file.read_bytes()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bridge = 3", "Line 1: bridge is a section"),
        ("[bridge]", "Line 1: [bridge] has no broker"),
        ('[bridge]\nbroker = "mqtts://b"', "Line 1: [bridge] has no table"),
        (BRIDGE.replace("mqtts", "https"), "Line 2: [bridge] broker must be an address such as"),
        (BRIDGE.replace("broker.lan", "broker.lan\\n"), "Line 2: [bridge] broker"),
        (
            BRIDGE.replace("broker.lan", "broker.lan:99999"),
            "Line 2: [bridge] broker must be an address",
        ),
        (
            BRIDGE.replace("broker.lan", "broker.lan:0"),
            "Line 2: [bridge] broker must be an address",
        ),
        (BRIDGE.replace("broker.lan", ":1883"), "Line 2: [bridge] broker must be an address"),
        (BRIDGE.replace("broker.lan", "[::"), "Line 2: [bridge] broker must be an address"),
        (BRIDGE.replace("mqtts", "mqtt"), "pi-table-certificate.pem is for a broker at mqtts://"),
        (BRIDGE.replace('"mqtts://broker.lan"', "1883"), "Line 2: [bridge] broker is a text"),
        (BRIDGE.replace("window", "the/window"), "Line 3: [bridge] table must be 1 to 40"),
        (BRIDGE.replace("window", "+"), "Line 3: [bridge] table must be 1 to 40"),
        (BRIDGE.replace("window", ""), "Line 3: [bridge] table must be 1 to 40"),
        (BRIDGE.replace("window", "window\\n"), "Line 3: [bridge] table must be 1 to 40"),
        (BRIDGE.replace("window", "a" * 41), "Line 3: [bridge] table must be 1 to 40"),
        *(
            (BRIDGE.replace("window", name), "Line 3: [bridge] table must not be one of")
            for name in RESERVED
        ),
        (BRIDGE.replace(PASSWORD, "short"), "Line 4: [bridge] password is 8 to 100"),
        (BRIDGE.replace(PASSWORD, "with a blank"), "Line 4: [bridge] password is 8 to 100"),
        (BRIDGE.replace(PASSWORD, "Caffè-Caffè"), "Line 4: [bridge] password is 8 to 100"),
        (BRIDGE.replace(PASSWORD, "back\\\\slash"), "Line 4: [bridge] password is 8 to 100"),
        (BRIDGE.replace("password", '"password"'), "Line 4: [bridge] password must be on a"),
        (
            BRIDGE.replace('"Kg', '"""Kg').replace('xN"', 'xN"""'),
            "must be on a line of its own",
        ),
        (f'bridge = {{ broker = "mqtt://b", table = "a", password = "{PASSWORD}" }}', "of its own"),
        (
            f'bridge.broker = "mqtt://b"\nbridge.table="a"\nbridge.password = "{PASSWORD}"',
            "its own",
        ),
        (BRIDGE + 'prefix = "a/b/c/d/e"', "Line 5: [bridge] prefix must be 1 to 4 levels"),
        (BRIDGE + 'prefix = "a/+"', "Line 5: [bridge] prefix must be 1 to 4 levels"),
        (BRIDGE + 'pasword = "x"', "Line 5: there is no setting [bridge] 'pasword'; did you mean"),
        (BRIDGE + 'key = "/etc/shadow"', "Line 5: there is no setting [bridge] 'key'"),
    ],
)
def test_what_cannot_be_used_is_told_and_nothing_changes(
    system: System, apply: Apply, text: str, said: str
) -> None:
    put_pair(system)
    before = system.all()
    assert apply(text) == 2
    assert said in system.says()
    assert system.all() == before
    assert system.file.read_text() == text
    assert system.beside(places.KEY).read_text() == pair("window").key


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (places.CA, "", "pi-table-ca.pem is not a PEM certificate"),
        (places.CA, "x" * 17_000, "pi-table-ca.pem has more than 16,384 bytes"),
        (places.CERTIFICATE, "Caffè", "pi-table-certificate.pem is not a PEM certificate"),
        (places.CERTIFICATE, pair("window").key, "pi-table-certificate.pem contains a key"),
        (places.KEY, "nothing", "pi-table-key.pem is not a single PEM key"),
        (places.KEY, pair("window").key * 2, "pi-table-key.pem is not a single PEM key"),
        (places.KEY, pair("other").key, "pi-table-key.pem is not the key of pi-table-certificate"),
        (
            places.KEY,
            pair("window").key.replace("PRIVATE", "ENCRYPTED PRIVATE"),
            "pi-table-key.pem has a password",
        ),
        (places.KEY, None, "pi-table-certificate.pem is of no use alone"),
        (places.CERTIFICATE, None, "pi-table-key.pem is of no use alone"),
    ],
)
def test_files_of_pem_that_cannot_be_used_are_told_and_nothing_changes(
    system: System, apply: Apply, name: str, text: str | None, said: str
) -> None:
    put_pair(system)
    if text is None:
        system.beside(name).unlink()
    else:
        system.beside(name).write_text(text)
    before = system.all()
    assert apply(BRIDGE) == 2
    assert said in system.says()
    assert system.all() == before
    assert system.file.read_text() == BRIDGE


def test_all_that_is_wrong_is_told_at_once_in_both_languages(system: System, apply: Apply) -> None:
    put_pair(system)
    system.beside(places.CA).write_text("nothing")
    system.beside(places.KEY).write_text("nothing")
    assert apply('[wifi]\npassword = "short"\n[bridge]\nbroker = "x"\npassword = "short"\n') == 2
    english, italian = system.says().split("\r\n\r\n")
    assert len(english.splitlines()) == len(italian.splitlines()) == 7
    assert not {*english.splitlines()} & {*italian.splitlines()}
    assert " is " not in italian
    assert "Line 2: [wifi] password" in english
    assert "Line 5: [bridge] password" in english  # each in its own section
    assert "Riga 5: [bridge] password ha da 8 a 100 lettere" in italian


def test_a_key_without_a_bridge_is_told(system: System, apply: Apply) -> None:
    put_pair(system)
    assert apply('hostname = "window"\n') == 2
    assert "pi-table-key.pem is there without [bridge]" in system.says()
    assert system.beside(places.KEY).read_text() == pair("window").key


@pytest.mark.parametrize("name", [places.KEY, "pi-table.toml"])
def test_a_secret_is_not_taken_from_a_file_that_would_keep_it(
    system: System, apply: Apply, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    put_pair(system)
    monkeypatch.setattr(
        "pi_table.maintenance.first_boot.once.may_be_blanked", lambda file: file.name != name
    )
    before = system.all()
    assert apply(BRIDGE) == 2
    assert f"{name} cannot be written" in system.says()
    assert system.all() == before


def test_a_system_without_the_bridges_user_is_told(system: System, apply: Apply) -> None:
    system.write("etc/passwd", "pi-table:x:990:980::/:/bin/false\n")
    before = system.all()
    assert apply(BRIDGE) == 2
    assert "There is no user pi-table-bridge" in system.says()
    assert system.all() == before


def test_a_file_is_checked_beforehand_and_after_it_was_taken_over(
    system: System, apply: Apply, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["settings", "check", str(system.file), "--root", str(system.root)]
    put_pair(system)
    system.file.write_text(BRIDGE)
    before = system.all()
    assert cli.main(command) == 0
    assert "table among many: window\nbroker: mqtts://broker.lan" in capsys.readouterr().out
    assert system.all() == before
    system.again()
    assert cli.main(command) == 0
    system.file.write_text(BRIDGE.replace("window", "all"))
    assert cli.main(command) == 2
