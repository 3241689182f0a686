"""Faults that a test plants, to see that a check finds them."""

from collections.abc import Collection, Mapping
from typing import Any

import pytest


def parameters(faults: Mapping[str, Any], quick: Collection[str]) -> list[Any]:
    """Return a test's parameters: these faults, by name.

    `make test` plants the quick ones. The others are marked ``mutation``, for `make mutations`.
    """
    assert {*quick} <= faults.keys()
    return [
        pytest.param(fault, id=name, marks=() if name in quick else pytest.mark.mutation)
        for name, fault in faults.items()
    ]
