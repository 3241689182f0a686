"""The signed repository, and a table that is updated from it: by the real apt, in fresh roots."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from built_packages import Packages
from debian_root import TREE, DebianRoot, base
from engine_in_root import CONFIG, EngineInRoot
from subscribed import INSIDE, SubscribedTable, bad, repository, type_at_table

pytestmark = pytest.mark.package

URL: Final = f"file:/{INSIDE}"
HOME: Final = "usr/lib/pi-table"


@pytest.fixture(scope="module")
def made(
    older: Packages, packages: Packages, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Repositories of one maker, by what stable has: the ``older`` version alone, the ``newer`` one
    as well, or in its place a ``bad`` one, that one ``alone``, or one that would be the ``last``,
    whose updater is broken; and one of somebody ``else``."""
    folder = tmp_path_factory.mktemp("maker")
    worse = bad(packages, tmp_path_factory.mktemp("bad"))
    last = bad(packages, tmp_path_factory.mktemp("last"), "fleet/updating/hours.py")
    of = {"older": packages, "newer": packages, "bad": worse, "alone": worse, "last": last}
    of["else"] = packages
    found = {}
    for name, latest in of.items():
        parent = tmp_path_factory.mktemp("else") if name == "else" else folder
        found[name] = parent / name
        for each in (older, latest):
            repository(found[name], "--url", URL, "add", each.folder)
        repository(found[name], "promote", older.version)
        if name != "older":
            repository(found[name], "promote", latest.version)
        if name == "alone":
            repository(found[name], "withdraw", older.version)
    return found


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def subscribed(
    request: pytest.FixtureRequest, older: Packages, made: dict[str, Path]
) -> Iterator[DebianRoot]:
    """A root in which the older version is installed, and subscribed to a repository."""
    with DebianRoot.over(base(request.param)) as root:
        root.install(*older.files)
        SubscribedTable(root).prepare(made["older"])
        yield root


def only(subscribed: DebianRoot, suite: str) -> None:
    """Skip what takes long, and is the same in the other release."""
    if suite not in (subscribed.folder / "etc/os-release").read_text():
        pytest.skip(f"{suite} has the same")


def kept(table: SubscribedTable) -> dict[str, str]:
    """The versions whose packages are kept, by the names of their folders."""
    cache = table.root.folder / "var/cache/pi-table"
    return {
        folder.name: " ".join({file.name.split("_")[1] for file in folder.iterdir()})
        for folder in cache.iterdir()
    }


@pytest.fixture
def table(subscribed: DebianRoot) -> Iterator[SubscribedTable]:
    with DebianRoot.over(subscribed.folder) as root:
        yield SubscribedTable(root)


def test_a_table_is_updated_when_its_ring_has_something_newer(
    table: SubscribedTable, made: dict[str, Path], older: Packages, packages: Packages
) -> None:
    assert f"There is nothing newer than pi-table {older.version} for" in table.update()
    table.publish(made["newer"])
    assert f"The table answers, with pi-table {packages.version}." in table.update()
    assert table.version() == packages.version
    assert table.root.run("dpkg", "--audit") == ""
    assert kept(table) == {"current": packages.version}
    # By hand one can go back: the repository has kept the version before.
    names = [f"{name}={older.version}" for name in ("pi-table", "pi-table-libs")]
    table.root.run("apt-get", "install", "-y", "-q", "--allow-downgrades", *names)
    table.root.run("apt-mark", "hold", "pi-table", "pi-table-libs")
    assert "There is nothing newer" in table.root.run("pi-table", "update", "--now")
    assert table.version() == older.version


@pytest.mark.parametrize(
    ("name", "suite"), [("bad", "trixie"), ("last", "bookworm")], ids=["no engine", "no updater"]
)
def test_a_version_that_does_not_come_up_or_would_be_the_last_goes_by_itself(
    subscribed: DebianRoot,
    table: SubscribedTable,
    made: dict[str, Path],
    older: Packages,
    packages: Packages,
    name: str,
    suite: str,
) -> None:
    only(subscribed, suite)
    table.publish(made[name])
    said = table.update(status=1)
    assert ("The updater is not running" in said) == (name == "last")
    assert f"pi-table {packages.version} is rejected: pi-table {older.version} is put" in said
    assert f"The table answers again, with pi-table {older.version}." in said
    assert table.version() == older.version
    assert table.root.run("dpkg", "--audit") == ""
    assert kept(table) == {"current": older.version}
    # It is not tried again, neither by itself nor by hand.
    assert "There is nothing newer" in table.update()
    table.root.run("apt-get", "dist-upgrade", "-y", "-q")
    assert table.version() == older.version


