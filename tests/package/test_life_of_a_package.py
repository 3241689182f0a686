"""A package's life in a fresh Debian: installed, played, upgraded in mid-game, removed, purged."""

import json
import re
import stat
from pathlib import Path

import pytest
from built_packages import Packages
from debian_root import GROUPS, SUITES, DebianRoot, Entry
from engine_in_root import EngineInRoot

pytestmark = pytest.mark.package
IN_A_FRESH_ROOT = pytest.mark.parametrize("root", SUITES, indirect=True)
WHERE_IT_IS_INSTALLED = pytest.mark.parametrize("installed", SUITES, indirect=True)

KEEPS_ITS_OWN_BOOKS = re.compile(
    r"/var/(log|cache|lib/(dpkg|apt|systemd|ucf|pam))(/.*)?|/etc/(passwd|group|shadow|gshadow)-?"
    r"|/etc/\.pwd\.lock|/etc/sub[ug]id-?|/etc/ld\.so\.cache|/(var|etc)(/lib)?|/run(/.*)?"
)
"""Where Debian writes down what it has done; users and groups stay, as Debian's own do."""
SETTINGS = """\
language = "it"
pin = "2468"
screen = "none"
[wifi]
ssid = "bar"
password = "a good one"
country = "IT"
[usb]
trust = ["046d:c31c"]
[bridge]
broker = "mqtt://broker.lan"
table = "window"
password = "for-this-table"
"""
WRITTEN_BY_SETTINGS = (
    "/etc/pi-table/settings.toml",
    "/etc/pi-table/no-screen",
    "/etc/pi-table/bridge/password",
    "/etc/udev/rules.d/71-pi-table-settings.rules",
    "/var/lib/pi-table/bridge.json",
    "/var/lib/pi-table/desk-link.json",
    "/var/lib/pi-table/pin.json",
)
WRITTEN_BY_SERVICES = {
    "/etc/apt/preferences.d/pi-table-not-9.9.9.pref": "root",  # an update
    "/etc/pi-table/no-pages": "root",
    "/etc/pi-table/.settings.toml.new": "root",  # of a power cut
    "/etc/udev/rules.d/71-pi-table-kept.rules": "root",  # the installation
    "/var/cache/pi-table/current/pi-table_9.9.9_all.deb": "root",
    "/var/lib/pi-table-bridge/told.json": "pi-table-bridge",
    "/var/lib/pi-table-controller/settings": "pi-table-controller",
    "/var/lib/pi-table/journal.sqlite": "pi-table",
    "/var/lib/pi-table/packs/ours.txt": "pi-table",
}
"""Files that the services write, each with its owner."""
KEPT_FOR_THE_MACHINE = {
    "/etc/NetworkManager/system-connections/pi-table.nmconnection",
    "/etc/modprobe.d/pi-table-wifi.conf",
}
"""The Wi-Fi over which a person may be typing `apt purge`."""
WRITTEN_BY_OTHERS = {
    "/etc/apt/sources.list.d/pi-table.sources",
    "/etc/cron.d/pi-table",
    "/etc/pi-table/collector.toml",
    "/etc/pi-table/collector-password",
    "/etc/systemd/system/pi-table-engine.service.d/ours.conf",
    "/var/lib/pi-table-collector/games.sqlite",
    "/var/lib/pi-table-kiosk/board",
}
"""Files that a person wrote, or a program that the package does not have."""


def of_ours(entries: dict[str, Entry]) -> dict[str, Entry]:
    return {
        path: entry for path, entry in entries.items() if not KEEPS_ITS_OWN_BOOKS.fullmatch(path)
    }


