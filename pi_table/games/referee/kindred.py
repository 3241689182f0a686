"""Word families from hand-written lists. Any word of a family can be looked up."""

from collections import defaultdict
from collections.abc import Iterable

from pi_table.games.referee.curated import Lists
from pi_table.games.words.families import Families, Family


class Kindred:
    """The families of one language. The name of a family is its first word.

    Most families come from `pi_table.games.words.families`. The referee's own lists add shorter
    ones.
    """

    def __init__(self, written: Families, lists: Lists) -> None:
        self._written = written
        self._kin: defaultdict[str, list[str]] = defaultdict(list)
        self._perhaps: defaultdict[str, list[str]] = defaultdict(list)
        self._cousins: defaultdict[str, list[str]] = defaultdict(list)
        self._forms: defaultdict[str, list[str]] = defaultdict(list)
        self._spelled: dict[str, str] = {}
        self._parts = lists.tails("parts")
        for family in written.values():
            _add(self._kin, family.word, family.kin)
            _add(self._perhaps, family.word, family.perhaps)
            _add(self._forms, family.word, family.forms)
            self._spelled |= dict.fromkeys(family.spellings, family.word)
        for head, *forms in lists.entries("forms"):
            _add(self._forms, head, forms)
        worn = lists.words("worn")
        for head, *words in lists.entries("families"):
            _add(self._kin, head, (word for word in words if word not in worn))
            _add(self._perhaps, head, (word for word in words if word in worn))
        for entry in lists.entries("cousins"):
            _add(self._perhaps, entry[0], entry[1:])
            _add(self._cousins, entry[0], entry[1:])

    def family(self, word: str) -> Family | None:
        return self._written.get(word)

    def knows(self, word: str) -> bool:
        return word in self._written or word in self._kin or word in self._forms

    def heads(self, word: str) -> frozenset[str]:
        """Return the families to which ``word`` belongs, including the family named ``word``."""
        return frozenset((word, *self._kin.get(word, ())))

    def doubtful_heads(self, word: str) -> frozenset[str]:
        """Return the families to which ``word`` may belong."""
        return frozenset(self._perhaps.get(word, ()))

    def cousins(self, word: str) -> frozenset[str]:
        """Return those `doubtful_heads` of ``word`` whose kinship with it guests still notice."""
        return frozenset(self._cousins.get(word, ()))

    def irregular(self, word: str) -> tuple[str, ...]:
        """Return the words of which ``word`` is an irregular form."""
        return tuple(self._forms.get(word, ()))

    def spelling(self, word: str) -> str:
        return self._spelled.get(word, word)

    def parts(self, word: str) -> tuple[str, ...]:
        """Return the listed members of the compound ``word``. Empty if there are none."""
        family = self._written.get(word)
        return (family.parts if family is not None else ()) or self._parts.get(word, ())


def _add(heads: defaultdict[str, list[str]], head: str, words: Iterable[str]) -> None:
    for word in words:
        heads[word].append(head)
