"""Kinship: which words of a pack share a family, and which have several senses."""

import pytest

from pi_table.games.words.kinship import kinship
from pi_table.games.words.pack import pack_named, shipped_names

PAIRS = {
    "en": """
        BREAKDOWN HEARTBREAK · BREAKAGE BREAK · FEET BAREFOOT · FOOT FEET · DENTISTS DENTAL ·
        HARBOR HARBOUR · SUNFLOWER SUN · FLOWER SUNFLOWER · BAR_TAB BARTENDER · LADIES'_MAN LADY ·
        LIGHTHOUSE SPOTLIGHT · BLUE_LAGOON BLUE_MOON · TOP-HAT HAT_BOX · VALHALLA VALHALLA_GATE ·
        BREAK, BREAKFAST · "HARBOUR" HARBORS · LADIES’_MAN LADY
    """,
    "it": """
        BOCCHE BOCCUCCIA · CITTADINO CITTA · GRATTACIELO CIELO · GRATTUGIA GRATTACIELO ·
        FOGLIA_DI_FICO FICHI · PORTA_DI_CASA CASALINGA
    """,
}
STRANGERS = {
    "en": """
        ROW SPARROW · SUN FLOWER · CORN CORNER · KING_OF_HATS QUEEN_OF_COATS · PLANE AIRPORT ·
        THE_CROWN THE_ANCHOR · SAND SANDWICH
    """,
    "it": "CANE CANCELLATO · FOGLIA_DI_FICO NOTTE_DI_NEBBIA · CASO CASA · L'OMBRA L'AQUILA",
}


def cases(pairs: dict[str, str]) -> list[tuple[str, str, str]]:
    return [
        (language, *(word.replace("_", " ") for word in pair.split()))  # type: ignore[misc]
        for language, text in pairs.items()
        for pair in text.split("·")
    ]


# CN-23
@pytest.mark.parametrize(("language", "one", "other"), cases(PAIRS))
def test_two_words_with_a_root_in_common_are_kin(language: str, one: str, other: str) -> None:
    assert kinship([one, other], language).kin == {one: {other}, other: {one}}


# CN-23
@pytest.mark.parametrize(("language", "one", "other"), cases(STRANGERS))
def test_words_that_only_look_alike_are_not_kin(language: str, one: str, other: str) -> None:
    assert kinship([one, other], language).kin == {}


def test_a_word_with_two_senses_is_told_from_one_with_one() -> None:
    assert kinship(["BASS", "ACCOUNT", "ADMIRER", "VALHALLA"], "en").many == {"BASS", "ACCOUNT"}


def test_of_a_language_without_families_only_cards_with_a_word_in_common_are_kin() -> None:
    found = kinship(["MAISON", "MAISON VERTE", "MAISONS"], "fr")
    assert found.kin == {"MAISON": {"MAISON VERTE"}, "MAISON VERTE": {"MAISON"}}
    assert found.many == frozenset()


@pytest.mark.parametrize("name", shipped_names())
def test_no_two_words_of_a_shipped_pack_are_kin(name: str) -> None:
    pack = pack_named(name)
    assert kinship(pack.words, pack.language).kin == {}
    assert kinship([pack.twins.get(word, word) for word in pack.words], pack.language).kin == {}
