"""Counts screws, nuts and inserts: `python -m enclosure.fasteners` prints them as a table."""

from dataclasses import dataclass
from typing import Final

from enclosure.places import (
    DECK_SCREWS,
    PI_SCREWS,
    RIM_SCREW_LONG,
    RIM_SCREWS,
    SPEAKER_SCREWS,
    TILES,
)


@dataclass(frozen=True)
class Joint:
    """A joint of parts; all screws of the joint are of one kind."""

    step: int
    what: str
    screw: str
    count: int
    into: str = "insert"
    """The thing into which the screw goes: ``insert`` or ``nut``. Empty if the screw cuts its own
    thread, or if the part has a thread."""


JOINTS: Final = (
    Joint(3, "carrier with stand-offs", "M3 × 20", 4, "nut"),
    Joint(3, "Raspberry Pi with stand-offs", "M2.5 × 20", len(PI_SCREWS), "nut"),
    Joint(3, "loudspeaker's box", "ST2.9 × 13", len(SPEAKER_SCREWS), ""),
    Joint(5, "deck", "M3 × 16", len(DECK_SCREWS), "nut"),
    Joint(6, "tiles", "ST2.9 × 9.5", len(TILES), ""),
    Joint(9, "rim", f"M3 × {RIM_SCREW_LONG:g}, countersunk", len(RIM_SCREWS)),
    Joint(10, "screen on its plate", "M3 × 6", 4, ""),
    Joint(11, "hood, or plain cover", "M3 × 16", 2, "nut"),
)


def table() -> str:
    """Return a Markdown table of every joint, followed by the sums of screws, inserts and nuts of
    each kind."""
    lines = ["| step | what | screws |", "|---|---|---|"]
    for joint in JOINTS:
        bare = ", no insert" if joint.screw.startswith("M") else ""
        into = {"insert": "", "nut": ", into nuts"}.get(joint.into, bare)
        lines.append(f"| {joint.step} | {joint.what} | {joint.count} × {joint.screw}{into} |")
    kinds = sorted({joint.screw for joint in JOINTS}, key=lambda each: (len(each), each))
    sums = [f"{sum(j.count for j in JOINTS if j.screw == kind)} × {kind}" for kind in kinds]
    for into, of, name in (
        ("insert", "M3", "inserts M3 × 4"),
        ("nut", "M3", "nuts M3"),
        ("nut", "M2.5", "nuts M2.5"),
    ):
        every = (j for j in JOINTS if j.into == into and j.screw.split()[0] == of)
        sums.append(f"{sum(j.count for j in every)} {name}")
    return "\n".join([*lines, "", "Together: " + "; ".join(sums) + "."])


if __name__ == "__main__":
    print(table())
