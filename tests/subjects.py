"""Check the subjects of new commits: `make lint`.

CONTRIBUTING.md has the rules. Commits older than the last change of this file are exempt. Without
git or a history, as in an unpacked archive, there is nothing to check.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
MAX_LENGTH: Final = 60
"""Characters of a subject."""
PART: Final = re.compile(r"[a-z][\w ./-]*: (?=\S)")
NO_IMPERATIVES: Final = re.compile(
    r"(?:an?|the|no|not|new|more|less|now|what|how|when|if|it|is|are|was|all|every|some|only"
    r"|begun|broken|built|chosen|done|drawn|found|given|gone|heard|held|hidden|kept|known|lost"
    r"|made|meant|seen|sent|shown|spoken|taken|thought|told|understood|written"
    r"|(?!\w{0,3}(?:ring|sing|wing|ling|ping)$|bring$|sting$)\w+ing"
    r"|(?!(?:b|bl|br|emb|exce|f|h|l|n|ne|proce|s|se|sh|shr|spe|succe|we)ed$)\w+ed"
    r"|(?!(?:alias|bias|canvas|focus)$)\w*[^s\W]s)"
)
"""First words that are no verb in the imperative: participles, -ing, third person, articles."""
TRAILER: Final = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)+: .+")
"""A line such as ``Signed-off-by: …``, which is no body."""


def problems(message: str) -> Iterator[str]:
    """Yield what is wrong with the message of a commit, each as a phrase."""
    subject, _, body = message.strip().partition("\n")
    if len(subject) > MAX_LENGTH:
        yield f"{len(subject)} characters, at most {MAX_LENGTH}"
    if part := PART.match(subject):
        verb = subject[part.end() :].split()[0]
        if NO_IMPERATIVES.fullmatch(verb.lower()):
            yield f"begin with a verb in the imperative, not with “{verb}”"
    else:
        yield "begin with the part and a colon, as in “bridge: drop stale messages”"
    if subject.endswith("."):
        yield "no full stop at the end"
    if all(not line or TRAILER.fullmatch(line) for line in body.splitlines()):
        yield "a body must say why"


def new_commits(root: Path) -> list[tuple[str, str]]:
    """Return short hash and message of each commit made after the last change of this file.

    In a shallow clone its oldest commit seems to have changed it.
    """
    try:
        base = _git(root, "log", "-1", "--format=%H", "--", "tests/subjects.py")
        newer = f"{base.strip()}..HEAD"
        log = _git(root, "log", "--no-merges", "--ancestry-path", "--format=%h%n%B%x00", newer)
    except (OSError, subprocess.CalledProcessError):
        return []
    pairs = (each.strip().partition("\n") for each in log.split("\0") if each.strip())
    return [(commit, message) for commit, _, message in pairs]


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def main(root: Path = ROOT) -> int:
    """Print each problem, and return 1 if there is any."""
    found = [
        f"{commit} {message.splitlines()[0]}: {problem}"
        for commit, message in new_commits(root)
        for problem in problems(message)
    ]
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
