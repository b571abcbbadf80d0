"""What somebody remembers of a query whose words they forgot: another word that means the same.

Used to say how well an attack does whose knowledge is of meanings. The first two terms of a query
that stand in the program's table of synonyms are replaced; without any, a query stays as it is.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np

from auditor.fuzzy_search import fold_text
from auditor.log.gazetteers import resource_path

MOST_REPLACED = 2
"""Terms of a query that are replaced."""


@functools.lru_cache(maxsize=1)
def read_synonyms() -> Mapping[str, tuple[str, ...]]:
    """For each term of one or two words the others that mean the same in a search."""
    others: dict[str, dict[str, None]] = {}
    text = resource_path("own/synonyms.txt").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            terms = [term.strip() for term in line.split(",")]
            for term in terms:
                others.setdefault(term, {}).update(dict.fromkeys(terms))
    return {
        term: tuple(other for other in group if other != term) for term, group in others.items()
    }


def paraphrase_strings(strings: Sequence[str], seed: int) -> list[str]:
    """The strings in other words, as far as there are some; the same seed, the same words."""
    draws = np.random.default_rng(seed).random((len(strings), MOST_REPLACED)).tolist()
    return [_replace_words(text, draw) for text, draw in zip(strings, draws, strict=True)]


def _replace_words(text: str, draw: Sequence[float]) -> str:
    table = read_synonyms()
    words = fold_text(text).split()
    said: list[str] = []
    at = replaced = 0
    while at < len(words):
        size = 2 if " ".join(words[at : at + 2]) in table and at + 1 < len(words) else 1
        term = " ".join(words[at : at + size])
        others = table.get(term, ()) if replaced < MOST_REPLACED else ()
        if others:
            said.append(others[int(draw[replaced] * len(others))])
            replaced += 1
        else:
            said.append(term)
        at += size
    return " ".join(said) if replaced else text
