"""The typefaces of the pages are those that their notice names, with their licences beside them."""

import hashlib
from pathlib import Path

import pi_table

FOLDER = Path(next(iter(pi_table.__path__))) / "screens" / "web/pages/vendor/typefaces"


def test_each_typeface_is_byte_for_byte_the_one_in_the_notice() -> None:
    notice = (FOLDER / "NOTICE.txt").read_text("utf-8")
    named = {name: sha for sha, name in (line.split("  ") for line in notice.splitlines()[-3:])}
    kept = {path.name: path.read_bytes() for path in FOLDER.glob("*.woff2")}
    assert {name: hashlib.sha256(content).hexdigest() for name, content in kept.items()} == named


def test_their_licences_are_beside_them() -> None:
    for name in ("OFL-AtkinsonHyperlegible.txt", "OFL-BarlowCondensed.txt"):
        assert "SIL OPEN FONT LICENSE Version 1.1" in (FOLDER / name).read_text("utf-8")
