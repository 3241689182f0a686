"""The referee's opinion on a clue. The referee knows only words, and nothing of keys and games."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal

from pi_table.common.errors import InputError
from pi_table.common.language import did_you_mean, say
from pi_table.common.lettering import LOST, same, unseen
from pi_table.games.referee.kinship import kinship
from pi_table.games.referee.looks import looks
from pi_table.games.referee.reasons import FINE, LANGUAGES, Opinion, Reason, Verdict, Why
from pi_table.games.referee.spelling import join_letters, tidy
from pi_table.games.referee.vocabulary import vocabulary

PROFILES: Final = {
    "codenames": "en",
    "nome-in-codice": "it",
    "deep-undercover": "en",
    "alias-24": "en",
}
"""The games with clues, each with its default language."""
HOUSE_RULES: Final = ("compounds", "abbreviations", "names", "sounds")
ALIAS: Final = "alias-24"
MAX_CLUE_LENGTH: Final = 200
"""Maximum number of characters of a clue."""
UNLIMITED: Final = "unlimited"
MAX_NUMBER: Final = 25

Number = int | Literal["unlimited"]

_RULES: Final = {
    Why.SAME: (Verdict.INVALID, "CL-4"),
    Why.SPELLING: (Verdict.INVALID, "CL-4"),
    Why.FORM: (Verdict.INVALID, "CL-2"),
    Why.KIN: (Verdict.INVALID, "CL-2"),
    Why.COMPOUND: (Verdict.INVALID, "CL-2"),
    Why.PART: (Verdict.INVALID, "CL-3"),
    Why.AKIN: (Verdict.INVALID, "CL-3"),
    Why.PERHAPS_KIN: (Verdict.DOUBTFUL, "CL-2"),
    Why.PERHAPS_PART: (Verdict.DOUBTFUL, "CL-3"),
    Why.ENDING: (Verdict.DOUBTFUL, "CL-8"),
}
_INVALID_ALIAS: Final = (Why.SAME, Why.SPELLING, Why.PART)


def opinion(
    clue: str,
    number: Number,
    board: Sequence[str | None],
    covered: Sequence[str | None] = (),
    lang: str = "en",
    profile: str = "codenames",
    house: Collection[str] = (),
) -> Opinion:
    """Return the referee's opinion on a clue.

    ``board`` has the words on the cells, in the order of the cells; None for an unknown word. Words
    that are also in ``covered`` no longer restrict clues. If there are several objections, the
    worst is returned. If two are equally bad, the one about the earlier word of the board is
    returned. Raises InputError for an invalid clue, number, language, profile or house rule.
    """
    written = _clue(clue)
    _check(number, lang, profile, house)
    words = vocabulary(lang)
    said = written.casefold()
    taken = words.analyse(words.without_article(said))
    found = [
        _opinion(kin.why, profile, Reason(kin.why, said, word, kin.part))
        for word in _binding_words(board, covered)
        if (kin := kinship(taken, words.analyse(words.without_article(word)))) is not None
        and not (kin.why is Why.ENDING and "sounds" in house)
    ]
    found += looks(written, words, house, profile)
    return max(found, key=lambda one: one.verdict, default=FINE)


def warm(lang: str) -> None:
    """Load the language's dictionaries now, so that the first answer does not wait for them."""
    vocabulary(lang)


def verdict_of(why: Why) -> Verdict:
    """Return the verdict on a kind of kinship. It is the same in every game except Alias 24."""
    return _RULES[why][0]


def _opinion(why: Why, profile: str, reason: Reason) -> Opinion:
    verdict, rule = _RULES[why]
    if profile == ALIAS:
        rule = "AL-13"
        if why not in _INVALID_ALIAS:
            verdict = Verdict.DOUBTFUL
    return Opinion(verdict, rule, reason)


def _binding_words(board: Sequence[str | None], covered: Sequence[str | None]) -> Iterator[str]:
    """Yield the words that restrict clues: all words that are not covered. If two words are alike
    and one of them is covered, the other still restricts clues."""
    gone = Counter(same(word) for word in covered if word)
    for word in board:
        if not word or not tidy(word):
            continue
        if gone[same(word)]:
            gone[same(word)] -= 1
        else:
            yield tidy(word).casefold()


def _clue(clue: str) -> str:
    written = join_letters(tidy(clue))
    if not any(map(str.isalnum, written)):
        raise InputError(say("There is no clue; type a word."))
    if len(written) > MAX_CLUE_LENGTH:
        raise InputError(
            say(
                "The clue has {len} characters; a clue has at most {longest_clue}.",
                len=len(written),
                longest_clue=MAX_CLUE_LENGTH,
            )
        )
    if unseen(written) or LOST in written:
        raise InputError(
            say(
                "The clue has control characters, or others that nobody can read; type letters "
                "only."
            )
        )
    return written


def _check(number: object, lang: str, profile: str, house: Collection[str]) -> None:
    whole = isinstance(number, int) and not isinstance(number, bool)
    if number != UNLIMITED and not (whole and 0 <= int(str(number)) <= MAX_NUMBER):
        raise InputError(
            say(
                "The clue's number cannot be {number}; it is 0 to {highest_number}, or "
                "{unlimited}.",
                number=repr(number),
                highest_number=MAX_NUMBER,
                unlimited=repr(UNLIMITED),
            )
        )
    for what, given, known in (
        ("language", [lang], LANGUAGES),
        (say("game with clues"), [profile], tuple(PROFILES)),
        (say("house rule"), house, HOUSE_RULES),
    ):
        for one in given:
            if one not in known:
                raise InputError(
                    say(
                        "There is no {what} {one}; {did_you_mean}",
                        what=what,
                        one=repr(one),
                        did_you_mean=did_you_mean(one, known),
                    )
                )
