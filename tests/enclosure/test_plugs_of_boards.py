"""The plugs as the enclosure has them, against the boards' own files."""

from pathlib import Path

import pytest

from enclosure import plugs
from hardware.boards import check
from hardware.boards.check import MIDDLE
from hardware.boards.sexpr import Node, child, children, parse, plain

FOLDER = Path(check.__file__).parent


def drawn(name: str) -> dict[str, plugs.Box]:
    """Each plug's body as KiCad draws it on the layer of the parts' outlines."""
    board = parse((FOLDER / name / f"{name}.kicad_pcb").read_text("utf-8"))
    found = {}
    for part in children(board, "footprint"):
        ref = next(plain(p[2]) for p in children(part, "property") if plain(p[1]) == "Reference")
        if ref[0] == "J" and ref[1:].isdigit():
            found[ref] = body(part)
    return found


def body(part: Node) -> plugs.Box:
    x, y, *turned = (float(plain(each)) for each in child(part, "at")[1:])
    turns = round((turned[0] if turned else 0) / 90) % 4
    xs, ys = [], []
    for line in [*children(part, "fp_line"), *children(part, "fp_rect")]:
        if plain(child(line, "layer")[1]).endswith(".Fab"):
            for end in ("start", "end"):
                across, down = (float(plain(each)) for each in child(line, end)[1:3])
                for _ in range(turns):
                    across, down = down, -across
                xs.append(x + across - MIDDLE[0])
                ys.append(MIDDLE[1] - y - down)
    return min(xs), max(xs), min(ys), max(ys)


@pytest.mark.parametrize(
    ("name", "made"), [("carrier", plugs.of_carrier()), ("tile", plugs.of_tile())]
)
def test_a_plug_is_where_and_as_large_as_the_board_has_it(
    name: str, made: tuple[plugs.Plug, ...]
) -> None:
    assert {plug.ref for plug in made} == set(drawn(name))
    for plug in made:
        assert plug.body == pytest.approx(drawn(name)[plug.ref], abs=0.02), plug.ref
