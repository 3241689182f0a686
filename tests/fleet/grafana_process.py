"""Reads a dashboard by Grafana's own classes, in ``.venv-home``; no test imports this file.

Reads a JSON list of dashboards, and writes what those classes have against each: a field that none
of them has, which they would drop in silence, and a value that is not among those they name.
"""

import enum
import json
import sys
import types
import typing
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard


def against(told: dict[str, Any]) -> Iterator[str]:
    try:
        read = Dashboard.from_json(told)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        yield f"it cannot be read: {error!r}"
        return
    yield from _lost(told, json.loads(JSONEncoder().encode(read)), "dashboard")
    yield from _strange(read, "dashboard")


def _lost(told: Any, kept: Any, where: str) -> Iterator[str]:
    """Yield the parts of a JSON value that the other lacks."""
    if isinstance(told, dict) and isinstance(kept, dict):
        for key, value in told.items():
            if key not in kept:
                yield f"{where}.{key} is no field that Grafana has"
            else:
                yield from _lost(value, kept[key], f"{where}.{key}")
    elif isinstance(told, list) and isinstance(kept, list) and len(told) == len(kept):
        for number, (value, other) in enumerate(zip(told, kept, strict=True)):
            yield from _lost(value, other, f"{where}[{number}]")
    elif told != kept:
        yield f"{where} is {told!r}, and was read as {kept!r}"


def _strange(read: Any, where: str) -> Iterator[str]:
    """The values of an object of Grafana's that its class does not allow, and those below."""
    hints = typing.get_type_hints(type(read)) if hasattr(read, "to_json") else {}
    for name, hint in hints.items():
        yield from _unfit(getattr(read, name, None), hint, f"{where}.{name}")


def _unfit(value: Any, hint: Any, where: str) -> Iterator[str]:
    if isinstance(value, list):
        inner = next(
            (each for each in _alternatives(hint) if typing.get_origin(each) is list), None
        )
        for number, each in enumerate(value):
            yield from _unfit(
                each, typing.get_args(inner)[0] if inner else Any, f"{where}[{number}]"
            )
    elif hasattr(value, "to_json"):
        yield from _strange(value, where)
    elif value is not None and not any(_fits(value, each) for each in _alternatives(hint)):
        yield f"{where} is {value!r}, which is no {hint}"


def _alternatives(hint: Any) -> tuple[Any, ...]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(inner for each in typing.get_args(hint) for inner in _alternatives(each))
    return (hint,)


def _fits(value: Any, hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return value in {each.value for each in hint} | set(hint)
    if typing.get_origin(hint) is typing.Literal:
        return value in typing.get_args(hint)
    if hint is types.NoneType:
        return value is None
    if hint is float:
        return isinstance(value, int | float)
    if isinstance(hint, type) and hint in (str, int, bool):
        return isinstance(value, hint)
    return True


if __name__ == "__main__":
    register_default_plugins()
    complaints = [[*against(each)] for each in json.load(sys.stdin)]
    print(json.dumps({"version": version("grafana-foundation-sdk"), "complaints": complaints}))
