"""Makes the image of a table: an SD card that boots into its game, with Debian's kernel.

`python3 systemd/image/build.py amd64` (or arm64) writes to build/image/ARCH: the disk `card.img`;
the kernel and initrd for a machine without a boot loader; and `root.ext4` and `boot.vfat`, the
contents of a slot, for `bundle.py`. The program needs Debian's mmdebstrap. It must run as root,
because the image's files belong to several users.

Slow parts that seldom change (Debian's root, its kernel) are cached outside the tree. The name of a
cached part is calculated from its inputs.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import keys

HERE: Final = Path(__file__).parent
TREE: Final = HERE.parents[1]
SUITE: Final = "bookworm"
KERNELS: Final = {"amd64": "linux-image-amd64", "arm64": "linux-image-arm64"}
MIB: Final = 1 << 20
FIRST_MIB: Final = 16
BOOT_MIB: Final = 48
ROOT_MIB: Final = 1536
"""Size in MiB of a slot's root file system: twice its contents, so that later versions fit."""
STATE_MIB: Final = 512
SLACK_MIB: Final = 48
"""Free space in MiB in a new root file system: for the file system's own tables, and for packages
that are installed beside their old versions."""
LEFT_OUT: Final = ("usr/share/doc/*", "usr/share/man/*", "usr/share/locale/*", "var/cache/apt/*",
                   "var/lib/apt/lists/*", "var/log/*")  # fmt: skip
"""Patterns of files that are left out of the root, because no table needs them."""
KERNEL_WORDS: Final = "quiet panic=5 fsck.repair=yes systemd.show_status=0"
"""Options of the kernel's command line: never wait for a key, and restart after a panic."""
CONSOLES: Final = {"amd64": "ttyS0", "arm64": "ttyAMA0"}
CONFIG_TXT: Final = """\
# The same in both slots: the number of the partition tells them apart.
kernel=vmlinuz
initramfs initrd.gz followkernel
[boot_partition=2]
cmdline=cmdline-a.txt
[boot_partition=3]
cmdline=cmdline-b.txt
"""


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the image of a table.")
    parser.add_argument("arch", choices=[*KERNELS])
    parser.add_argument("--packages", type=Path, default=TREE / "build/deb", metavar="DIR")
    parser.add_argument("--out", type=Path, metavar="DIR")
    parser.add_argument("--keyring", type=Path, metavar="CERT",
                        help="whose updates the table takes; else a throw-away key's")  # fmt: skip
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        return _refuse("An image is made as root, for its files belong to root: use sudo.")
    missing = [each for each in ("mmdebstrap", "mke2fs", "sfdisk", "mcopy", "mkfs.vfat", "cpio",
                                 "depmod") if not shutil.which(each)]  # fmt: skip
    if missing:
        return _refuse(f"{', '.join(missing)} is not installed: run `make image`, which does it.")
    packages = sorted(arguments.packages.glob("pi-table*.deb"))
    packages = [each for each in packages if each.stem.endswith((f"_{arguments.arch}", "_all"))]
    if len(packages) != 2:
        return _refuse(
            f"{arguments.packages} does not hold the two packages: run `make deb` first."
        )
    out = arguments.out or TREE / "build/image" / arguments.arch
    keyring = arguments.keyring or keys.throw_away().cert
    make_image(arguments.arch, packages, out, keyring)
    _say(f"{out}: takes the updates that the key of {keyring} has signed.")
    return 0


def _refuse(sentence: str) -> int:
    print(f"image: {sentence}", file=sys.stderr)
    return 2


def make_image(arch: str, packages: Sequence[Path], out: Path, keyring: Path) -> None:
    """Make card.img, root.ext4, boot.vfat, vmlinuz and initrd.gz in ``out``. The packages must be
    for this architecture."""
    kernel = cached_kernel(arch)
    root_tar = cached_root(arch)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pi-table-image-") as scratch:
        root = Path(scratch) / "root"
        root.mkdir()
        _run("tar", "-xf", root_tar, "-C", root)
        _install(root, packages)
        _finish(root, keyring)
        _name(root, f"pi-table-{arch}", packages[0].name.split("_")[1])
        early = _modules(kernel, root)
        shutil.copyfile(next((kernel / "boot").glob("vmlinuz-*")), out / "vmlinuz")
        _write_initrd(early, root, Path(scratch), out / "initrd.gz")
        _write_root(root, out / "root.ext4")
        _write_boot(arch, Path(scratch), out)
        _write_card(Path(scratch), out)


# The cache


def cache() -> Path:
    """Return the folder with the cached parts."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "pi-table"


def cached_root(arch: str) -> Path:
    """Return a tar file of Debian's root file system with the packages of packages.txt."""
    names = _lines(HERE / "packages.txt")
    key = hashlib.sha256(repr((SUITE, arch, names)).encode()).hexdigest()[:16]
    with _make_once(cache() / "roots" / f"{SUITE}-{arch}-{key}.tar") as tar:
        if tar is not None:
            _say(f"Making Debian's root for {arch}; it is kept.")
            _run("mmdebstrap", "--quiet", f"--architectures={arch}", "--variant=minbase",
                 "--format=tar", f"--include={','.join(names)}", SUITE, tar)  # fmt: skip
    return cache() / "roots" / f"{SUITE}-{arch}-{key}.tar"


