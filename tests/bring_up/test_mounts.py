"""The doctor's findings about the file system that stores the games."""

import os
import subprocess
from pathlib import Path

import pytest
from needs_root import needs_root
from said import BROKEN, LOOK, OK, assert_says

from pi_table.maintenance.bring_up.findings import Verdict
from pi_table.maintenance.bring_up.mounts import mount_of, mounts
from pi_table.maintenance.bring_up.surroundings_findings import disk, restore_state

STATE = Path("/var/lib/pi-table")
CARD = "24 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw"
RAM_ABOVE = (
    "25 1 0:23 / /media/root-rw rw,relatime - tmpfs tmpfs-root rw\n"
    "26 1 179:2 / /media/root-ro ro,relatime - ext4 /dev/mmcblk0p2 ro\n"
    "24 1 0:24 / / rw,relatime - overlay overlayroot "
    "rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/root-rw/work"
)
"""Mounts of a card after `raspi-config` has put an overlay on it."""
OF_ITS_OWN = "40 24 179:6 / /var/lib/pi-table rw,nosuid shared:9 - {} /dev/mmcblk0p6 {}"


def on(root: Path, *lines: str) -> Path:
    """A file system whose kernel tells of these mounts."""
    (root / "proc/self").mkdir(parents=True, exist_ok=True)
    (root / "proc/self/mountinfo").write_text("\n".join(lines) + "\n")
    (root / "var/lib/pi-table").mkdir(parents=True, exist_ok=True)
    return root


@pytest.mark.parametrize(
    ("lines", "verdict", "says"),
    [
        ((RAM_ABOVE,), LOOK, "What is written stays in memory"),
        (
            (CARD, "24 1 0:24 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/upper"),
            LOOK,
            "in memory",
        ),
        (
            (CARD, "40 24 0:40 / /var rw - tmpfs tmpfs rw,size=1g"),
            LOOK,
            "is on tmpfs, mounted at /var. It is in memory: a power cut loses all games",
        ),
        ((CARD, "40 24 0:40 / /var/lib rw - ramfs none rw"), LOOK, "in memory"),
        ((CARD, "40 24 252:0 / /var/lib rw - ext4 /dev/zram1 rw"), LOOK, "in memory"),
        (("2 1 0:2 / / rw - rootfs rootfs rw",), LOOK, "in memory"),
        ((CARD.replace("mmcblk0p2 rw", "mmcblk0p2 ro"),), BROKEN, "It is read-only"),
        ((CARD.replace("/ / rw", "/ / ro"),), BROKEN, "It is read-only"),
        ((CARD, OF_ITS_OWN.format("vfat", "rw,uid=0")), BROKEN, "could read the key"),
        ((CARD, OF_ITS_OWN.format("exfat", "rw")), BROKEN, "could read the key"),
        ((CARD + ",nobarrier",), LOOK, "With its option nobarrier a power cut can lose what"),
        ((CARD, OF_ITS_OWN.format("f2fs", "rw,fsync_mode=nobarrier")), LOOK, "fsync_mode"),
        ((CARD, OF_ITS_OWN.format("nfs4", "rw")), LOOK, "nfs4, mounted at /var/lib/pi-tab"),
    ],
)
def test_games_that_the_plug_would_take_are_told(
    tmp_path: Path, lines: tuple[str, ...], verdict: Verdict, says: str
) -> None:
    found = disk(STATE, on(tmp_path, *lines))
    assert_says(found, verdict, says)
    assert found.says.startswith("/var/lib/pi-table is on ")
    assert found.do


@pytest.mark.parametrize(
    "lines",
    [
        (CARD,),
        (RAM_ABOVE, OF_ITS_OWN.format("ext4", "rw")),
        (CARD.replace("mmcblk0p2 rw", "mmcblk0p2 ro"), OF_ITS_OWN.format("ext4", "rw")),
        (CARD, "40 24 0:40 / /var/lib/pi-table-not rw - tmpfs tmpfs rw"),
        (CARD, "40 24 0:40 / /var rw - tmpfs tmpfs rw", OF_ITS_OWN.format("btrfs", "rw")),
        (
            "30 24 179:6 / /data rw - ext4 /dev/mmcblk0p6 rw",
            "24 1 0:24 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/data/upper",
        ),
        (),
        ("nonsense", "24 1 - "),
    ],
)
def test_games_that_a_real_partition_keeps_are_well(tmp_path: Path, lines: tuple[str, ...]) -> None:
    found = disk(STATE, on(tmp_path, *lines))
    assert found.says.endswith("MiB are free at /var/lib/pi-table.")
    assert "is on" not in found.says


