"""Writes the host name and time zone into the files of cloud-init.

From Debian 13 (trixie) on, the imager of Raspberry Pi OS writes its answers to the file user-data
on the boot partition. At each start, cloud-init sets the host name that this file contains, and
rewrites /etc/hosts (``manage_etc_hosts``). Nothing in /etc/cloud overrides user-data. A change only
in /etc would therefore be lost at the next start. So this module changes the lines in user-data
before cloud-init reads them.
"""

import re
from pathlib import Path
from typing import Final

from pi_table.common.files import read_small_file
from pi_table.common.language import say, system_says
from pi_table.maintenance.first_boot import places
from pi_table.maintenance.first_boot.below_root import write

MAX_FILE_BYTES: Final = 1 << 20
HOSTNAME_KEYS: Final = ("hostname", "fqdn", "local-hostname")
"""Keys of the host name in user-data. A domain in the value of fqdn stays unchanged."""
TIMEZONE_KEYS: Final = ("timezone",)

_VALUE: Final = re.compile(
    r"(?P<quote>[\"']?)(?P<value>[\w/+-]+)(?P<domain>(\.[\w-]+)*)(?P=quote)(?P<rest>[ \t]*(#.*)?)",
    re.ASCII,
)
"""Pattern of a plain value on one line, as imagers write it. Templates do not match."""


def hand_over(keys: tuple[str, ...], value: str, root: Path, boot: Path) -> list[str]:
    """Set ``value`` in cloud-init's files, if they exist, in each line that begins with one of
    ``keys``.

    ``boot`` is the boot partition. Return a sentence for each failure.
    """
    failed: list[str] = []
    for file in _files(root, boot):
        try:
            failed += _change(file, keys, value)
        except OSError as error:
            why = str(error) if error.errno is None else say("{why}.", why=system_says(error))
            failed.append(
                say(
                    "cloud-init may set another {keys}, with {file}. {why}",
                    keys=keys[0],
                    file=file,
                    why=why,
                )
            )
    return failed


def _files(root: Path, boot: Path) -> list[Path]:
    folders = (boot, *(root / seed for seed in places.CLOUD_INIT_SEEDS))
    seeds = [folder / name for folder in folders for name in ("user-data", "meta-data")]
    settings = root / places.CLOUD_INIT
    own = [settings / "cloud.cfg", *sorted(settings.glob("cloud.cfg.d/*.cfg"))]
    return [file for file in (*seeds, *own) if file.is_file()]


def _change(file: Path, keys: tuple[str, ...], value: str) -> list[str]:
    data = read_small_file(file, MAX_FILE_BYTES)
    if len(data) > MAX_FILE_BYTES:
        return [
            say(
                "cloud-init may set another {keys}: {file} is too large to check.",
                keys=keys[0],
                file=file,
            )
        ]
    line = re.compile(rf"^((?:{'|'.join(keys)})[ \t]*:[ \t]*)(\S[^\r\n]*)", re.M)
    text = data.decode("utf-8", "surrogateescape")
    failed: list[str] = []

    def substitute(found: re.Match[str]) -> str:
        old = _VALUE.fullmatch(found[2])
        if old is None:
            number = text.count("\n", 0, found.start()) + 1
            failed.append(
                say(
                    "cloud-init sets another {keys}, in line {number} of {file}: write {value} "
                    "there.",
                    keys=keys[0],
                    number=number,
                    file=file,
                    value=value,
                )
            )
            return found[0]
        if old["value"] == value:
            return found[0]
        return f'{found[1]}"{value}{old["domain"]}"{old["rest"]}'

    new = line.sub(substitute, text)
    if new != text:
        write(file, new, file.stat().st_mode & 0o777)
    return failed
