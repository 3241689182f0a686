"""The contrast of the pages' text and edges with their backgrounds: calculated, not guessed."""

import re
from pathlib import Path

import pytest

import pi_table
from pi_table.lab.seeing.srgb import contrast

STYLE = (Path(next(iter(pi_table.__path__))) / "screens" / "web/pages/style.css").read_text("utf-8")
USUAL, MORE = (
    {name: int(value * (2 if len(value) == 3 else 1), 16) for name, value in found}
    for found in (
        re.findall(r"--([a-z-]+): #([0-9a-f]{3,6});", part)
        for part in STYLE.split("@media (prefers-contrast: more)", 1)
    )
)
TEXT = 4.5
"""WCAG 2.2, 1.4.3: what text has to have."""
SHAPE = 3.0
"""WCAG 2.2, 1.4.11: what has to be seen to understand, or to use, a thing."""
READ = [
    *(("ink", on) for on in ("ground", "surface", "raised", "red-deep", "blue-deep", "sand-deep")),
    *(("soft", on) for on in ("ground", "surface")),
    *(("faint", on) for on in ("ground", "surface")),
    *(("accent", on) for on in ("ground", "surface")),
    ("on-accent", "accent"),
    ("on-accent", "ink"),
    ("red", "ground"),
    ("blue", "ground"),
    ("white", "black"),
    ("black", "blue"),
]
SEEN = [
    *(("edge", on) for on in ("ground",)),
    *((team, f"{team}-deep") for team in ("red", "blue", "sand")),
    *((sign, "ground") for sign in ("red", "blue", "sand", "white")),
    *(("violet", "black"), ("accent", "red-deep"), ("accent", "blue-deep")),
]


@pytest.mark.parametrize("colours", [USUAL, {**USUAL, **MORE}], ids=["usual", "more contrast"])
@pytest.mark.parametrize(("ink", "ground"), READ)
def test_text_can_be_read(colours: dict[str, int], ink: str, ground: str) -> None:
    assert contrast(colours[ink], colours[ground]) >= TEXT


@pytest.mark.parametrize("colours", [USUAL, {**USUAL, **MORE}], ids=["usual", "more contrast"])
@pytest.mark.parametrize(("shape", "ground"), SEEN)
def test_shapes_can_be_seen(colours: dict[str, int], shape: str, ground: str) -> None:
    assert contrast(colours[shape], colours[ground]) >= SHAPE


def test_the_colours_are_those_of_the_hidden_screen() -> None:
    from pi_table.screens.console import style

    same = [name for name in USUAL if hasattr(style, name.upper().replace("-", "_"))]
    assert len(same) >= 15
    for name in same:
        assert USUAL[name] == getattr(style, name.upper().replace("-", "_")), name
