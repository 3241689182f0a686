"""Every length of the enclosure in millimetres: lengths shared with the boards, and its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hardware import dimensions as shared

FILE: Final = Path(__file__).with_name("dimensions.toml")


def read(file: Path = FILE) -> dict[str, shared.Dimension]:
    """Return the shared dimensions and the enclosure's own dimensions, by name. Raises ValueError
    if one name is in both."""
    common, own = shared.read(), shared.read(file)
    if twice := common.keys() & own.keys():
        raise ValueError(
            f"{file.name}: {', '.join(sorted(twice))} stands in hardware/dimensions.toml already:"
            " take it from there."
        )
    return common | own


MM: Final[Mapping[str, float]] = {name: each.mm for name, each in read().items()}
"""Every shared or own dimension in millimetres, by its name."""
