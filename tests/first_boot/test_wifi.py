"""The network of the settings as NetworkManager gets it, and the country where it is."""

from collections.abc import Callable
from configparser import ConfigParser

import pytest
from small_system import System

from pi_table.maintenance.first_boot import places, wifi
from pi_table.maintenance.first_boot.settings import Wifi

WIFI = '[wifi]\nssid = "Bar Sport"\npassword = "one two three"\ncountry = "IT"\n'

Apply = Callable[[str], int]


def in_file(wifi_file: str) -> ConfigParser:
    parser = ConfigParser(interpolation=None)
    parser.read_string(wifi_file)
    return parser


def test_its_network_goes_before_the_imagers_and_does_not_save_power() -> None:
    parser = in_file(wifi.connection(Wifi("Bar Sport")))
    assert int(parser["connection"]["autoconnect-priority"]) > 0
    assert parser["wifi"]["powersave"] == "2"
    assert "hidden" not in parser["wifi"]


@pytest.mark.parametrize(
    ("line", "is_hidden"), [("hidden = true", True), ("hidden = false", False)]
)
def test_a_hidden_network_is_asked_for_by_its_name(
    system: System, apply: Apply, line: str, is_hidden: bool
) -> None:
    assert apply(f"{WIFI}{line}\n") == 0
    parser = in_file(system.text(places.CONNECTION))
    assert parser["wifi"].get("hidden", "false") == ("true" if is_hidden else "false")


def test_hidden_is_an_answer(system: System, apply: Apply) -> None:
    assert apply(f'{WIFI}hidden = "yes"\n') == 2
    assert (
        "Line 5: [wifi] hidden is true or false, without quotes: hidden = false." in system.says()
    )


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
