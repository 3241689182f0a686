"""Score of the referee. ``python tests/referee/score.py [TABLE] [HALF]`` prints it, and the pairs
on which people differ. A table is ``pairs`` or ``fresh3`` (only half 1 counts), a half 0 or 1."""

import sys

from table_of_pairs import Score, half, read

if __name__ == "__main__":
    options = [option for option in sys.argv[1:] if not option.startswith("-")]
    table, *halves = options or ["pairs"]
    for lang in ("en", "it"):
        pairs = [*read(f"{table}-{lang}.txt", lang)]
        if halves:
            pairs = [pair for pair in pairs if half(pair) == int(halves[0])]
        print(f"{lang}: {len(pairs)} pairs\n{Score.of(pairs)}\n")
        for pair in pairs:
            given = pair.judged()
            if given.verdict is not pair.verdict and "--brief" not in sys.argv:
                why = given.reason.why.name if given.reason else ""
                print(
                    f"  {pair.line}: {pair.clue} / {', '.join(pair.board)}: people {pair.verdict}"
                    f" ({pair.rule}), referee {given.verdict} {why}"
                )
