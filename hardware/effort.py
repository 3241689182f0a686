"""Prints the hours and the money that a table takes: `python -m hardware.effort`.

It has two columns: a table with the hidden screen, and a plain one. Nobody has built a table yet:
hours and prices are proposals.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hardware import parts
from hardware.figures import lines_of
from hardware.handwork import count_actions, hours
from hardware.parts import Part
from hardware.variants import WITH, WITHOUT, bought, box

OTHER_PI: Final = ("pi-5", "5-20")
"""The part that a Zero 2 W replaces, and the price class of the Zero 2 W: 15 $ by its maker (P)."""
COUNTS: Final = {
    "contacts crimped by hand": "crimp",
    "contacts of ready leads pushed into plugs": "ready",
    "ready leads joined": "joint",
    "flat parts placed by hand": "flat",
    "parts with leads soldered by hand": "placed",
    "pins soldered by hand": "pin",
    "threaded inserts": "insert",
    "screws": "screw",
    "tabs glued": "tab",
    "printed pieces": "printed",
}
"""The counts that the table shows, each with its action."""


def list_hours() -> Iterator[str]:
    """Yield the lines of the table of hours by chapter."""
    both = hours(True), hours(False)
    rows = [(name, *(f"{each[name]:.1f}" for each in both)) for name in both[0]]
    rows.append(("**together**", *(f"{sum(each.values()):.0f}" for each in both)))
    return lines_of(("hours of handwork (P)", WITH, WITHOUT), rows)


def say_hours() -> Iterator[str]:
    """Yield the line of BUILD.md that says how long a table takes."""
    both = [sum(hours(each).values()) for each in (True, False)]
    yield (
        f"**Print now**: it takes {box(True).hours:.0f} hours. Your hands take about {both[0]:.0f} "
        f"(P), without the screen {both[1]:.0f}."
    )


def list_counts() -> Iterator[str]:
    """Yield the lines of the table of counts."""
    both = count_actions(True), count_actions(False)
    rows = [(what, *(f"{each.get(name, 0):.0f}" for each in both)) for what, name in COUNTS.items()]
    boxes = box(True), box(False)
    rows.append(("sheets of plywood", *(f"{sum(each.sheets.values())}" for each in boxes)))
    rows.append(("hours of printing", *(f"{each.hours:.0f}" for each in boxes)))
    return lines_of(("count (C)", WITH, WITHOUT), rows)


def list_prices() -> Iterator[str]:
    """Yield the lines of the table of prices by group, with each price class at its middle."""
    both = bought(True), bought(False)
    names = [*parts.GROUPS, parts.ELECTRONICS]
    rows = []
    for name in names:
        groups = [[part for part in each if parts.group(part) == name] for each in both]
        rows.append((name, *map(_money, groups)))
    rows.sort(key=lambda row: -float(row[1].partition(" ")[0]))
    rows.append(("**together**", *map(_money, both)))
    return lines_of(("€, in the middle (from, to) (P)", WITH, WITHOUT), rows)


def _money(listed: list[Part]) -> str:
    low, high = parts.cost(listed)
    return f"{parts.middle(listed):.0f} ({low:.0f} to {high:.0f})"


def list_savings() -> Iterator[str]:
    """Yield the lines of the table of what a table costs less if it lacks something."""
    whole = bought(True)
    name, cheaper = OTHER_PI
    zero = [replace(part, price_class=cheaper) if part.id == name else part for part in whole]
    others = {
        "no hidden screen": bought(False),
        "no sound": bought(True, "sound"),
        "no LED and button": bought(True, "an LED and a button on the case"),
        "a Zero 2 W for the Pi 5": zero,
    }
    rows = [
        (what, f"{parts.middle(whole) - parts.middle(other):.0f}") for what, other in others.items()
    ]
    return lines_of(("saves", "€, in the middle (P)"), rows)


TABLES: Final = (list_hours, list_counts, list_prices, list_savings)


if __name__ == "__main__":
    for each in TABLES:
        print("\n".join([*each(), ""]))
