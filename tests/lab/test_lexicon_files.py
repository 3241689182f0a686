"""The words that the reckoning of kin reads from a WordNet and a MultiWordNet of a few lines."""

from pathlib import Path

import pytest

from pi_table.lab.reckoning.sources import Source, english, italian, release

HEAD = "  1 This is how a licence stands there.  \n  2 WordNet 3.7 Copyright 2050 by nobody.  \n"
WORDNET = {
    "data.noun": r"""
00000001 03 n 01 animal 0 000 | a living thing that moves; "an animal of the woods"
00000002 05 n 02 horse 0 Equus_caballus 0 002 @ 00000001 n 0000 + 00000002 s 0101 | beast with hoofs
00000003 18 n 01 rider 0 002 @ 00000001 n 0000 + 00000001 v 0101 | someone on a horse
00000004 06 n 01 alarm_clock 0 000 | a clock that wakes a sleeper
""",
    "data.verb": """
00000001 38 v 01 ride 0 001 + 00000003 n 0101 01 + 08 00 | sit on a beast and be carried
""",
    "data.adj": r"""
00000001 00 a 02 ridable(p) 0 fit_to_ride 0 001 \ 00000001 v 0101 | that can be ridden
00000002 00 s 01 horsy 0 001 & 00000001 s 0000 | like a horse
""",
    "data.adv": "",
    "index.noun": """
alarm_clock n 1 0 1 0 00000004
animal n 1 1 ~ 1 0 00000001
equus_caballus n 1 1 @ 1 0 00000002
horse n 1 2 @ + 1 1 00000002
rider n 1 2 @ + 1 0 00000003
""",
    "index.verb": "ride v 1 1 + 1 0 00000001\n",
    "index.adj": "horsy a 1 2 \\ & 1 0 00000002\nridable a 1 1 + 1 0 00000001\n",
    "index.adv": "",
}
MULTIWORDNET = {
    "english/english_synset.sql": r"""
# a comment
INSERT INTO english_synset VALUES ('n#1','animal',NULL,'a living thing');
INSERT INTO english_synset VALUES ('n#3','rider horseman',NULL,'someone on a ''good'' horse');
INSERT INTO english_synset VALUES ('v#1','ride',NULL,'sit on a beast');
""",
    "common/common_relation.sql": """
INSERT INTO common_relation VALUES ('@','n#3','n#1',NULL);
INSERT INTO common_relation VALUES ('!','n#1','n#3',NULL);
""",
    "italian/italian_index.sql": r"""
INSERT INTO italian_index VALUES ('animale','n#1',NULL,NULL,NULL);
INSERT INTO italian_index VALUES ('cavaliere','n#3',NULL,NULL,NULL);
INSERT INTO italian_index VALUES ('fantino','n#3',NULL,NULL,NULL);
INSERT INTO italian_index VALUES ('cavalcare',NULL,'v#1',NULL,NULL);
INSERT INTO italian_index VALUES ('colpo_d\'occhio','n#9',NULL,NULL,NULL);
""",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.lstrip("\n"), "utf-8")
    return folder


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    files = {name: HEAD + text.lstrip("\n") for name, text in WORDNET.items()}
    return written(tmp_path / "wordnet", files)


@pytest.fixture
def of_wordnet(wordnet: Path) -> Source:
    return english(wordnet)


@pytest.fixture
def of_multiwordnet(tmp_path: Path, of_wordnet: Source) -> Source:
    return italian(written(tmp_path / "multiwordnet", MULTIWORDNET), of_wordnet)


def test_the_release_is_the_one_of_the_licence(wordnet: Path) -> None:
    assert release(wordnet) == "WordNet 3.7"
    (wordnet / "data.adv").write_text("")
    assert release(wordnet) == "WordNet"


def test_each_word_has_its_parts_of_speech(of_wordnet: Source) -> None:
    sorts = of_wordnet.sorts
    assert (sorts["ride"], sorts["rider"], sorts["horsy"]) == ("v", "n", "a")
    assert sorts["alarm clock"] == "n"


def test_a_sense_is_told_by_its_other_words_and_its_gloss_without_examples(
    of_wordnet: Source,
) -> None:
    assert of_wordnet.glosses["horse"] == ("equus caballus, beast with hoofs",)
    assert of_wordnet.glosses["animal"] == ("a living thing that moves",)


def test_a_word_is_explained_by_its_gloss_and_by_what_it_is_a_kind_of(of_wordnet: Source) -> None:
    assert {"hoofs", "animal"} <= of_wordnet.said_of["horse"]
    assert "horse" not in of_wordnet.said_of["horse"]
    assert "horse" in of_wordnet.said_of["rider"]


def test_words_are_linked_that_are_derived_from_each_other(of_wordnet: Source) -> None:
    """*Ridable* without its mark of place; a satellite, to which a pointer is, as an adjective."""
    assert of_wordnet.links == {("ride", "rider"), ("ridable", "ride"), ("horse", "horsy")}


def test_italian_words_have_the_senses_of_english_ones(of_multiwordnet: Source) -> None:
    assert of_multiwordnet.sorts["cavalcare"] == "v"
    assert of_multiwordnet.glosses["fantino"] == (
        "cavaliere, rider, horseman, someone on a 'good' horse",
    )
    assert {"animale", "animal", "horse"} <= of_multiwordnet.said_of["cavaliere"]


def test_italian_words_are_linked_as_english_ones_are_if_they_begin_alike(
    of_multiwordnet: Source,
) -> None:
    assert of_multiwordnet.links == {("cavalcare", "cavaliere")}  # and not fantino


def test_a_sense_that_the_english_part_does_not_have_is_no_trouble(of_multiwordnet: Source) -> None:
    assert of_multiwordnet.sorts["colpo d'occhio"] == "n"
    assert of_multiwordnet.glosses["colpo d'occhio"] == ("",)
