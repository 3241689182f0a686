"""Examples in pages, which leave out what need not be shown."""

from typing import Any, Final

LEFT_OUT: Final = "…"


def is_like(example: Any, real: Any) -> bool:
    """True if a value equals the example, except in fields that the example omits."""
    if example == LEFT_OUT:
        return True
    if isinstance(example, dict) and isinstance(real, dict):
        more = LEFT_OUT in example
        names = example.keys() - {LEFT_OUT}
        return (names < real.keys() if more else names == real.keys()) and all(
            is_like(example[name], real[name]) for name in names
        )
    if isinstance(example, list) and isinstance(real, list):
        if example[-1:] == [LEFT_OUT]:
            return len(example) <= len(real) + 1 and all(map(is_like, example[:-1], real))
        return len(example) == len(real) and all(map(is_like, example, real))
    return bool(example == real)
