"""What somebody remembers of a query that they saw: a slip, another order, a word less.

Used to say how well an attack does whose knowledge is not exact. Each string is altered in one
way, drawn evenly among those that apply to it, from a seed: the same string, the same slip.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.attacks.near_linkage.matching import FEWEST_WORDS, SHORTEST
from auditor.fuzzy_search import fold_text

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
