"""The settings of the first boot: what they set, and what is said of those that cannot be used."""

import os
import re
import subprocess
import tomllib
from collections.abc import Callable
from configparser import ConfigParser
from fnmatch import fnmatchcase
from importlib import resources
from pathlib import Path

import pytest
from needs_root import needs_root
from small_system import ALL, System

from pi_table import cli
from pi_table.common import config as config_files
from pi_table.maintenance.first_boot import places, wifi
from pi_table.maintenance.first_boot.settings import Settings, Wifi
from pi_table.table.backups.finishing import READY
from pi_table.table.engine.storage.house_files import PinFile

Apply = Callable[[str], int]


def test_everything_that_can_be_set_is_set(system: System, apply: Apply) -> None:
    assert apply(ALL) == 0
    assert system.text("etc/hostname") == "window\n"
    assert system.text("etc/hosts") == (
        "127.0.0.1\tlocalhost\n127.0.1.1\twindow\n::1\tip6-localhost\n"
    )
    assert os.readlink(system.root / "etc/localtime") == "../usr/share/zoneinfo/Europe/Rome"
    assert (system.root / "etc/localtime").read_bytes().startswith(b"TZif")
    assert system.text("etc/timezone") == "Europe/Rome\n"
    assert PinFile(system.root / places.STATE).try_pin("471102")
    assert tomllib.loads(system.text(places.SETTINGS)) == {
        "console": {"language": "it"},
        "bridge": {
            "broker": "mqtts://broker.lan",
            "table": "window",
            "password_file": "/etc/pi-table/bridge/password",
        },
        "house": {
            "volume": 35,
            "quiet_from": "22:30",
            "rules": {"codenames": {"timer": "clock"}},
        },
    }
    assert "regdom=IT" in system.text(places.COUNTRY)
    assert (system.root / places.NO_PAGES).exists()
    said = system.says().splitlines()
    assert said[0] == "Tutto pi-table.toml è stato applicato."  # in the language that was set
    assert said[-1] == "del locale: volume, quiet_from, rules"


