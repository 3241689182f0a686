"""State diagrams of pages, as sets of arrows."""

from pathlib import Path

Arrow = tuple[str, str, str]
"""A state, what happens there, and the state that follows."""


def diagram_in(page: Path) -> tuple[set[str], set[Arrow]]:
    """The states in which the first Mermaid diagram of a page begins, and its arrows.

    ``state name {`` groups the states named up to its ``}``. An arrow from the group starts in each
    of them, one to the group ends in each.
    """
    _, _, after = page.read_text("utf-8").partition("```mermaid\n")
    diagram, closing, _ = after.partition("\n```\n")
    assert closing, f"{page} has no diagram"
    head, *lines = (line.strip() for line in diagram.splitlines())
    assert head == "stateDiagram-v2"
    groups: dict[str, set[str]] = {}
    within: list[str] = []
    begins, arrows = set(), set()
    for line in lines:
        if line.startswith("state "):
            within.append(line.split()[1])
            groups[within[-1]] = set()
        elif line == "}":
            within.pop()
        else:
            start, _, rest = line.partition(" --> ")
            end, _, signs = rest.partition(": ")
            for group in within:
                groups[group] |= {start, end}
            if start == "[*]":
                begins.add(end)
            else:
                arrows |= {(start, sign, end) for sign in signs.split(", ")}
    return begins, {
        (one, sign, other)
        for start, sign, end in arrows
        for one in groups.get(start, {start})
        for other in groups.get(end, {end})
    }
