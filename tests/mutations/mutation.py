"""One mutation: a small mistake that could be made, and the tests that are to notice it."""

from pathlib import Path

import msgspec


class StaleError(Exception):
    """A mutation does not fit the tree any more."""


class Mutation(msgspec.Struct, frozen=True):
    """One change to one file."""

    name: str
    """The mistake, in a few words."""
    file: str
    """The file's path from the top of the tree."""
    old: str
    """The text that is replaced; it stands in the file exactly once."""
    new: str
    tests: tuple[str, ...]
    """Tests to run: arguments of pytest, or ``make:TARGET`` for a target of the firmware's
    Makefile."""
    survives: str | None = None
    """Why no test can notice it, where that is so."""

    def applied(self, root: Path) -> str:
        """The file's text with the mistake in it. Raises StaleError if it cannot be made."""
        path = root / self.file
        if not path.is_file():
            raise StaleError(f"{self.name!r}: there is no file {self.file}. Mend the mutation.")
        text = path.read_text(encoding="utf-8")
        found = text.count(self.old)
        if found != 1:
            raise StaleError(
                f"{self.name!r}: {self.file} has {self.old!r} {found} times, not once. Mend the "
                "mutation, so that it makes the same mistake in the code as it is now."
            )
        if self.old == self.new:
            raise StaleError(f"{self.name!r} changes nothing.")
        return text.replace(self.old, self.new)


class Result(msgspec.Struct, frozen=True):
    """The result of a mutation."""

    mutation: Mutation
    caught_by: str | None
    """The first test that noticed it; None: none did."""
    seconds: float
    broken: str | None = None
    """Why nothing can be said: the tests could not be run."""

    @property
    def is_as_it_should_be(self) -> bool:
        """True if it was caught, or if it survives for a known reason."""
        return self.broken is None and (self.caught_by is None) == bool(self.mutation.survives)
