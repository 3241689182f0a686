"""State diagrams, as a page shows them and as they read."""

from pathlib import Path


def shown_in(page: Path) -> str:
    """The first Mermaid diagram of a page."""
    _, _, after = page.read_text("utf-8").partition("```mermaid\n")
    diagram, closing, _ = after.partition("\n```\n")
    assert closing
    return diagram


def arrows_of(diagram: str) -> tuple[str, set[tuple[str, str, str]]]:
    """The state in which a diagram begins; and its arrows, each from a state, for a sign, to a
    state."""
    head, begins, *lines = diagram.splitlines()
    first = begins.removeprefix("    [*] --> ")
    assert (head, begins) == ("stateDiagram-v2", f"    [*] --> {first}")
    arrows = set()
    for line in lines:
        start, _, rest = line.strip().partition(" --> ")
        end, _, signs = rest.partition(": ")
        arrows |= {(start, sign, end) for sign in signs.split(", ")}
    return first, arrows
