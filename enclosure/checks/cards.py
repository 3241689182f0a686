"""Checks that word cards of both sizes fit on the cells, with room for fingers between them."""

from enclosure.checks.report import Report

CARDS = ((68.0, 44.0), (88.0, 63.0))
"""Width and height in mm of both sizes of word cards. Cards lie with their long side from left to
right."""

PICK = 15.0
"""Minimum space in mm beside a card for a finger that picks the card up (proposed, not measured).
Space in one direction is sufficient: across or down."""

APART = 10.0
"""Minimum distance in mm between neighbouring cards, in both directions, so that a ring of light is
visible around each card (proposed, not measured)."""


def check(pitch: tuple[float, float], electrode: tuple[float, float]) -> Report:
    """Return the report. ``pitch`` is the distance between the middles of neighbouring cells,
    ``electrode`` the size of an electrode; both are (across, down) in mm."""
    report = Report("Room for cards and fingers")
    for card in CARDS:
        gaps = [cell - side for cell, side in zip(pitch, card, strict=True)]
        name = f"a card of {card[0]:.0f} x {card[1]:.0f} mm"
        report.figures.append(
            f"{name}: {gaps[0]:.0f} mm to the next across, {gaps[1]:.0f} mm down "
            f"(least {APART:.0f}, and {PICK:.0f} one way)"
        )
        report.demand(
            min(gaps) >= APART and max(gaps) >= PICK,
            f"{name} leaves {gaps[0]:.0f} mm across and {gaps[1]:.0f} mm down to the next: "
            "no finger gets in.",
        )
        share = min(1.0, *(side / own for side, own in zip(card, electrode, strict=True)))
        report.figures.append(f"{name}: covers {share:.0%} of its electrode's shorter way")
    return report
