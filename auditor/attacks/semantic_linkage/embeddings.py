"""What queries mean, as vectors: static embeddings whose weights come inside a package.

`wordllama` (D. Lee Miller, 2024; MIT licence) is an optional package, the extra ``semantic``. Its
wheel holds 32,000 vectors of 256 numbers, one for each piece of a word, and the mean of a text's
pieces is the text's vector. Nothing is downloaded: it is told to look in its own folder only.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from auditor.arrays import Float32s
from auditor.errors import MissingInput
from auditor.fuzzy_search import fold_text
from auditor.messages import phrase
from auditor.progress import Progress

TextEncoder = Callable[[Sequence[str]], Float32s]
"""Unit vectors of texts, zero for a text that says nothing; shape (texts, dimensions)."""

PACKAGE = "wordllama"
INSTALL = "pip install query-log-privacy-auditor[semantic]"
LONGEST = 200
"""Letters of a query that are read: a batch is as wide as its longest text."""

BLOCK = 2_048


def explain_missing() -> str:
    """Why meanings can't be compared here, in words; empty if they can."""
    if importlib.util.find_spec(PACKAGE) is not None:
        return ""
    return phrase("needs word embeddings, which are not installed: {install}", install=INSTALL)


def load_encoder() -> TextEncoder:
    """The encoder that the optional package holds, read from the disk in about a second.

    Raises
    ------
    MissingInput
        The package isn't installed, or not with all its files.
    """
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        import wordllama

        # Its own look-up misses the tokenizer in its folder, and would fetch one: so tell it where.
        model = wordllama.WordLlama.load(
            cache_dir=Path(wordllama.__file__).parent, disable_download=True
        )
    except (ImportError, OSError, AttributeError) as error:
        raise MissingInput(
            phrase(
                "The word embeddings can't be loaded ({error}). Install them again: {install}",
                error=type(error).__name__,
                install=INSTALL,
            )
        ) from None
    finally:  # importing it configures the logging of the whole process
        root.handlers[:] = handlers
        root.setLevel(level)

    def encode_texts(texts: Sequence[str]) -> Float32s:
        folded = [fold_text(text[:LONGEST]) for text in texts]
        if not folded:
            return np.zeros((0, model.embedding.shape[1]), dtype=np.float32)
        return normalize_vectors(model.embed(folded))

    return encode_texts


def encode_all(texts: Sequence[str], encode: TextEncoder, progress: Progress) -> Float32s:
    """The vectors of many texts, block by block; O(letters)."""
    blocks = progress.blocks("reading meanings", len(texts), BLOCK)
    return np.concatenate([encode([]), *(encode(texts[start:stop]) for start, stop in blocks)])


def normalize_vectors(vectors: Float32s) -> Float32s:
    """The same directions with length 1; zero stays zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(length > 0, length, 1)).astype(np.float32)
