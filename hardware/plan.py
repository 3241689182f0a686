"""The table from above and cut through a cell, as text, with the lengths of dimensions.toml."""

from collections.abc import Iterator

from hardware.dimensions import MM
from hardware.places import COLUMNS

WIDTH, LINES = 53, 19
NOTES_AT = WIDTH + 3


def from_above() -> Iterator[str]:
    """The overlay with its cells, pads and guard, the operatives below."""
    canvas = [[" "] * (NOTES_AT + 45) for _ in range(LINES)]

    def put(line: int, column: int, words: str) -> None:
        canvas[line][column : column + len(words)] = words

    beyond = 2 * (MM["guard_gap"] + MM["guard_width"] + MM["edge"])
    across, down = 5 * MM["pitch_across"] + beyond, 6 * MM["pitch_down"] + beyond
    put(0, 22, "spymasters")
    put(1, 2, "┌" + "─" * (WIDTH - 6) + "┐")
    put(2, 5, " far ".center(WIDTH - 10, "═"))
    for row in range(1, 6):
        for column in range(5):
            left, line = 7 + 8 * column, 1 + 2 * row
            put(line, left, "┌─────┐")
            put(line + 1, left, f"│ {COLUMNS[column]}{row}  │")
    for middle, name in ((15, "turn"), (31, "glass")):
        put(13, middle, "┌─────┐")
        put(14, middle, f"│{name:^5}│")
    put(15, 5, " near ".center(WIDTH - 10, "═"))
    put(16, 2, "└" + "─" * (WIDTH - 6) + "┘")
    for line in range(2, 16):
        put(line, 2, "│")
        put(line, WIDTH - 3, "│")
    for line in range(3, 15):
        put(line, 5, "║")
        put(line, WIDTH - 6, "║")
    put(17, 22, "operatives")
    put(2, NOTES_AT, f"overlay {across:g} × {down:g}")
    put(4, NOTES_AT, f"cells {MM['pitch_across']:g} × {MM['pitch_down']:g}, C3 in the middle")
    put(6, NOTES_AT, f"guard (far, left, right, near): foil {MM['guard_width']:g} wide,")
    put(7, NOTES_AT, f"{MM['guard_gap']:g} off the cells, {MM['edge']:g} off the edge")
    put(14, NOTES_AT, f"end-turn and hourglass {MM['pads_from_middle']:g} off the middle,")
    put(15, NOTES_AT, "in a sixth row")
    yield "```text"
    yield from ("".join(line).rstrip() for line in canvas[:18])
    yield "```"


def cut() -> Iterator[str]:
    """A cell from the side."""
    electrode = f"{MM['electrode_across']:g} × {MM['electrode_down']:g}"
    tile = f"{MM['tile_across']:g} × {MM['tile_down']:g} × {MM['tile_thickness']:g}"
    yield "```text"
    yield "        ─────────────────────         word card, paper"
    overlay = f"{MM['overlay_thickness']:g} mm, opal acrylic"
    yield f"  ═══════════════════════════════════ overlay, {overlay}"
    yield (
        "  █    ▀▀▀▀▀▀▀▀▀▀▀▀┬▀▀▀▀▀▀▀▀▀▀▀▀    █ electrode board, "
        f"{electrode} × {MM['electrode_thickness']:g} mm, glued flat"
    )
    yield f"  █                │                █ air, {MM['light_depth']:g} mm; the spring probe"
    yield f"  █  ■             │             ■  █ lights; white wall, {MM['wall']:g} mm"
    yield f"  █ ═══════════════╧═══════════════ █ tile, {tile} mm"
    yield "     ▄▄ ▄▄         ▄           ▄▄     plugs: lights in and out, electrode, feed"
    yield "```"