def test_the_table_reads_what_was_set_over_its_configuration(
    system: System, apply: Apply, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    settings = system.root / places.SETTINGS
    file.write_text(f'[console]\nlanguage = "en"\n[paths]\nsettings = "{settings}"\n')
    assert config_files.load(file).console.language == "en"
    apply(ALL)
    config = config_files.load(file)
    assert (config.console.language, config.house.volume, config.house.brightness) == (
        "it",
        35,
        100,
    )


def test_the_network_is_kept_for_root_alone_as_it_was_named(system: System, apply: Apply) -> None:
    apply(ALL)
    file = system.root / places.CONNECTION
    assert file.stat().st_mode & 0o777 == 0o600
    parser = ConfigParser(interpolation=None)
    parser.read_string(file.read_text())
    assert parser["wifi"]["ssid"] == "Bar Sport"
    assert parser["wifi-security"]["psk"] == r"one \\ two"


@pytest.mark.parametrize(
    ("ssid", "line"),
    [
        ("Bar Sport", "ssid=Bar Sport"),
        ("12", "ssid=49;50;"),
        ("a;b", "ssid=97;59;98;"),
        (" blank", "ssid=32;98;108;97;110;107;"),
        ("Caffè", "ssid=67;97;102;102;195;168;"),
        ("x", "ssid=x"),
        ("#1", "ssid=35;49;"),
    ],
)
def test_a_network_of_any_name_is_found(ssid: str, line: str) -> None:
    assert line in wifi.connection(Wifi(ssid)).splitlines()
    assert "wifi-security" not in wifi.connection(Wifi(ssid))


def test_a_password_that_begins_with_blanks_keeps_them() -> None:
    assert r"psk=\s\seight ch" in wifi.connection(Wifi("x", "  eight ch")).splitlines()


def test_what_is_not_set_stays_as_it_is(system: System, apply: Apply) -> None:
    before = system.all()
    assert apply("") == 0
    assert system.all() == {**before, places.SETTINGS: (system.root / places.SETTINGS).read_bytes()}


def test_a_second_boot_with_the_same_file_writes_nothing(system: System, apply: Apply) -> None:
    apply(ALL)
    system.again()
    before = {p: p.lstat().st_ino for p in system.top.rglob("*")}
    text = system.says()
    assert system.again() == 0
    assert {p: p.lstat().st_ino for p in system.top.rglob("*")} == before
    assert system.says() == text


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can give a file to somebody")
def test_the_pin_belongs_to_the_tables_own_user(system: System, apply: Apply) -> None:
    apply(ALL)
    for path in (system.root / places.STATE, system.root / places.STATE / "pin.json"):
        assert (path.stat().st_uid, path.stat().st_gid) == (990, 980)
        assert path.stat().st_mode & 0o077 == 0


def test_a_pin_is_taken_over_once_and_its_digits_are_gone_from_the_card(
    system: System, apply: Apply
) -> None:
    system.file.write_text(ALL)
    place = system.file.stat().st_ino
    system.again()
    text = system.file.read_text()
    assert "471102" not in text
    assert len(text) == len(ALL)  # in place: no second copy of the file was made
    assert system.file.stat().st_ino == place
    PinFile(system.root / places.STATE).set("9999")  # on the operator's page
    assert system.again() == 0
    assert PinFile(system.root / places.STATE).try_pin("9999")
    assert "471102" not in system.says()


def test_a_pin_in_the_file_is_the_way_back_in_for_who_forgot_theirs(
    system: System, apply: Apply
) -> None:
    apply('pin = "1111"\n')
    assert apply("  pin='22222222'  # new\n") == 0
    assert PinFile(system.root / places.STATE).try_pin("22222222")
    assert "2222" not in system.file.read_text()


def test_a_file_of_an_editor_on_windows_is_understood(system: System) -> None:
    system.file.write_bytes("\ufeff".encode() + ALL.replace("\n", "\r\n").encode())
    assert system.again() == 0
    assert "471102" not in system.file.read_text()
    assert system.text("etc/hostname") == "window\n"


def test_a_pin_may_stand_on_the_first_line_of_such_a_file(system: System) -> None:
    system.file.write_bytes("\ufeffpin = '471102'\r\n".encode())
    assert system.again() == 0
    assert system.file.read_bytes() == "\ufeff#in = '      '\r\n".encode()
    assert system.again() == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('hostnam = "x"', "Line 1: there is no setting 'hostnam'; did you mean 'hostname'?"),
        ('\n\nhostname = "-x"', "Line 3: hostname cannot be '-x'"),
        ('hostname = "a.b"', "Line 1: hostname cannot be"),
        (f'hostname = "{"a" * 64}"', "Line 1: hostname cannot be"),
        ("hostname = 3", "Line 1: hostname is a text, and goes in quotes"),
        ("hostname = window", "is not TOML"),
        ('language = "italian"', "Line 1: language cannot be 'italian'"),
        ('timezone = "Europe/Roma"', "did you mean 'Europe/Rome'?"),
        ('timezone = "../../etc/passwd"', "knows no such time zone"),
        ('timezone = "Europe"', "knows no such time zone"),
        ("pin = 4711", "Line 1: pin is a text, and goes in quotes"),
        ('pin = "12"', "Line 1: pin is 4 to 8 digits in quotes"),
        ('"pin" = "4711"', "on a line of its own"),
        ("pin = '''4711'''", "on a line of its own"),
        ('pages = "no"', "Line 1: pages is true or false, without quotes"),
        ("wifi = 3", "Line 1: wifi is a section"),
        ("[wifi]\npassword = 'long enough'", "Line 1: [wifi] has no ssid"),
        ('[wifi]\nssid = ""', "Line 2: [wifi] ssid is 1 to 32 bytes long"),
        (f'[wifi]\nssid = "{"é" * 17}"', "Line 2: [wifi] ssid"),
        ('[wifi]\nssid = "a\\nb"', "Line 2: [wifi] ssid"),
        ('[wifi]\nssid = "x"\npassword = "short"', "Line 3: [wifi] password is 8 to 63"),
        ('[wifi]\nssid = "x"\npassword = "éééééééé"', "Line 3: [wifi] password is 8 to 63"),
        ('[wifi]\nssid = "x"\ncountry = "Italy"', "Line 3: [wifi] country cannot be 'Italy'"),
        ('[wifi]\nssid = "x"\nkey = "y"', "Line 3: there is no setting [wifi] 'key'"),
        ("[house]\nvolume = 101", "Line 2: [house] volume"),
        ("[house]\nvolum = 10", "Line 2: there is no setting [house] 'volum'; did you mean"),
        ("[house]\nrules = { codenames = { x = nan } }", "cannot be stored"),
        ("[house]\nrules = { codenames = { x = 2020-01-01 } }", "cannot be stored"),
        ("x = " + "[" * 2000, "pi-table.toml"),
        ("#" * 40_000, "it is another file"),
    ],
)
def test_what_cannot_be_used_is_told_beside_the_file_and_nothing_changes(
    system: System, apply: Apply, text: str, said: str
) -> None:
    before = system.all()
    assert apply(text) == 2
    assert said in system.says()
    assert system.says().startswith("Nothing of pi-table.toml was applied:")
    assert system.all() == before
    assert system.file.read_text() == text


def test_whoever_wants_the_pages_again_has_them_and_silence_changes_nothing(
    system: System, apply: Apply
) -> None:
    no_pages = system.root / places.NO_PAGES
    assert apply("pages = true") == 0
    assert not no_pages.exists()
    assert apply("pages = false") == 0
    assert apply('hostname = "window"') == 0
    assert no_pages.exists()
    assert apply("pages = true") == 0
    assert not no_pages.exists()


def test_all_that_is_wrong_is_told_at_once(system: System, apply: Apply) -> None:
    assert apply('hostname = "_"\nlanguage = "fr"\n[wifi]\n[house]\nvolume = -1\n') == 2
    english, italian = system.says().split("\r\n\r\n")  # for no language is set
    for text, where in ((english, "Line"), (italian, "Riga")):
        assert [line.split(":")[0] for line in text.splitlines()[1:]] == [
            f"{where} {number}" for number in (1, 2, 3, 5)
        ]


