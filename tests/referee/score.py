"""How does the referee do? ``python tests/referee/score.py`` prints it, and where people differ."""

import sys

from table_of_pairs import Score, read

if __name__ == "__main__":
    for lang in ("en", "it"):
        pairs = [*read(f"pairs-{lang}.txt", lang)]
        print(f"{lang}: {len(pairs)} pairs\n{Score.of(pairs)}\n")
        for pair in pairs:
            given = pair.judged()
            if given.verdict is not pair.verdict and "--brief" not in sys.argv:
                why = given.reason.why.name if given.reason else ""
                print(
                    f"  {pair.line}: {pair.clue} / {', '.join(pair.board)}: people {pair.verdict}"
                    f" ({pair.rule}), referee {given.verdict} {why}"
                )
