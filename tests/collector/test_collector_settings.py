"""The file of the collector's settings: what it may hold, and the sentence for what it may not."""

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_table.cli import main
from pi_table.common.errors import InputError
from pi_table.fleet.collector.opening import open_database
from pi_table.fleet.collector.report import check_pictures
from pi_table.fleet.collector.settings import load

ROOT = Path(__file__).parents[2]
BOTH = 'broker = "mqtts://broker.lan"\ndatabase = "sqlite:///var/lib/games.sqlite"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "collector.toml"
    path.write_text(text)
    return path


def test_a_broker_and_a_database_are_enough(tmp_path: Path) -> None:
    settings = load(written(tmp_path, BOTH))
    assert (settings.host, settings.port, settings.uses_tls) == ("broker.lan", 8883, True)
    assert (settings.prefix, settings.username) == ("pi-table", "collector")
    assert settings.password() is None


@pytest.mark.parametrize(
    ("broker", "place"),
    [
        ("mqtt://10.0.0.1", ("10.0.0.1", 1883)),
        ("mqtts://broker.lan:8884", ("broker.lan", 8884)),
        ("mqtts://[fd00::1]:1234", ("fd00::1", 1234)),
    ],
)
def test_a_broker_is_a_name_or_an_address(
    tmp_path: Path, broker: str, place: tuple[str, int]
) -> None:
    settings = load(written(tmp_path, BOTH.replace("mqtts://broker.lan", broker)))
    assert (settings.host, settings.port) == place


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("= 3", "are not TOML"),
        ("", "'broker' is missing"),
        ('broker = "mqtts://broker.lan"', "'database' is missing"),
        (BOTH + 'databse = "x"', "no key 'databse'; did you mean 'database'?"),
        (BOTH + "[collector]", "no key 'collector'; choose one of: broker, database"),
        (BOTH + "ca = 3", "a value is not valid"),
        (BOTH + 'prefix = "a/#"', "a value is not valid"),
        (BOTH + 'prefix = ["a", "b/+"]', "a value is not valid"),
        (BOTH + "prefix = []", "a value is not valid"),
        (BOTH.replace("mqtts", "http"), "a value is not valid"),
        (BOTH.replace("broker.lan", "broker.lan:99999"), "broker cannot be"),
        (BOTH.replace("broker.lan", ":1883"), "broker cannot be"),
        (BOTH.replace("sqlite:", "oracle:"), "write postgresql://HOST/NAME"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        load(written(tmp_path, text))
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("prefix", "prefixes"),
    [('"pi-table"', ("pi-table",)), ('["a/b", "c"]', ("a/b", "c"))],
)
def test_there_may_be_several_prefixes(
    tmp_path: Path, prefix: str, prefixes: tuple[str, ...]
) -> None:
    assert load(written(tmp_path, f"{BOTH}prefix = {prefix}\n")).prefixes == prefixes


def test_the_password_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    path = written(tmp_path, f'{BOTH}password_file = "{secret}"\n')
    with pytest.raises(InputError, match=r"password cannot be read: No such file"):
        load(path).password()
    secret.write_text("\n")
    with pytest.raises(InputError, match="no password on its first line"):
        load(path).password()
    secret.write_text("open sesame\nand more\n")
    assert load(path).password() == "open sesame"


def test_certificates_that_cannot_be_used_are_told_by_their_keys(tmp_path: Path) -> None:
    none = tmp_path / "none.pem"
    for key in ("ca", "certificate"):
        settings = load(written(tmp_path, f'{BOTH}{key} = "{none}"\n'))
        with pytest.raises(InputError, match=f"file of {key}"):
            settings.tls_context()


def test_the_command_says_what_is_wrong_with_its_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "brokr = 1")
    assert main(["collect", "--config", str(path)]) == 2
    assert "did you mean 'broker'?" in capsys.readouterr().err


def test_a_report_begins_before_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    dates = ["--since", "2026-11-02", "--until", "2026-11-01"]
    assert main(["collect", "report", "--database", "sqlite:///none.sqlite", *dates]) == 2
    assert "cannot be before the first" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("library", "asked"),
    [
        ("psycopg", lambda: open_database("postgresql:///games")),
        ("matplotlib", check_pictures),
    ],
)
def test_a_library_that_is_missing_is_named_with_the_command_that_brings_it(
    monkeypatch: pytest.MonkeyPatch, library: str, asked: Callable[[], object]
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, "pi_table.fleet.collector.postgres", raising=False)
    with pytest.raises(InputError) as refused:
        asked()
    (wanted,) = re.findall(f"{sys.executable} -m pip install (.+)\\.$", str(refused.value))
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = extras["optional-dependencies"]["collector"]
    assert wanted.strip("'") in [each.partition(">")[0] for each in needed]
