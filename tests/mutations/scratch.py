"""Copies of the tree, in which mistakes are made and tests are run; never in the tree itself."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from mutation import Mutation, Result, StaleError

ROOT: Final = Path(__file__).parents[2]
MAX_SECONDS: Final = 300
"""For the tests of one mutation; a mistake may make something go on for ever."""
ONE_TEST_SECONDS: Final = 200
PAGES_PYTHON: Final = ROOT / ".venv-pages/bin/python"
"""Runs the tests that open pages in a browser. `.ci/setup.sh pages` makes it."""
BROWSERS: Final = ROOT / "build/browsers"
"""The old browsers for those tests, from the same command."""
MARKS: Final = "not torture and not machine and not package and not pages and not fleet"
"""Which tests of a file are run: those of `make test`, and those that plant faults themselves."""


class BrokenError(Exception):
    """Tests could not be run, or are red in a tree without a mistake."""


_NAMES: Final = shutil.ignore_patterns(
    *(
        ".git",
        ".venv*",
        ".kicad",
        ".*_cache",
        ".hypothesis",
        "__pycache__",
        "*.egg-info",
        "*.corpus",
    )
)


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Return the files that a copy lacks: all build products except those of the firmware."""
    made = {"build", "out"} & {*names} if Path(folder) == ROOT else set()
    return _NAMES(folder, names) | made


def complaints(mutations: Sequence[Mutation]) -> Iterator[str]:
    """Yield the complaints about mutations that do not fit the tree."""
    for mutation in mutations:
        try:
            mutation.applied(ROOT)
        except StaleError as error:
            yield str(error)


class Scratch:
    """A copy of the tree, with what of the firmware has been built, each file as old as it is."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(ROOT, root, ignore=_left_out, dirs_exist_ok=True)
        if BROWSERS.exists():
            (root / "build").mkdir(exist_ok=True)
            (root / "build/browsers").symlink_to(BROWSERS.resolve())

    @contextmanager
    def mistaken(self, mutation: Mutation) -> Iterator[None]:
        """The copy with the mistake in it, for as long as this is entered."""
        path = self.root / mutation.file
        before = path.read_text(encoding="utf-8")
        path.write_text(mutation.applied(self.root), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(before, encoding="utf-8")

    def try_out(self, mutation: Mutation) -> Result:
        """Make the mistake, and run its tests until one of them is red."""
        begun = monotonic()
        caught_by = broken = None
        with self.mistaken(mutation):
            try:
                caught_by = self.red(mutation.tests)
            except BrokenError as error:
                broken = str(error)
        return Result(mutation, caught_by, round(monotonic() - begun, 1), broken)

    def red(self, tests: tuple[str, ...]) -> str | None:
        """The first of these tests that is red, None if all are green."""
        for target in (test.removeprefix("make:") for test in tests if test.startswith("make:")):
            if found := self._made(target):
                return found
        of_python = [test for test in tests if not test.startswith("make:")]
        return self._tested(of_python) if of_python else None

    def _made(self, target: str) -> str | None:
        done, said = self._run(["make", "-s", "-C", "firmware", target])
        if done == 0:
            return None
        # A mistake that the compiler finds is found; but it is to be one that it does not.
        if done is not None and re.search(r"\berror:", said):
            raise BrokenError(f"It does not compile: {said[-500:]}")
        failed = re.search(r"^(tests/\S+:\d+)", said, re.MULTILINE)
        where = f", {failed[1]}" if failed else ""
        return f"make -C firmware {target}{where}"

    def _tested(self, tests: list[str]) -> str | None:
        limits = [f"--timeout={ONE_TEST_SECONDS}", "-o", f"faulthandler_timeout={MAX_SECONDS}"]
        command = [sys.executable, "-m", "pytest", "-x", "-rfE", "--tb=no", *limits]
        marks = MARKS
        if any(test.startswith("tests/pages") for test in tests):
            if not PAGES_PYTHON.exists():
                raise BrokenError("There is no browser for the pages: run '.ci/setup.sh pages'.")
            command[0], marks = str(PAGES_PYTHON), "pages"
        done, said = self._run([*command, "-p", "no:cacheprovider", "-m", marks, *tests])
        if done == 0:
            return None
        if done is None:
            return "the time that they may take"
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
        if failed is None or ("no tests ran" in said and done in (4, 5)):
            raise BrokenError(f"pytest ended with {done}: {said[-500:]}")
        return failed[1]

    def _run(self, command: list[str]) -> tuple[int | None, str]:
        """The exit status, None if it took too long, and all that was said."""
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        # Bytecode is known by its second and its size, and a mistake is quicker made than that.
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        try:
            done = subprocess.run(
                command,
                cwd=self.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=MAX_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout.decode(errors="replace")
