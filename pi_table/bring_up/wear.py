"""How worn the card is, by what the kernel says of it.

``root`` is where the file system begins: `/`, and in tests another.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from pi_table.bring_up.findings import Verdict

WORN_TENTHS: Final = 10
"""Nine tenths of its life are used up (JESD84, `DEVICE_LIFE_TIME_EST`: 10 is 90 to 100 %)."""


def wear(root: Path) -> tuple[Verdict, str, str] | None:
    """What wears out or fails, and what to do; None if the kernel says nothing of it."""
    do = "Make a backup now (sudo pi-table backup FILE), and replace the card or disk soon."
    for name, errors in _numbers(root / "sys/fs/ext4", "errors_count", base=10):
        if errors:
            return (
                Verdict.LOOK,
                f"The file system on {name} has noted {errors} errors since it was checked last.",
                do,
            )
    for name, tenths in _numbers(root / "sys/block", "device/life_time", base=16):
        if tenths >= WORN_TENTHS:
            return Verdict.LOOK, f"{name} says that 90 % of its life or more is used up.", do
    return None


def _numbers(folder: Path, file: str, base: int) -> Iterator[tuple[str, int]]:
    """The greatest number in that file of each device, with the device's name."""
    for path in sorted(folder.glob(f"*/{file}")):
        with suppress(OSError, ValueError):
            name = path.relative_to(folder).parts[0]
            yield name, max((int(each, base) for each in path.read_text().split()), default=0)
