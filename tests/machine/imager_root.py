"""A card as Raspberry Pi Imager leaves it, with Debian's own system on it.

Its first start is a container with a real systemd. After that it is a disk to start a machine from.
"""

import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from card import Card
from debian_root import CACHE, CONTROLS, DebianRoot
from machine import KERNEL_WORDS, Boot, Done

USER: Final = "barbara"
NAME: Final = "table"
"""The machine's, as the imager is told."""
DISK_NUMBER: Final = 0x7AB1E000
MIB: Final = 1 << 20
BOOT_MIB: Final = 64
DISK_MIB: Final = 4096
HERE_TOO: Final = "/srv/debian"
"""Where the machine finds the packages of Debian that it is to install."""
GROUPS: Final = "adm,dialout,audio,netdev,video,plugdev,cdrom,games,users,input,render,sudo"
SYSTEM: Final = (
    *("systemd", "systemd-sysv", "udev", "dbus", "libpam-systemd", "kmod", "linux-image-amd64"),
    *("initramfs-tools", "network-manager", "wpasupplicant", "rfkill", "iw", "iproute2", "procps"),
    *(
        "openssh-server",
        "sudo",
        "avahi-daemon",
        "libnss-mdns",
        "ca-certificates",
        "busybox",
        "e2fsprogs",
    ),
)
"""Packages of Raspberry Pi OS Lite that matter here."""
WITH_CLOUD_INIT: Final = ("trixie",)
"""Where the imager's answers are for cloud-init; before, it makes user and name itself."""
EARLY: Final = "virtio_pci virtio_blk xhci_pci usb_storage uas sd_mod ext4 virtio_console"
"""Modules by which the kernel finds its disk, and the witness its port."""
USER_DATA: Final = f"""\
#cloud-config
hostname: {NAME}
manage_etc_hosts: true
timezone: Europe/Rome
users:
- name: {USER}
  groups: {GROUPS}
  shell: /bin/bash
  lock_passwd: true
  sudo: ALL=(ALL) NOPASSWD:ALL
enable_ssh: true
ssh_pwauth: false
"""
CLOUD: Final = """\
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware/
"""
BESIDE: Final = """\
#!/bin/sh
[ "$1" != prereqs ] || exit 0
if [ -d /beside/run ]; then cp -a /beside/run/. /run/; fi
"""
"""For the initrd: what a test brings beside it (`machine.py`)."""


class Debian(NamedTuple):
    """A system, and the packages that it may install, each in its folder."""

    root: Path
    packages: Path


def debian(suite: str) -> Debian:
    """The system before the imager has said anything: made once, and kept."""
    control = "".join(each.read_text("utf-8") for each in CONTROLS)
    asked = re.findall(r"^(?:Depends|Recommends): (.+)$", control, re.MULTILINE)
    names = sorted({each.split()[0] for each in ", ".join(asked).split(", ")} - {"pi-table-libs"})
    system = [*SYSTEM, *(["cloud-init"] if suite in WITH_CLOUD_INIT else [])]
    fetch = (
        'export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" && mkdir "$1/packages" && '
        f"apt-get -qq -y --no-install-recommends --download-only install {' '.join(names)} && "
        'mv "$1"/var/cache/apt/archives/*.deb "$1/packages"'
    )
    early = (
        'mkdir -p "$1/etc/initramfs-tools/conf.d" "$1/etc/initramfs-tools/scripts/init-bottom" && '
        "printf 'MODULES=list\\nCOMPRESS=gzip\\n' >\"$1/etc/initramfs-tools/conf.d/list\" && "
        f'printf "%s\\n" {EARLY} >"$1/etc/initramfs-tools/modules" && '
        f"printf '%s' '{BESIDE}' >\"$1/etc/initramfs-tools/scripts/init-bottom/beside\" && "
        'chmod 755 "$1/etc/initramfs-tools/scripts/init-bottom/beside"'
    )
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--architectures=amd64"]
    command += ["--dpkgopt=force-unsafe-io", f"--include={','.join(system)}", "--format=directory"]
    command += [f"--extract-hook={early}", f"--customize-hook={fetch}"]
    key = hashlib.sha256(repr((suite, command)).encode()).hexdigest()[:16]
    folder = CACHE / f"imager-{suite}-{key}"
    if not folder.exists():
        half = CACHE / f"imager-{suite}-{key}.{os.getpid()}"
        half.mkdir(parents=True)
        subprocess.run([*command, suite, half / "root"], check=True)
        (half / "root/packages").rename(half / "packages")
        listed = subprocess.check_output(["apt-ftparchive", "packages", "."], cwd=half / "packages")
        (half / "packages/Packages").write_bytes(listed)
        with suppress(OSError):  # another has been quicker
            half.rename(folder)
    return Debian(folder / "root", folder / "packages")