def cached_kernel(arch: str) -> Path:
    """Return the folder with Debian's unpacked kernel, in boot/ and lib/modules/."""
    where = cache() / "kernels" / f"{SUITE}-{arch}"
    with _make_once(where) as folder:
        if folder is not None:
            _say(f"Fetching Debian's kernel for {arch}; it is kept.")
            folder.mkdir()
            # apt must use the architecture of the new root, not of this machine.
            steps = (
                'cd "$1" && mkdir k && cd k',
                'export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"',
                "apt-get -qq update",
                f"name=$(apt-cache depends {KERNELS[arch]} | sed -n 's/^ *Depends: //p')",
                "apt-get download $name",
                "for each in *.deb; do dpkg -x $each .; done",
                f"cp -a boot lib {folder}/",
            )
            _run(
                *("mmdebstrap", "--quiet", f"--architectures={arch}", "--variant=custom"),
                *("--format=null", f"--setup-hook={' && '.join(steps)}", SUITE),
            )
    return where


@contextmanager
def _make_once(path: Path) -> Iterator[Path | None]:
    """Yield a temporary path for a new result, and rename it to ``path`` when the result is
    complete. Yield None if ``path`` exists already."""
    if path.exists():
        yield None
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"half-{os.getpid()}-{path.name}")
    try:
        yield half
        half.rename(path)
    finally:
        if half.is_dir():
            shutil.rmtree(half)
        half.unlink(missing_ok=True)


# The root


def _install(root: Path, packages: Sequence[Path]) -> None:
    """Install this project's packages into the image. No service is started, because here the image
    is only a folder, not a running system."""
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    (root / "tmp/packages").mkdir()
    for each in packages:
        shutil.copy(each, root / "tmp/packages")
    inside = [f"/tmp/packages/{each.name}" for each in packages]
    _run("chroot", root, "dpkg", "--install", *inside)
    shutil.rmtree(root / "tmp/packages")
    policy.unlink()


