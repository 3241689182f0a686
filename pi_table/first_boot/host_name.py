"""The name of the machine: kept for each start, and set for this one."""

import re
from pathlib import Path
from typing import Final

from pi_table.first_boot import places
from pi_table.first_boot.below_root import write

_OWN_NAME: Final = re.compile(r"^127\.0\.1\.1[ \t]+(.*)$", re.M)
"""The line of Debian's /etc/hosts with the machine's own names."""


def set_name(name: str, root: Path) -> list[str]:
    """Set the name; return what failed, a sentence each. Raises OSError where it cannot be kept."""
    write(root / places.HOSTNAME, f"{name}\n")
    write(root / places.HOSTS, _hosts(root / places.HOSTS, name))
    kernel = root / places.KERNEL_NAME
    try:
        if not kernel.exists() or kernel.read_text().strip() == name:
            return []  # another system lies here, and does not run
        kernel.write_text(f"{name}\n")
        now = kernel.read_text().strip()
    except OSError as error:
        return [f"The machine has its new name from its next start on: {error.strerror}."]
    return [] if now == name else [f"The machine is still called {now}: start it again."]


def _hosts(file: Path, name: str) -> str:
    text = file.read_text(errors="surrogateescape") if file.exists() else "127.0.0.1\tlocalhost\n"
    line = f"127.0.1.1\t{name}"
    if found := _OWN_NAME.search(text):
        # cloud-init writes a domain beside it, at each start.
        return text if name in found[1].split() else _OWN_NAME.sub(line, text, count=1)
    return f"{text.rstrip()}\n{line}\n"
