"""A drawing of cables for wireviz: connectors with their pins, and the cables between them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

Row = Mapping[str, str]
"""A row of wiring.csv."""
Drawing = dict[str, Any]
Pin = int | str
End = tuple[str, Sequence[Pin]]
"""A connector's name, and the pins that a cable's wires reach, in the order of the wires."""


class WiringError(ValueError):
    """A row of wiring.csv describes a connection that no cable can make."""


COLOURS: Final = {"+5V": "RD", "5V": "RD", "VIN": "RD", "+3V3": "OG", "GND": "BK", "ground": "BK"}
SIGNAL: Final = "GN"


def pins(rows: Sequence[Row], board: str, plug: str) -> dict[Pin, str]:
    """Return the net at each pin of a board's plug, by the pin's number. Raises WiringError if
    wiring.csv does not have the plug."""
    found = {}
    for row in rows:
        ends = row["pin"].split() if row["kind"] == board else []
        if board == "carrier" and row["plug"]:
            ends.append(row["plug"])
        for end in ends:
            ref, _, number = end.partition(".")
            if ref == plug:
                found[int(number)] = row["name"]
    if not found:
        raise WiringError(f"wiring.csv has no plug {plug} of the {board}.")
    return dict(sorted(found.items(), key=lambda item: int(item[0])))


class Harness:
    """A wireviz drawing under construction."""

    def __init__(self) -> None:
        self.connectors: Drawing = {}
        self.cables: Drawing = {}
        self.connections: list[list[dict[str, Any]]] = []

    def connector(self, name: str, kind: str, labels: Mapping[Pin, str]) -> None:
        """Add a connector, with a label for each of its pins."""
        self.connectors[name] = {
            "type": kind,
            "pins": [*labels],
            "pinlabels": [*labels.values()],
        }

    def cable(
        self, name: str, left: End, right: End, colours: Sequence[str], **more: object
    ) -> None:
        """Add a cable. Its first wire joins the first pin of both ends, and so on."""
        self.cables[name] = {"wirecount": len(colours), "colors": [*colours], **more}
        wires = [*range(1, len(colours) + 1)]
        self.connections.append([{left[0]: [*left[1]]}, {name: wires}, {right[0]: [*right[1]]}])

    def drawing(self) -> Drawing:
        """Return the drawing with its parts in reverse order. wireviz then shows the part that was
        added first on top."""
        return {
            "options": {"fontname": "DejaVu Sans"},
            "connectors": dict(reversed(self.connectors.items())),
            "cables": dict(reversed(self.cables.items())),
            "connections": [*reversed(self.connections)],
        }


def gauge_of(figure: float) -> str:
    return f"{figure:g} AWG"


def colours_of(nets: Mapping[Pin, str]) -> list[str]:
    return [COLOURS.get(net, SIGNAL) for net in nets.values()]


def text(drawing: Drawing) -> str:
    """Return the drawing as YAML text."""
    return (
        "# Written by hardware/harness.py from wiring.csv: change those, not this.\n"
        + "\n".join([*_yaml(drawing, ""), ""])
    )


def _yaml(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            key = f"{indent}{json.dumps(name, ensure_ascii=False)}:"
            if isinstance(each, dict) and each:
                yield key
                yield from _yaml(each, indent + "  ")
            elif isinstance(each, list) and each and isinstance(each[0], list):
                yield key
                for line in each:
                    yield f"{indent}- {json.dumps(line, ensure_ascii=False)}"
            else:
                yield f"{key} {json.dumps(each, ensure_ascii=False)}"
