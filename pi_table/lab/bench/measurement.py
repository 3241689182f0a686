"""A measurement, as `pi-table bench` prints it. Also computes percentiles of many durations."""

from statistics import median, quantiles
from typing import Any

Measurement = dict[str, object]
"""One measurement: its ``name``, ``value`` and ``unit``, and any other fields."""


def percentiles(seconds: list[float]) -> dict[str, Any]:
    """Return the percentiles of ``seconds``, in milliseconds, as the fields of a measurement."""
    cuts = quantiles(seconds, n=1000, method="inclusive")
    measured = {
        "value": median(seconds),
        "p90": cuts[899],
        "p95": cuts[949],
        "p99": cuts[989],
        "p99.9": cuts[998],
        "max": max(seconds),
    }
    return {
        **{name: round(1000 * value, 3) for name, value in measured.items()},
        "unit": "ms",
        "times": len(seconds),
    }