@IN_A_FRESH_ROOT
def test_from_the_first_installation_to_the_last_trace(
    root: DebianRoot, older: Packages, packages: Packages
) -> None:
    before = of_ours(root.entries())
    config = root.folder / "etc/pi-table/table.toml"

    root.install(*older.files)
    # By this folder every script would believe that systemd runs here.
    assert not (root.folder / "run/systemd/system").exists()
    assert root.run("pi-table", "--version").strip() == f"pi-table {older.version}"

    # A game is begun, and the package is upgraded under the engine's feet: the game goes on, and
    # stands there when the new engine has taken over.
    engine = EngineInRoot(root)
    with engine:
        with engine.console() as console:
            console.do("start", "operator", profile="codenames")
            turn = engine.public()["turn"]
            console.do("clue", f"{turn}-spymaster", word="flight", number=2)
        stood = engine.public()
        assert stood["phase"] == "guess"
        config.write_text(config.read_text() + "# by the house\n")
        root.install(*packages.files)
        with engine.console() as console:
            console.do("guess", f"{turn}-operatives", cell="A1")
        stood = engine.public()
    assert root.run("pi-table", "--version").strip() == f"pi-table {packages.version}"
    with engine:
        assert engine.public() == stood
        assert stood["cells"]["A1"]["covered"]

    # What was the house's is the house's still.
    assert config.read_text().endswith("# by the house\n")
    assert not [*(root.folder / "usr/lib/pi-table").glob(f"*-{older.version}")]

    # Removed: only games and configuration are left, and which units were switched on. Purged:
    # nothing is.
    (root.folder / "etc/pi-table/simulated.toml").unlink()
    root.run("apt-get", "remove", "-y", "-q", "pi-table", "pi-table-libs")
    left = of_ours(root.entries()).keys() - before.keys()
    assert {"/etc/pi-table/table.toml", "/var/lib/pi-table/journal.sqlite"} <= left
    kept = ("/etc/pi-table", "/etc/systemd/system/", "/var/lib/pi-table", "/etc/apt/apt.conf.d/52")
    assert not {path for path in left if not path.startswith(kept)}
    root.run("apt-get", "purge", "-y", "-q", "pi-table", "pi-table-libs")
    assert of_ours(root.entries()) == before
    assert not (root.folder / "var/lib/pi-table").exists()
    assert "pi-table" not in root.run("dpkg-query", "-W", "-f", "${Package} ${Status}\n")


@WHERE_IT_IS_INSTALLED
def test_a_removed_package_loses_nothing_and_a_purged_one_leaves_what_others_wrote(
    installed: DebianRoot,
) -> None:
    boot = installed.folder / "boot/firmware"
    boot.mkdir(parents=True)
    (boot / "pi-table.toml").write_text(SETTINGS)
    installed.run("install", "-d", "-o", "pi-table", "-g", "pi-table-hidden", "/var/lib/pi-table")
    for folder in ("NetworkManager", "modprobe.d"):
        (installed.folder / "etc" / folder).mkdir(exist_ok=True)
    # Status 1: the Wi-Fi does not work yet, because a root has no radio.
    installed.run("pi-table", "settings", "apply", "/boot/firmware/pi-table.toml", status=1)
    write(installed, WRITTEN_BY_SERVICES | dict.fromkeys(WRITTEN_BY_OTHERS, "root"))
    for name in ("pi-table", "pi-table-bridge", "pi-table-controller", "pi-table-fault"):
        (installed.folder / "run" / name).mkdir(exist_ok=True)
    kept = KEPT_FOR_THE_MACHINE | WRITTEN_BY_OTHERS
    stood = installed.entries()
    written = {*WRITTEN_BY_SETTINGS, *WRITTEN_BY_SERVICES, *kept, "/etc/pi-table/table.toml"}
    assert written <= stood.keys()

    installed.run("apt-get", "remove", "-y", "-q", "pi-table", "pi-table-libs")
    left = installed.entries()
    assert {path: left.get(path) for path in written} == {path: stood[path] for path in written}

    installed.run("apt-get", "purge", "-y", "-q", "pi-table", "pi-table-libs")
    left = installed.entries()
    folders = {str(folder) for path in kept for folder in Path(path).parents}
    ours = {path for path in left if "pi-table" in path and not path.startswith("/boot/")}
    assert ours - folders == kept
    assert (boot / "pi-table.toml").exists()


def write(root: DebianRoot, files: dict[str, str]) -> None:
    """Write a file at each path, in the name of its owner."""
    for path, user in files.items():
        file = root.folder / path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {path}\n")
        if user != "root":
            root.run("chown", "-R", f"{user}:{GROUPS[user]}", f"/{Path(*Path(path).parts[1:4])}")


@WHERE_IT_IS_INSTALLED
def test_purged_from_an_image_only_its_mark_is_left(installed: DebianRoot) -> None:
    """By it the image knows its partition, upon which the package may be installed again."""
    state = installed.folder / "var/lib/pi-table"
    (state / "packs").mkdir(parents=True)
    (state / "journal.sqlite").touch()
    (state / "packs/made-for-the-games").touch()
    (state / "made-for-the-games").touch()
    installed.run("apt-get", "purge", "-y", "-q", "pi-table", "pi-table-libs")
    assert [*state.rglob("*")] == [state / "made-for-the-games"]


