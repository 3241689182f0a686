"""The recipe for a real board's card: what its scripts make of a root, and what the plan makes of
that. The vendor's tool itself is not here."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
from pi_firmware import settings_that_hold

from pi_table.common import config
from pi_table.devices.hal.pi_board import BOARDS, Board
from pi_table.maintenance.bring_up.board_findings import config_txt, needed_lines
from pi_table.maintenance.bring_up.findings import Verdict
from pi_table.maintenance.first_boot.settings import read

TREE = Path(__file__).parents[2]
IMAGE = TREE / "systemd/image"
RECIPE = IMAGE / "raspberry-pi"
PLAIN = "console=tty1 root=ROOTDEV rootwait\n"
"""A line for the kernel as the vendor's layers write it: the root's device is put in later."""
LABELS = {
    "first": "PI-TABLE", "boot": "SLOT", "root": "pi-table-root", "state": "pi-table-state"
}  # fmt: skip
"""The labels of the file systems."""
SIGNATURE = "70697462"
"""By it and their numbers the partitions of a slot are found."""

FIRMWARE = "usr/lib/raspi-firmware"
"""Where the vendor's package of the same name keeps what it copies to a boot partition."""
LOADER = b"bootcode"

INSTALLED = """\
Package: pi-table
Status: install ok installed
Architecture: all
Version: 1.2.3
Maintainer: pi-table
Description: the table
"""

Prepare = Callable[..., Path]


@pytest.fixture
def prepare(tmp_path: Path) -> Prepare:
    """Return a function that applies the recipe to a root that has only the table's packages."""

    def prepare(lights: str = "controller", amplifier: str = "n", keyring: Path | str = "") -> Path:
        root = tmp_path / "root"
        for folder in ("boot/firmware", "etc/pi-table", FIRMWARE, "var/lib/dpkg"):
            (root / folder).mkdir(parents=True)
        (root / FIRMWARE / "bootcode.bin").write_bytes(LOADER)
        (root / "usr/lib/os-release").write_text("ID=debian\n")
        (root / "var/lib/dpkg/status").write_text(INSTALLED)
        (root / "boot/firmware/cmdline.txt").write_text(PLAIN)
        (root / "boot/firmware/config.txt").write_text("[cm5]\ndtoverlay=dwc2,dr_mode=host\n")
        shutil.copy(TREE / "systemd/package/table.toml", root / "etc/pi-table")
        run(
            RECIPE / "bdebstrap/customize10-pi-table",
            root,
            IGconf_pitable_lights=lights,
            IGconf_pitable_amplifier=amplifier,
            IGconf_pitable_keyring=str(keyring),
            IGconf_device_layer="rpi4",
        )
        return root

    return prepare