@contextmanager
def imaged(suite: str) -> Iterator["Imaged"]:
    """A card that the imager has just written, as a folder."""
    system = debian(suite)
    with DebianRoot.over(system.root) as root:
        folder = root.folder
        boot = folder / "boot/firmware"
        boot.mkdir()
        (folder / "etc/fstab").write_text(
            f"PARTUUID={DISK_NUMBER:08x}-01 /boot/firmware vfat defaults 0 2\n"
            f"PARTUUID={DISK_NUMBER:08x}-02 / ext4 defaults,noatime 0 1\n"
        )
        for each in (folder / "etc/apt").glob("sources.list*/*"):
            each.unlink()
        source = f"deb [trusted=yes lang=none] file:{HERE_TOO} ./\n"
        (folder / "etc/apt/sources.list").write_text(source)
        (folder / HERE_TOO[1:]).mkdir()
        (folder / "etc/machine-id").write_text("")
        # No country was set: the radio is off, by NetworkManager's own word.
        state = folder / "var/lib/NetworkManager/NetworkManager.state"
        state.write_text("[main]\nNetworkingEnabled=true\nWirelessEnabled=false\n")
        if suite in WITH_CLOUD_INIT:
            (boot / "user-data").write_text(USER_DATA)
            (boot / "meta-data").write_text("instance-id: rpi-imager-1\n")
            (folder / "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg").write_text(CLOUD)
            (folder / "etc/hostname").write_text("localhost\n")
        else:
            root.run("useradd", "--create-home", "--shell=/bin/bash", f"--groups={GROUPS}", USER)
            (folder / "etc/sudoers.d/010_pi-nopasswd").write_text(
                f"{USER} ALL=(ALL) NOPASSWD: ALL\n"
            )
            (folder / "etc/hostname").write_text(f"{NAME}\n")
            (folder / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {NAME}\n")
        yield Imaged(folder, system.packages)


class Imaged:
    """The card as a folder, until it becomes a disk."""

    def __init__(self, root: Path, packages: Path) -> None:
        self.root = root
        self._packages = packages

    @contextmanager
    def started(self, log: Path) -> Iterator["FirstStart"]:
        """Start it, with a real systemd as its first process; it is off when this is left."""
        groups = Path("/sys/fs/cgroup")
        groups = groups / "unified" if (groups / "unified").is_dir() else groups
        inside = (
            "mount -t tmpfs none /run/systemd && "
            f"mount --bind {groups} /sys/fs/cgroup && "
            "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 exec systemd-nspawn --quiet --register=no "
            f"--keep-unit --private-network --directory={self.root} "
            f"--bind-ro={self._packages}:{HERE_TOO} --capability=all "
            "--system-call-filter='bpf @debug' --boot --console=pipe"
        )
        Path("/run/systemd").mkdir(exist_ok=True)
        apart = ["unshare", "--mount", "--propagation=private", "sh", "-c", inside]
        with log.open("wb") as said:
            nspawn = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", *apart],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            )  # fmt: skip
        try:
            yield FirstStart(nspawn, log)
        finally:
            nspawn.terminate()
            nspawn.wait()

    def disk(self, scratch: Path) -> tuple[Card, Boot]:
        """The card as a disk with its two partitions, and what the firmware starts from it."""
        image, boot = scratch / "card.img", self.root / "boot/firmware"
        subprocess.run(["truncate", f"--size={DISK_MIB}M", image], check=True)
        subprocess.run(
            ["sfdisk", "--quiet", image], text=True, check=True,
            input=f"label: dos\nlabel-id: {DISK_NUMBER:#x}\n"
                  f"start=1MiB, size={BOOT_MIB}MiB, type=c\ntype=83\n",
        )  # fmt: skip
        first, second = scratch / "boot.vfat", scratch / "root.ext4"
        subprocess.run(["truncate", f"--size={BOOT_MIB}M", first], check=True)
        subprocess.run(["mkfs.vfat", "-n", "BOOTFS", first], check=True, capture_output=True)
        room = f"--size={DISK_MIB - BOOT_MIB - 1}M"
        subprocess.run(["truncate", room, second], check=True)
        held = scratch / "boot"
        held.mkdir()
        for each in sorted(boot.iterdir()):
            shutil.move(each, held)
        subprocess.run(["mcopy", "-s", "-i", first, *sorted(held.iterdir()), "::"], check=True)
        subprocess.run(["mke2fs", "-qF", "-t", "ext4", "-d", self.root, second], check=True)
        for part, at in ((first, 1), (second, 1 + BOOT_MIB)):
            subprocess.run(
                ["dd", f"if={part}", f"of={image}", "bs=1M", f"seek={at}",
                 "conv=notrunc,sparse", "status=none"], check=True,
            )  # fmt: skip
            part.unlink()
        kernel, initrd = scratch / "vmlinuz", scratch / "initrd.gz"
        for name, copy in (("vmlinuz", kernel), ("initrd.img", initrd)):
            (found,) = (self.root / "boot").glob(f"{name}-*")
            shutil.copy(found, copy)
        words = f"console=ttyS0 root=PARTUUID={DISK_NUMBER:08x}-02 rootwait {KERNEL_WORDS}"
        return Card(image, scratch), Boot(kernel, initrd, words)


class FirstStart:
    """A card that runs in a container."""

    def __init__(self, nspawn: "subprocess.Popen[bytes]", log: Path) -> None:
        self._nspawn, self._log = nspawn, log
        self._first = ""

    def until_up(self, seconds: float = 180.0) -> str:
        """Wait until all of it has started; answers with how it is."""
        end = time.monotonic() + seconds
        while not (self._first and self._enter("test", "-S", "/run/systemd/private").status == 0):
            assert self._nspawn.poll() is None, self._log.read_text(errors="replace")
            assert time.monotonic() < end, self._log.read_text(errors="replace")
            time.sleep(0.2)
            self._first = self._first_process()
        return self._enter("systemctl", "is-system-running", "--wait").out.strip()

    def _first_process(self) -> str:
        pid = self._nspawn.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with suppress(OSError):
                found = re.search(r"^NSpid:.*\t1$", Path(f"/proc/{child}/status").read_text(), re.M)
                if found:
                    return child
        return ""

    def _enter(self, *words: str) -> Done:
        done = subprocess.run(
            ["nsenter", "--target", self._first, "--all", *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    def type(self, line: str) -> Done:
        """Type a line as the imager's user, who has logged in."""
        return self._enter("su", "--login", USER, "--command", line)

    def restarts(self, seconds: float = 120.0) -> bool:
        """True if the machine restarts itself."""
        return self._nspawn.wait(seconds) == 133
