"""The table's health for the operator's page: data of the answer to the act `doctor`."""

import msgspec


class Findings(msgspec.Struct, frozen=True):
    """The engine's report on its own health. `house.HouseMessage` explains the fields."""

    version: str
    faults: tuple[str, ...]
    deaf: tuple[str, ...]
    wet: bool
    can_store: bool