def run(script: Path, *words: Path, **variables: str) -> None:
    """Run a script as the tool does: in its own folder, with what is set as its environment."""
    done = subprocess.run(
        [script, *words], cwd=script.parent, env={**os.environ, **variables},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def mounts(fstab: Path) -> list[list[str]]:
    lines = fstab.read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_doctor_finds_every_line_that_each_board_takes(board: Board, prepare: Prepare) -> None:
    for lights in board.lights:
        root = prepare(lights, "y")
        used = config.load(root / "etc/pi-table/table.toml")
        assert used.lights.driver == lights
        changes: dict[str, dict[str, Any]] = {
            "sound": {"driver": "alsa", "device": "plughw:CARD=MAX98357A"}
        }
        used = config.load(root / "etc/pi-table/table.toml", changes)
        assert "dtoverlay=max98357a" in needed_lines(board, used)
        found = config_txt(f"Raspberry Pi {board.models[0]} Rev 1.0", used, root)
        assert found.verdict is Verdict.OK, found.text()
        shutil.rmtree(root)


def test_a_card_of_a_table_without_them_has_no_lines_for_lights_or_amplifier(
    prepare: Prepare,
) -> None:
    text = (prepare() / "boot/firmware/config.txt").read_text()
    assert "dtoverlay=vc4-kms-v3d" in text
    assert not re.search("spi|core_freq|ws2812|max98357a", text)


def test_it_mounts_what_the_emulated_machine_mounts_by_labels(prepare: Prepare) -> None:
    root = prepare()
    there, here = mounts(IMAGE / "files/etc/fstab"), mounts(root / "etc/fstab")
    assert [each[1:] for each in here] == [each[1:] for each in there]
    assert {each[1]: each[0] for each in here} == {
        "/boot/firmware": f"LABEL={LABELS['first']}",
        "/var/lib/pi-table": f"LABEL={LABELS['state']}",
    }
    for each in (IMAGE / "files").rglob("*.conf"):
        if each.name != "system.conf":
            assert (root / each.relative_to(IMAGE / "files")).read_bytes() == each.read_bytes()


@pytest.mark.parametrize(("slot", "boot", "own_root"), [("a", 2, 5), ("b", 3, 6)])
def test_each_slot_finds_its_own_root_and_lays_that_alone_under_memory(
    prepare: Prepare, slot: str, boot: int, own_root: int
) -> None:
    firmware = prepare() / "boot/firmware"
    config = settings_that_hold((firmware / "config.txt").read_text(), {f"boot_partition={boot}"})
    (line,) = (firmware / config["cmdline"]).read_text().splitlines()
    assert line.split() == [
        "console=tty1", f"root=PARTUUID={SIGNATURE}-0{own_root}", "rootwait",
        "panic=5", "overlayroot=tmpfs:recurse=0", f"rauc.slot={slot}",
        f"systemd.mount-extra=PARTUUID={SIGNATURE}-0{boot}:/boot/slot:vfat:ro,nofail",
    ]  # fmt: skip


def test_a_firmware_that_knows_no_slots_starts_the_first(prepare: Prepare) -> None:
    firmware = prepare() / "boot/firmware"
    assert "cmdline" not in settings_that_hold((firmware / "config.txt").read_text(), set())
    assert (firmware / "cmdline.txt").read_text() == (firmware / "cmdline-a.txt").read_text()


def test_updates_are_of_its_kind_and_go_where_the_slots_are(
    prepare: Prepare, tmp_path: Path
) -> None:
    cert = tmp_path / "cert.pem"
    cert.write_text("a certificate")
    root = prepare(keyring=cert)
    told = ConfigParser()
    told.read(root / "etc/rauc/system.conf")
    named = dict(line.split("=") for line in (root / "usr/lib/os-release").read_text().splitlines())
    assert named == {"ID": "debian", "IMAGE_ID": "pi-table-rpi4", "IMAGE_VERSION": "1.2.3"}
    assert told["system"]["compatible"] == named["IMAGE_ID"]
    assert told["system"]["bundle-formats"] == "verity"  # what is read is checked as it is read
    assert told["keyring"].getboolean("use-bundle-signing-time")  # a Pi has no clock of its own
    devices = {told[name]["device"]: told[name].get("bootname") for name in told if "slot" in name}
    assert devices == {
        f"/dev/disk/by-partuuid/{SIGNATURE}-0{number}": bootname
        for number, bootname in ((5, "a"), (2, None), (6, "b"), (3, None))
    }
    assert (root / "etc/rauc/keyring.pem").read_text() == "a certificate"
    enabled = {each.name for each in (root / "etc/systemd/system").glob("*.wants/*")}
    lines = (IMAGE / "enabled.txt").read_text().splitlines()
    assert enabled == {line for line in lines if not line.startswith("#")}


def test_without_a_certificate_it_takes_no_updates(prepare: Prepare) -> None:
    root = prepare()
    assert not (root / "etc/rauc/keyring.pem").exists()
    assert [*(root / "etc/systemd/system").glob("*.wants/*")] == []


def test_the_same_units_are_silent_as_in_the_emulated_machine(prepare: Prepare) -> None:
    root = prepare()
    masked = {
        each.name
        for each in (root / "etc/systemd/system").iterdir()
        if each.is_symlink() and os.readlink(each) == "/dev/null"
    }
    lines = (IMAGE / "masked.txt").read_text().splitlines()
    assert masked == {line for line in lines if not line.startswith("#")}


def test_the_settings_on_the_card_are_an_example_that_sets_nothing(prepare: Prepare) -> None:
    there = prepare() / "boot/first/pi-table.toml"
    assert there.read_text() == (TREE / "pi_table/maintenance/first_boot/pi-table.toml").read_text()
    nothing = there.with_name("nothing")
    nothing.touch()
    assert read(there, Path("/")) == read(nothing, Path("/"))


def test_genimage_makes_the_partitions(prepare: Prepare, tmp_path: Path) -> None:
    root, out = prepare(), tmp_path / "out"
    out.mkdir()
    (root / "var/lib/pi-table/kept").write_text("a game")
    (root / "ballast").write_bytes(bytes(50 << 20))  # a file system of ext4 wants some size
    names = {"IGconf_image_name": "pi-table", "IGconf_image_suffix": "img"}
    run(RECIPE / "image/pre-image.sh", root, out, **names)
    plan = out / "genimage.cfg"
    plan.write_text(re.sub("size = (256M|1536M|3G)", "size = 72M", plan.read_text()))  # quicker
    subprocess.run(
        ["genimage", "--rootpath", root, "--tmppath", tmp_path / "scratch", "--inputpath", out,
         "--outputpath", out, "--config", plan],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    table = subprocess.check_output(["sfdisk", "--dump", out / "pi-table.img"], text=True)
    assert "label: dos" in table  # the Pi 3 and the Zero 2 W start from no other
    assert re.findall(r"type=(\w+)", table) == ["c", "c", "c", "f", "83", "83", "83"]
    assert f"label-id: 0x{SIGNATURE}" in table
    for name, label in LABELS.items():
        (image,) = out.glob(f"{name}.*")
        said = subprocess.check_output(["blkid", "-p", "-o", "export", image], text=True)
        assert f"LABEL={label}" in said.splitlines()
    # The ROM of Pi 3 and Zero 2 W takes its loader from the first FAT partition, and from no other.
    first = out / "first.vfat"
    assert subprocess.check_output(["mtype", "-i", first, "::bootcode.bin"]) == LOADER
    listed = subprocess.check_output(["mdir", "-b", "-i", first], text=True)
    assert {each.removeprefix("::/") for each in listed.split()} == {
        *("bootcode.bin", "autoboot.txt", "slots.txt", "pi-table.toml")
    }
    listed = subprocess.check_output(
        ["debugfs", "-R", "ls -p /", out / "state.ext4"], text=True, stderr=subprocess.DEVNULL
    )
    assert "/kept/" in listed
    gate = (IMAGE / "files/usr/lib/pi-table-image/own-partition").read_text()
    assert "-e made-for-the-games ]" in gate
    assert "/made-for-the-games/" in listed
    listed = subprocess.check_output(
        ["debugfs", "-R", "ls -p /var/lib/pi-table", out / "root.ext4"],
        text=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert "/kept/" not in listed


# The files of the tool


def yaml_of(path: Path) -> Any:
    """The file as data. It is held to a small part of YAML, mappings, lists and plain words: what
    this reads, any reader of YAML reads so."""
    lines = [
        line
        for line in path.read_text().splitlines()
        if line.strip() and not line.startswith("#") and line != "---"
    ]
    found, rest = _block(lines, 0)
    assert not rest, f"{path}: {rest[0]}"
    return found


def _block(lines: list[str], indent: int) -> tuple[Any, list[str]]:
    """Return the value at this indent, and the lines after it."""
    found: Any = None
    while lines and _indent(lines[0]) >= indent:
        line, lines = lines[0], lines[1:]
        assert _indent(line) == indent, line
        item = re.fullmatch(r" *- (.+)", line)
        pair = re.fullmatch(r" *([a-z0-9_-]+):(?: ([\w./*:-]+))?", line)
        value: Any
        if item and item[1] == "|-":
            taken = []
            while lines and _indent(lines[0]) > indent:
                taken.append(lines[0][indent + 2 :])
                lines = lines[1:]
            value = "\n".join(taken)
        elif item:
            assert re.fullmatch(r"[\w./*=-]+", item[1]), line
            value = item[1]
        else:
            assert pair is not None, line
            value, lines = (pair[2], lines) if pair[2] else _block(lines, indent + 2)
        if item:
            found = [*(found or []), value]
        else:
            assert pair is not None
            found = {**(found or {}), pair[1]: value}
    return found, lines


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def layers() -> dict[str, Path]:
    """Our layers, by the names that they give themselves."""
    return {
        re.findall(r"X-Env-Layer-Name: (\S+)", path.read_text())[0]: path
        for path in (*RECIPE.glob("layer/*.yaml"), *RECIPE.glob("image/*.yaml"))
    }


def test_there_is_a_configuration_for_every_board_and_its_layers_are_there() -> None:
    common = yaml_of(RECIPE / "config/pi-table.yaml")
    named = {common["image"]["layer"], *common["layer"].values()}
    assert named == {*layers()}
    boards = {}
    for path in RECIPE.glob("config/pi-table-*.yaml"):
        said = yaml_of(path)
        assert said["include"] == {"file": "pi-table.yaml"}
        boards[path.stem] = said["device"]["layer"]
    assert boards == {
        "pi-table-zero2w": "rpizero2w", "pi-table-pi3": "rpi3", "pi-table-pi4": "rpi4",
        "pi-table-pi5": "rpi5",
    }  # fmt: skip
    assert {board.name for board in BOARDS} - {"CM4S"} == {"Zero 2 W", "3", "4", "5"}


def test_the_layer_brings_what_the_package_recommends_for_nobody_else_does() -> None:
    control = (TREE / "systemd/package/debian/pi-table.control").read_text()
    recommends = re.findall(r"^Recommends: (.+)$", control, re.MULTILINE)[0].split(", ")
    layer = yaml_of(layers()["pi-table"])["mmdebstrap"]
    assert {*recommends, "overlayroot", "initramfs-tools", "rauc-service"} <= {*layer["packages"]}


def test_the_layer_installs_both_packages_for_its_machine(tmp_path: Path) -> None:
    """The hook itself runs, with a command in place of chroot that says what it was given."""
    packages, root, tools = (tmp_path / each for each in ("deb", "root", "tools"))
    for folder in (packages, root / "var/tmp", tools):
        folder.mkdir(parents=True)
    for name in ("pi-table_1_all", "pi-table-libs_1_arm64", "pi-table-libs_1_armhf"):
        (packages / f"{name}.deb").touch()
    (tools / "chroot").write_text('#!/bin/sh\nls "$1/var/tmp"; echo "$4"\n')
    (tools / "chroot").chmod(0o755)
    (hook,) = yaml_of(layers()["pi-table"])["mmdebstrap"]["customize-hooks"]
    said = subprocess.run(
        ["sh", "-c", hook, "hook", root], capture_output=True, text=True, check=True,
        env={"PATH": f"{tools}:{os.environ['PATH']}", "IGconf_pitable_packages": str(packages)},
    ).stdout.splitlines()  # fmt: skip
    assert said[:-1] == ["pi-table-libs_1_arm64.deb", "pi-table_1_all.deb"]
    assert said[-1] == "apt-get install -y --no-install-recommends /var/tmp/pi-table*.deb"
    assert [*(root / "var/tmp").iterdir()] == []


def test_every_variable_that_a_script_reads_is_declared_or_the_tools_own() -> None:
    ours = {
        f"IGconf_pitable_{name}"
        for name in re.findall(
            r"X-Env-Var-(\w+):(?: |$)", layers()["pi-table"].read_text(), re.MULTILINE
        )
    }
    files = [path for path in RECIPE.rglob("*") if path.is_file() and path.suffix != ".md"]
    read = {each for path in files for each in re.findall(r"IGconf_\w+", path.read_text())}
    assert ours == {each for each in read if each.startswith("IGconf_pitable_")}
    assert read - ours == {"IGconf_image_name", "IGconf_image_suffix", "IGconf_device_layer"}
    page = (RECIPE / "README.md").read_text()
    assert {*re.findall(r"IGconf_pitable_\w+", page)} == ours


def test_the_scripts_can_be_run() -> None:
    scripts = [RECIPE / "bdebstrap/customize10-pi-table", RECIPE / "image/pre-image.sh"]
    assert all(os.access(each, os.X_OK) for each in scripts)


def test_a_slow_card_is_waited_for() -> None:
    """After less the engine, which needs its partition, would not be started any more."""
    for _, place, _, options, *_ in mounts(IMAGE / "files/etc/fstab"):
        waits = [each for each in options.split(",") if each.startswith("x-systemd.device-timeout")]
        assert waits == ["x-systemd.device-timeout=90s"], place
