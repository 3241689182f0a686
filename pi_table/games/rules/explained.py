"""What a game knows, as `pi-table play --explain` lists it: an act is one line."""

import enum
from collections.abc import Iterable

import msgspec


def listed_act(act: type[msgspec.Struct], who: enum.Enum, phases: Iterable[enum.Enum]) -> str:
    """The line of an act: its name, its fields but for a key, who does it in which phases, and what
    it does."""
    fields = (field.encode_name for field in msgspec.structs.fields(act))
    name = " ".join((str(act.__struct_config__.tag), *(name for name in fields if name != "key")))
    when = ", ".join(str(phase.value) for phase in phases)
    return listed(name, f"{who.value} ({when}). {act.__doc__}")


def listed(name: str, meaning: str) -> str:
    """A line about the thing of this name."""
    return f"  {name:<20} {meaning}"
