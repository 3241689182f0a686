"""All mutations, read from the texts beside this file, one text for each area.

Blank lines separate the blocks of a text. A mutation is a block like this one:

    pi_table/games/words/deck.py: the words are not shuffled
        tests/words/test_deck.py
    -    chooser.shuffle(words)
    +    pass

Its first line names the file and what is wrong then. The indented lines name the tests to run, and
after ``survives:`` say why no test can notice it, where that is so. The text behind ``-`` is
replaced by the text behind ``+``. A block ``NAME = TESTS`` gives tests a name within its text, and
``#`` begins a comment.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mutation import Mutation


def read_mutations(text: str) -> Iterator[Mutation]:
    groups: dict[str, list[str]] = {}
    for block in text.strip().split("\n\n"):
        head, *lines = block.splitlines()
        indented = " ".join(line.strip() for line in lines if line.startswith(" "))
        match head.split():
            case ["#", *_]:
                pass
            case [name, "=", *tests]:
                groups[name] = [*tests, *indented.split()]
            case _:
                file, _, name = head.partition(": ")
                run, _, survives = indented.partition("survives: ")
                run_all = (test for word in run.split() for test in groups.get(word, [word]))
                old, new = (
                    "\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+"
                )
                yield Mutation(name, file, old, new, tuple(run_all), survives or None)


MUTATIONS: Final = [
    mutation
    for path in sorted(Path(__file__).parent.glob("*.txt"))
    for mutation in read_mutations(path.read_text(encoding="utf-8"))
]
