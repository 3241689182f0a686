"""File systems in which the kernel tells of cards and their connectors, as Raspberry Pis do."""

from pathlib import Path

Card = dict[str, tuple[int | None, str]]
"""The connectors of a card by name: the id of each, None where the kernel does not tell it, and its
status."""

PI_3: dict[int, Card] = {
    0: {
        "HDMI-A-1": (32, "connected"),
        "Composite-1": (45, "unknown"),
        "Writeback-1": (51, "unknown"),
    },
}
PI_4: dict[int, Card] = {
    0: {},  # which only reckons
    1: {
        "Writeback-1": (53, "unknown"),
        "HDMI-A-1": (33, "connected"),
        "HDMI-A-2": (43, "connected"),
    },
}
PI_5: dict[int, Card] = {
    0: {},
    1: {"DSI-1": (34, "connected")},
    2: {
        "HDMI-A-2": (44, "connected"),
        "HDMI-A-1": (33, "disconnected"),
        "Writeback-1": (54, "unknown"),
    },
}


def made(root: Path, cards: dict[int, Card]) -> Path:
    """Make the tree below ``root``."""
    for number, card in cards.items():
        for name in (f"card{number}", f"renderD{128 + number}", "version"):
            (root / "sys/class/drm" / name).mkdir(parents=True, exist_ok=True)
        for name, (id_, status) in card.items():
            folder = root / "sys/class/drm" / f"card{number}-{name}"
            folder.mkdir()
            (folder / "status").write_text(f"{status}\n")
            if id_ is not None:
                (folder / "connector_id").write_text(f"{id_}\n")
    return root
