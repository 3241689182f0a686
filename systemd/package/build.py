#!/usr/bin/env python3
"""Makes the Debian packages. `make deb` calls this program.

Each package begins as a folder with the same layout as on a table, which dpkg-deb then packs. The
same commit makes the same bytes, on a machine with the same compilers.
"""

import argparse
import gzip
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from compiled import libraries_for, minimum_libc
from licences import with_licences
from manual import page
from pure import lay_pure
from sources import INPUTS, MACHINES, ROOT, RefusalError, digest, epoch, own_version, run, step

HERE = Path(__file__).parent
DEBIAN = HERE / "debian"
DOCUMENTS = (
    *(f"systemd/{name}.md" for name in ("FAULTS", "INSTALL", "OPERATE", "README")),
    *("hardware/BOARDS.md", "pi_table/maintenance/first_boot/pi-table.toml"),
)
"""Paths of the documents that go to /usr/share/doc/pi-table, for people at a table."""
LAST = "zz-complete"
"""Name of the last file in a folder of code or libraries. dpkg unpacks files in the order of their
names: when this file exists, all others exist."""
UNUSED = (".md", ".png", ".gif", ".po")
"""Endings of files that a table does not need. In the folder of the web pages such files stay,
because browsers need them."""
LABORATORY = "pi_table/lab/"
"""Folder with tools for developers, which no package contains."""
BLOCK = 4096
"""Size of a block of ext4 in bytes."""
BYTE_CODE = 1.3
"""Size on disk of a Python module's byte code, divided by the size of the module's text. Byte code
is made at installation (all modules together: 1.40 with Python 3.11, 1.29 with 3.13)."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--version", default=own_version(), help="another one than the tree's own")
    parser.add_argument("--machine", action="append", choices=MACHINES, help="only for this one")
    parser.add_argument("--quick", action="store_true", help="pack in seconds, and larger")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    folder, version = arguments.folder, arguments.version
    machines = arguments.machine or [*MACHINES]
    packed = QUICK if arguments.quick else SMALL
    try:
        os.environ["SOURCE_DATE_EPOCH"] = epoch()
        key = key_of_inputs(version, machines) + ("quick" if arguments.quick else "")
        if is_made_from(folder, key):
            print(f"{folder} has pi-table {version} of these sources already.")
            return 0
        (folder / KEY).unlink(missing_ok=True)
        print(f"making pi-table {version} for {', '.join(machines)} in {folder}")
        made = [pack(folder, "pi-table", "all", version, packed)]
        for machine in machines:
            made.append(pack(folder, "pi-table-libs", machine, version, packed))
        shutil.copy(HERE / "install.sh", folder / "install.sh")
        sums = (f"{hashlib.sha256(deb.read_bytes()).hexdigest()}  {deb.name}\n" for deb in made)
        (folder / "SHA256SUMS").write_text("".join(sums))
        (folder / KEY).write_text(key)
    except RefusalError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


KEY = ".made-from"
"""Name of a file beside the packages, with the hash of the inputs from which they were made."""


def key_of_inputs(version: str, machines: list[str]) -> str:
    """Return a short hash of all inputs that determine the packages' bytes."""
    given = [version, *machines, epoch()]
    given += [run(f"{MACHINES[each]}-gcc", "--version") for each in machines]
    given.append(run("avr-gcc", "--version"))
    listed = run("git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard", *INPUTS)
    for name in listed.split("\0"):
        if (ROOT / name).is_file():
            given += [name, hashlib.sha256((ROOT / name).read_bytes()).hexdigest()]
    return digest("\0".join(given).encode())


def is_made_from(folder: Path, key: str) -> bool:
    """True if the folder contains complete packages made from the inputs with this hash."""
    made = folder / KEY
    if not made.is_file() or made.read_text() != key:
        return False
    try:
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=folder)
    except RefusalError:
        return False
    return (folder / "install.sh").is_file()


SMALL, QUICK = ("-Zxz",), ("-Zgzip", "-z1")
"""Options of dpkg-deb: for small packages, or for a quick compression."""


