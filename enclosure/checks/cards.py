"""Word cards of both sizes lie on the cells with room for fingers between them."""

from enclosure.checks.report import Report

CARDS = ((68.0, 44.0), (88.0, 63.0))
"""Across and down, in mm: both sizes that are in use, laid across."""

PICK = 15.0
"""Millimetres: beside a card, one way at least, so wide that a finger gets at its edge (P)."""

APART = 10.0
"""Millimetres from one card to the next, the other way too: a ring of light stays seen (P)."""


def check(pitch: tuple[float, float], electrode: tuple[float, float]) -> Report:
    """``pitch`` and ``electrode`` across and down, in mm."""
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
