"""State diagrams of pages, as sets of arrows."""

from pathlib import Path

Arrow = tuple[str, str, str]
"""A state, what happens there, and the state that follows."""


def diagram_in(page: Path) -> tuple[set[str], set[Arrow]]:
    """The states in which the first Mermaid diagram of a page begins, and its arrows."""
    _, _, after = page.read_text("utf-8").partition("```mermaid\n")
    diagram, closing, _ = after.partition("\n```\n")
    assert closing, f"{page} has no diagram"
    head, *lines = diagram.splitlines()
    assert head == "stateDiagram-v2"
    begins, arrows = set(), set()
    for line in lines:
        start, _, rest = line.strip().partition(" --> ")
        end, _, signs = rest.partition(": ")
        if start == "[*]":
            begins.add(end)
        else:
            arrows |= {(start, sign, end) for sign in signs.split(", ")}
    return begins, arrows
