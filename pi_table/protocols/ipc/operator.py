"""The table's health on the operator's page: the answer to `doctor`."""

import msgspec


class Findings(msgspec.Struct, frozen=True):
    """The engine's report on its own health, with fields of `house.HouseMessage`."""

    version: str
    faults: tuple[str, ...]
    deaf: tuple[str, ...]
    wet: bool
    can_store: bool
