"""The lines of `pi-table play --explain`. Each act has one line."""

import enum
from collections.abc import Iterable

import msgspec


def act_line(act: type[msgspec.Struct], who: enum.Enum, phases: Iterable[enum.Enum]) -> str:
    """Return the line of an act: its name, its fields (but never a key), who may do it, in which
    phases, and its effect."""
    fields = (field.encode_name for field in msgspec.structs.fields(act))
    name = " ".join((str(act.__struct_config__.tag), *(name for name in fields if name != "key")))
    when = ", ".join(str(phase.value) for phase in phases)
    return line_about(name, f"{who.value} ({when}). {act.__doc__}")


def line_about(name: str, meaning: str) -> str:
    """Return a line with a name and the meaning of that name."""
    return f"  {name:<20} {meaning}"
