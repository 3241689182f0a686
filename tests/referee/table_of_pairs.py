"""Tables of clues with the verdicts of people, and how the referee does on them.

A line is ``clue | words on the cells, by commas | verdict | rule | note``; the note begins with the
settings of the clue, ``house=…``, ``profile=…``, ``covered=…``; ``#`` begins a comment.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pi_table.games.referee.opinion import opinion
from pi_table.games.referee.reasons import Opinion, Verdict

HERE = Path(__file__).parent
_SETTING = re.compile("(house|profile|covered)=")


@dataclass(frozen=True)
class Pair:
    """A clue on a table, and what people say of it."""

    lang: str
    line: int
    clue: str
    board: tuple[str, ...]
    verdict: Verdict
    rule: str
    profile: str
    house: tuple[str, ...]
    covered: tuple[str, ...]

    def judged(self) -> Opinion:
        """Return the referee's opinion of it."""
        return opinion(self.clue, 1, self.board, self.covered, self.lang, self.profile, self.house)


@dataclass(frozen=True)
class Score:
    """Number of pairs for each verdict of people and each verdict of the referee."""

    counts: Counter[tuple[Verdict, Verdict]]

    @classmethod
    def of(cls, pairs: list[Pair]) -> "Score":
        return cls(Counter((pair.verdict, pair.judged().verdict) for pair in pairs))

    def share(self, people: Verdict) -> float:
        """Return the share (0 to 1) of the pairs with this verdict on which the referee agrees."""
        return self.counts[people, people] / max(
            1, sum(self.counts[people, given] for given in Verdict)
        )

    def wrongly_invalid(self) -> int:
        return sum(
            self.counts[people, Verdict.INVALID] for people in (Verdict.FINE, Verdict.DOUBTFUL)
        )

    def __str__(self) -> str:
        lines = [f"{'people':>10} {'fine':>10} {'doubtful':>10} {'invalid':>10} {'alike':>8}"]
        for people in Verdict:
            row = " ".join(f"{self.counts[people, given]:>10}" for given in Verdict)
            lines.append(f"{people!s:>10} {row} {self.share(people):>8.1%}")
        return "\n".join(lines)


def read(name: str, lang: str) -> Iterator[Pair]:
    """The pairs of one table beside this file."""
    for number, line in enumerate((HERE / name).read_text("utf-8").splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        clue, words, verdict, rule, *note = (part.strip() for part in line.split("|"))
        settings = dict(
            part.split("=", 1) for part in " ".join(note).split() if _SETTING.match(part)
        )
        yield Pair(
            lang,
            number,
            clue,
            _listed(words),
            Verdict[verdict.upper()],
            rule,
            settings.get("profile", "codenames"),
            _listed(settings.get("house", "")),
            _listed(settings.get("covered", "")),
        )


def half(pair: Pair) -> int:
    """In which half of its table a pair is, 0 or 1: the words decide it, so that nobody does."""
    return zlib.crc32(f"{pair.clue}|{pair.board}".encode()) % 2


def _listed(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())