def pack(folder: Path, package: str, machine: str, version: str, packed: Sequence[str]) -> Path:
    """Make one package in a folder. Files of this package from an earlier run are deleted."""
    for old in folder.glob(f"{package}_*_{machine}.deb"):
        old.unlink()
    deb = folder / f"{package}_{version}_{machine}.deb"
    with TemporaryDirectory(prefix=f"{package}.") as scratch:
        stage = Path(scratch) / package
        stage.mkdir()
        facts = {"version": version, "machine": machine}
        if package == "pi-table":
            facts |= {"part": "code"} | lay_table(stage, version)
        else:
            facts |= {"part": "libs"} | lay_libraries(stage, version, machine)
        lay_documents(stage, package, facts)
        lay_control(stage, package, facts)
        for path in stage.rglob("*"):
            runs = path.is_dir() or (path.stat().st_mode & 0o100 and path.suffix != ".so")
            path.chmod(0o755 if runs else 0o644)
            os.utime(path, (int(epoch()),) * 2)
        with step(f"packing {deb.name}:") as more:
            run("dpkg-deb", "--build", "--root-owner-group", *packed, stage, deb)
            more(f"{deb.stat().st_size / 1e6:.1f} MB")
    return deb


def of_a_table() -> Iterator[str]:
    """Yield the files of `pi_table` that a table gets, as paths in this tree."""
    listed = run("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "pi_table")
    for name in listed.split():
        is_unused = name.endswith(UNUSED) and not name.startswith("pi_table/screens/web/pages/")
        if not is_unused and not name.startswith(LABORATORY):
            yield name


def lay_table(stage: Path, version: str) -> dict[str, str]:
    code = stage / "usr/lib/pi-table" / f"code-{version}"
    for name in of_a_table():
        lay(ROOT / name, code / name)
    own = code / "pi_table/__init__.py"
    own.write_text(own.read_text("utf-8").replace(f'"{own_version()}"', f'"{version}"'), "utf-8")
    lay_pure(code)
    with step("compiling the controller's firmware"):
        run("make", "-s", "-C", ROOT / "firmware", "avr")
    lay(ROOT / "firmware/build/controller.hex", code / "firmware/build/controller.hex")
    (code / LAST).touch()
    lay(HERE / "launcher", stage / "usr/bin/pi-table", 0o755)
    lay(HERE / "finish-update", stage / "usr/lib/pi-table/finish-update", 0o755)
    for name in PROGRAMS:
        lay(ROOT / "systemd" / name, stage / "usr/lib/pi-table" / name, 0o755)
    lay(HERE / "table.toml", stage / "etc/pi-table/table.toml")
    lay(HERE / "52pi-table", stage / "etc/apt/apt.conf.d/52pi-table")
    lay(
        DEBIAN / "pi-table.rtupdate", stage / "usr/share/python3/runtime.d/pi-table.rtupdate", 0o755
    )
    return lay_system_files(stage)


PROGRAMS = ("keep-usb", "trust-usb", "usb-in-use")
"""Names of the programs in systemd/ that udev rules and units call."""
SYSTEM_FILES = {
    "*.service": "usr/lib/systemd/system",
    "*.path": "usr/lib/systemd/system",
    "*.socket": "usr/lib/systemd/system",
    "*.timer": "usr/lib/systemd/system",
    "*.target": "usr/lib/systemd/system",
    "*.sysusers": "usr/lib/sysusers.d",
    "*.tmpfiles": "usr/lib/tmpfiles.d",
    "*.sysctl": "usr/lib/sysctl.d",
    "*.system-conf": "usr/lib/systemd/system.conf.d",
    "*.rules": "usr/lib/udev/rules.d",
}
"""The target folder for each pattern of files in systemd/. In a folder that ends in .d, all files
except rules get the ending ".conf"."""


def lay_system_files(stage: Path) -> dict[str, str]:
    units = []
    for pattern, folder in SYSTEM_FILES.items():
        for file in sorted((ROOT / "systemd").glob(pattern)):
            name = file.name
            if folder.endswith(".d") and file.suffix != ".rules":
                name = f"{file.stem}.conf"
            lay(file, stage / folder / name)
            if folder.endswith("system"):
                units.append(file)
    texts = {unit.name: unit.read_text("utf-8") for unit in units}
    enabled = [name for name, text in texts.items() if "\n[Install]" in text]
    # A unit with this line runs dpkg, which calls the package's scripts: they must not start it.
    started = [name for name in enabled if "\nRefuseManualStart=yes" not in texts[name]]
    return {"enabled": " ".join(enabled), "started": " ".join(started)}


def lay_libraries(stage: Path, version: str, machine: str) -> dict[str, str]:
    libraries = stage / "usr/lib/pi-table" / f"libs-{version}"
    shutil.copytree(libraries_for(machine), libraries)
    lay(controller_for(machine), libraries / CONTROLLER, 0o755)
    (libraries / LAST).touch()
    return {"libc": minimum_libc(libraries, machine)}


CONTROLLER = "pi-table-controller"
"""File name of the program that replaces a controller board. It is beside the compiled libraries,
because there is one for each machine, and because an update replaces both together."""


def controller_for(machine: str) -> Path:
    """Compile the controller's program for a machine, and return its path."""
    made = f"build/{MACHINES[machine]}/{CONTROLLER}"
    with step(f"compiling the controller on the Pi for {machine}"):
        run("make", "-s", "-C", ROOT / "firmware", made)
    return ROOT / "firmware" / made


def lay_documents(stage: Path, package: str, facts: dict[str, str]) -> None:
    folder = stage / "usr/share/doc" / package
    copyrights = (DEBIAN / f"{package}.copyright").read_text("utf-8")
    lay_text(with_licences(copyrights), folder / "copyright")
    when = run("date", "-u", "-R", "-d", f"@{os.environ['SOURCE_DATE_EPOCH']}").strip()
    entry = (DEBIAN / "changelog").read_text("utf-8").format(package=package, when=when, **facts)
    lay_compressed(entry.encode(), folder / "changelog.gz")
    if package == "pi-table":
        for name in DOCUMENTS:
            lay(ROOT / name, folder / Path(name).name)
        lay_compressed((ROOT / "CHANGELOG.md").read_bytes(), folder / "CHANGELOG.md.gz")
        lay_compressed((ROOT / "pi_table/default.toml").read_bytes(), folder / "default.toml.gz")
        manual = page(facts["version"], int(epoch())).encode()
        lay_compressed(manual, stage / "usr/share/man/man1/pi-table.1.gz")
    overrides = DEBIAN / f"{package}.lintian-overrides"
    if overrides.exists():
        lay(overrides, stage / "usr/share/lintian/overrides" / package)


def lay_control(stage: Path, package: str, facts: dict[str, str]) -> None:
    control = stage / "DEBIAN"
    control.mkdir()
    size = sum(on_disk(file) for file in stage.rglob("*") if file.is_file()) // 1024
    for kind in ("control", "conffiles", "preinst", "postinst", "prerm", "postrm", "triggers"):
        template = DEBIAN / f"{package}.{kind}"
        if not template.exists():
            template = DEBIAN / kind  # shared by both packages
        if template.exists():
            text = template.read_text("utf-8")
            for name, value in {**facts, "size": str(size)}.items():
                text = text.replace(f"@{name}@", value)
            (control / kind).write_text(text, "utf-8")
            if kind in ("preinst", "postinst", "prerm", "postrm"):
                (control / kind).chmod(0o755)
    sums = ""
    for file in sorted(stage.rglob("*")):
        path = file.relative_to(stage)
        if file.is_file() and path.parts[0] not in ("DEBIAN", "etc"):
            sums += f"{hashlib.md5(file.read_bytes()).hexdigest()}  {path}\n"
    (control / "md5sums").write_text(sums)


def on_disk(file: Path) -> int:
    """Return the bytes that a file takes on disk after installation: whole blocks, and for a Python
    module also its byte code."""
    bytes_there = file.stat().st_size
    made = round(bytes_there * BYTE_CODE) if file.suffix == ".py" else 0
    return sum(-(-each // BLOCK) * BLOCK for each in (bytes_there, made))


def lay(source: Path, target: Path, mode: int = 0o644) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def lay_text(text: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")


def lay_compressed(content: bytes, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(content, 9, mtime=0))


if __name__ == "__main__":
    sys.exit(main())
