"""What queries mean, as vectors: static embeddings whose weights come inside a package.

`wordllama` (D. Lee Miller, 2024; MIT licence) is an optional package, the extra ``semantic``. Its
wheel holds 32,000 vectors of 256 numbers, one for each piece of a word, and the mean of a text's
pieces is the text's vector. Nothing is downloaded: it is told to look in its own folder only.

All known queries are compared with all released ones by the cosine of their vectors, block by
block: O(known · released · dimensions) multiplications in a matrix product that lets other threads
run, and memory for one block and for the neighbours.
"""

import importlib.util
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from auditor.arrays import Float32s, Int64s
from auditor.errors import MissingInput
from auditor.fuzzy_search import fold_text
from auditor.log.model import Vocabulary
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.progress import Progress

TextEncoder = Callable[[Sequence[str]], Float32s]
"""Unit vectors of texts, zero for a text that says nothing; shape (texts, dimensions)."""

PACKAGE = "wordllama"
INSTALL = "pip install query-log-privacy-auditor[semantic]"
LONGEST = 200
"""Letters of a query that are read: a batch is as wide as its longest text."""

BLOCK = 2_048
RELEASED_BLOCK = 2_048
KNOWN_BLOCK = 1_024
"""Two blocks are compared in some 40 ms, with 8 MB for their cosines."""

DECIMALS = 5
"""Of a cosine, so that the same words in another order tie: the product is only about so exact."""


def explain_missing() -> str:
    """Why meanings can't be compared here, in words; empty if they can."""
    if importlib.util.find_spec(PACKAGE) is not None:
        return ""
    return phrase("needs word embeddings, which are not installed: {install}", install=INSTALL)


def load_encoder() -> TextEncoder:
    """The encoder that the optional package holds, read from the disk in about a second.

    Raises `MissingInput` where the package isn't installed, or not with all its files.
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
            sentence(
                "semantic_linkage.word_embeddings_loaded_install",
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


class SemanticNeighbours(NamedTuple):
    """Released queries close to each of k known ones; shapes (pairs,).

    Pairs of the number of a known query, ascending, and the code (`place`) of a released one, the
    closest first by the cosine of their vectors.
    """

    known_query: Int64s
    place: Int64s
    cosine: Float32s


def find_neighbours(
    queries: Float32s,
    released: Vocabulary,
    encode: TextEncoder,
    *,
    least: float,
    neighbour_limit: int,
    progress: Progress,
) -> SemanticNeighbours:
    """At most `neighbour_limit` released queries of a cosine ≥ `least`, for each known one.

    `queries` are unit vectors, or zero; shape (k, dimensions).
    """
    best = SemanticNeighbours(
        np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    )
    floor = np.full(len(queries), np.nextafter(np.float32(least), np.float32(-1)), dtype=np.float32)
    arrow = released.as_arrow()
    for first, last in progress.blocks(
        "comparing meanings", len(released) if len(queries) else 0, RELEASED_BLOCK
    ):
        vectors = encode(arrow[first:last].to_pylist())
        parts = [best]
        for begin in range(0, len(queries), KNOWN_BLOCK):
            progress.check()
            cosine = queries[begin : begin + KNOWN_BLOCK] @ vectors.T
            row, column = np.nonzero(cosine > floor[begin : begin + KNOWN_BLOCK, None])
            similarity = cosine[row, column].round(DECIMALS)
            parts.append(SemanticNeighbours(row + begin, column + first, similarity))
        if any(len(part.known_query) for part in parts[1:]):
            best = _keep_closest(parts, neighbour_limit)
            full = np.bincount(best.known_query, minlength=len(queries)) == neighbour_limit
            last_of = np.searchsorted(best.known_query, np.arange(len(queries)), side="right") - 1
            floor[full] = best.cosine[last_of[full]]
    return best


def _keep_closest(parts: list[SemanticNeighbours], neighbour_limit: int) -> SemanticNeighbours:
    """The closest `neighbour_limit` of each known query among all parts; of equals the first."""
    query, place, cosine = map(np.concatenate, zip(*parts, strict=True))
    order = np.lexsort((place, -cosine, query))
    query = query[order]
    keep = np.arange(len(query)) - np.searchsorted(query, query) < neighbour_limit
    return SemanticNeighbours(query[keep], place[order][keep], cosine[order][keep])
