"""`python tests/mutations`: make many small mistakes, one after another, and see who notices.

Each is made in a copy of the tree, on all cores. What comes of it is a line each, or with `--json`
an object each. The exit status is 1 if a mistake was noticed by nobody, and none was said to be.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

import msgspec
from all_mutations import MUTATIONS
from bounds import lifted_bounds
from mutation import Mutation, Result
from scratch import ROOT, BrokenError, Scratch, complaints


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/mutations", description=__doc__)
    parser.add_argument("words", nargs="*", help="only those with one of these words in them")
    parser.add_argument(
        "--bounds", action="store_true", help="lift bounds that no test names, instead"
    )
    parser.add_argument("--list", action="store_true", help="name them, and do nothing")
    parser.add_argument("--json", action="store_true", help="print JSON Lines")
    given = parser.parse_args()
    known = lifted_bounds(ROOT) if given.bounds else MUTATIONS
    chosen = [mutation for mutation in known if is_meant(mutation, given.words)]
    if stale := list(complaints(chosen)):
        print(*stale, sep="\n", file=sys.stderr)
        return 1
    if given.list:
        print(*(f"{mutation.file}: {mutation.name}" for mutation in chosen), sep="\n")
        return 0
    results = [told(result, as_json=given.json) for result in tried(chosen)]
    caught = sum(result.caught_by is not None for result in results)
    wrong = [result for result in results if not result.is_as_it_should_be]
    if not given.json:
        print(f"{caught} of {len(results)} caught; {len(wrong)} to be looked at.")
        for result in results:
            if result.caught_by is None and result.mutation.survives:
                print(f"Survives: {result.mutation.name}. {result.mutation.survives}")
    return int(bool(wrong))


def is_meant(mutation: Mutation, words: Sequence[str]) -> bool:
    return not words or any(word in f"{mutation.file} {mutation.name}" for word in words)


def tried(mutations: Sequence[Mutation]) -> Iterator[Result]:
    """Yield the result of each, in their order. A mutation whose tests are red without it is
    broken."""
    cores = len(os.sched_getaffinity(0))
    with TemporaryDirectory(prefix="mutations-") as folder, ThreadPoolExecutor(cores) as pool:
        free: SimpleQueue[Scratch] = SimpleQueue()
        for number in range(cores):
            free.put(Scratch(Path(folder) / str(number)))

        def red(test: str) -> str | None:
            scratch = free.get()
            try:
                return scratch.red((test,))
            except BrokenError as error:
                return str(error)
            finally:
                free.put(scratch)

        related = dict.fromkeys(test for mutation in mutations for test in mutation.tests)
        reds = dict(zip(related, pool.map(red, related), strict=True))

        def result(mutation: Mutation) -> Result:
            for test in mutation.tests:
                if reds[test] is not None:
                    why = f"{test} is red without any mutation: {reds[test]}"
                    return Result(mutation, None, 0.0, why)
            scratch = free.get()
            try:
                return scratch.try_out(mutation)
            finally:
                free.put(scratch)

        yield from pool.map(result, mutations)


def told(result: Result, *, as_json: bool) -> Result:
    mutation = result.mutation
    if as_json:
        of_it = {name: getattr(mutation, name) for name in ("name", "file", "survives")}
        line = {**of_it, "caught_by": result.caught_by, "seconds": result.seconds}
        print(msgspec.json.encode(line | {"broken": result.broken}).decode(), flush=True)
        return result
    word = "caught" if result.caught_by else "BROKEN" if result.broken else "SURVIVED"
    if word == "SURVIVED" and mutation.survives:
        word = "survives"
    by = result.caught_by or result.broken or ""
    print(f"{word:8} {result.seconds:6.1f} s  {mutation.file}: {mutation.name}  {by}", flush=True)
    return result


if __name__ == "__main__":
    sys.exit(main())
