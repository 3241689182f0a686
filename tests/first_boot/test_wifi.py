"""The network of the settings and the country where it is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_system import System

from pi_table import cli
from pi_table.first_boot import places

WIFI = '[wifi]\nssid = "Bar Sport"\npassword = "one two three"\ncountry = "IT"\n'

Apply = Callable[[str], int]


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


@pytest.fixture
def apply(system: System) -> Apply:
    def apply(text: str) -> int:
        system.file.write_text(text)
        return cli.main(["settings", "apply", str(system.file), "--root", str(system.root)])

    return apply


@pytest.mark.parametrize(
    ("country", "meant"),
    [
        *(("UK", "GB"), ("EN", "GB"), ("EL", "GR"), ("it", "IT"), (" IT", "IT")),
        *(("Italy", "IT"), ("ITALY", "IT")),
    ],
)
def test_a_country_that_is_none_is_refused_with_the_one_that_is_meant(
    system: System, apply: Apply, country: str, meant: str
) -> None:
    assert apply(WIFI.replace("IT", country)) == 2
    said = f"Line 4: [wifi] country cannot be {country!r}; did you mean {meant!r}?"
    assert said in system.says()


@pytest.mark.parametrize("country", ["XX", "00", "Atlantis", ""])
def test_a_country_like_no_other_is_refused(system: System, apply: Apply, country: str) -> None:
    assert apply(WIFI.replace("IT", country)) == 2
    assert "it is the two capitals of a country, such as IT." in system.says()


def test_without_a_table_of_countries_two_capitals_are_believed(
    system: System, apply: Apply
) -> None:
    (system.root / places.COUNTRIES).unlink()
    assert apply(WIFI.replace("IT", "XX")) == 0
    assert apply(WIFI.replace("IT", "xx")) == 2
