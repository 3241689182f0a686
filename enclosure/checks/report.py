"""The result of a check: figures as plain lines, and a sentence for each fault."""

from dataclasses import dataclass, field


@dataclass
class Report:
    """The outcome of one check. The check has passed if ``findings`` is empty.

    Attributes:
        title: The subject of the check, as the heading of the printed lines.
        figures: Plain lines, each a figure with its unit; they go into figures.txt unchanged.
        findings: A sentence for each fault, which names a part and a measured value.
    """

    title: str
    figures: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)

    def demand(self, holds: bool, sentence: str) -> None:
        """Add ``sentence`` to the findings if ``holds`` is false."""
        if not holds:
            self.findings.append(sentence)

    def __str__(self) -> str:
        lines = [f"{self.title}:", *(f"  {line}" for line in self.figures)]
        return "\n".join(lines + [f"  WRONG: {finding}" for finding in self.findings])
