"""A language in which every text stands between « and »: whatever else has letters was left out."""

import gettext

import pytest

from pi_table.common import language


class Marked(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"«{msgid1 if n == 1 else msgid2}»"


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every language is the marked one."""
    monkeypatch.setattr(language, "catalogue", lambda lang: Marked())


def unmarked(text: str) -> str:
    """Return the parts of a text outside all marks."""
    depth = 0
    outside = []
    for sign in text:
        depth += {"«": 1, "»": -1}.get(sign, 0)
        if depth == 0 and sign != "»":
            outside.append(sign)
    assert depth == 0, text
    return "".join(outside)
