"""Collects the licence texts of the libraries from their source archives."""

import re
import tarfile
from pathlib import Path
from zipfile import ZipFile

from sources import ROOT, RefusalError, of_the_lock, wheel_of

LINE = re.compile(r"^@licence (.+)@$", re.MULTILINE)


def with_licences(text: str) -> str:
    """Return a copyright file in which the licence text replaces each line "@licence NAME@"."""
    return LINE.sub(lambda found: as_a_field(text_of(found[1])), text)


def as_a_field(text: str) -> str:
    """Return a text as a field of Debian's copyright files: indented, without empty lines."""
    return "\n".join(f" {line.rstrip() or '.'}" for line in text.strip().splitlines())


def text_of(name: str) -> str:
    if name == "pi-table":
        return (ROOT / "LICENSE").read_text("utf-8")
    if name == "OFL-1.1":
        fonts = ROOT / "pi_table/screens/console/typefaces"
        return (fonts / "OFL-BarlowCondensed.txt").read_text("utf-8").partition("\n\n")[2]
    if name == "kin":
        return (ROOT / "pi_table/games/referee/kin/NOTICE.txt").read_text("utf-8")
    if name == "noble-ciphers":
        return (ROOT / "pi_table/screens/web/pages/vendor/noble-ciphers/LICENSE.txt").read_text(
            "utf-8"
        )
    if name == "paho-mqtt":  # its LICENSE offers two to choose from
        return inside(wheel_of(of_the_lock(), name), "edl-v10")
    return inside(wheel_of(of_the_lock(), name), "LICENSE")


def inside(archive: Path, name: str) -> str:
    """Return the text of the first file in an archive whose file name begins with ``name``, in any
    folder. Raises RefusalError if there is no such file."""
    if archive.suffix == ".whl":
        with ZipFile(archive) as wheel:
            for entry in sorted(wheel.namelist()):
                if Path(entry).name.startswith(name):
                    return wheel.read(entry).decode()
    else:
        with tarfile.open(archive) as source:
            for member in sorted(source.getmembers(), key=lambda each: each.name):
                file = source.extractfile(member)
                if file is not None and Path(member.name).name.startswith(name):
                    return file.read().decode()
    raise RefusalError(f"{archive} has no {name}.")
