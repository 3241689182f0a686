"""The table's bodies with one part changed, for the tests of planted faults."""

from enclosure.checks import table
from enclosure.checks.bodies import Body


def but(part: str, change) -> list[Body]:  # type: ignore[no-untyped-def]
    """Return the table's bodies. ``change`` is applied to the bodies of one part."""
    return [change(body) if body.part.startswith(part) else body for body in table.bodies()]


def plain_but(part: str, **by: float) -> list[Body]:
    """Return the bodies of a table without a hidden screen, with one part moved."""
    return [
        body.moved(**by) if body.part == part else body for body in table.bodies_without_screen()
    ]