@pytest.mark.parametrize(
    ("file", "text", "verdict", "says"),
    [
        ("sys/fs/ext4/mmcblk0p2/errors_count", "0\n", OK, ""),
        ("sys/fs/ext4/mmcblk0p2/errors_count", "3\n", LOOK, "on mmcblk0p2 has recorded 3"),
        ("sys/block/mmcblk0/device/life_time", "0x01 0x09\n", OK, ""),
        ("sys/block/mmcblk0/device/life_time", "0x0a 0x02\n", LOOK, "mmcblk0 says that 90"),
        ("sys/block/mmcblk0/device/life_time", "0x00 0x0b\n", LOOK, "mmcblk0 says that 90"),
        ("sys/block/mmcblk0/device/life_time", "worn\n", OK, ""),
    ],
)
def test_a_card_that_wears_out_is_told(
    tmp_path: Path, file: str, text: str, verdict: Verdict, says: str
) -> None:
    root = on(tmp_path, CARD)
    (root / file).parent.mkdir(parents=True)
    (root / file).write_text(text)
    found = disk(STATE, root)
    assert_says(found, verdict, says)
    assert ("backup" in found.do) is (verdict is LOOK)


@needs_root("mount a small file system")
@pytest.mark.parametrize(("files", "verdict"), [(900, LOOK), (12, BROKEN)])
def test_a_disk_that_runs_out_of_places_for_files_is_told(
    tmp_path: Path, files: int, verdict: Verdict
) -> None:
    root = on(tmp_path, CARD)
    state = root / "var/lib/pi-table"
    options = f"size=300m,nr_inodes={files}"
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(state)]
    if subprocess.run(mount).returncode:
        pytest.skip("nobody may mount here")
    try:
        for number in range(5):
            (state / str(number)).touch()
        found = disk(STATE, root)
    finally:
        subprocess.run(["umount", "--lazy", str(state)], check=True)
    assert found.verdict is verdict
    assert found.says.endswith(f"There is room for {files - 6} further files.")


def test_a_folder_that_is_a_link_is_looked_at_where_it_leads(tmp_path: Path) -> None:
    root = on(tmp_path, CARD, "40 24 0:40 / /run rw - tmpfs tmpfs rw")
    (root / "var/lib/pi-table").rmdir()
    (root / "run/games").mkdir(parents=True)
    (root / "var/lib/pi-table").symlink_to("../../run/games")
    assert disk(STATE, root).says.startswith(
        "/run/games is on tmpfs, mounted at /run. It is in memory"
    )


def test_the_deepest_mount_counts_and_of_several_at_one_place_the_last(tmp_path: Path) -> None:
    known = mounts(
        on(
            tmp_path,
            CARD,
            r"40 24 0:40 / /mnt/a\040b rw - tmpfs tmpfs rw",
            "41 24 179:6 / /data rw - ext4 /dev/mmcblk0p6 rw",
            "42 24 0:42 / /data rw - tmpfs games rw",
        )
    )
    found = {
        folder: mount_of(folder, known) for folder in ("/mnt/a b/c", "/mnt/a", "/data", "/database")
    }
    assert {folder: mount and mount.source for folder, mount in found.items()} == {
        "/mnt/a b/c": "tmpfs",
        "/mnt/a": "/dev/mmcblk0p2",
        "/data": "games",
        "/database": "/dev/mmcblk0p2",
    }


@needs_root("become another user")
def test_a_folder_that_this_user_may_not_look_into_is_not_said_to_be_empty() -> None:
    closed = Path("/tmp") / f"pi-table-closed-{os.getpid()}"
    closed.mkdir(mode=0o700)
    try:
        os.seteuid(65534)
        found = restore_state(closed)
    finally:
        os.seteuid(0)
        closed.rmdir()
    assert_says(found, LOOK, "cannot be opened: Permission denied.")