@pytest.mark.parametrize("name", ["pi-table.toml.txt", "Pi-Table.TOML", "PI-TABLE.TOML.TXT"])
def test_a_file_that_windows_shows_under_its_name_is_taken_over(system: System, name: str) -> None:
    system.beside(name).write_text(ALL)
    assert system.again() == 0
    assert f"Tutto {name} è stato applicato." in system.says()
    assert "471102" not in system.beside(name).read_text()
    units = Path(__file__).parents[2] / "systemd"
    patterns = re.findall(
        r"^ConditionPathExistsGlob=\|/boot/firmware/(.+)$",
        (units / "pi-table-settings.service").read_text(),
        re.M,
    )
    for each in (name, system.file.name):
        assert any(fnmatchcase(each, pattern) for pattern in patterns)


@pytest.mark.parametrize("name", ["none.toml", "x" * 300, "a file/below.toml"])
def test_a_file_that_is_not_there_is_told(
    system: System, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    system.beside("a file").write_text("")
    command = ["settings", "check", str(system.beside(name)), "--root", str(system.root)]
    assert cli.main(command) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_namesake_beside_the_file_is_told_not_to_be_read(system: System, apply: Apply) -> None:
    system.beside("pi-table.toml.txt").write_text("pin = '1234'")
    assert apply('hostname = "window"\n') == 0
    assert "pi-table.toml.txt was not read: put its lines into pi-table.toml" in system.says()


def test_a_pin_is_not_taken_from_a_file_that_would_keep_it(
    system: System, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_table.maintenance.first_boot.once.may_be_blanked", lambda file: False)
    before = system.all()
    assert apply('pin = "471102"\n') == 2
    assert "boot partition is not read-only" in system.says()
    assert system.all() == before


def test_a_system_without_the_table_is_told(system: System, apply: Apply) -> None:
    system.write("etc/passwd", "root:x:0:0::/root:/bin/sh\n")
    before = system.all()
    assert apply(ALL) == 2
    assert "There is no user pi-table" in system.says()
    assert system.all() == before


def test_what_cannot_be_written_is_told(system: System, apply: Apply) -> None:
    (system.root / "etc/pi-table").rmdir()
    system.write("etc/pi-table", "a file in the way")
    assert apply('language = "it"') == 1
    assert "Not all of pi-table.toml could be applied" in system.says()


@needs_root("mount a small disk")
def test_a_full_disk_is_told_and_what_was_secret_stays_in_the_file_until_it_is_kept(
    system: System, apply: Apply
) -> None:
    state = system.root / "var/lib/pi-table"
    state.mkdir(exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(state)]).returncode:
        pytest.skip("nobody may mount here")
    try:
        (state / "ballast").write_bytes(bytes(4096))
        assert apply('pin = "471102"') == 1
        assert f"No space left on device: {state}/pin.json" in system.says()
        assert "471102" in system.file.read_text()
        (state / "ballast").unlink()
        assert system.again() == 0
        assert "471102" not in system.file.read_text()
    finally:
        subprocess.run(["umount", "--lazy", str(state)], check=True)


def test_a_file_can_be_checked_beforehand(
    system: System, capsys: pytest.CaptureFixture[str]
) -> None:
    system.file.write_text(ALL)
    before = system.all()
    command = ["settings", "check", str(system.file), "--root", str(system.root)]
    assert cli.main(command) == 0
    assert "Wi-Fi: Bar Sport" in capsys.readouterr().out
    system.file.write_text('langauge = "it"')
    assert cli.main(command) == 2
    assert "did you mean 'language'?" in capsys.readouterr().err
    assert system.all() == before
    assert not system.says_file.exists()


def test_the_example_is_in_order_with_all_of_it_set(system: System, apply: Apply) -> None:
    example = (
        resources.files("pi_table.maintenance.first_boot")
        .joinpath("pi-table.toml")
        .read_text("utf-8")
    )
    assert apply(example) == 0
    settings = re.sub(r"^# (?=[a-z]+(_[a-z]+)? = |\[)", "", example, flags=re.M)
    assert apply(settings) == 0
    assert {*tomllib.loads(settings)} == {*Settings.__struct_fields__}


def test_the_units_look_where_the_files_are() -> None:
    units = Path(__file__).parents[2] / "systemd"
    settings = (units / "pi-table-settings.service").read_text()
    assert "apply /boot/firmware/pi-table.toml\n" in settings
    config = tomllib.loads((units / "package" / "table.toml").read_text())
    assert config["paths"]["settings"] == f"/{places.SETTINGS}"
    restore = (units / "pi-table-restore.service").read_text()
    assert f"ConditionPathExists=/{places.STATE}/{READY}\n" in restore


def test_no_secret_is_said(
    system: System, apply: Apply, capsys: pytest.CaptureFixture[str]
) -> None:
    apply(ALL)
    apply(ALL.replace("471102", "12").replace("one ", "é"))
    said = "".join(capsys.readouterr()) + system.says()
    assert "471102" not in said
    assert "two" not in said
