"""Metrics as text that Prometheus' node exporter reads from a file.

The functions are pure: values in, values out. The README of ``bridge/files/monitoring`` says how
the file gets to Prometheus.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

FILE_MODE: Final = 0o644
"""Permissions of the metrics file: everybody may read it, because node exporter runs as another
user."""
Labels = Mapping[str, str]


class Figure(msgspec.Struct, frozen=True):
    """One metric, with a value for each set of labels."""

    name: str
    """Name of the metric without the prefix ``pi_table_``."""
    help: str
    values: tuple[tuple[Labels, float], ...]

    @property
    def kind(self) -> str:
        """Return Prometheus' type of the metric: "counter" if the name ends with ``_total``,
        otherwise "gauge"."""
        return "counter" if self.name.endswith("_total") else "gauge"


def text(figures: Iterable[Figure], everywhere: Labels) -> str:
    """Return the metrics as text. Each value also gets the labels in ``everywhere``. A metric
    without a value is left out."""
    lines = [line for figure in figures if figure.values for line in _lines(figure, everywhere)]
    return "\n".join([*lines, ""])


def one(name: str, explained: str, value: float | None) -> Figure:
    """Return a metric with a single value; None means unknown."""
    return Figure(name, explained, () if value is None else (({}, value),))


def _lines(figure: Figure, everywhere: Labels) -> Iterator[str]:
    name = f"pi_table_{figure.name}"
    yield f"# HELP {name} {figure.help}"
    yield f"# TYPE {name} {figure.kind}"
    for labels, value in figure.values:
        shown = ",".join(
            f'{key}="{_escape(each)}"' for key, each in {**everywhere, **labels}.items()
        )
        braced = f"{{{shown}}}" if shown else ""
        yield f"{name}{braced} {float(value):.15g}"


def _escape(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