@pytest.mark.parametrize("damage", [False, True])
def test_the_way_back_needs_no_source_where_the_card_has_kept_it(
    subscribed: DebianRoot,
    table: SubscribedTable,
    made: dict[str, Path],
    older: Packages,
    packages: Packages,
    damage: bool,
) -> None:
    """The maker has withdrawn the version that runs, and the next one is bad."""
    only(subscribed, "bookworm")
    fetched(table.root, older, "current")
    table.publish(made["alone"])
    if damage:
        (file,) = (table.root.folder / "var/cache/pi-table/current").glob("pi-table_*")
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    said = table.update(status=1)
    if damage:
        assert f"There is no way back: pi-table {older.version} is not kept here" in said
        assert table.version() == packages.version
    else:
        assert f"The table answers again, with pi-table {older.version}." in said
        assert table.version() == older.version
        assert kept(table) == {"current": older.version}


def resigned(repository: Path) -> None:
    """The signature is none of the maker's, nor the key that lies beside it."""


def damaged_index(repository: Path) -> None:
    for path in repository.glob("dists/stable/main/binary-all/**/*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"pi-table", b"pi-tabel") + b"\n")


def without_signature(repository: Path) -> None:
    for name in ("InRelease", "Release.gpg"):
        (repository / "dists/stable" / name).unlink()


@pytest.mark.parametrize(
    ("name", "change"),
    [("else", resigned), ("newer", damaged_index), ("newer", without_signature)],
    ids=["of somebody else", "a damaged index", "no signature"],
)
def test_nothing_is_taken_that_the_maker_has_not_signed(
    table: SubscribedTable,
    made: dict[str, Path],
    older: Packages,
    name: str,
    change: Callable[[Path], None],
) -> None:
    table.publish(made[name])
    change(table.repository)
    said = table.root.run("pi-table", "update", "--now", "--config", CONFIG)
    assert re.search("^[EW]: .*stable", said, re.MULTILINE), said
    assert f"There is nothing newer than pi-table {older.version} for" in said


def test_a_damaged_package_is_refused_and_nothing_has_changed(
    table: SubscribedTable, made: dict[str, Path], older: Packages, packages: Packages
) -> None:
    table.publish(made["newer"])
    file = table.repository / "pool" / packages.files[1].name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    said = table.root.run("pi-table", "update", "--now", "--config", CONFIG, status=1)
    assert f"pi-table {packages.version} could not be fetched, and nothing has changed" in said
    assert table.version() == older.version
    assert table.root.run("dpkg", "--audit") == ""


def test_in_mid_game_it_is_postponed(
    table: SubscribedTable, made: dict[str, Path], older: Packages
) -> None:
    table.publish(made["newer"])
    with EngineInRoot(table.root) as engine:
        with engine.console() as console:
            console.do("start", "operator", profile="codenames")
            stood = engine.public()
        said = table.root.run("pi-table", "update", "--now", "--config", CONFIG, status=75)
        assert "The table is not updated now. " in said
        assert engine.public() == stood
    assert table.version() == older.version


@pytest.mark.parametrize(
    "far",
    [
        lambda home, new: (home / f"code-{new}/zz-complete").exists(),
        lambda home, new: (
            (home / f"code-{new}/zz-complete").exists()
            and not (home / "update-to-be-finished").exists()
        ),
    ],
    ids=["the code is new", "before it has proved itself"],
)
def test_an_update_that_is_cut_short_comes_to_its_end(
    subscribed: DebianRoot,
    table: SubscribedTable,
    made: dict[str, Path],
    older: Packages,
    packages: Packages,
    far: Callable[[Path, str], bool],
) -> None:
    only(subscribed, "bookworm")
    table.publish(made["newer"])
    home = table.root.folder / HOME
    table.cut(lambda: far(home, packages.version))
    assert table.version() in (older.version, packages.version)
    if (home / "update-to-be-finished").exists():
        table.root.run(f"/{HOME}/finish-update")  # as its unit does when the machine starts
    assert table.version() == packages.version
    assert f"The table answers, with pi-table {packages.version}." in table.update()
    assert table.root.run("dpkg", "--audit") == ""
    assert kept(table) == {"current": packages.version}


def fetched(root: DebianRoot, packages: Packages, folder: str) -> None:
    """As `pi-table update` has laid them there."""
    where = root.folder / f"var/cache/pi-table/{folder}"
    where.mkdir(parents=True)
    for file in packages.files:
        shutil.copy(file, where)


@pytest.mark.parametrize("mark", [None, ""], ids=["no mark", "half a mark"])
def test_where_the_power_went_before_the_mark_was_set_the_update_comes_to_its_end(
    table: SubscribedTable, packages: Packages, mark: str | None
) -> None:
    """dpkg enters that a package is half installed before any script of the new version runs."""
    root = table.root
    fetched(root, packages, "update")
    status = root.folder / "var/lib/dpkg/status"
    text = status.read_text()
    begun = "Package: pi-table\nStatus: install ok installed\n"
    assert begun in text
    half = begun.replace("ok installed", "reinstreq half-installed")
    status.write_text(text.replace(begun, half))
    if mark is not None:
        (root.folder / HOME / "update-to-be-finished").write_text(mark)
    assert "mess" in root.run("dpkg", "--audit")
    root.run(f"/{HOME}/finish-update")
    assert table.version() == packages.version
    assert root.run("dpkg", "--audit") == ""


def test_what_is_half_installed_and_not_at_hand_is_said(table: SubscribedTable) -> None:
    status = table.root.folder / "var/lib/dpkg/status"
    text = status.read_text()
    begun = "Package: pi-table\nStatus: install ok installed\n"
    status.write_text(text.replace(begun, begun.replace("ok installed", "ok half-installed")))
    said = table.root.run(f"/{HOME}/finish-update", status=1)
    assert "was cut short, and its packages are not in /var/cache" in said


def test_a_mark_on_what_is_whole_goes_with_the_next_update(
    subscribed: DebianRoot, table: SubscribedTable, older: Packages
) -> None:
    """Our libraries were installed once more by hand, which leaves a mark for the program."""
    only(subscribed, "bookworm")
    mark = table.root.folder / HOME / "update-to-be-finished"
    mark.write_text(older.version)
    said = table.update()
    assert "could not be finished: it is fetched again" in said
    assert f"The table answers, with pi-table {older.version}." in said
    assert not mark.exists()
    assert "There is nothing newer" in table.update()


@pytest.mark.parametrize("package", ["pi-table", "pi-table-libs"])
def test_the_version_that_goes_marks_that_there_is_something_to_finish(
    table: SubscribedTable, package: str
) -> None:
    root = table.root
    root.run(f"/var/lib/dpkg/info/{package}.prerm", "upgrade", "9.9.9")
    assert (root.folder / HOME / "update-to-be-finished").read_text() == "9.9.9\n"


@pytest.mark.parametrize("broken", [None, "cli.py", "fleet/updating/hours.py"])
def test_a_version_that_cannot_judge_itself_is_put_back_when_the_machine_starts(
    table: SubscribedTable, older: Packages, packages: Packages, broken: str | None
) -> None:
    """It is not there to judge itself, and the power went before it was judged."""
    root = table.root
    fetched(root, older, "before")
    root.install(*packages.files)
    if broken:
        (root.folder / HOME / f"code-{packages.version}/pi_table" / broken).write_text("oops")
    said = root.run(f"/{HOME}/finish-update")
    assert ("name 'oops' is not defined" in said) is bool(broken)  # so somebody can mend it
    assert table.version() == (older if broken else packages).version
    assert root.run("dpkg", "--audit") == ""


def test_a_version_that_cannot_even_be_configured_is_put_back_when_the_machine_starts(
    table: SubscribedTable, older: Packages, packages: Packages
) -> None:
    """Its code is none for this machine's Python, and the power went before it was judged."""
    root = table.root
    fetched(root, older, "before")
    root.install(*packages.files)
    (root.folder / HOME / f"code-{packages.version}/pi_table/cli.py").write_text("oops(")
    (root.folder / HOME / "update-to-be-finished").write_text(packages.version)
    status = root.folder / "var/lib/dpkg/status"
    installed = "Package: pi-table\nStatus: install ok installed\n"
    text = status.read_text()
    assert installed in text
    status.write_text(text.replace(installed, installed.replace("installed", "half-configured")))
    root.run(f"/{HOME}/finish-update")
    assert table.version() == older.version
    assert root.run("dpkg", "--audit") == ""


def test_what_apt_was_cut_short_in_is_finished_from_its_own_folder(
    subscribed: DebianRoot, table: SubscribedTable, packages: Packages
) -> None:
    """Somebody upgraded by hand, from a web server: apt keeps what it fetched until it is done."""
    only(subscribed, "bookworm")
    archives = table.root.folder / "var/cache/apt/archives"
    for file in packages.files:
        shutil.copy(file, archives)
    table.root.run("dpkg", "--unpack", f"/var/cache/apt/archives/{packages.files[0].name}")
    table.root.run(f"/{HOME}/finish-update")
    assert table.version() == packages.version
    assert table.root.run("dpkg", "--audit") == ""


# --- the maker's side


@pytest.fixture
def gpg_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A GnuPG of somebody who answers its question for a passphrase with none."""
    with TemporaryDirectory(prefix="maker.", dir="/tmp") as home:
        (Path(home) / "answer").touch()
        answered = f"batch\npinentry-mode loopback\npassphrase-file {home}/answer\n"
        (Path(home) / "gpg.conf").write_text(answered)
        monkeypatch.setenv("GNUPGHOME", home)
        yield Path(home)
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=True)


def blocks(head: str) -> list[str]:
    """The blocks of commands below a heading of the page."""
    page = (TREE / "systemd/package/REPOSITORY.md").read_text("utf-8")
    return re.findall("^```sh\n(.*?)^```", page.split(f"## {head}\n")[1], re.M | re.DOTALL)


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for there, here in pairs:
        assert there in text
        text = text.replace(there, here)
    return text


def test_the_lines_of_the_page_bring_the_program_to_a_table(
    gpg_home: Path, packages: Packages, tmp_path: Path
) -> None:
    folder = tmp_path / "repository"
    key, *lines = blocks("For a maker")[0].splitlines()
    subprocess.run(key, shell=True, check=True, cwd=TREE)
    listed = ["gpg", "--with-colons", "--list-keys", "Our tables"]
    told = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
    (fingerprint,) = re.findall("^fpr:+([0-9A-F]{40}):", told, re.MULTILINE)
    typed = replaced(
        "\n".join(lines),
        ("FINGERPRINT", fingerprint),
        ("/srv/pi-table", str(folder)),
        ("VERSION", packages.version),
        ("https://packages.example.org", URL),
    )
    subprocess.run(["bash", "-ec", typed], check=True, cwd=TREE)
    with DebianRoot.over(base("bookworm")) as root:
        for each in [*(root.folder / "etc/apt").glob("sources.list*")]:
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        shutil.copytree(folder, root.folder / INSIDE)
        for name in ("keyrings", "sources.list.d"):  # which every Debian has
            (root.folder / "etc/apt" / name).mkdir(exist_ok=True)
        typed = replaced(
            blocks("For a table")[0],
            ("sudo ", ""),
            ("apt install", "apt install -y"),
            (" alsa-utils avrdude espeak-ng", ""),  # of Debian's own server
        )
        type_at_table(root, typed)
        assert root.run("pi-table", "--version") == f"pi-table {packages.version}\n"


def test_what_comes_in_is_offered_early_and_then_to_all(
    tmp_path: Path, older: Packages, packages: Packages
) -> None:
    folder = tmp_path / "repository"
    said = repository(folder, "add", older.folder)
    assert "THROW-AWAY" in said
    repository(folder, "add", packages.folder)
    assert repository(folder, "list").splitlines() == [
        f"early: {older.version} {packages.version}",
        "stable: none",
    ]
    assert "has no 9.9.9" in repository(folder, "promote", "9.9.9", status=1)
    repository(folder, "promote", older.version)
    index = (folder / "dists/stable/main/binary-all/Packages").read_text()
    assert re.findall("^Version: (.+)$", index, re.MULTILINE) == [older.version]
    repository(folder, "promote", packages.version)
    repository(folder, "withdraw", packages.version)
    assert repository(folder, "list").splitlines() == [
        f"early: {older.version}",
        f"stable: {older.version}",
    ]
    # A table that read the signature before this one still finds what it names.
    assert len([*(folder / "dists/stable/main/binary-all/by-hash/SHA256").iterdir()]) == 6


def test_other_bytes_of_a_version_are_refused(tmp_path: Path, made: dict[str, Path]) -> None:
    others = tmp_path / "others"
    others.mkdir()
    for file in (made["bad"] / "pool").glob("*.deb"):
        shutil.copy(file, others)
    folder = tmp_path / "repository"
    shutil.copytree(made["newer"], folder)
    shutil.copytree(made["newer"].parent / "state", tmp_path / "state")  # the maker's key
    assert "packages of 2 versions" in repository(folder, "add", others, status=1)
    for file in sorted(others.glob("*.deb"))[::2]:
        file.unlink()
    assert "version of its own" in repository(folder, "add", others, status=1)


def test_the_same_packages_make_the_same_repository(
    tmp_path: Path, packages: Packages, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not this very second: gpg does not hold the clock where it is set to what it shows anyway.
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(time.time()) - 60))
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        for _ in range(2):
            repository(folder, "--url", URL, "add", packages.folder)
    one, other = (
        {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
        for folder in folders
    )
    assert {*one} == {*other}
    assert len([path for path in one if path.name in ("InRelease", "Release.gpg")]) == 4
    for path, file in one.items():
        assert file.read_bytes() == other[path].read_bytes(), path
