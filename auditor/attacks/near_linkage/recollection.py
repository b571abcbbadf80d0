"""What somebody remembers of a query that they saw: a slip, another order, a word less.

Used to say how well an attack does whose knowledge is not exact. Each string is altered in one
way, drawn evenly among those that apply to it, from a seed: the same string, the same slip. Or they
forgot the words: the first two terms that stand in the program's table of synonyms are replaced;
without any, a query stays as it is.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np

from auditor.attacks.near_linkage.matching import FEWEST_WORDS, SHORTEST
from auditor.fuzzy_search import fold_text
from auditor.resource_files import resource_path

MOST_REPLACED = 2
"""Terms of a query that are replaced by synonyms."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misremember_strings(strings: Sequence[str], seed: int) -> list[str]:
    """The strings as somebody remembers them who read them once; O(bytes)."""
    rng = np.random.default_rng(seed)
    draws = rng.random((len(strings), 4))
    return [_alter_text(text, draw) for text, draw in zip(strings, draws.tolist(), strict=True)]


def _alter_text(text: str, draw: Sequence[float]) -> str:
    words = fold_text(text).split()
    if not words:
        return text
    ways = ["plural"] + (["slip"] if len(" ".join(words)) > SHORTEST else [])
    ways += ["order"] if len(words) > 1 else []
    ways += ["word"] if len(words) >= FEWEST_WORDS else []
    way = ways[int(draw[0] * len(ways))]
    at = int(draw[1] * len(words))
    if way == "plural":
        words[-1] = words[-1][:-1] if words[-1].endswith("s") else words[-1] + "s"
    elif way == "order":
        words = [*words[at:], *words[:at]] if at else [*words[1:], words[0]]
    elif way == "word":
        del words[at]
    else:
        return _make_slip(" ".join(words), draw)
    return " ".join(words)


def _make_slip(text: str, draw: Sequence[float]) -> str:
    """One letter left out, doubled, replaced or swapped with the next."""
    letters = [at for at, letter in enumerate(text[:-1]) if letter.isalpha()]
    if not letters:
        return text
    at = letters[int(draw[1] * len(letters))]
    way = int(draw[2] * 4)
    if way == 0:
        return text[:at] + text[at + 1 :]
    if way == 1:
        return text[:at] + text[at] + text[at:]
    if way == 2:
        return text[:at] + _LETTERS[int(draw[3] * 26)] + text[at + 1 :]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


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
