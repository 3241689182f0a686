"""The packages of an installation on Raspberry Pi OS Lite: each package has its reason, and
together they are no desktop. `planned.py` asks apt for its plan, by Debian's lists."""

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from built_packages import Packages
from debian_root import SUITES, TREE
from planned import Brought, Planned

LIST: Final = Path(__file__).with_name("what_comes.txt")
MACHINE: Final = "arm64"
OURS: Final = {"pi-table", "pi-table-libs"}
RECOMMENDED: Final = {"alsa-utils", "avrdude", "espeak-ng"}
MOST_PACKAGES, MOST_MEGABYTES = 80, 300
NO_TABLE_USES: Final = re.compile("numpy|lapack|^fonts-|soundfont|fluidsynth|pygments|^xserver|gtk")

pytestmark = pytest.mark.package


class Row(NamedTuple):
    """A row of the list."""

    asked: frozenset[str]
    """The packages that ours ask for."""
    with_them: frozenset[str]


def rows() -> list[Row]:
    lines = LIST.read_text("utf-8").splitlines()[1:]
    columns = [line.split("|") for line in lines]
    return [Row(frozenset(asked.split()), frozenset(rest.split())) for asked, _, rest in columns]


class OnLite(NamedTuple):
    """A Raspberry Pi with Raspberry Pi OS Lite, and what installing pi-table brings to it."""

    machine: Planned
    brought: Brought


@pytest.fixture(scope="module")
def releases(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> list[OnLite]:
    """One of each release."""
    libs = packages.folder / f"pi-table-libs_{packages.version}_{MACHINE}.deb"
    machines = [Planned.lite(suite, MACHINE, tmp_path_factory.mktemp(suite)) for suite in SUITES]
    return [OnLite(each, each.brought(libs, packages.files[1])) for each in machines]


def test_what_comes_is_no_desktop(releases: list[OnLite]) -> None:
    for _, brought in releases:
        assert len(brought.names) <= MOST_PACKAGES
        assert brought.megabytes <= MOST_MEGABYTES
        assert [name for name in brought.names if NO_TABLE_USES.search(name)] == []


def test_the_list_names_each_package_that_comes_and_what_asks_for_it(
    releases: list[OnLite],
) -> None:
    for machine, brought in releases:
        expected = set(OURS)
        for row in rows():
            comes = row.with_them & brought.names
            assert comes <= machine.brought(*sorted(row.asked)).names, row
            expected |= comes | (row.asked & brought.names)
        assert brought.names == expected


def test_the_list_names_no_package_twice_or_in_vain(releases: list[OnLite]) -> None:
    named = [name for row in rows() for name in (*row.asked, *row.with_them)]
    assert len(named) == len({*named})
    asked = {*RECOMMENDED}
    for control in (TREE / "systemd/package/debian").glob("*.control"):
        depends = re.search(r"^Depends: (.+)$", control.read_text("utf-8"), re.MULTILINE)
        assert depends is not None
        asked |= {each.split()[0] for each in depends[1].split(", ")}
    assert {name for row in rows() for name in row.asked} == asked - OURS
    comes = {name for _, brought in releases for name in brought.names}
    assert {name for row in rows() for name in row.with_them} <= comes
