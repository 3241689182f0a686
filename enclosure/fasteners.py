"""Counts screws, nuts and inserts: `python -m enclosure.fasteners` prints the table."""

from dataclasses import dataclass
from typing import Final

from enclosure.places import (
    CELLS,
    CLAMP_SCREWS,
    CLAMPS,
    CORNERS,
    DECK_SCREWS,
    FEET,
    PI_MOUNT_SCREWS,
    PILLARS,
    POSTS,
    RIM_LEG_SCREWS,
    ROOF_SCREWS,
    SPEAKER_SCREWS,
    SPLICE_SCREWS,
    SPLICES,
    TRENCH_SCREWS,
    WALL_SCREWS,
)

_WALLED: Final = [post for post in POSTS if post.walled]


@dataclass(frozen=True)
class Joint:
    """A joint whose screws are all of one kind."""

    step: int
    what: str
    screw: str
    count: int
    into: str = "insert"
    """``insert``, ``nut``, or empty if a screw cuts its own thread or the part has a thread."""


JOINTS: Final = (
    Joint(1, "splices under the base's seam", "M3 × 10", len(SPLICES) * len(SPLICE_SCREWS)),
    Joint(1, "feet", "M3 × 16", len(FEET), "nut"),
    Joint(2, "posts on the base", "M3 × 10", len(POSTS) + len(CORNERS)),
    Joint(2, "pillars on the base", "M3 × 10", len(PILLARS)),
    Joint(3, "carrier, stand-offs and base", "M3 × 20", 4, "nut"),
    Joint(3, "mount of the Raspberry Pi on the base", "M3 × 10", len(PI_MOUNT_SCREWS)),
    Joint(3, "Raspberry Pi on its mount", "M2.5 × 8", 4, ""),
    Joint(3, "loudspeaker's box on the base", "M3 × 10", len(SPEAKER_SCREWS)),
    Joint(3, "clamp on the base", "M3 × 16", len(CLAMPS) * len(CLAMP_SCREWS), "nut"),
    Joint(3, "trays of amplifier and clamps on the base", "M3 × 10", 2 * 2),
    Joint(4, "screen in its trench", "M3 × 6", 4, ""),
    Joint(4, "trench on the base", "M3 × 10", len(TRENCH_SCREWS)),
    Joint(
        4,
        "side walls on the posts",
        "M3 × 10",
        (len(_WALLED) + 2 * len(CORNERS)) * len(WALL_SCREWS),
    ),
    Joint(5, "light cells on the deck", "M3 × 10", DECK_SCREWS),
    Joint(5, "deck on the four outermost pillars", "M3 × 10", 4),
    Joint(6, "tiles and closing plates", "M3 × 6", 2 * len(CELLS)),
    Joint(7, "frame on the posts", "M3 × 12, countersunk", sum(not post.low for post in POSTS) + 2),
    Joint(9, "rim on the frame", "M3 × 12, countersunk", 4 * 2 * len(RIM_LEG_SCREWS) + 8 * 2),
    Joint(10, "covers on the low posts", "M3 × 8, countersunk", 4),
    Joint(11, "hood and covers on the trench", "M3 × 25", 4),
    Joint(11, "roof on the hood", "M3 × 10", len(ROOF_SCREWS)),
)


def table() -> str:
    """Return every joint, and the sums, in Markdown."""
    lines = ["| step | what | screws | into |", "|---|---|---|---|"]
    for joint in JOINTS:
        into = {"insert": "inserts", "nut": "nuts"}.get(joint.into, "")
        lines.append(f"| {joint.step} | {joint.what} | {joint.count} × {joint.screw} | {into} |")
    kinds = sorted({joint.screw for joint in JOINTS}, key=lambda each: (len(each), each))
    sums = [f"{sum(j.count for j in JOINTS if j.screw == kind)} × {kind}" for kind in kinds]
    for into, name in (("insert", "inserts M3 × 4"), ("nut", "nuts M3")):
        sums.append(f"{sum(j.count for j in JOINTS if j.into == into)} {name}")
    return "\n".join([*lines, "", "Together: " + "; ".join(sums) + "."])


if __name__ == "__main__":
    print(table())