@IN_A_FRESH_ROOT
def test_every_file_belongs_to_whom_it_should(root: DebianRoot, packages: Packages) -> None:
    before = root.entries()
    root.install(*packages.files)
    root.run("pi-table", "--version")
    now = root.entries()
    new = {path: entry for path, entry in now.items() if path not in before}
    brought = {*root.run("dpkg", "-L", "pi-table", "pi-table-libs").splitlines()}
    for path, entry in new.items():
        assert entry.owner == (0, 0) or KEEPS_ITS_OWN_BOOKS.fullmatch(path), path
        if not stat.S_ISLNK(entry.mode):
            assert not entry.mode & 0o022, f"{path} may be written by others than root"
        assert (
            path in brought
            or "__pycache__" in path
            or KEEPS_ITS_OWN_BOOKS.fullmatch(path)
            or path.startswith("/etc/systemd/system/")
        ), f"{path} is nobody's"
    assert root.run("dpkg", "--verify", "pi-table", "pi-table-libs") == ""
    # Nothing is left for root to compile, and to leave behind, when a command is run.
    root.run("pi-table", "doctor", status=None)
    root.run("pi-table", "clue", "flight", "2", "--board", "FLIGHTS,BANK")
    assert root.entries().keys() - now.keys() <= {"/root/.cache"}


@WHERE_IT_IS_INSTALLED
def test_the_engine_lets_in_whom_it_should(installed: DebianRoot) -> None:
    with EngineInRoot(installed):
        runtime, state = installed.folder / "run/pi-table", installed.folder / "var/lib/pi-table"
        hidden = (runtime / "console.sock").stat()
        assert stat.S_IMODE(hidden.st_mode) == 0o660
        assert hidden.st_gid == group(installed, "pi-table-hidden")
        assert stat.S_IMODE((runtime / "public.sock").stat().st_mode) == 0o666
        assert stat.S_IMODE((state / "journal.sqlite").stat().st_mode) == 0o600
        look = "import socket as s; s.socket(s.AF_UNIX).connect('/run/pi-table/{}.sock')"
        for user, name, may in (
            ("pi-table-console", "console", True),
            ("nobody", "public", True),
            ("nobody", "console", False),
        ):
            installed.run("python3", "-c", look.format(name), user=user, status=0 if may else 1)
        installed.run("cat", "/var/lib/pi-table/journal.sqlite", user="pi-table-console", status=1)
    members = [
        line.split(":") for line in (installed.folder / "etc/group").read_text().splitlines()
    ]
    assert [line[3] for line in members if line[0] == "pi-table-hidden"] == [""]


def group(root: DebianRoot, name: str) -> int:
    return int(root.run("getent", "group", name).split(":")[2])


@WHERE_IT_IS_INSTALLED
def test_doctor_tells_the_truth(installed: DebianRoot, packages: Packages) -> None:
    config = ("--config", "/etc/pi-table/table.toml")
    found = findings(installed, *config)
    assert found["config"]["verdict"] == "ok"
    assert found["drivers"]["verdict"] == "ok"
    assert found["python"]["verdict"] == "ok"
    assert found["port"]["verdict"] == "broken"
    assert found["journal"]["verdict"] == "not here"
    versions = found["python"]["figures"]["versions"]
    assert versions["pi-table"] == packages.version
    listed = dict(
        line.split(" ")
        for line in installed.run("dpkg-query", "-W", "-f", "${Package} ${Version}\n").splitlines()
    )
    assert listed["python3-serial"].startswith(versions["pyserial"])
    assert versions["pygame"].startswith("2.")

    # What is missing is missed, and a configuration with a mistake in it is told.
    (installed.folder / "etc/pi-table/table.toml").write_text("[tabel]\n")
    assert findings(installed, *config)["config"]["verdict"] == "broken"
    installed.run("dpkg", "--remove", "--force-depends", "python3-pil")
    found = findings(installed)
    assert found["python"]["verdict"] == "broken"
    assert "pillow" in found["python"]["says"].partition("Missing")[2]


def findings(root: DebianRoot, *config: str) -> dict[str, dict]:  # type: ignore[type-arg]
    said = root.run("pi-table", "doctor", "--json", *config, status=None)
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return {line["what"]: line for line in lines}
