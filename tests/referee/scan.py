"""The commonest words of a language as clues, against a whole pack: what has the referee against
them?

``python tests/referee/scan.py PACK [invalid|doubtful]`` prints each word of the pack with the clues
that the referee says that of, for people to read; ``--count`` prints only how many. It needs
wordfreq, which the reckoning of the tables needs too.
"""

import argparse
from collections import Counter

from wordfreq import top_n_list

from pi_table.games.referee.kinship import kinship
from pi_table.games.referee.opinion import verdict_of
from pi_table.games.referee.reasons import Verdict
from pi_table.games.referee.spelling import tidy
from pi_table.games.referee.vocabulary import vocabulary
from pi_table.games.words.pack import pack_named

FREQUENT = 8000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack")
    parser.add_argument("verdict", nargs="?", default="invalid", choices=["invalid", "doubtful"])
    parser.add_argument("--count", action="store_true")
    chosen = parser.parse_args()
    pack = pack_named(chosen.pack)
    words = vocabulary(pack.language)
    clues = [words.analyse(clue) for clue in top_n_list(pack.language, FREQUENT) if clue.isalpha()]
    counts: Counter[Verdict] = Counter()
    unknown = [clue.text for clue in clues if not words.knows(clue.text)]
    for text in pack.words:
        word = words.analyse(tidy(text).casefold())
        found = []
        for clue in clues:
            kin = kinship(clue, word)
            verdict = Verdict.FINE if kin is None else verdict_of(kin.why)
            counts[verdict] += 1
            if str(verdict) == chosen.verdict and clue.text != word.text:
                found.append(clue.text)
        if found and not chosen.count:
            print(f"{text}: {' '.join(found)}")
    print(f"# {pack.name}: " + ", ".join(f"{counts[each]} {each}" for each in Verdict))
    print(f"# {len(unknown)} of {len(clues)} clues are not known: {' '.join(unknown)}")


if __name__ == "__main__":
    main()
