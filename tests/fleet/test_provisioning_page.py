"""The page of `pi-table provision`, typed block by block: from a certificate to a broker that keeps
tables apart, to a table that is taken away and cleared."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from member import Refused
from typed import Typed, blocks

pytestmark = pytest.mark.fleet

BLOCKS: Final = blocks("pi_table/fleet/provisioning/README.md")


@pytest.fixture
def typed(tmp_path: Path) -> Iterator[Typed]:
    typed = Typed(tmp_path)
    yield typed
    typed.close()


def test_the_page_leads_to_a_broker_that_keeps_tables_apart(typed: Typed) -> None:
    typed.must_type("openssl req")
    typed.must_type("--count 12")
    typed.install()
    assert typed.must_type("--probe") == "The broker's access rights are right.\n"
    with typed.member("window", typed.password("window")) as table:
        assert table.write("pi-table/window/availability", b"online", kept=True) != ""
        assert table.write("pi-table/door/availability", b"online") == "Not authorized"

    window, door = typed.password("window"), typed.password("door")
    typed.must_type("--revoke window")
    typed.install()
    assert typed.must_type("--probe") == "The broker's access rights are right.\n"
    for user, old in (("window", window), ("door", door)):
        with pytest.raises(Refused, match="Not authorized"):
            typed.member(user, old)
    for user in ("door", "garden", "bar-12", "backup", "night-shift"):
        typed.member(user, typed.password(user)).close()

    topic = "pi-table/window/availability"
    with typed.member("home-assistant", typed.password("home-assistant")) as house:
        house.subscribe(topic)
        assert house.hears_of(topic) == b"online"
    typed.must_type("mosquitto_pub ")
    assert (typed.folder / ".config/mosquitto_pub").stat().st_mode & 0o777 == 0o600
    with typed.member("home-assistant", typed.password("home-assistant")) as house:
        house.subscribe(topic)
        with typed.member("operator", typed.password("operator")) as staff:
            staff.write("pi-table/door/do/mark", b"mark")
            house.subscribe("pi-table/door/do/mark")
            staff.write("pi-table/door/do/mark", b"second mark")
        assert house.hears(b"second mark")
        assert not house.has_heard(b"online")


def test_tables_of_a_bar_come_in_below_it(typed: Typed) -> None:
    typed.must_type("openssl req")
    typed.must_type("--bar north")
    typed.install()
    with (
        typed.member("north-home", typed.password("north-home")) as house,
        typed.member("window", typed.password("window")) as table,
    ):
        house.subscribe("#")
        table.subscribe("pi-table/north/all/do/+")
        assert table.write("pi-table/north/window/state", b"here") == "Success"
        assert table.write("pi-table/window/state", b"here") == "Not authorized"
        assert house.write("pi-table/north/all/do/closing", b"closing") == "Success"
        assert table.hears(b"closing")
        assert house.hears_of("pi-table/north/window/state") == b"here"


def test_every_block_of_the_page_is_typed() -> None:
    typed = (
        *("openssl req", "--count 12", "install -d", "--probe", "--revoke window"),
        *("mosquitto_pub ", "--bar north"),
    )
    assert all(len([block for block in BLOCKS if words in block]) == 1 for words in typed)
    assert len(BLOCKS) == len(typed)


# The probe


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typed]:
    typed = Typed(tmp_path_factory.mktemp("served"))
    typed.must_type("openssl req")
    typed.must_type("--count 12")
    typed.install()
    yield typed
    typed.close()


def opened(text: str) -> str:
    """Users and rights with which everybody may everything."""
    return re.sub(r'("publishClient\w+"|"subscribe"):false', r"\1:true", text)


def without_the_probe(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if '"username":"probe"' not in line)


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        (
            "pi-table/dynamic-security.json",
            opened,
            [
                "With a table's password one can read pi-table/probe-other/event.",
                "With a table's password one can read pi-table/probe-other/do/probe.",
                "With a table's password one can write pi-table/probe-other/state.",
                "With a table's password one can write pi-table/probe-other/do/probe.",
            ],
        ),
        (
            "conf.d/pi-table.conf",
            lambda text: text.replace("allow_anonymous false", "allow_anonymous true").replace(
                "use_username_as_clientid true", ""
            ),
            ["The broker lets somebody in without a password."],
        ),
        (
            "conf.d/pi-table.conf",
            lambda text: re.sub(r"(?m)^(plugin|use_username).*$", "", text).replace(
                "anonymous false", "anonymous true"
            ),
            [
                "The broker lets somebody in without a password.",
                "The broker lets somebody in by a user's name alone.",
                "The broker lets somebody in with a wrong password.",
                "The broker lets somebody in as the operator, with a table's password.",
            ],
        ),
        (
            "pi-table/dynamic-security.json",
            without_the_probe,
            ["The broker does not let probe in: Not authorized."],
        ),
        (
            "pi-table/dynamic-security.json",
            lambda text: "",
            ["The broker does not let operator in: Not authorized."],
        ),
    ],
)
def test_the_probe_says_what_is_open(
    served: Typed, file: str, change: Callable[[str], str], said: list[str]
) -> None:
    installed = served.etc / "mosquitto" / file
    before = installed.read_text()
    assert change(before) != before
    installed.write_text(change(before))
    try:
        served.start()
        done = served.type("--probe")
    finally:
        installed.write_text(before)
    assert done.returncode == 1
    for sentence in said:
        assert sentence in done.stdout
    assert "rights are right" not in done.stdout


def test_the_probe_says_that_nobody_answers(served: Typed) -> None:
    served.close()
    done = served.type("--probe")
    assert done.returncode == 1
    assert f"The broker at mqtts://localhost:{served.port} cannot be reached" in done.stdout