def _finish(root: Path, keyring: Path) -> None:
    """Add this project's files to the root, and remove files that no table needs."""
    for pattern in LEFT_OUT:
        for each in root.glob(pattern):
            if each.name != "copyright" and not (each.is_dir() and each.name == "pi-table"):
                _remove(each)
    shutil.copytree(
        HERE / "files", root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copyfile(keyring, root / "etc/rauc/keyring.pem")
    (root / "etc/hostname").write_text("pi-table\n")
    (root / "etc/machine-id").write_text("")  # a new one at each start
    _run("chroot", root, "passwd", "--lock", "root")
    _run("systemctl", f"--root={root}", "mask", *_lines(HERE / "masked.txt"))
    _run("systemctl", f"--root={root}", "enable", *_lines(HERE / "enabled.txt"))


def _name(root: Path, kind: str, version: str) -> None:
    """Write the kind and the version of the image into the root. A table accepts only updates of
    its own kind."""
    rauc = root / "etc/rauc/system.conf"
    rauc.write_text(rauc.read_text().replace("@compatible@", kind))
    with (root / "usr/lib/os-release").open("a") as release:
        release.write(f"IMAGE_ID={kind}\nIMAGE_VERSION={version}\n")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _modules(kernel: Path, root: Path) -> list[Path]:
    """Copy the kernel modules of modules.txt into the root. Return the files of the modules that
    modules.txt marks as early, in loading order."""
    (version,) = (each.name for each in (kernel / "lib/modules").iterdir())
    if not (kernel / "lib/modules" / version / "modules.dep.bin").exists():
        _run("depmod", "-b", kernel, version)
    early: list[Path] = []
    for line in _lines(HERE / "modules.txt"):
        when, name = line.split()
        for module in _with_what_it_needs(kernel, version, name):
            within = module.relative_to(kernel)
            (root / "usr" / within).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(module, root / "usr" / within)
            if when == "early" and module not in early:
                early.append(module)
    for each in (kernel / "lib/modules" / version).glob("modules.builtin*"):
        shutil.copyfile(each, root / "usr/lib/modules" / version / each.name)
    shutil.copyfile(kernel / "lib/modules" / version / "modules.order",
                    root / "usr/lib/modules" / version / "modules.order")  # fmt: skip
    _run("depmod", "-b", root, version)
    return early


def _with_what_it_needs(kernel: Path, version: str, name: str) -> list[Path]:
    """Return the files of a kernel module and of its dependencies, in loading order.

    The list is empty if the module is built into the kernel, or if this kernel does not have it.
    """
    found = subprocess.run(
        ["modprobe", "-d", kernel, "-S", version, "--show-depends", name],
        capture_output=True, text=True,
    )  # fmt: skip
    lines = [line.split() for line in found.stdout.splitlines()]
    return [Path(words[1]) for words in lines if words[0] == "insmod"]


# The card


def _write_root(root: Path, image: Path) -> None:
    """Write the root file system of a slot. The ext4 journal protects it against a power cut during
    an update."""
    used = int(subprocess.check_output(["du", "-sxm", root], text=True).split()[0])
    mib = used * 11 // 10 + SLACK_MIB
    if mib > ROOT_MIB:
        sys.exit(f"image: The root takes {mib} MiB, and a slot has {ROOT_MIB}: raise ROOT_MIB.")
    _make_ext4(image, mib, "pi-table-root", "-J", "size=4", "-d", root)


def _write_boot(arch: str, scratch: Path, out: Path) -> None:
    """Write the boot partition of a slot: kernel, initrd, and two command lines for the kernel, one
    for each slot."""
    words = f"console={CONSOLES[arch]} {KERNEL_WORDS}"
    (scratch / "config.txt").write_text(CONFIG_TXT)
    for slot in "ab":
        (scratch / f"cmdline-{slot}.txt").write_text(f"{words} rauc.slot={slot}\n")
    files = [out / "vmlinuz", out / "initrd.gz"]
    files += [scratch / name for name in ("config.txt", "cmdline-a.txt", "cmdline-b.txt")]
    _make_fat(out / "boot.vfat", BOOT_MIB, "SLOT", files)


def _write_card(scratch: Path, out: Path) -> None:
    """Write the card's partitions, each with a name by which programs find it. The second slot is
    empty."""
    first, state, own = scratch / "first.img", scratch / "state.img", scratch / "state"
    _make_fat(first, FIRST_MIB, "PI-TABLE", sorted((HERE / "first").iterdir()))
    own.mkdir(0o700)
    (own / "made-for-the-games").touch(0o444)
    _make_ext4(state, STATE_MIB, "pi-table-state", "-d", own)
    parts: tuple[tuple[str, int, Path | None], ...] = (
        ("pi-table-boot", FIRST_MIB, first),
        ("pi-table-boot-a", BOOT_MIB, out / "boot.vfat"),
        ("pi-table-boot-b", BOOT_MIB, None),
        ("pi-table-root-a", ROOT_MIB, out / "root.ext4"),
        ("pi-table-root-b", ROOT_MIB, None),
        ("pi-table-state", STATE_MIB, state),
    )
    card, table, start = out / "card.img", ["label: gpt"], 1
    card.unlink(missing_ok=True)
    card.touch()
    os.truncate(card, (2 + sum(mib for _, mib, _ in parts)) * MIB)
    for name, mib, image in parts:
        table.append(f"start={start}MiB, size={mib}MiB, name={name}")
        if image is not None:
            _run(
                *("dd", f"if={image}", f"of={card}", "bs=1M", f"seek={start}"),
                *("conv=notrunc,sparse", "status=none"),
            )
        start += mib
    _run("sfdisk", "--quiet", card, given="\n".join(table))


def _make_fat(image: Path, mib: int, label: str, files: Sequence[Path]) -> None:
    image.unlink(missing_ok=True)
    image.touch()
    os.truncate(image, mib * MIB)
    _run("mkfs.vfat", "-n", label, image)
    _run("mcopy", "-i", image, *files, "::")


def _make_ext4(image: Path, mib: int, label: str, *more: str | Path) -> None:
    image.unlink(missing_ok=True)
    image.touch()
    os.truncate(image, mib * MIB)
    _run("mke2fs", "-q", "-t", "ext4", "-L", label[:16], *more, image)


def _write_initrd(early: list[Path], root: Path, scratch: Path, initrd: Path) -> None:
    """Write the initrd: the program busybox, the early kernel modules, and `init`."""
    tree = scratch / "initrd"
    for each in ("bin", "modules", "proc", "sys", "dev", "run"):
        (tree / each).mkdir(parents=True)
    shutil.copyfile(_busybox(root), tree / "bin/busybox")
    (tree / "bin/busybox").chmod(0o755)
    for each in ("sh", "mount", "mkdir", "grep", "sed", "insmod", "sleep", "cp", "switch_root"):
        (tree / "bin" / each).symlink_to("busybox")
    for module in early:
        shutil.copyfile(module, tree / "modules" / module.name)
    (tree / "modules/order").write_text("".join(f"{each.name}\n" for each in early))
    shutil.copyfile(HERE / "init", tree / "init")
    (tree / "init").chmod(0o755)
    with initrd.open("wb") as file:
        packed = subprocess.run(
            "find . | sort | cpio --quiet -o -H newc -R 0:0 | gzip -9n", shell=True, cwd=tree,
            check=True, stdout=subprocess.PIPE,
        ).stdout  # fmt: skip
        file.write(packed)


def _busybox(root: Path) -> Path:
    """Return the path of the root's busybox, which is statically linked."""
    return root / "usr/bin/busybox" if (root / "usr/bin/busybox").exists() else root / "bin/busybox"


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _run(*command: str | Path, given: str = "") -> None:
    """Run a command; show its output only if it fails."""
    done = subprocess.run(
        [*map(str, command)], input=given, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"image: {' '.join(map(str, command))} failed:\n{done.stdout}")


if __name__ == "__main__":
    sys.exit(main())
