"""One and many: which pairs of words are the same but for number, and which are not."""

import pytest

from pi_table.games.words.number import LANGUAGES, plurals

ENGLISH = """
cat cats · pony ponies · boy boys · bus buses · bus busses · quiz quizzes · waltz waltzes
fox foxes · church churches · stomach stomachs · dish dishes · glass glasses · potato potatoes
piano pianos · leaf leaves · roof roofs · breadknife breadknives · bookshelf bookshelves
wolf wolves · snowman snowmen · mouse mice · tooth teeth · goose geese · child children
person people · cactus cacti · oasis oases · matrix matrices · chateau chateaux · café cafés
"""
ITALIAN = """
gatto gatti · porto porti · porta porte · cane cani · notte notti · amico amici · banco banchi
lago laghi · amica amiche · bottega botteghe · arancia arance · camicia camicie · valigia valigie
bacio baci · zio zii · moglie mogli · artista artisti · pirata pirati · problema problemi
uovo uova · dito dita · mano mani · ala ali · uomo uomini · tempio templi
"""
ENGLISH_OTHERS = """
bra brass · new news · mar mars · prince princess · pas pass · gras grass · hors horse · pon pony
star start · car care · needle needless
"""
ITALIAN_OTHERS = """
casa caso · porta porti · porta porto · città citte · metà mete · vita vite · seta sete · sala sale
bar bari · papà pape · fila filo · cervo cerva · gatto gatta · tè ti · virtù virti · palma palmi
"""


def pairs(text: str) -> list[tuple[str, str]]:
    found = [tuple(pair.split()) for line in text.strip().splitlines() for pair in line.split("·")]
    return [(one, many) for one, many in found]


@pytest.mark.parametrize(("one", "many"), pairs(ENGLISH))
def test_an_english_word_and_its_plural_are_one(one: str, many: str) -> None:
    assert many in plurals(one, "en")


@pytest.mark.parametrize(("one", "many"), pairs(ITALIAN))
def test_an_italian_word_and_its_plural_are_one(one: str, many: str) -> None:
    assert many in plurals(one, "it")


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [("en", *pair) for pair in pairs(ENGLISH_OTHERS)]
    + [("it", *pair) for pair in pairs(ITALIAN_OTHERS)],
)
def test_other_words_stay_apart(language: str, one: str, other: str) -> None:
    assert other not in plurals(one, language)
    assert one not in plurals(other, language)


def test_no_word_is_its_own_plural_and_a_language_has_its_own_rules() -> None:
    for language in LANGUAGES:
        for word in ("sheep", "serie", "oasi", "news", "virtù", "x", ""):
            assert word not in plurals(word, language)
    assert "gatti" not in plurals("gatto", "en")
    assert "cats" not in plurals("cat", "it")
    assert plurals("katze", "de") == frozenset()
